//! The answer in one sentence by name, where the words ask for one thing among several.

use serde_json::Value;

use super::{
    actor, asked, bounded, failure, forecast, gather, naming::Naming, summary, superlative, units,
    verdict,
};
use crate::{
    planner::{
        action,
        plan::{self, PlanContext},
        records::Record,
    },
    texts::findings,
};

/// The first sentence; none where the results are told as they come.
pub(super) fn of(context: PlanContext<'_>) -> Option<String> {
    if summary::is_told(context) {
        return None;
    }
    if let Some(record) = plan::reason_of(context) {
        return why(context, record);
    }
    failure::of(context)
        .or_else(|| actor::of(context))
        .or_else(|| forecast::of(context))
        .or_else(|| verdict::of(context))
        .or_else(|| bounded::of(context))
        .or_else(|| superlative::of(context))
}

/// The state of a thing, and the newest happening that may explain it.
fn why(context: PlanContext<'_>, record: &Record) -> Option<String> {
    let card = context.toolbox.happenings()?;
    let read = context
        .view
        .done
        .iter()
        .find(|done| done.name == card.tool.name)?;
    let name = match (&record.name, record.ids.first()) {
        (Some(name), _) => units::safe(name),
        (None, Some((_, id))) => id.to_string(),
        (None, None) => return None,
    };
    let state = record
        .fields
        .get("state")
        .or_else(|| record.fields.get("status"));
    let shown = state.map(|state| units::value("state", state));
    let is = findings::state_of(&name, shown.as_deref());
    // "Why is it stopped?" of what runs.
    let is_state =
        |word: &&String| ["running", "stopped", "paused", "offline"].contains(&word.as_str());
    let other = context.ask.said.iter().find(is_state);
    if let (Some(other), Some(Value::String(state))) = (other, state)
        && state != other
    {
        return Some(findings::not_in_state(&is, other));
    }
    let places = context.toolbox.places.as_slice();
    let lists = gather::lists_of(read);
    let state = state.and_then(Value::as_str).unwrap_or_default();
    let told = lists.iter().find_map(|(key, rows)| {
        let naming = Naming { key, places };
        let mut about = rows.iter().filter(|row| asked::is_about(row, record));
        let row = about.find(|row| {
            let kind = row.iter().find(|(key, _)| key == "type" || key == "kind");
            let kind = kind.and_then(|(_, value)| value.as_str());
            action::may_lead_to(kind.unwrap_or_default(), state)
        })?;
        Some((naming, row))
    });
    let noun = lists.first().map_or("entries", |(key, _)| key.as_str());
    let Some((naming, row)) = told else {
        let newest = lists.iter().find_map(|(key, rows)| {
            let row = rows.iter().find(|row| asked::is_about(row, record))?;
            let naming = Naming { key, places };
            let at = super::naming::cell(row, "started_at")?;
            let at = units::value("started_at", at);
            Some(findings::newest_about_it(&naming.name_of(row), &at))
        });
        let newest = newest.unwrap_or_default();
        return Some(findings::unexplained(&is, &noun.replace('_', " "), &newest));
    };
    let cell = |key: &str| {
        row.iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    };
    let text = |key: &str| cell(key).and_then(Value::as_str).map(units::safe);
    let by = text("user").map_or(String::new(), |user| format!(" by {user}"));
    let at = cell("started_at")
        .or_else(|| cell("created_at"))
        .or_else(|| cell("at"));
    let at = at.map_or(String::new(), |at| {
        format!(" at {}", units::value("started_at", at))
    });
    let end = match (text("error"), super::naming::state_of(row)) {
        (Some(error), _) => findings::failed_with(&error),
        (None, Some((key, value))) => findings::ended(&units::value(key, value)),
        (None, None) => findings::ALL_THAT_IS_KNOWN.to_owned(),
    };
    let what = match text("what") {
        Some(_) => naming.name_of(row),
        None => text("type").unwrap_or_else(|| naming.name_of(row)),
    };
    let happening = format!("{what}{by}{at}");
    Some(findings::explained(&is, &naming.kind(), &happening, &end))
}
