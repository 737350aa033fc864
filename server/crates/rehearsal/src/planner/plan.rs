//! Which tools to call next, given what is known by now.

mod choice;
mod elsewhere;
mod order;

use serde_json::Value;

use super::{
    Call,
    area::AreaExample,
    ask::Ask,
    fill::{self, Missing},
    records::{self, Record},
    talk::Talk,
    toolbox::{Card, Toolbox},
    view::{Done, View},
    words::{close, words},
};
use crate::texts::offers;
use choice::finders;
pub(super) use choice::{chosen, failure_of, is_overall, reason_of};
pub(super) use elsewhere::elsewhere;
pub(super) use order::tool_for;

/// Most things that are asked about one by one.
const MOST: usize = 8;

/// The things that the planner looks at.
#[derive(Clone, Copy)]
pub(super) struct PlanContext<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) ask: &'a Ask,
    pub(super) toolbox: &'a Toolbox<'a>,
}

/// The next calls; none when it is time to answer. Calls that were made since the newest words are
/// not repeated.
pub(super) fn calls(context: PlanContext<'_>) -> Vec<Call> {
    let ask = context.ask;
    if ask.foreign
        || ask.doubt.is_some()
        || ask.talk == Some(Talk::Cancel)
        || super::talk::only_thanks(&ask.question)
        || elsewhere(context).is_some()
        || is_of_forms(context)
        || super::worked::absent(context.view).is_some()
        || ask.action.is_none() && !ask.near.is_empty() && !ask.names_a_thing()
        || ask.quotes
        || refuses(ask)
        || sets_rules_aside(ask)
        || unknown_topic(context).is_some()
        || explains(ask)
        || ask.talk.is_some() && ask.content.is_empty() && ask.action.is_none()
    {
        return Vec::new();
    }
    let planned = match &ask.action {
        Some(action) => order::calls(context, action),
        None => questions(context),
    };
    let mut fresh: Vec<Call> = Vec::new();
    for call in planned {
        let is_done = context.view.done.iter().any(|done| call.is(done));
        if !is_done && !fresh.contains(&call) {
            fresh.push(call);
        }
    }
    fresh
}

fn questions(context: PlanContext<'_>) -> Vec<Call> {
    let (view, ask, toolbox) = (context.view, context.ask, context.toolbox);
    let mut calls = Vec::new();
    let chosen = chosen(context);
    let told = toolbox.happenings();
    let is_about_things = |card: &&Card<'_>| {
        // What happened is told by number.
        let tells = told.is_some_and(|told| told.tool.name == card.tool.name);
        card.finds() || takes_an_id(card) || tells
    };
    let wants_a_name = chosen.is_empty() || ask.why || chosen.iter().any(is_about_things);
    // A name that nobody has mentioned yet is looked for.
    let is_strange = !ask.strangers.is_empty() && ask.named.is_empty();
    let is_number = ask.why && ask.named.is_empty() && !ask.ids.is_empty();
    if is_strange && wants_a_name && !ask.content.is_empty()
        || chosen.is_empty() && ask.why && !ask.strangers.is_empty()
        || is_number
    {
        let looked = finders(toolbox);
        let open: Vec<Call> = looked
            .iter()
            .filter(|card| !view.done.iter().any(|done| done.name == card.tool.name))
            .filter_map(|card| plain(card, toolbox))
            .collect();
        let about_things = chosen.iter().any(is_about_things) || ask.why;
        let is_thing = is_number || ask.strangers.iter().any(|it| !it.is_place);
        if !open.is_empty() && about_things && is_thing {
            return open;
        }
    }
    // A name that is in no list may be a place.
    let is_read = |card: &Card<'_>| view.done.iter().any(|done| done.name == card.tool.name);
    let is_missed = is_strange
        && ask.strangers.iter().any(|it| !it.is_place)
        && !chosen.is_empty()
        && chosen.iter().all(|card| card.finds() && is_read(card));
    if is_missed {
        let kinds = toolbox.places.iter();
        let listers = kinds.filter_map(|kind| lister(toolbox, kind));
        return listers.filter_map(|card| plain(card, toolbox)).collect();
    }
    let thing = || ask.named.iter().find(|record| !record.ids.is_empty());
    if let [card] = chosen[..]
        && told.is_some_and(|told| told.tool.name == card.tool.name)
        && let Some(record) = reason_of(context).or_else(thing)
    {
        return reasons(context, card, record).into_iter().collect();
    }
    for card in chosen {
        // As much as the tool tells: in a list that is too short the day would be cut.
        let of_day = Ask {
            span: ask.span.or(Some("day")),
            ..ask.clone()
        };
        let is_beside = is_told_beside(context, card.tool.name);
        let ask = if is_beside { &of_day } else { ask };
        calls.extend(about(PlanContext { ask, ..context }, card));
    }
    calls
}

/// True if a tool tells what happened, and other tools are asked how everything is.
pub(super) fn is_told_beside(context: PlanContext<'_>, name: &str) -> bool {
    let told = context.toolbox.happenings();
    told.is_some_and(|card| card.tool.name == name)
        && !context.ask.names_a_thing()
        && chosen(context).len() > 2
}

/// A sentence about the field that the chosen tool still needs.
pub(super) fn missing(context: PlanContext<'_>) -> Option<String> {
    let chosen = chosen(context);
    let card = chosen.first()?;
    let Err(Missing(name)) = fill::input(
        card,
        context.ask,
        context.ask.named.first(),
        context.toolbox,
    ) else {
        return None;
    };
    let label = super::compose::units::label(&name).to_lowercase();
    let form = super::forms::lists(card.tool)
        .then(|| super::forms::fitting(card.tool, context.ask))
        .flatten();
    Some(match form {
        Some((text, _)) if context.toolbox.is_common(&name) => {
            offers::where_to_run(&super::compose::units::code(&text), &label)
        }
        _ => offers::need_to_know(&label),
    })
}

/// True if no tool does what the words order.
pub(super) fn is_beyond(context: PlanContext<'_>) -> bool {
    let action = context.ask.action.as_ref();
    action.is_some_and(|action| order::fitting(context, action).is_empty())
}

/// An example of an order for the tool that does what the verb says.
pub(super) fn plain_order<'d>(context: PlanContext<'d>) -> Option<&'d str> {
    let action = context.ask.action.as_ref()?;
    let cards = order::fitting(context, action);
    let examples = || cards.iter().flat_map(|card| card.tool.examples);
    // One with the very verb, if there is any.
    let opens = |example: &&AreaExample| {
        let first = words(&example.question).into_iter().next();
        first.is_some_and(|first| action.verbs.contains(&first.as_str()))
    };
    let best = examples().find(opens).or_else(|| examples().next());
    best.map(|example| example.question.as_str())
}

/// A matter that the words are about and of which no tool says anything.
pub(super) fn unknown_topic<'d>(context: PlanContext<'d>) -> Option<&'d str> {
    let ask = context.ask;
    if ask.action.is_some() || ask.talk.is_some() {
        return None;
    }
    let is_named = |word: &str| ask.named.iter().any(|record| record.is_called(word));
    let mut said = ask.said.iter().map(String::as_str);
    said.find(|word| {
        let is_unknown = !context.toolbox.knows(word) && !is_named(word);
        super::words::is_matter(word) && is_unknown && !super::worked::speak_of(context.view, word)
    })
}

/// True if the words are about what only tools with worked examples tell of, and are no form of these: a
/// name of several words that the examples have, a kind of things that only these tools take, or a matter
/// that no other tool knows.
pub(super) fn is_of_forms(context: PlanContext<'_>) -> bool {
    let (view, ask) = (context.view, context.ask);
    let is_theirs = |word: &String| {
        super::words::is_matter(word)
            && !context.toolbox.knows(word)
            && super::worked::speak_of(view, word)
    };
    let is_known = ask.named.iter().any(|record| !record.ids.is_empty());
    ask.talk.is_none()
        && ask.action.is_none()
        && !is_known
        && (super::worked::is_named(view)
            || super::worked::is_of_their_kind(view)
            || ask.said.iter().any(is_theirs))
}

/// True if the meaning of a word is asked for: "what is a bridge?"
pub(super) fn explains(ask: &Ask) -> bool {
    let first = ask.said.first().map_or("", String::as_str);
    let second = ask.said.get(1).map_or("", String::as_str);
    let opens = ask.any(&["explain", "define"])
        || first == "what" && matches!(second, "is" | "are" | "does");
    let last = ask.said.last().map_or("", String::as_str);
    let is_mean = matches!(last, "mean" | "means");
    let of_state = ask.any(&[
        "the", "this", "that", "there", "my", "wrong", "new", "up", "on",
    ]) || ask.said.iter().any(|word| word.ends_with("ing"));
    let strange = ask.strangers.len();
    let is_one = ask.content.len() + strange == 1 && ask.named.is_empty() && ask.span.is_none();
    let is_mean = is_mean || ask.any(&["explain", "define"]);
    opens
        && is_one
        && ask.action.is_none()
        && (is_mean || ask.said.len() <= 4 && !of_state)
        && (strange == 0 || is_mean)
}

/// True if it is said what not to do.
pub(super) fn refuses(ask: &Ask) -> bool {
    let opens = ask
        .said
        .first()
        .is_some_and(|word| matches!(word.as_str(), "don't" | "don’t" | "dont" | "never"));
    opens
        && ask
            .said
            .get(1)
            .is_some_and(|word| super::action::is_verb(word))
}

/// True if the words open with the wish that rules be ignored. What they go on to order is not plain.
pub(super) fn sets_rules_aside(ask: &Ask) -> bool {
    let mut said = ask.said.iter().map(String::as_str);
    let opens = said.find(|word| !super::action::is_polite(word));
    let is_wish = matches!(
        opens,
        Some("ignore" | "disregard" | "forget" | "override" | "bypass")
    );
    is_wish && !ask.quotes && ask.any(&["instruction", "instructions", "rule", "rules", "prompt"])
}

/// The calls that did, or were to do, what the words order.
pub(super) fn acted<'d>(context: PlanContext<'d>, action: &super::action::Action) -> Vec<&'d Done> {
    let mut done = context.view.done.iter();
    if !context.ask.several.is_empty() {
        let fitting = order::fitting(context, action);
        let is_fitting = |done: &&Done| fitting.iter().any(|card| card.tool.name == done.name);
        return done.filter(is_fitting).collect();
    }
    let card = tool_for(context, action);
    let is_it = |done: &&Done| card.is_some_and(|card| card.tool.name == done.name);
    done.rfind(is_it).into_iter().collect()
}

/// The name in an order for several things that no thing has.
pub(super) fn unknown_of_several(context: PlanContext<'_>) -> Option<String> {
    let mut names = context.ask.several.iter();
    names
        .find(|name| order::thing_called(context, name).is_none())
        .cloned()
}

/// The order in plain words, such as "restart pve"; none if it names no thing.
pub(super) fn bare_order(context: PlanContext<'_>) -> Option<String> {
    let name = order::target(context)?.name?;
    let said = words(&context.ask.question);
    let verb = said.iter().find(|word| super::action::is_verb(word))?;
    Some(format!("{verb} {name}"))
}

/// The thing that an order is about.
pub(super) fn target_of(context: PlanContext<'_>) -> Option<Record> {
    order::target(context)
}

fn takes_an_id(card: &Card<'_>) -> bool {
    let properties = card.tool.schema["properties"].as_object();
    properties.is_some_and(|all| all.keys().any(|name| records::is_id(name)))
}

/// A call that asks for everything.
fn plain(card: &Card<'_>, toolbox: &Toolbox<'_>) -> Option<Call> {
    let input = fill::input(card, &Ask::default(), None, toolbox).ok()?;
    Some(call(card, input))
}

/// The call for what happened where a thing is, as far back as the tool goes.
fn reasons(context: PlanContext<'_>, card: &Card<'_>, record: &Record) -> Option<Call> {
    let wide = Ask {
        named: Vec::new(),
        count: card.tool.schema["properties"]["limit"]["maximum"].as_u64(),
        ..Ask::default()
    };
    let plain = fill::input(card, &wide, None, context.toolbox).ok()?;
    let mut input = serde_json::Map::new();
    let properties = card.tool.schema["properties"].as_object();
    for name in properties.into_iter().flatten().map(|(name, _)| name) {
        let place = record
            .text(name)
            .filter(|_| context.toolbox.is_common(name));
        let value = place.map(Value::from).or_else(|| plain.get(name).cloned());
        if let Some(value) = value {
            input.insert(name.clone(), value);
        }
    }
    let input = Value::Object(input);
    Some(call(card, input))
}

/// The calls of a tool: one for each thing that the words mean.
fn about(context: PlanContext<'_>, card: &Card<'_>) -> Vec<Call> {
    let (ask, toolbox) = (context.ask, context.toolbox);
    let mut calls = Vec::new();
    for record in ask.named.iter().take(MOST) {
        if fits(card, record)
            && let Ok(input) = fill::input(card, ask, Some(record), toolbox)
        {
            calls.push(call(card, input));
        }
    }
    if !calls.is_empty() {
        return calls;
    }
    match fill::input(card, ask, ask.named.first(), toolbox) {
        Ok(input) => vec![call(card, input)],
        Err(missing) => each(context, card, &missing),
    }
}

/// True if a thing is what a tool asks for, not only where.
fn fits(card: &Card<'_>, record: &Record) -> bool {
    let properties = card.tool.schema["properties"].as_object();
    let mut names = properties.into_iter().flatten();
    names.any(|(name, property)| {
        let kinds = property["enum"].as_array().into_iter().flatten();
        let mut kinds = kinds.filter_map(Value::as_str);
        record.is(name)
            || record.ids.iter().any(|(field, _)| field == name)
            || kinds.any(|kind| record.is(kind))
    })
}

/// A call for each thing of the kind that is missing; a list of them first where none is known.
fn each(context: PlanContext<'_>, card: &Card<'_>, missing: &Missing) -> Vec<Call> {
    let (view, ask, toolbox) = (context.view, context.ask, context.toolbox);
    let known = &toolbox.known;
    // What a form tells is asked of one place.
    if super::forms::lists(card.tool) {
        return Vec::new();
    }
    let property = &card.tool.schema["properties"][&missing.0];
    let kind = match property["enum"].as_array() {
        Some(kinds) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.find(|kind| known.iter().any(|record| record.is(kind)))
        }
        None => toolbox.is_place(&missing.0).then_some(missing.0.as_str()),
    };
    let Some(kind) = kind else {
        return Vec::new();
    };
    let all: Vec<&Record> = known
        .iter()
        .filter(|record| record.is(kind) && record.is_there())
        .collect();
    let meant = meant(context, card, &all);
    let listed = view.done.iter().any(|done| {
        toolbox
            .card(&done.name)
            .is_some_and(|card| card.required().next().is_none())
    });
    // A strange word may be in what a list says of them.
    if all.is_empty() || meant.is_empty() && !listed {
        let lister = lister(toolbox, kind);
        return lister
            .and_then(|card| plain(card, toolbox))
            .into_iter()
            .collect();
    }
    let meant = if meant.is_empty() { all } else { meant };
    let inputs = meant
        .into_iter()
        .take(MOST)
        .filter_map(|record| fill::input(card, ask, Some(record), toolbox).ok());
    inputs.map(|input| call(card, input)).collect()
}

/// Of all things of a kind those in whose description a word stands that the tool does not know;
/// all where every word is known.
fn meant<'r>(context: PlanContext<'_>, card: &Card<'_>, all: &[&'r Record]) -> Vec<&'r Record> {
    let strange = strange(context, card);
    let says = |record: &&&Record| {
        let texts = record.fields.values().filter_map(Value::as_str);
        texts.flat_map(words).any(|word| strange.contains(&word))
    };
    if strange.is_empty() {
        all.to_vec()
    } else {
        all.iter().filter(says).copied().collect()
    }
}

/// Words of the question that a tool says nothing of.
fn strange(context: PlanContext<'_>, card: &Card<'_>) -> Vec<String> {
    let ask = context.ask;
    let strangers = ask.strangers.iter().map(|it| it.word.to_lowercase());
    let named = context
        .ask
        .named
        .iter()
        .filter_map(|record| record.name.clone());
    let unknown = ask.said.iter().filter(|word| {
        !super::words::is_plain(word)
            && word.parse::<f64>().is_err()
            && card.mentions(&super::words::meaning(word)) == 0.0
            && context.toolbox.knows(word)
    });
    strangers
        .chain(named.map(|name| name.to_lowercase()))
        .chain(unknown.cloned())
        .collect()
}

/// The tool that lists the things of a kind with what is said of them.
pub(super) fn lister<'s>(toolbox: &'s Toolbox<'s>, kind: &str) -> Option<&'s Card<'s>> {
    let free = toolbox
        .readers()
        .filter(|card| card.required().next().is_none());
    let scored = free.map(|card| {
        let told = card.tool.description.to_lowercase();
        let all = [
            format!("every {kind}"),
            format!("each {kind}"),
            format!("all {kind}s"),
        ];
        let says = all
            .iter()
            .filter(|sign| told.contains(sign.as_str()))
            .count();
        let named = card.name.iter().any(|part| close(part, kind));
        let told_of = words(&told)
            .iter()
            .any(|word| super::words::singular(word) == kind);
        (
            card,
            4 * says + 2 * usize::from(named) + usize::from(told_of),
        )
    });
    // The first of the best.
    let best = scored.reduce(|best, one| if one.1 > best.1 { one } else { best })?;
    (best.1 > 0).then_some(best.0)
}

pub(super) fn call(card: &Card<'_>, input: Value) -> Call {
    Call {
        name: card.tool.name.to_owned(),
        input,
    }
}
