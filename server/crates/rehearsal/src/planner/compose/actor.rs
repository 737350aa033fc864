//! The actor of a past action, and its time.

use serde_json::Value;

use super::{
    asked,
    flat_row::FlatRow,
    happenings,
    naming::{self, Naming},
    units,
};
use crate::{planner::plan::PlanContext, texts::findings};

/// The first sentence where it is asked who did something.
pub(super) fn of(context: PlanContext<'_>) -> Option<String> {
    let ask = context.ask;
    if ask.said.first().is_none_or(|word| word != "who") {
        return None;
    }
    let (key, rows) = happenings::read(context)?;
    let places = context.toolbox.places.as_slice();
    let naming = Naming { key: &key, places };
    let about: Vec<&FlatRow> = rows
        .iter()
        .filter(|row| ask.named.iter().any(|record| asked::is_about(row, record)))
        .collect();
    let is_of = |row: &&&FlatRow| happenings::is_of(row, context);
    let name = ask.named.iter().find_map(|record| record.name.clone());
    let name = units::safe(&name.unwrap_or_else(|| "it".to_owned()));
    let told = about.iter().find(is_of).or(about.first());
    let Some(row) = told else {
        return Some(findings::nobody_recorded(&key.replace('_', " "), &name));
    };
    let user = naming::cell(row, "user").and_then(Value::as_str)?;
    let at = happenings::at(row);
    let took =
        naming::cell(row, "duration_seconds").map(|took| units::value("duration_seconds", took));
    let took = took.map_or(String::new(), |took| findings::took(&took));
    let is_exact = about.iter().any(|row| is_of(&row));
    let lead = if is_exact {
        ""
    } else {
        findings::NEWEST_ON_RECORD
    };
    let (user, happening) = (units::safe(user), naming.name_of(row));
    Some(findings::by_whom(&user, lead, &happening, &at, &took))
}
