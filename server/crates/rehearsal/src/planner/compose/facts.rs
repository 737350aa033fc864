//! Single values as a list, one line each.

use serde_json::Value;

use super::{flat_row::FlatRow, trouble, units};

/// Values as a markdown list.
pub(super) fn facts(row: &FlatRow) -> String {
    let (amounts, rest) = amounts(row);
    let mut text = String::new();
    for (key, value) in rest.iter().filter(|(key, _)| !is_note(key)) {
        if let Some((_, line)) = amounts.iter().find(|(first, _)| first == key) {
            text.push_str(line);
            continue;
        }
        let shown = shown(key, value);
        text.push_str(&format!("- {}: {shown}\n", units::label(key)));
    }
    text
}

/// The same, with the parts of one object in one line: apart from each other `count` and `value`
/// say nothing. Explanations for the model and what the call itself has given are left out.
pub(super) fn grouped(row: &FlatRow, input: &Value) -> String {
    let is_given = |key: &str, value: &Value| input.get(key).is_some_and(|given| given == value);
    let told: FlatRow = row
        .iter()
        .filter(|(key, value)| !is_given(key, value) && !is_note(key) && leaf(key) != "definition")
        .cloned()
        .collect();
    let mut text = String::new();
    for run in
        told.chunk_by(|(one, _), (next, _)| owner(one).is_some() && owner(one) == owner(next))
    {
        let run = run.to_vec();
        let owner = run.first().and_then(|(key, _)| owner(key));
        let Some(owner) = owner.filter(|_| amounts(&run).0.is_empty()) else {
            text.push_str(&facts(&run));
            continue;
        };
        let parts = run.iter().map(|(key, value)| {
            let name = units::in_words(key);
            format!("{name} {}", shown(key, value))
        });
        let parts = parts.collect::<Vec<_>>().join(" · ");
        text.push_str(&format!("- {}: {parts}\n", units::label(owner)));
    }
    text
}

fn shown(key: &str, value: &Value) -> String {
    let shown = units::value(key, value);
    match units::unknown(value) {
        Some(reason) => format!("**unknown** ({})", units::safe(reason)),
        None if trouble::is_bad(key, value) => format!("**{shown}**"),
        None => shown,
    }
}

/// The object that a value is in: `open_orders` for `open_orders.count`.
fn owner(key: &str) -> Option<&str> {
    key.rsplit_once('.').map(|(owner, _)| owner)
}

fn leaf(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Used and total of the same thing belong into one line: gives these lines by the key that they
/// stand for, and the row without the other keys.
fn amounts(row: &FlatRow) -> (Vec<(String, String)>, FlatRow) {
    let mut lines = Vec::new();
    let mut rest = row.clone();
    let cell = |key: &str| {
        row.iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    };
    for (key, used) in row.iter().filter(|(_, value)| value.is_number()) {
        let Some(stem) = key.strip_suffix("used_bytes") else {
            continue;
        };
        let total_key = format!("{stem}total_bytes");
        let Some(total) = cell(&total_key).filter(|total| total.is_number()) else {
            continue;
        };
        let percent_keys = [format!("{stem}percent"), format!("{stem}used_percent")];
        let share = percent_keys.iter().find_map(|key| Some((key, cell(key)?)));
        let share = match share {
            Some((key, value)) if trouble::is_bad(key, value) => {
                format!(" (**{}**)", units::value(key, value))
            }
            Some((key, value)) => format!(" ({})", units::value(key, value)),
            None => String::new(),
        };
        let name = match stem.trim_end_matches(['_', '.']) {
            "" | "size" => "Used".to_owned(),
            name => units::label(name),
        };
        let (used, total) = (units::value(key, used), units::value(&total_key, total));
        lines.push((key.clone(), format!("- {name}: {used} of {total}{share}\n")));
        rest.retain(|(name, _)| *name != total_key && !percent_keys.contains(name));
    }
    (lines, rest)
}

/// Told elsewhere.
fn is_note(key: &str) -> bool {
    key.starts_with("cut.")
        || matches!(
            key,
            "incomplete" | "errors" | "warnings" | "notes" | "reach" | "summary"
        )
}
