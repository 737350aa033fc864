//! A call in the form of an example that failed because nothing is called so: the tool that finds names is
//! asked for what is called nearly so, and the answer offers the same question about that.
//!
//! Which tool finds names stands in the help of the failure, what it is told in its own schema.

use serde_json::{Map, Value};

use super::{
    Call,
    compose::units,
    talk::{self, Talk},
    view::{Done, Tool, View},
    words::{alike, slips},
    worked,
};
use crate::texts::manner;

/// Letters of a word of the name that are searched for: what is misspelt mostly stands behind them.
const BEGINNING: usize = 4;
/// Most searches for one name, and most names that are offered.
const MOST_WORDS: usize = 3;
const MOST_NAMES: usize = 3;
/// Slips of a whole name that are forgiven.
const MOST_SLIPS: usize = 2;

/// The next step after such a failure.
pub(super) enum Misspelt {
    /// Calls of the tool that finds names.
    Searched(Vec<Call>),
    /// The question about the names that were found.
    Meant(String),
}

/// The next step after a failed call; none if it failed otherwise, or if nothing is called nearly so.
pub(super) fn of(view: &View<'_>, failed: &Call) -> Option<Misspelt> {
    let failure = view
        .done
        .iter()
        .find(|done| failed.is(done) && done.is_error)?;
    let finder = finder(view, failure)?;
    let name = wrong_name(failure)?;
    let searches = searches(finder, failure, &name)?;
    let is_open = |call: &&Call| !view.done.iter().any(|done| call.is(done));
    let open: Vec<Call> = searches.iter().filter(is_open).cloned().collect();
    if !open.is_empty() {
        return Some(Misspelt::Searched(open));
    }
    let results = view
        .done
        .iter()
        .filter(|done| searches.iter().any(|call| call.is(done)));
    let mut found = Vec::new();
    for done in results {
        names(&done.data, &mut found);
    }
    let names = nearest(found, &name);
    (!names.is_empty()).then(|| Misspelt::Meant(asked_back(&view.question, &name, &names)))
}

/// The question that a "yes" agrees to: the first that was offered with a name.
pub(super) fn agreed(view: &View<'_>) -> Option<String> {
    let is_asked = view.last_answer.starts_with(manner::ASKS_BACK);
    if !is_asked || talk::read(&view.question) != Some(Talk::Yes) {
        return None;
    }
    let offered = view
        .last_answer
        .lines()
        .find_map(|line| line.strip_prefix("- "))?;
    let offered = View {
        question: offered.replace('\\', ""),
        ..view.clone()
    };
    worked::tool(&offered)?;
    Some(offered.question)
}

/// The tool with two texts as input that the help of a failure names.
fn finder<'v>(view: &'v View<'_>, failure: &Done) -> Option<&'v Tool<'v>> {
    let help = failure.data["help"].as_str()?;
    let mut named = help.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    named.find_map(|word| {
        let mut tools = view.all_tools();
        tools.find(|tool| tool.name == word && fields(tool).is_some())
    })
}

/// The fields of such a tool for the kind of a thing and for its name.
fn fields<'t>(tool: &Tool<'t>) -> Option<(&'t str, &'t str)> {
    let required = tool.schema["required"].as_array()?;
    let required: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
    let is_of_name = |field: &str| {
        let told = tool.schema["properties"][field]["description"].as_str();
        told.is_some_and(|told| told.to_lowercase().contains("name"))
    };
    match required[..] {
        [kind, name] if is_of_name(name) && !is_of_name(kind) => Some((kind, name)),
        [name, kind] if is_of_name(name) && !is_of_name(kind) => Some((kind, name)),
        _ => None,
    }
}

/// The name in the input of a failed call that its message tells of. One with a number in it is no matter of
/// spelling.
fn wrong_name(failure: &Done) -> Option<String> {
    let message = failure.data["message"].as_str()?.to_lowercase();
    let mut said = Vec::new();
    strings(&failure.input, &mut said);
    let kind = kind_in(failure);
    let is_name = |text: &&String| {
        let is_word =
            text.chars().count() >= BEGINNING && !text.contains(|c: char| c.is_ascii_digit());
        is_word && Some(*text) != kind.as_ref() && message.contains(&text.to_lowercase())
    };
    said.iter()
        .filter(is_name)
        .max_by_key(|text| text.len())
        .cloned()
}

/// The kind of the thing: the first text of the input that the message opens a name with, such as
/// `Author` of `Author Jane Doe not found`.
fn kind_in(failure: &Done) -> Option<String> {
    let message = failure.data["message"].as_str()?.to_lowercase();
    let mut said = Vec::new();
    strings(&failure.input, &mut said);
    let is_kind = |text: &&String| {
        let kind = text.to_lowercase();
        let mut others = said.iter().map(|other| other.to_lowercase());
        others.any(|other| other != kind && message.contains(&format!("{kind} {other}")))
    };
    said.iter().find(is_kind).cloned()
}

/// The searches for a name: one for the beginning of each of its words.
fn searches(finder: &Tool<'_>, failure: &Done, name: &str) -> Option<Vec<Call>> {
    let (kind_field, name_field) = fields(finder)?;
    let kind = kind_in(failure)?;
    let words = name
        .split_whitespace()
        .filter(|word| word.chars().count() >= BEGINNING);
    let calls = words.take(MOST_WORDS).map(|word| {
        let beginning: String = word.chars().take(BEGINNING).collect();
        let mut input = Map::new();
        input.insert(kind_field.to_owned(), kind.clone().into());
        input.insert(name_field.to_owned(), beginning.into());
        Call {
            name: finder.name.to_owned(),
            input: Value::Object(input),
        }
    });
    let calls: Vec<Call> = calls.collect();
    (!calls.is_empty()).then_some(calls)
}

/// The names of all things in a result, in its order.
fn names(data: &Value, found: &mut Vec<String>) {
    match data {
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        Value::Object(fields) => {
            let name = fields.get("name").and_then(Value::as_str);
            found.extend(name.map(str::to_owned));
            fields.values().for_each(|field| names(field, found));
        }
        _ => {}
    }
}

/// Those names that are nearly the one that was asked for, the nearest first.
fn nearest(found: Vec<String>, name: &str) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut near: Vec<(usize, String)> = Vec::new();
    for one in found {
        let lower = one.to_lowercase();
        let distance = slips(&lower, &wanted);
        let mut words = wanted.split_whitespace();
        let shares = words.any(|word| {
            let mut own = lower.split_whitespace();
            word.len() >= BEGINNING && own.any(|own| alike(own, word))
        });
        let is_new = near.iter().all(|(_, other)| *other != one);
        if is_new && (distance <= MOST_SLIPS || shares) {
            near.push((distance, one));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter()
        .take(MOST_NAMES)
        .map(|(_, name)| name)
        .collect()
}

fn asked_back(question: &str, name: &str, names: &[String]) -> String {
    let meant: Vec<String> = names.iter().map(|name| units::safe(name)).collect();
    let lines = names.iter().map(|other| {
        let question = with_name(question, name, other);
        format!("\n- {}", units::safe(&question))
    });
    let lines: String = lines.collect();
    manner::do_you_mean_one_of(&meant, &lines)
}

/// The question with another name, whatever the case of the one in it.
fn with_name(question: &str, name: &str, other: &str) -> String {
    // Of the same length as the question, byte for byte.
    let lower = question.to_ascii_lowercase();
    let place = lower.find(&name.to_ascii_lowercase());
    let parts = place.and_then(|at| question.get(..at).zip(question.get(at + name.len()..)));
    match parts {
        Some((before, after)) => format!("{before}{other}{after}"),
        None => question.to_owned(),
    }
}

/// The texts of an input.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| strings(field, found)),
        _ => {}
    }
}
