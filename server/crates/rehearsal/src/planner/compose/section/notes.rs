//! Notes on what a result lacks: reasons, unknown values, rows that were left out.

use serde_json::Value;

use super::FlatRow;
use crate::{
    planner::compose::{naming::Naming, units},
    texts::results,
};

/// Reasons that a result gives for not being whole.
pub(super) fn reasons(scalars: &FlatRow) -> Vec<String> {
    scalars
        .iter()
        .filter(|(key, _)| {
            matches!(
                key.as_str(),
                "incomplete" | "errors" | "warnings" | "unavailable" | "notes"
            )
        })
        .flat_map(|(key, value)| match value {
            Value::Array(items) => items.iter().map(|item| (key, item)).collect(),
            other => vec![(key, other)],
        })
        .filter_map(|(key, value)| Some((key, value.as_str()?)))
        .map(|(key, text)| format!("{}: {}", units::label(key), units::safe(text)))
        .collect()
}

/// A sentence about the things that lack something.
pub(super) fn bare(
    rows: &[FlatRow],
    naming: Naming<'_>,
    nouns: &str,
    lack: &str,
) -> Option<String> {
    let names: Vec<String> = rows.iter().map(|row| naming.name_of(row)).collect();
    let (nouns, lack) = (nouns.replace('_', " "), lack.replace('_', " "));
    match names.len() {
        0 => None,
        1 => Some(results::has_none(&names[0], &lack)),
        count => Some(results::have_none(count, &nouns, &lack, &names)),
    }
}

/// Why values in some rows are not known, each reason once.
pub(super) fn unknowns(rows: &[FlatRow]) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    for reason in rows
        .iter()
        .flatten()
        .filter_map(|(_, value)| units::unknown(value))
    {
        let reason = units::safe(reason);
        if !reasons.contains(&reason) && reasons.len() < 4 {
            reasons.push(reason);
        }
    }
    reasons
}

/// A result's notes about rows that it left out.
pub(super) fn cuts(data: &Value) -> Vec<String> {
    let cuts: Vec<&Value> = match &data["cut"] {
        Value::Array(items) => items.iter().collect(),
        Value::Object(_) => vec![&data["cut"]],
        _ => Vec::new(),
    };
    cuts.into_iter()
        .filter_map(|cut| Some((cut["shown"].as_u64()?, cut["of"].as_u64()?)))
        .map(|(shown, of)| results::shown_of(shown, of))
        .collect()
}
