//! The calls of a plain order.

use super::{PlanContext, call, finders, lister, plain};
use crate::planner::{
    Call,
    action::Action,
    ask::Ask,
    fill,
    records::Record,
    toolbox::Card,
    words::{close, meaning, parts, words},
};

/// The next calls for an order: what finds its target first, where it is not known.
pub(super) fn calls(context: PlanContext<'_>, action: &Action) -> Vec<Call> {
    let (view, ask, toolbox) = (context.view, context.ask, context.toolbox);
    let fitting = fitting(context, action);
    if fitting.is_empty() || fitting.iter().any(|card| is_done(context, card)) {
        return Vec::new();
    }
    if !ask.several.is_empty() {
        return several(context, action);
    }
    // The person confirms a name that is nearly the same.
    if !ask.near.is_empty() && target(context).is_none_or(|record| record.ids.is_empty()) {
        return Vec::new();
    }
    let found = target(context);
    if found.is_none() && state_of(action).is_some() && !ask.names_a_thing() {
        return search(context);
    }
    let is_open = found.is_none() && (!ask.strangers.is_empty() || !ask.ids.is_empty());
    let undecided = fitting.len() > 1 && decided(context, &fitting, found.as_ref()).is_none();
    if is_open && undecided {
        let open = search(context);
        if !open.is_empty() {
            return open;
        }
    }
    let Some(card) = tool_for(context, action) else {
        return Vec::new();
    };
    match fill::input(card, ask, found.as_ref(), toolbox) {
        Ok(input) => vec![call(card, input)],
        Err(missing) => {
            let is_where = toolbox.is_place(&missing.0);
            let known = &context.toolbox.known;
            // Only what a list says of a thing may tell that it is meant.
            if is_where
                && card.required().count() == 1
                && let Some(lister) = lister(toolbox, &missing.0)
                && !view.done.iter().any(|done| done.name == lister.tool.name)
            {
                return plain(lister, toolbox).into_iter().collect();
            }
            let by_role = known
                .iter()
                .find(|record| record.is(&missing.0) && says(record, &action.rest));
            if let Some(record) = by_role
                && let Ok(input) = fill::input(card, ask, Some(record), toolbox)
            {
                return vec![call(card, input)];
            }
            if ask.names_a_thing() {
                search(context)
            } else {
                Vec::new()
            }
        }
    }
}

/// A call for each of several things, once all of them are known.
fn several(context: PlanContext<'_>, action: &Action) -> Vec<Call> {
    let (ask, toolbox) = (context.ask, context.toolbox);
    let things: Vec<(&String, Option<&Record>)> = ask
        .several
        .iter()
        .map(|name| (name, thing_called(context, name)))
        .collect();
    if things.iter().any(|(_, record)| record.is_none()) {
        let open = search(context);
        if !open.is_empty() {
            return open;
        }
    }
    let planned = things.into_iter().map(|(name, record)| {
        let places = ask.named.iter().filter(|other| other.ids.is_empty());
        // A name that is in no list may be one that the tool accepts.
        let strange = ask
            .strangers
            .iter()
            .filter(|it| record.is_none() && it.word.eq_ignore_ascii_case(name));
        let one = Ask {
            named: record.into_iter().chain(places).cloned().collect(),
            strangers: strange.cloned().collect(),
            ids: Vec::new(),
            several: Vec::new(),
            ..ask.clone()
        };
        let context = PlanContext {
            ask: &one,
            ..context
        };
        let card = tool_for(context, action)?;
        let input = fill::input(card, &one, record, toolbox).ok()?;
        Some(call(card, input))
    });
    planned.collect::<Option<Vec<Call>>>().unwrap_or_default()
}

/// The thing with a name or a number that an order lists.
pub(super) fn thing_called<'d>(context: PlanContext<'d>, name: &str) -> Option<&'d Record> {
    context.ask.named.iter().find(|record| {
        record.is_called(name) || record.ids.iter().any(|(_, id)| id.to_string() == name)
    })
}

/// The state by which an order describes its thing: "stop the paused one".
fn state_of(action: &Action) -> Option<&str> {
    const STATES: &[&str] = &["running", "stopped", "paused", "suspended", "offline"];
    let mut rest = action.rest.iter().map(String::as_str);
    rest.find(|word| STATES.contains(word))
}

/// The only thing in the state that an order describes, of the kind that it names.
fn described(context: PlanContext<'_>) -> Option<Record> {
    let action = context.ask.action.as_ref()?;
    let state = state_of(action).filter(|_| !context.ask.names_a_thing())?;
    let is_kind = |record: &Record, word: &String| {
        nouns(record)
            .iter()
            .any(|noun| close(&meaning(noun), &meaning(word)))
    };
    let mut things = context.toolbox.known.iter().filter(|record| {
        let mut said = action.rest.iter();
        !record.ids.is_empty()
            && record.text("state") == Some(state)
            && said.any(|word| is_kind(record, word))
    });
    let only = things.next()?;
    things.next().is_none().then(|| only.clone())
}

fn is_done(context: PlanContext<'_>, card: &Card<'_>) -> bool {
    context
        .view
        .done
        .iter()
        .any(|done| done.name == card.tool.name)
}

/// True if a thing is described with one of the words.
fn says(record: &Record, said: &[String]) -> bool {
    let texts = record.fields.values().filter_map(|value| value.as_str());
    texts
        .flat_map(words)
        .any(|word| !crate::planner::words::is_plain(&word) && said.contains(&word))
}

/// Calls of the tools that find things, as far as they have not been made.
fn search(context: PlanContext<'_>) -> Vec<Call> {
    let open = finders(context.toolbox)
        .into_iter()
        .filter(|card| !is_done(context, card));
    open.filter_map(|card| plain(card, context.toolbox))
        .collect()
}

/// The thing that the order is about: one that is not only where, if there is any.
pub(super) fn target(context: PlanContext<'_>) -> Option<Record> {
    let named = &context.ask.named;
    let is_thing = |record: &&Record| !record.ids.is_empty();
    named
        .iter()
        .find(is_thing)
        .or(named.first().filter(|_| {
            context
                .ask
                .strangers
                .iter()
                .all(|stranger| stranger.is_place)
                && context.ask.ids.is_empty()
        }))
        .cloned()
        .or_else(|| described(context))
}

/// The tools that do what the verb says.
pub(super) fn fitting<'s>(context: PlanContext<'s>, action: &Action) -> Vec<&'s Card<'s>> {
    let all = context.toolbox.cards.iter();
    let named = all.filter(|card| {
        let name = parts(card.tool.name);
        action
            .verbs
            .iter()
            .any(|verb| name.iter().any(|part| part == verb) || chooses(card, verb))
    });
    let mut named: Vec<&Card<'_>> = named.collect();
    named.sort_by_key(|card| {
        let name = parts(card.tool.name);
        let mut verbs = action.verbs.iter();
        verbs.position(|verb| name.iter().any(|part| part == verb))
    });
    named
}

/// True if what is to be done can be chosen in a tool's input.
fn chooses(card: &Card<'_>, verb: &str) -> bool {
    let properties = card.tool.schema["properties"].as_object();
    properties.into_iter().flatten().any(|(name, property)| {
        let choices = property["enum"].as_array();
        card.requires(name) && choices.is_some_and(|all| all.iter().any(|choice| choice == verb))
    })
}

/// The tool for an order.
pub(in crate::planner) fn tool_for<'s>(
    context: PlanContext<'s>,
    action: &Action,
) -> Option<&'s Card<'s>> {
    let fitting = fitting(context, action);
    let found = target(context);
    if let Some(card) = decided(context, &fitting, found.as_ref()) {
        return Some(card);
    }
    match fitting[..] {
        [] => None,
        [only] => only_fits(only, found.as_ref()).then_some(only),
        _ => {
            // A known thing of another kind: none of them is for it.
            if found.is_some() {
                return None;
            }
            let mut best: Option<(&Card<'_>, f64)> = None;
            for card in fitting {
                let score = context.toolbox.score(card, context.ask);
                let fills = fill::input(card, context.ask, None, context.toolbox).is_ok();
                let score = score + if fills { 1.0 } else { 0.0 };
                if best.as_ref().is_none_or(|(_, most)| score > *most + 1e-9) {
                    best = Some((card, score));
                }
            }
            best.map(|(card, _)| card)
        }
    }
}

/// A thing of a kind that a tool does not speak of is nothing for it.
fn only_fits(card: &Card<'_>, found: Option<&Record>) -> bool {
    found.is_none_or(|record| nouns(record).iter().any(|noun| speaks(card, noun)) || card.finds())
        || card.reads
}

fn speaks(card: &Card<'_>, noun: &str) -> bool {
    card.mentions(&meaning(noun)) > 0.0 || card.takes(noun)
}

/// The tool that the words or the kind of their target decide for.
fn decided<'s>(
    context: PlanContext<'s>,
    fitting: &[&'s Card<'s>],
    found: Option<&Record>,
) -> Option<&'s Card<'s>> {
    let Some(action) = &context.ask.action else {
        return None;
    };
    if action.command.is_some() {
        return fitting.iter().find(|card| card.takes("command")).copied();
    }
    // What is known of the thing says more than what it is called.
    if let Some(record) = found {
        let nouns = nouns(record);
        let of_kind = |card: &&&Card<'_>| {
            let rest = card.name.iter().skip(1);
            rest.into_iter()
                .any(|part| nouns.iter().any(|noun| close(part, &meaning(noun))))
        };
        return fitting.iter().find(of_kind).copied();
    }
    let said: Vec<String> = action.rest.iter().map(|word| meaning(word)).collect();
    let by_noun = |card: &&&Card<'_>| {
        let mut nouns = card.name.iter().skip(1);
        nouns.any(|noun| said.iter().any(|word| word == noun))
    };
    fitting.iter().find(by_noun).copied()
}

/// Words for what a thing is: of what it says itself, of the tools that told of it, of its lists.
fn nouns(record: &Record) -> Vec<String> {
    let own = ["kind", "type"]
        .into_iter()
        .filter_map(|field| record.text(field));
    let mut nouns: Vec<String> = own.map(str::to_owned).collect();
    let tools = record.tools.iter().flat_map(|tool| parts(tool));
    nouns.extend(
        tools
            .map(|part| crate::planner::words::singular(&part))
            .skip_while(String::is_empty),
    );
    nouns.extend(record.kinds.iter().cloned());
    nouns
}
