//! JSON of a device or a step as labels with values.

use protocol::{Fact, Timestamp};
use serde_json::Value;

use crate::{parts::time, texts::pages as say};

/// Facts of one thing that are shown.
const MOST: usize = 40;
/// Characters of a value.
const LONGEST: usize = 300;
/// When a simulated device that is offline says that it was seen last, in its report and on its page.
const SEEN_MS: &str = "simulated_last_seen_ms";
const SEEN: &str = "simulated_last_seen";

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

/// The fields of a device's own report, its moments and durations as people read them.
pub(super) fn report(report: &Value) -> Vec<Fact> {
    let mut report = report.clone();
    if let Some(fields) = report.as_object_mut() {
        if let Some(clock) = fields.get_mut("clock")
            && let Some(words) = clock_words(clock)
        {
            *clock = words.into();
        }
        if let Some(at) = fields.get(SEEN_MS).and_then(moment) {
            fields.remove(SEEN_MS);
            fields.insert(SEEN.to_owned(), at.into());
        }
    }
    facts(&report)
}

/// Reads a device's report of its clock. Returns none if the report has another shape.
fn clock_words(clock: &Value) -> Option<String> {
    let shown = moment(clock.get("wall_ms")?)?;
    if clock.get("fault").and_then(Value::as_str) == Some("unset") {
        return Some(say::clock_unset(&shown));
    }
    // What has to be added to the device's clock for the server's.
    let Some(skew) = clock.get("skew_ms").and_then(Value::as_i64) else {
        return Some(say::clock_not_compared(&shown));
    };
    let by = units::span(skew.unsigned_abs() / 1000);
    Some(match skew {
        ..=-1000 => say::clock_ahead(&shown, &by),
        1000.. => say::clock_behind(&shown, &by),
        _ => say::clock_agrees(&shown),
    })
}

/// A moment in milliseconds since 1970, in the form that pages show in their reader's time.
fn moment(ms: &Value) -> Option<String> {
    Some(time(Timestamp(ms.as_i64()?)))
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

    #[test]
    fn a_report_has_no_raw_milliseconds() {
        let at = 1_796_007_660_000_i64;
        let clock =
            |skew: Value, fault: Value| json!({ "wall_ms": at, "skew_ms": skew, "fault": fault });
        for (clock, expected) in [
            (
                clock(json!(-400), Value::Null),
                "2026-11-30T03:01:00Z, as on the server",
            ),
            (
                clock(json!(7_200_000), json!("behind")),
                "2026-11-30T03:01:00Z, 2 h behind the server",
            ),
            (
                clock(json!(-90_000), Value::Null),
                "2026-11-30T03:01:00Z, 1 min ahead of the server",
            ),
            (
                clock(Value::Null, Value::Null),
                "2026-11-30T03:01:00Z, not compared with the server yet",
            ),
            (
                json!({ "wall_ms": 5, "skew_ms": 1, "fault": "unset" }),
                "1970-01-01T00:00:00Z, never set",
            ),
            (json!({ "fault": "odd" }), "fault odd"),
        ] {
            let shown = report(&json!({ "clock": clock }));
            assert_eq!((&*shown[0].label, &*shown[0].value), ("clock", expected));
        }
        let shown = report(&json!({ "simulated_last_seen_ms": at }));
        assert_eq!(shown[0].label, "simulated last seen");
        assert_eq!(shown[0].value, "2026-11-30T03:01:00Z");
    }
}
