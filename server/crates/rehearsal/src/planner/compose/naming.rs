//! Names of rows, of what they are rows of, and of their states.

use serde_json::Value;

use super::{flat_row::FlatRow, units};
use crate::planner::{
    ask::Ask,
    records::is_id,
    words::{meaning, singular},
};

/// The key of a list, and the fields that say where its rows are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Naming<'a> {
    /// The key of the list.
    pub(super) key: &'a str,
    /// See `records::places`.
    pub(super) places: &'a [String],
}

pub(super) fn cell<'r>(row: &'r FlatRow, key: &str) -> Option<&'r Value> {
    let found = row.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| value)
}

fn text(row: &FlatRow, key: &str) -> Option<String> {
    let value = cell(row, key).filter(|value| value.is_string() || value.is_number())?;
    Some(units::value(key, value))
}

/// A row's kind with the name of its subject: `Start of media` of `Start of a guest` and a name.
fn in_words(row: &FlatRow) -> Option<String> {
    let what = text(row, "what")?;
    let about = text(row, "about_name").or_else(|| text(row, "about"));
    let Some(about) = about else {
        return Some(what);
    };
    Some(match what.split_once(" of a ") {
        Some((before, _)) => format!("{before} of {about}"),
        None => format!("{what} of {about}"),
    })
}

/// The number of a row, by the field that holds it.
pub(super) fn id_of(row: &FlatRow) -> Option<i64> {
    row.iter()
        .find(|(key, _)| is_id(key))
        .and_then(|(_, value)| value.as_i64())
}

/// The bare name of a row, as data has it.
pub(super) fn bare_name<'r>(row: &'r FlatRow, naming: Naming<'_>) -> Option<&'r str> {
    let kind = naming.kind();
    ["name", kind.as_str(), "title", "label", "sensor"]
        .iter()
        .find_map(|key| cell(row, key)?.as_str())
}

impl Naming<'_> {
    /// The singular of the list.
    pub(super) fn kind(self) -> String {
        singular(self.key.rsplit('.').next().unwrap_or(self.key))
    }

    /// The name that a row goes by in a sentence.
    pub(super) fn name_of(self, row: &FlatRow) -> String {
        let kind = self.kind();
        let id = id_of(row);
        if let Some(name) = bare_name(row, self) {
            let name = units::safe(name);
            return match (id, self.alone_at(row)) {
                (Some(id), _) => format!("{name} ({id})"),
                (None, Some(place)) => format!("{name} on {}", units::safe(place)),
                (None, None) => name,
            };
        }
        if let Some(id) = id {
            let kind = if kind.is_empty() {
                "number".to_owned()
            } else {
                kind
            };
            return format!("{kind} {id}");
        }
        let place = self
            .places
            .iter()
            .find_map(|place| Some((place, cell(row, place)?.as_str()?)));
        let told = in_words(row);
        let what: Vec<String> = match told {
            Some(told) => vec![told],
            None => ["type", "kind", "event", "about", "subject"]
                .iter()
                .filter_map(|key| text(row, key))
                .collect(),
        };
        match (what.is_empty(), place) {
            (false, Some((_, place))) => format!("{} on {}", what.join(" "), units::safe(place)),
            (false, None) => what.join(" "),
            (true, Some((key, place))) => format!("{key} {}", units::safe(place)),
            (true, None) => row
                .iter()
                .find_map(|(_, value)| value.as_str())
                .map_or_else(|| "an entry".to_owned(), units::safe),
        }
    }

    /// The place that a row says it is at, other than by its own name.
    pub(super) fn place_of(self, row: &FlatRow) -> Option<&str> {
        let kind = self.kind();
        let mut places = self.places.iter();
        places.find_map(|place| {
            let is_name = *place == kind || place == "name";
            cell(row, place).filter(|_| !is_name)?.as_str()
        })
    }

    /// The only place that a row is at.
    fn alone_at(self, row: &FlatRow) -> Option<&str> {
        let kind = self.kind();
        let places = self.places.iter().filter(|place| **place != kind);
        places
            .filter_map(|place| cell(row, &format!("{place}s"))?.as_array())
            .find_map(|all| match all.as_slice() {
                [only] => only.as_str(),
                _ => None,
            })
    }
}

/// Fields that hold a state.
const STATES: &[&str] = &["state", "status", "outcome", "result", "exit_status"];

/// The state of a row with its field.
pub(super) fn state_of(row: &FlatRow) -> Option<(&str, &Value)> {
    let found = row.iter().find(|(key, _)| STATES.contains(&key.as_str()));
    found.map(|(key, value)| (key.as_str(), value))
}

/// True if a row is in a state.
pub(super) fn is_in(row: &FlatRow, state: &str) -> bool {
    state_of(row).is_some_and(|(_, value)| value.as_str() == Some(state))
}

/// A state that the counts of a list leave out, such as that of a template: its rows are said and not
/// counted.
pub(super) fn uncounted(rows: &[FlatRow], counts: &FlatRow) -> Option<(String, usize)> {
    let count = |name: &str| {
        let (_, value) = counts.iter().find(|(key, _)| {
            key.strip_suffix(name)
                .is_some_and(|rest| rest.ends_with("counts."))
        })?;
        usize::try_from(value.as_u64()?).ok()
    };
    let total = count("total")?;
    counts.iter().find_map(|(key, _)| {
        let (_, name) = key.split_once("counts.")?;
        let state = singular(name);
        if state == name {
            return None;
        }
        let with = rows.iter().filter(|row| is_in(row, &state)).count();
        let is = with > 0 && count(name) == Some(with) && total + with == rows.len();
        is.then_some((state, with))
    })
}

/// Of several lists those whose rows the words speak of; all where they speak of none.
pub(super) fn spoken_of(
    mut lists: Vec<(String, Vec<FlatRow>)>,
    ask: &Ask,
) -> Vec<(String, Vec<FlatRow>)> {
    let is_spoken_of = |key: &str| {
        let kind = singular(key.rsplit('.').next().unwrap_or(key));
        ask.content.iter().any(|word| *word == meaning(&kind))
    };
    if lists.iter().any(|(key, _)| is_spoken_of(key)) {
        lists.retain(|(key, _)| is_spoken_of(key) || key == "cut" || key.contains("_without_"));
    }
    lists
}

/// `a, b and c`.
pub(super) fn and(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        names => names.join(", "),
    }
}
