//! JSON of a device or a step as labels with values.

use protocol::Fact;
use serde_json::Value;

use crate::texts::pages as say;

/// Facts of one thing that are shown.
const MOST: usize = 40;
/// Characters of a value.
const LONGEST: usize = 300;

/// Each field of an object, with its unit. Records are counted and shown in one line each.
pub(super) fn facts(value: &Value) -> Vec<Fact> {
    let fields = value.as_object().into_iter().flatten();
    let mut facts = Vec::new();
    for (name, value) in fields {
        match value {
            Value::Array(items) if items.iter().any(Value::is_object) => {
                let lines = items.iter().enumerate();
                facts.extend(lines.map(|(at, item)| fact(&say::entry(name, at + 1), item)));
            }
            value => facts.push(fact(&name.replace('_', " "), value)),
        }
    }
    facts.truncate(MOST);
    facts
}

fn fact(label: &str, value: &Value) -> Fact {
    let mut value = text(value);
    if let Some((end, _)) = value.char_indices().nth(LONGEST) {
        value.truncate(end);
        value.push('…');
    }
    Fact {
        label: label.to_owned(),
        value,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => say::YES.to_owned(),
        Value::Bool(false) => say::NO.to_owned(),
        Value::Null => say::NONE.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            if let Some(unknown) = fields.get("unknown").and_then(Value::as_str) {
                return say::unknown(unknown);
            }
            if let (Some(value), Some(unit)) = (fields.get("value"), fields.get("unit")) {
                return format!("{} {}", text(value), text(unit));
            }
            let fields = fields.iter();
            let fields =
                fields.map(|(name, it)| format!("{} {}", name.replace('_', " "), text(it)));
            fields.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Counts by class, such as `{"ipv4": 14}`.
pub(super) fn counts(counts: &Value) -> Vec<Fact> {
    let counts = counts.as_object().into_iter().flatten();
    counts.map(|(class, count)| fact(class, count)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_have_their_units_and_reasons() {
        let shown = facts(&json!({
            "loss": { "value": 50, "unit": "%" },
            "rtt_avg": { "unknown": "no answer" },
            "up": true,
            "interfaces": ["eth0", "wlan0"],
            "records": [{ "host": "ip-s1-n1.1", "ttl": 64 }, { "host": "ip-s1-n1.2" }],
            "long": "x".repeat(400),
        }));
        let shown: Vec<_> = shown
            .iter()
            .map(|it| {
                format!(
                    "{}: {}",
                    it.label,
                    it.value.chars().take(30).collect::<String>()
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "loss: 50 %",
                "rtt avg: unknown (no answer)",
                "up: yes",
                "interfaces: eth0, wlan0",
                "records 1: host ip-s1-n1.1, ttl 64",
                "records 2: host ip-s1-n1.2",
                "long: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            ]
        );
        assert_eq!(facts(&json!("odd")), []);
    }
}
