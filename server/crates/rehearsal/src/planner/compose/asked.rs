//! Which rows of a result are those that were asked for.

use serde_json::Value;

use super::{
    flat_row::FlatRow,
    naming::{self, Naming, id_of},
    trouble,
};
use crate::planner::{
    plan::{self, PlanContext},
    records::{Record, is_id},
    toolbox::Card,
    view::Done,
    words::{singular, words},
};

/// True if a row is about a thing: by its number, its name, or text of it.
pub(super) fn is_about(row: &FlatRow, record: &Record) -> bool {
    row.iter().any(|(key, value)| match value {
        Value::Number(number) => record.ids.iter().any(|(field, id)| {
            (field == key || field.is_empty() && is_id(key)) && number.as_i64() == Some(*id)
        }),
        Value::String(text) if says_what(record, key) => {
            record.is_called(text) || record.ids.iter().any(|(_, id)| id.to_string() == *text)
        }
        Value::Array(items) if record.is(&singular(key)) => items
            .iter()
            .filter_map(Value::as_str)
            .any(|text| record.is_called(text)),
        _ => false,
    })
}

/// True if a field says what a row is, what it is about or where, where a thing of this kind is meant.
fn says_what(record: &Record, key: &str) -> bool {
    matches!(key, "name" | "title" | "label" | "about" | "subject") || record.is(key)
}

/// True if a call was about a thing, or asked for what is there.
fn is_input(record: &Record, done: &Done) -> bool {
    let input = done.input.as_object();
    let mut values = input.into_iter().flat_map(|input| input.values());
    values.any(|value| match value {
        Value::Number(number) => {
            let mut ids = record.ids.iter();
            ids.any(|(_, id)| number.as_i64() == Some(*id))
        }
        Value::String(text) => {
            record.is_called(text) || record.ids.iter().any(|(_, id)| id.to_string() == *text)
        }
        _ => false,
    })
}

/// True if a row is of the things that the words name, where the call itself was not about them.
pub(super) fn is_meant(
    row: &FlatRow,
    naming: Naming<'_>,
    context: PlanContext<'_>,
    done: &Done,
) -> bool {
    let ask = context.ask;
    let mut named = ask
        .named
        .iter()
        .filter(|record| !is_input(record, done))
        .peekable();
    if named.peek().is_some() {
        return named.any(|record| is_about(row, record));
    }
    let own = id_of(row);
    if !ask.ids.is_empty() && own.is_some() {
        return own.is_some_and(|id| ask.ids.contains(&id));
    }
    let mut things = ask.strangers.iter().filter(|it| !it.is_place).peekable();
    let searches = context.toolbox.card(&done.name).is_some_and(Card::finds);
    if searches && things.peek().is_some() && own.is_some() {
        let name = naming::bare_name(row, naming).unwrap_or_default();
        return things.any(|it| {
            let word = it.word.to_lowercase();
            name.eq_ignore_ascii_case(&word) || Held::of(row, &word, context).is_some()
        });
    }
    true
}

/// True if a row is in the state that is asked for.
pub(super) fn is_wanted(row: &FlatRow, context: PlanContext<'_>, state: Option<&str>) -> bool {
    if let Some(state) = state
        && naming::state_of(row).is_some()
    {
        return naming::is_in(row, state);
    }
    if context.ask.wants("fail") && naming::state_of(row).is_some() {
        row.iter().any(|(key, value)| trouble::is_bad(key, value))
    } else {
        true
    }
}

/// The state that is asked for: one that a row is in, or that the tool's description names.
pub(super) fn state_asked(
    context: PlanContext<'_>,
    done: &Done,
    card: Option<&Card<'_>>,
    lists: &[(String, Vec<FlatRow>)],
) -> Option<String> {
    const USUAL: &[&str] = &[
        "running",
        "stopped",
        "paused",
        "suspended",
        "offline",
        "disabled",
    ];
    let ask = context.ask;
    // "Which are stopped on pve?" asks for some of what is there, "is pihole stopped?" for one.
    let is_there = |record: &Record| record.ids.is_empty() && is_input(record, done);
    let is_of_one =
        !ask.ids.is_empty() || !ask.strangers.is_empty() || !ask.named.iter().all(is_there);
    // "Is everything running?" is about what runs and what does not.
    if plan::reason_of(context).is_some() || is_of_one || plan::is_overall(context) {
        return None;
    }
    let told = card
        .map(|card| words(card.tool.description))
        .unwrap_or_default();
    let has_state = lists
        .iter()
        .any(|(_, rows)| rows.iter().any(|row| naming::state_of(row).is_some()));
    let is = |word: &String| {
        lists
            .iter()
            .any(|(_, rows)| rows.iter().any(|row| naming::is_in(row, word)))
            || has_state
                && USUAL.contains(&word.as_str())
                && (told.contains(word) || card.is_some_and(Card::finds))
            || has_state && USUAL.contains(&word.as_str())
    };
    // "Is everything ok?" wants to hear of what is not.
    let wants_all = !ask.any(&["which", "list", "show"]);
    let is_wanted = |word: &&String| !(wants_all && matches!(word.as_str(), "ok" | "okay"));
    let said = ask.said.iter().filter(is_wanted).find(|word| is(word));
    // "Which are off?"
    let is_off = || has_state && ask.said.last().is_some_and(|word| word == "off");
    said.cloned()
        .or_else(|| is_off().then(|| "stopped".to_owned()))
}

/// A quality that the words name, and that some rows have and others lack: a text in a list of texts, such as
/// what they hold or a tag, or a property that is true of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) field: String,
    /// None for a property.
    pub(super) text: Option<String>,
}

impl Held {
    fn of(row: &FlatRow, word: &str, context: PlanContext<'_>) -> Option<Self> {
        row.iter().find_map(|(field, value)| {
            if *field == word && value.is_boolean() {
                return Some(Self {
                    field: field.clone(),
                    text: None,
                });
            }
            let texts = value
                .as_array()
                .filter(|_| !context.toolbox.is_place(&singular(field)))?;
            let mut texts = texts.iter().filter_map(Value::as_str);
            let text = texts.find(|text| *text == word || *text == singular(word))?;
            Some(Self {
                field: field.clone(),
                text: Some(text.to_owned()),
            })
        })
    }

    pub(super) fn is_in(&self, row: &FlatRow) -> bool {
        match (naming::cell(row, &self.field), &self.text) {
            (Some(Value::Array(texts)), Some(own)) => texts.iter().any(|text| text == own.as_str()),
            (Some(value), None) => value == &Value::Bool(true),
            _ => false,
        }
    }
}

/// The quality of rows that the words ask for.
pub(super) fn held(rows: &[FlatRow], context: PlanContext<'_>) -> Option<Held> {
    let ask = context.ask;
    let is_open = ask.named.is_empty() && ask.ids.is_empty() && ask.lacks.is_none();
    let mut said = ask.said.iter().filter(|_| is_open);
    said.find_map(|word| {
        let held = rows.iter().find_map(|row| Held::of(row, word, context))?;
        rows.iter().any(|row| !held.is_in(row)).then_some(held)
    })
}

/// True for a row that began after a moment. A row without a time is of any time.
pub(super) fn is_since(row: &FlatRow, cutoff: Option<&str>) -> bool {
    let started = row.iter().find(|(key, _)| key == "started_at");
    match (cutoff, started.and_then(|(_, value)| value.as_str())) {
        (Some(cutoff), Some(started)) => started >= cutoff,
        _ => true,
    }
}

/// True if the counts say enough: in an overview nobody wants every row by name.
pub(super) fn is_brief(done: &Done, context: PlanContext<'_>) -> bool {
    let chosen = plan::chosen(context);
    let mut fields = done.data.as_object().into_iter().flatten();
    let has_counts = fields.any(|(key, value)| key.ends_with("counts") && value.is_object());
    // For a question about everything, the first tool reports on the whole.
    let is_beside = plan::is_overall(context)
        && chosen
            .first()
            .is_some_and(|card| card.tool.name != done.name);
    chosen.len() > 2 && !context.ask.names_a_thing() && (has_counts || is_beside)
}
