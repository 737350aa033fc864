//! The tools that a question asks for.

use super::PlanContext;
use crate::planner::{
    ask::{Ask, content},
    forms,
    records::Record,
    toolbox::{Card, Toolbox},
    words::{meaning, words},
};

/// Most tools that an overview reads where it is asked whether all is well.
const OVERVIEW: usize = 6;

/// The tools that the words ask for.
pub(in crate::planner) fn chosen<'s>(context: PlanContext<'s>) -> Vec<&'s Card<'s>> {
    let (ask, toolbox) = (context.ask, context.toolbox);
    // "Why is it stopped?": what happened there tells.
    if reason_of(context).is_some() || failure_of(context) || asks_who(ask) {
        return toolbox.happenings().into_iter().collect();
    }
    // If only the name is known, the full one is looked for first.
    if ask.is_forecast() && ask.named.is_empty() && !ask.strangers.is_empty() {
        let full = Ask {
            content: vec![meaning("full")],
            ..Ask::default()
        };
        let lists = toolbox.best(&full);
        let is_done = |card: &&Card<'_>| {
            context
                .view
                .done
                .iter()
                .any(|done| done.name == card.tool.name)
        };
        if let Some(card) = lists.filter(|card| !is_done(card)) {
            return vec![card];
        }
    }
    let is_place = |record: &Record| {
        record.ids.is_empty() && record.kinds.iter().any(|kind| toolbox.is_common(kind))
    };
    if ask.seeks_user() && ask.named.first().is_some_and(is_place) {
        return finders(toolbox);
    }
    if ask.names_a_thing() && (ask.is_of_then() || ask.is_forecast()) {
        let past = toolbox.readers().find(|card| card.takes_a_span());
        return past.into_iter().collect();
    }
    // "Why?" of a place that has the most of something: what is there tells.
    if words(&ask.question) == ["why"] && ask.named.first().is_some_and(is_place) {
        return finders(toolbox);
    }
    // A form, word for word.
    let typed = toolbox
        .readers()
        .find(|card| forms::is_typed(card.tool, ask));
    if let Some(card) = typed {
        return vec![card];
    }
    let is_what = |word: &String| ask.named.iter().any(|record| record.is(word));
    if ask.content.is_empty() || ask.span.is_some() && ask.content.iter().all(is_what) {
        let past = || ask.span.and_then(|_| past(context));
        return match toolbox.of_shape(ask).filter(|_| ask.named.is_empty()) {
            Some(card) => vec![card],
            None => past().map_or_else(|| about_a_thing(context), |card| vec![card]),
        };
    }
    if let Some(holders) = holders(context) {
        return holders;
    }
    let whole = toolbox
        .readers()
        .find(|card| is_of_all(card))
        .filter(|_| asks_of_all(ask));
    let Some(best) = whole.or_else(|| toolbox.best(ask)) else {
        return if asks_of_a_place(context) {
            about_a_thing(context)
        } else {
            of_a_stranger(context)
        };
    };
    // A number that no data has told of may be that of any kind.
    let is_of = |kind: &String| best.name.contains(&meaning(kind));
    let is_unknown = |record: &Record| {
        !record.ids.is_empty() && record.tools.is_empty() && !record.kinds.iter().any(is_of)
    };
    if best.finds() && ask.named.iter().any(is_unknown) {
        return finders(toolbox);
    }
    if let Some(tellers) = tellers(context, best) {
        return tellers;
    }
    if best.finds() && asks_of_a_place(context) {
        return about_a_thing(context);
    }
    if is_overview(ask, best) {
        let mut all = vec![best];
        let plain = toolbox.readers().filter(|card| {
            let properties = card.tool.schema["properties"].as_object();
            // One that has kinds to choose from repeats what the tools of these kinds say.
            let has_kinds = properties
                .is_some_and(|all| all.values().any(|property| property["enum"].is_array()));
            card.required().next().is_none() && !has_kinds && card.tool.name != best.tool.name
        });
        // "How is it doing?" is less than "is all well?"
        let most = if ask.has("how") {
            OVERVIEW - 1
        } else {
            OVERVIEW
        };
        all.extend(plain.take(most - 1));
        return all;
    }
    let mut all = vec![best];
    // "Storage and backups": each side of the word has its own.
    let sides: Vec<&str> = ask.question.split(" and ").collect();
    if let [_, _] = sides[..]
        && !ask.pair("was", "it")
    {
        let found: Vec<&Card<'_>> = sides
            .iter()
            .filter_map(|side| {
                let content = content(side, toolbox);
                let ask = Ask {
                    content,
                    ..ask.clone()
                };
                toolbox
                    .best(&ask)
                    .filter(|card| toolbox.score(card, &ask) >= 1.0)
            })
            .collect();
        if let [first, second] = found[..]
            && first.tool.name != second.tool.name
        {
            all = found;
        }
    }
    all
}

/// True if it is asked why something failed, or what went wrong with a thing that came with the words.
pub(in crate::planner) fn failure_of(context: PlanContext<'_>) -> bool {
    let ask = context.ask;
    let told = context.toolbox.happenings();
    let is_told = ask
        .about
        .as_ref()
        .is_some_and(|(kind, _)| told.is_some_and(|card| card.name.contains(&meaning(kind))));
    is_told || ask.wants("fail") && asks_why(ask) && ask.action.is_none()
}

fn asks_why(ask: &Ask) -> bool {
    ask.why || ask.has("why") || ask.any(&["reason", "cause", "caused"])
}

/// True if it is asked who did something with a thing.
fn asks_who(ask: &Ask) -> bool {
    ask.said.first().is_some_and(|word| word == "who") && ask.names_a_thing()
}

/// True if the words ask how everything is.
pub(in crate::planner) fn is_overall(context: PlanContext<'_>) -> bool {
    let ask = context.ask;
    let is_whole = || {
        let mut all = context.toolbox.readers().filter(|card| is_of_all(card));
        all.next().is_some_and(|card| is_overview(ask, card))
    };
    // "Is the cluster healthy?" asks as much.
    let is_all = asks_of_all(ask) || ask.wants("healthy") && is_whole();
    is_all && !ask.has("how") && !failure_of(context)
}

/// Words for all there is, and for how it is.
const ALL: &[&str] = &[
    "everything",
    "healthy",
    "state",
    "problem",
    "wrong",
    "attention",
    "report",
    "infrastructur",
];

/// True if the words ask how everything is.
fn asks_of_all(ask: &Ask) -> bool {
    !ask.names_a_thing()
        && ask.action.is_none()
        && !ask.content.is_empty()
        && ask.content.iter().all(|word| {
            // "Is everything running?"
            ALL.contains(&word.as_str()) || word == "run" && ask.wants("everything")
        })
}

/// True if a tool is about the whole.
fn is_of_all(card: &Card<'_>) -> bool {
    let told = words(card.tool.description);
    card.required().next().is_none() && told.iter().take(8).any(|word| word == "whole")
}

/// True if all is asked for: how everything is, or how that is what a tool about the whole is about.
fn is_overview(ask: &Ask, best: &Card<'_>) -> bool {
    let how = ask.has("how") || ask.wants("healthy") || ask.wants("state");
    let mut only = ask
        .content
        .iter()
        .filter(|word| !ALL.contains(&word.as_str()));
    let is_about = only.all(|word| best.mentions(word) >= 1.0);
    is_of_all(best) && !ask.names_a_thing() && (how && is_about || asks_of_all(ask))
}

/// The tools that only ask for a thing of this kind, else those that told of it, else those that
/// find things by their names.
fn about_a_thing<'s>(context: PlanContext<'s>) -> Vec<&'s Card<'s>> {
    let (ask, toolbox) = (context.ask, context.toolbox);
    if let Some(record) = ask.named.first() {
        let own = toolbox.readers().filter(|card| {
            let mut required = card.required();
            required.next().is_some_and(|name| record.is(name)) && required.next().is_none()
        });
        let own: Vec<&Card<'_>> = own.take(3).collect();
        if !own.is_empty() {
            return own;
        }
        let told = record.tools.iter().filter_map(|tool| toolbox.card(tool));
        let told: Vec<&Card<'_>> = told.filter(|card| card.reads).take(2).collect();
        if !told.is_empty() {
            return told;
        }
        // One that no data has told of is found by its number.
        if !record.ids.is_empty() {
            return finders(toolbox);
        }
    }
    // The only strange word of "How is X doing?".
    let asks = [
        "how", "why", "where", "is", "and", "what", "show", "about", "tell", "describe",
    ];
    let opens = ask
        .said
        .first()
        .is_some_and(|word| asks.contains(&word.as_str()));
    let strangers = ask.strangers.iter().filter(|it| !it.is_place).count();
    match (strangers, ask.ids.is_empty()) {
        (1, _) if opens => finders(toolbox),
        (0, false) => finders(toolbox),
        _ => Vec::new(),
    }
}

/// True if it is asked how a place is, not what is there.
fn asks_of_a_place(context: PlanContext<'_>) -> bool {
    let ask = context.ask;
    let is_place = |record: &Record| record.ids.is_empty() && !record.tools.is_empty();
    let is_there = ask.said.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "on" | "at")
            && ask.named.iter().any(|record| record.is_called(&pair[1]))
    });
    !is_there
        && ask.strangers.is_empty()
        && !ask.named.is_empty()
        && ask.named.iter().all(is_place)
        && ask.content.iter().all(|word| is_of_state(word))
}

/// True if a word asks how something is.
fn is_of_state(word: &str) -> bool {
    matches!(word, "run" | "onlin" | "offlin" | "down") || ALL.contains(&word)
}

/// The tools that told of a thing, where the one that fits the words best has told of others but not of it.
fn tellers<'s>(context: PlanContext<'s>, best: &Card<'_>) -> Option<Vec<&'s Card<'s>>> {
    let toolbox = context.toolbox;
    let has_told = |record: &Record, card: &Card<'_>| {
        let mut tools = record.tools.iter();
        tools.any(|tool| tool == card.tool.name)
    };
    let is_read = || toolbox.known.iter().any(|other| has_told(other, best));
    let mut named = context.ask.named.iter();
    let thing = named.find(|record| !record.ids.is_empty())?;
    if !best.finds() || has_told(thing, best) || !is_read() {
        return None;
    }
    let finders = toolbox.readers().filter(|card| card.finds());
    let tellers: Vec<&Card<'_>> = finders.filter(|card| has_told(thing, card)).collect();
    (!tellers.is_empty()).then_some(tellers)
}

/// The tools that told of things which have what is asked for by a word of theirs, such as a tag:
/// "Which guests are critical?".
fn holders<'s>(context: PlanContext<'s>) -> Option<Vec<&'s Card<'s>>> {
    let (ask, toolbox) = (context.ask, context.toolbox);
    ask.which.as_ref()?;
    let mut strangers = ask.strangers.iter().filter(|it| !it.is_place);
    let word = strangers.next()?.word.to_lowercase();
    let holds = |record: &&Record| {
        let texts = record.fields.values().filter_map(|value| value.as_array());
        let mut texts = texts.flatten().filter_map(|text| text.as_str());
        !record.ids.is_empty() && texts.any(|text| text == word)
    };
    let with: Vec<&Record> = toolbox.known.iter().filter(holds).collect();
    let told = |card: &&Card<'_>| {
        let mut tools = with.iter().flat_map(|record| &record.tools);
        card.finds() && tools.any(|tool| tool == card.tool.name)
    };
    let cards: Vec<&Card<'_>> = toolbox.readers().filter(told).collect();
    (!cards.is_empty()).then_some(cards)
}

/// The tools that find a thing by its name and tell what is asked of it, or of all things of a kind.
fn of_a_stranger<'s>(context: PlanContext<'s>) -> Vec<&'s Card<'s>> {
    let ask = context.ask;
    let kind = ask
        .which
        .as_ref()
        .filter(|noun| context.toolbox.is_kind(noun));
    let told = || ask.content.iter().filter(|word| Some(*word) != kind);
    let tells = |card: &Card<'_>| told().all(|word| card.mentions(word) > 0.0);
    let mut things = ask.strangers.iter().filter(|it| !it.is_place);
    let is_one = things.next().is_some() && things.next().is_none();
    let finders = context.toolbox.readers().filter(|card| card.finds());
    let is_of_kind = kind.is_some() && told().next().is_some();
    let is_status = told().all(|word| is_of_state(word));
    let is_thing = ask.strangers.iter().any(|it| !it.is_place)
        || ask.named.iter().any(|record| !record.ids.is_empty());
    if is_status && is_thing {
        return finders.collect();
    }
    if is_one || is_of_kind || ask.named.iter().any(|record| !record.ids.is_empty()) {
        finders.filter(|card| tells(card)).collect()
    } else {
        Vec::new()
    }
}

/// The tool for a span of time alone: for the course of a thing, else for what happened.
fn past<'s>(context: PlanContext<'s>) -> Option<&'s Card<'s>> {
    if context.ask.names_a_thing() {
        context.toolbox.readers().find(|card| card.takes_a_span())
    } else {
        context.toolbox.happenings()
    }
}

/// The tools that find a thing by its name.
pub(super) fn finders<'s>(toolbox: &'s Toolbox<'s>) -> Vec<&'s Card<'s>> {
    let finders: Vec<&Card<'_>> = toolbox.readers().filter(|card| card.finds()).collect();
    if !finders.is_empty() {
        return finders;
    }
    let free = toolbox
        .readers()
        .filter(|card| card.required().next().is_none());
    free.take(3).collect()
}

/// The thing of whose state the reason is asked for.
pub(in crate::planner) fn reason_of(context: PlanContext<'_>) -> Option<&Record> {
    let ask = context.ask;
    let states = [
        "stop", "run", "paus", "suspend", "offlin", "fail", "restart", "down",
    ];
    let state = ask
        .content
        .iter()
        .any(|word| states.contains(&word.as_str()));
    // Why something failed is another question than why it is as it is.
    let is_other = failure_of(context);
    ask.named.first().filter(|_| ask.why && state && !is_other)
}
