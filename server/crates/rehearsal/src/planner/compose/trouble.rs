//! Signs of trouble in a result.

use serde_json::Value;

use super::units;
use crate::texts::results;

/// Full or hot from here on.
const FULL_PERCENT: f64 = 90.0;
const HOT_CELSIUS: f64 = 80.0;

/// The number from which a figure is a sign of trouble.
pub(super) fn limit(key: &str) -> Option<f64> {
    if key.ends_with("percent") {
        Some(FULL_PERCENT)
    } else {
        key.ends_with("celsius").then_some(HOT_CELSIUS)
    }
}

/// True if a value is a sign of trouble by itself.
pub(super) fn is_bad(key: &str, value: &Value) -> bool {
    let key = key.rsplit('.').next().unwrap_or(key);
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            (key.ends_with("percent") && number >= FULL_PERCENT)
                || (key.ends_with("celsius") && number >= HOT_CELSIUS)
        }
        Value::Bool(yes) => !yes && matches!(key, "online" | "active" | "available" | "healthy"),
        Value::String(text) => {
            let states = [
                "state",
                "status",
                "health",
                "result",
                "exit_status",
                "exitstatus",
                "outcome",
                "verification",
            ];
            states.contains(&key) && is_bad_state(text)
        }
        _ => false,
    }
}

fn is_bad_state(text: &str) -> bool {
    let text = text.to_lowercase();
    let bad = [
        "offline",
        "error",
        "failed",
        "failure",
        "degraded",
        "unavailable",
        "unreachable",
        "down",
        "critical",
        "faulted",
        "aborted",
        "interrupted",
        "io-error",
        "crashed",
    ];
    bad.iter()
        .any(|bad| text == *bad || text.starts_with(&format!("{bad}:")))
}

/// The reason that stands beside a bad state.
fn reason(cells: &[(String, Value)]) -> String {
    cells
        .iter()
        .filter(|(key, _)| matches!(key.as_str(), "error" | "reason"))
        .find_map(|(_, value)| value.as_str())
        .map(|text| format!(" ({})", units::safe(text)))
        .unwrap_or_default()
}

/// The troubles of one object, said with the name that it goes by.
pub(super) fn of_row(who: &str, cells: &[(String, Value)]) -> Vec<String> {
    let mut troubles = Vec::new();
    for (key, value) in cells {
        if is_bad(key, value) {
            let what = units::label(key).to_lowercase();
            let what = if what == "cpu" {
                "CPU".to_owned()
            } else {
                what
            };
            troubles.push(match value {
                Value::String(text) => {
                    let is = if text.starts_with("failed") {
                        ""
                    } else {
                        "is "
                    };
                    // What failed is not the thing itself.
                    let of = match key.as_str() {
                        "verification" => ": verification",
                        _ => "",
                    };
                    format!("{who}{of} {is}**{}**{}", units::safe(text), reason(cells))
                }
                Value::Bool(_) => results::is_not(who, &what),
                _ => results::has_high_figure(who, &what, &units::value(key, value)),
            });
        }
    }
    // A state that nobody knows is trouble; a figure that nobody knows stands in the table.
    for (key, value) in cells {
        let stateful = matches!(key.as_str(), "state" | "status" | "online");
        if stateful && let Some(reason) = units::unknown(value) {
            troubles.push(results::unknown_field(who, key, &units::safe(reason)));
        }
    }
    troubles
}
