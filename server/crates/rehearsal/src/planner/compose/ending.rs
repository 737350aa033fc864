//! The end of an action in one sentence: done, denied, expired, blocked, failed.

use serde_json::Value;

use super::{output, section, units};
use crate::planner::{
    facts,
    view::{Done, View},
    words::parts,
};

/// Most characters of a denial's comment that are repeated.
const COMMENT: usize = 160;

/// The answer after an action.
pub(super) fn told(view: &View<'_>, done: &Done) -> String {
    let (verb, thing) = (verb(&done.name), thing(view, done));
    if let Some(known) = section::open_outcome(done) {
        return format!(
            "I do not know whether I could {verb} {thing}, sir. {known} I shall not try again by \
             myself; a look at it, and at the recent tasks, would tell."
        );
    }
    let not = format!("I did not {verb} {thing}");
    let text = |key: &str| done.data[key].as_str();
    if text("denied").is_some() {
        return match text("comment").map(str::trim).filter(|it| !it.is_empty()) {
            None => format!("{not}: you denied it."),
            Some(comment) => {
                format!("{not}: you denied it. {}", taken_up(comment))
            }
        };
    }
    if text("expired").is_some() {
        return format!("{not}: nobody decided in time. Shall I ask again?");
    }
    if text("withdrawn").is_some() {
        return format!("{not}: you went on without deciding.");
    }
    if let Some(reason) = text("blocked") {
        return format!("{not}: it was blocked. {}", units::safe(reason));
    }
    if done.is_error {
        return format!("I could not {verb} {thing}. {}", section::failure(done));
    }
    succeeded(done, verb, &thing)
}

/// A comment goes back to its person as a question: it allows nothing.
fn taken_up(comment: &str) -> String {
    let short: String = comment.chars().take(COMMENT).collect();
    let more = if short.len() < comment.len() {
        "…"
    } else {
        ""
    };
    let lower = comment.to_lowercase();
    let later = ["later", "after", "tonight", "tomorrow", "wait", "until"]
        .iter()
        .any(|word| lower.split_whitespace().any(|said| said == *word));
    let question = match later {
        true => "shall I ask again then?",
        false => "shall I do that instead?",
    };
    format!("“{}{more}”: {question}", units::safe(&short))
}

fn succeeded(done: &Done, verb: &str, thing: &str) -> String {
    if let Some((lead, body)) = output::of(done) {
        return format!("{lead}\n\n{body}");
    }
    let data = &done.data;
    let state = [&data["after"]["state"], &data["state"]]
        .into_iter()
        .find_map(Value::as_str);
    let again = match verb {
        "restart" => " again",
        _ => "",
    };
    let mut text = match state {
        Some(state) => format!("{thing} is {}{again}", units::safe(state)),
        None if units::unknown(&data["state"]).is_some() && !data["state"].is_null() => {
            let why = units::unknown(&data["state"]).unwrap_or_default();
            return format!(
                "I gave the order to {verb} {thing}, sir, but it is not confirmed: {}.",
                units::safe(why)
            );
        }
        None => return plainly(done, verb, thing),
    };
    if let Some(seconds) = data["took_seconds"].as_f64() {
        text.push_str(&format!(
            ", after {}",
            units::value("took_seconds", &seconds.into())
        ));
    }
    text.push('.');
    let warnings = data["warnings"].as_array().into_iter().flatten();
    let warnings: Vec<String> = warnings
        .filter_map(Value::as_str)
        .map(units::safe)
        .collect();
    if !warnings.is_empty() {
        text.push_str(&format!(" It came with warnings: {}", warnings.join("; ")));
    }
    text
}

/// A result that names no state is shown as it is, beneath its sentence.
fn plainly(done: &Done, verb: &str, thing: &str) -> String {
    let body = section::plain(done);
    let sentence = format!("Done, sir: {verb} {thing}.");
    match body.is_empty() {
        true => sentence,
        false => format!("{sentence}\n\n{body}"),
    }
}

/// The word for what a tool does: `restart` for `restart_vm`.
fn verb(tool: &str) -> &'static str {
    const VERBS: &[&str] = &[
        "start", "stop", "restart", "wake", "migrate", "snapshot", "suspend", "resume", "delete",
        "remove", "run", "execute", "update", "create", "send",
    ];
    let first = parts(tool).into_iter().next().unwrap_or_default();
    match VERBS.iter().find(|verb| **verb == first) {
        Some(&"execute") => "run",
        Some(verb) => verb,
        None => "carry out",
    }
}

/// The thing that a call was about, by the name that people have for it.
fn thing(view: &View<'_>, done: &Done) -> String {
    let input = &done.input;
    let text = |key: &str| input[key].as_str().map(units::safe);
    if let Some(vmid) = input["vmid"].as_u64() {
        let guests = facts::guests(view);
        let name = guests.into_iter().find(|guest| guest.vmid == vmid);
        let told = done.data["guest"].as_str().and_then(in_brackets);
        return match name.and_then(|guest| guest.name).or(told) {
            Some(name) => units::safe(&name),
            None => format!("guest {vmid}"),
        };
    }
    if let Some(service) = text("service") {
        return match text("node") {
            Some(node) => format!("{service} on {node}"),
            None => service,
        };
    }
    if let Some(command) = input["command"].as_str() {
        return match text("node") {
            Some(node) => format!("{} on {node}", units::code(command)),
            None => units::code(command),
        };
    }
    text("node").unwrap_or_else(|| units::code(&done.name))
}

/// `nextcloud` of `VM 101 (nextcloud)`.
fn in_brackets(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('(')?;
    Some(rest.strip_suffix(')')?.to_owned())
}
