//! Who did something with a thing, and when.

use serde_json::Value;

use super::{
    naming::{self, Naming},
    section::{self, FlatRow},
    units,
};
use crate::planner::{
    plan::Desk,
    words::{close, meaning, words},
};

/// The first sentence where it is asked who did something.
pub(super) fn of(desk: Desk<'_>) -> Option<String> {
    let ask = desk.ask;
    if ask.said.first().is_none_or(|word| word != "who") {
        return None;
    }
    let card = desk.toolbox.happenings()?;
    let mut done = desk.view.done.iter();
    let read = done.find(|done| done.name == card.tool.name && !done.is_error)?;
    let places = desk.toolbox.places.as_slice();
    let (key, rows) = section::lists_of(read).into_iter().next()?;
    let naming = Naming { key: &key, places };
    let about: Vec<&FlatRow> = rows
        .iter()
        .filter(|row| {
            ask.named
                .iter()
                .any(|record| section::is_about(row, record))
        })
        .collect();
    let is_of = |row: &&&FlatRow| {
        let text = naming::cell(row, "what")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let said = words(text);
        ask.content
            .iter()
            .any(|word| said.iter().any(|own| close(&meaning(own), word)))
    };
    let name = ask.named.iter().find_map(|record| record.name.clone());
    let name = units::safe(&name.unwrap_or_else(|| "it".to_owned()));
    let told = about.iter().find(is_of).or(about.first());
    let Some(row) = told else {
        return Some(format!(
            "None of the {} that are remembered is about {name}, sir.",
            key.replace('_', " ")
        ));
    };
    let user = naming::cell(row, "user").and_then(Value::as_str)?;
    let at = naming::cell(row, "started_at").map(|at| units::value("started_at", at));
    let at = at.map_or(String::new(), |at| format!(" at {at}"));
    let took =
        naming::cell(row, "duration_seconds").map(|took| units::value("duration_seconds", took));
    let took = took.map_or(String::new(), |took| format!(", for {took}"));
    let is_exact = about.iter().any(|row| is_of(&row));
    let lead = if is_exact {
        ""
    } else {
        "the newest that is known, "
    };
    Some(format!(
        "{}, sir: {lead}{}{at}{took}.",
        units::safe(user),
        naming.name_of(row)
    ))
}
