//! The end of an action in one sentence: done, denied, expired, blocked, failed.

use serde_json::Value;

use super::{output, section, units};
use crate::{
    planner::{
        action,
        plan::PlanContext,
        records::is_id,
        view::{Done, View},
        words::{parts, words},
        worked,
    },
    texts::orders,
};

/// Most characters of a denial's comment that are repeated.
const COMMENT: usize = 160;

/// The answer after an action, with what can be done next.
pub(super) fn told(context: PlanContext<'_>, done: &Done) -> String {
    let ended = ended(context, done);
    if done.data["expired"].is_string() && section::open_outcome(done).is_none() {
        return format!("{ended} {}", orders::SHALL_I_ASK_AGAIN);
    }
    ended
}

/// The end of an action.
pub(super) fn ended(context: PlanContext<'_>, done: &Done) -> String {
    let verb = verb(context, done);
    let (verb, thing) = (verb.as_str(), thing(context, done));
    not_well(done, verb, &thing).unwrap_or_else(|| succeeded(context, done, verb, &thing))
}

/// The end of a call in the form of an example, if it did not go well: its words are an example's,
/// and no verb of ours. Where another example says more of the same, it is named.
pub(in crate::planner) fn of_form(view: &View<'_>) -> Option<String> {
    let ended = |done: &Done| Some((not_well(done, "do", "that")?, is_refused(done)));
    let (text, is_refused) = view.done.iter().find_map(ended)?;
    let fuller = worked::fuller(view).filter(|_| is_refused);
    Some(match fuller {
        Some(fuller) => format!("{text} {}", orders::fuller_example(&units::safe(&fuller))),
        None => text,
    })
}

/// A paragraph below what was only read, if the words were an order: how to put it so that it is done.
pub(in crate::planner) fn order_in_full(view: &View<'_>, reader: &str) -> Option<String> {
    let (example, pack) = worked::order_in_full(view, reader)?;
    let example = units::safe(example.trim_end_matches('.'));
    let told = match pack {
        Some(pack) => orders::say_in_full_with_pack(&example, &units::safe(pack)),
        None => orders::say_in_full(&example),
    };
    Some(format!("\n\n{told}"))
}

/// True if no person decided against it: what a tool refuses before anybody is asked is blocked.
fn is_refused(done: &Done) -> bool {
    let decided = ["denied", "expired", "withdrawn"];
    done.is_error
        && section::open_outcome(done).is_none()
        && decided.iter().all(|key| done.data[*key].is_null())
}

fn not_well(done: &Done, verb: &str, thing: &str) -> Option<String> {
    if let Some(known) = section::open_outcome(done) {
        return Some(orders::outcome_unknown(verb, thing, &known));
    }
    let not = orders::not_done(verb, thing);
    let text = |key: &str| done.data[key].as_str();
    if text("denied").is_some() {
        let comment = text("comment").map(str::trim).filter(|it| !it.is_empty());
        return Some(match comment {
            None => orders::denied(&not),
            Some(comment) => denied_with(&not, comment),
        });
    }
    if text("expired").is_some() {
        return Some(orders::expired(&not));
    }
    if text("withdrawn").is_some() {
        return Some(orders::withdrawn(&not));
    }
    if let Some(reason) = text("blocked") {
        let reason = section::for_people(reason);
        return Some(orders::blocked(&not, &units::safe(&reason)));
    }
    done.is_error
        .then(|| orders::failed(verb, thing, &section::failure(done)))
}

/// The end with the comment of who denied it. One that is an order, or names another time, goes back to its person
/// as a question: it allows nothing.
fn denied_with(not_done: &str, comment: &str) -> String {
    let short: String = comment.chars().take(COMMENT).collect();
    let more = if short.len() < comment.len() {
        "…"
    } else {
        ""
    };
    let shown = format!("{}{more}", units::safe(&short));
    let said = words(comment);
    let has = |of: &[&str]| said.iter().any(|word| of.contains(&word.as_str()));
    let denied = orders::denied(not_done);
    if has(&["later", "after", "tonight", "tomorrow", "wait", "until"]) {
        format!("{denied} {}", orders::ask_again_then(&shown))
    } else if has(&["instead"]) || action::read(comment).is_some() {
        format!("{denied} {}", orders::do_that_instead(&shown))
    } else {
        orders::denied_saying(not_done, &shown)
    }
}

fn succeeded(context: PlanContext<'_>, done: &Done, verb: &str, thing: &str) -> String {
    if let Some((lead, body)) = output::of(done) {
        return format!("{lead}\n\n{body}");
    }
    let data = &done.data;
    let state = [&data["after"]["state"], &data["state"]]
        .into_iter()
        .find_map(Value::as_str);
    let mut text = match state {
        Some(state) => orders::now_in_state(thing, &units::safe(state), verb),
        None if units::unknown(&data["state"]).is_some() && !data["state"].is_null() => {
            let why = units::unknown(&data["state"]).unwrap_or_default();
            return orders::not_confirmed(verb, thing, &units::safe(why));
        }
        None => return plainly(context, done, verb, thing),
    };
    if let Some(seconds) = data["took_seconds"].as_f64() {
        let took = units::value("took_seconds", &seconds.into());
        text.push_str(&orders::after(&took));
    }
    text.push('.');
    let warnings = data["warnings"].as_array().into_iter().flatten();
    let warnings: Vec<String> = warnings
        .filter_map(Value::as_str)
        .map(units::safe)
        .collect();
    if !warnings.is_empty() {
        text.push_str(&orders::with_warnings(&warnings));
    }
    text
}

/// A result that names no state is shown as it is, beneath its sentence.
fn plainly(context: PlanContext<'_>, done: &Done, verb: &str, thing: &str) -> String {
    let body = section::plain(done, context);
    let sentence = orders::done(verb, thing);
    if body.is_empty() {
        sentence
    } else {
        format!("{sentence}\n\n{body}")
    }
}

/// The word for what a call does: `restart` for `restart_service`, or what its input chooses.
fn verb(context: PlanContext<'_>, done: &Done) -> String {
    let chosen = done.input.as_object().into_iter().flatten();
    let chosen = chosen
        .filter(|(key, _)| is_choice(context, done, key))
        .filter_map(|(_, value)| value.as_str())
        .find(|value| action::is_of_tools(value));
    let first = parts(&done.name).into_iter().next().unwrap_or_default();
    match chosen.unwrap_or(&first) {
        "execute" | "exec" => "run".to_owned(),
        "shutdown" => "shut down".to_owned(),
        verb if action::is_verb(verb) || action::is_of_tools(verb) => verb.to_owned(),
        _ => "carry out".to_owned(),
    }
}

/// True if a field of a call's input is one of several choices.
fn is_choice(context: PlanContext<'_>, done: &Done, key: &str) -> bool {
    let card = context.toolbox.card(&done.name);
    card.is_some_and(|card| card.tool.schema["properties"][key]["enum"].is_array())
}

/// The thing that a call was about, by the name that people have for it.
fn thing(context: PlanContext<'_>, done: &Done) -> String {
    let Some(input) = done.input.as_object() else {
        return units::code(&done.name);
    };
    let id = input
        .iter()
        .find(|(key, value)| is_id(key) && value.is_i64());
    if let Some((key, id)) = id {
        let known = &context.toolbox.known;
        let record = known.iter().find(|record| {
            let mut ids = record.ids.iter();
            ids.any(|(field, own)| field == key && Some(*own) == id.as_i64())
        });
        let told = done.data.as_object().into_iter().flatten();
        let told = told.filter_map(|(_, value)| value.as_str());
        let told = told
            .filter(|text| text.contains(&id.to_string()))
            .find_map(in_brackets);
        let name = record.and_then(|record| record.name.clone()).or(told);
        let kind = record.and_then(|record| record.kinds.first().cloned());
        return match name {
            Some(name) => units::safe(&name),
            None => format!(
                "{} {id}",
                units::shown_word(
                    &kind
                        .or_else(|| noun(&done.name))
                        .unwrap_or_else(|| "number".to_owned())
                )
            ),
        };
    }
    let texts = input
        .iter()
        .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
    let texts: Vec<(&str, &str)> = texts
        .filter(|(key, _)| *key != "reason" && !is_choice(context, done, key))
        .collect();
    let place = texts
        .iter()
        .find(|(key, _)| context.toolbox.is_common(key))
        .copied();
    let what = texts.iter().find(|text| Some(**text) != place).copied();
    let shown = |(key, text): (&str, &str)| match key {
        "command" => units::code(text),
        _ => units::safe(text),
    };
    match (what, place) {
        (Some(what), Some((_, place))) => format!("{} on {}", shown(what), units::safe(place)),
        (Some(what), None) => shown(what),
        (None, Some((_, place))) => units::safe(place),
        (None, None) => units::code(&done.name),
    }
}

/// The object of a tool, as its name says.
fn noun(tool: &str) -> Option<String> {
    parts(tool).into_iter().nth(1)
}

/// `nextcloud` of `VM 101 (nextcloud)`.
fn in_brackets(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('(')?;
    Some(rest.strip_suffix(')')?.to_owned())
}
