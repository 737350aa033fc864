//! Values in words: units from the names of fields, unknown as unknown, nothing that markdown
//! could take for its own.

use serde_json::Value;

/// The heading of a field.
pub fn label(key: &str) -> String {
    const NAMES: &[(&str, &str)] = &[
        ("id", "ID"),
        ("cpu", "CPU"),
        ("io", "I/O"),
        ("ip", "IP"),
        ("ha", "HA"),
        ("url", "URL"),
    ];
    let leaf = leaf(key);
    if crate::planner::records::is_id(leaf) && !leaf.contains('_') {
        return "ID".to_owned();
    }
    // A share in percent: `per_delivered`.
    let mut stem = leaf.strip_prefix("per_").unwrap_or(leaf);
    for suffix in [
        "_bytes_per_second",
        "_bytes",
        "_percent",
        "_pct",
        "_fraction",
        "_seconds",
        "_secs",
        "_celsius",
        "_ms",
        "_mhz",
        "_at",
        "_hours",
    ] {
        stem = leaf.strip_suffix(suffix).unwrap_or(stem);
    }
    let words: Vec<String> = stem
        .split('_')
        .filter(|word| !word.is_empty())
        .enumerate()
        .map(|(at, word)| {
            let known = NAMES.iter().find(|(key, _)| *key == word);
            match known {
                Some((_, name)) => (*name).to_owned(),
                None if at == 0 => capitalised(&shown_word(word)),
                None => shown_word(word),
            }
        })
        .collect();
    safe(&words.join(" "))
}

fn leaf(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// The words for a field in a sentence: `CPU` for `cpu_percent`.
pub(in crate::planner) fn in_words(key: &str) -> String {
    let label = label(key);
    if label.chars().skip(1).any(char::is_uppercase) {
        label
    } else {
        label.to_lowercase()
    }
}

/// An abbreviation in capitals: a word of two or three letters without a vowel, also in the plural.
pub(in crate::planner) fn shown_word(word: &str) -> String {
    let (stem, plural) = match word.strip_suffix('s') {
        Some(stem) if stem.len() > 1 => (stem, "s"),
        _ => (word, ""),
    };
    let is_short = (2..=3).contains(&stem.len());
    if is_short && !stem.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
        format!("{}{plural}", stem.to_uppercase())
    } else {
        word.to_owned()
    }
}

/// The same with a capital at its beginning.
pub(super) fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// Why a value is not known: `{"unknown": "reason"}`, null, or a text that begins with `unknown`.
pub(super) fn unknown(value: &Value) -> Option<&str> {
    match value {
        Value::Null => Some("not reported"),
        Value::String(text) => {
            let rest = text.strip_prefix("unknown")?;
            Some(rest.trim_start_matches([':', ' ']))
        }
        Value::Object(fields) if fields.len() == 1 => fields.get("unknown")?.as_str(),
        _ => None,
    }
}

/// A value with its unit.
pub fn value(key: &str, value: &Value) -> String {
    if unknown(value).is_some() {
        return "unknown".to_owned();
    }
    match value {
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(number) => quantity(key, number),
            None => number.to_string(),
        },
        Value::String(text) => safe(&moment(text)),
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(|item| self::value(key, item)).collect();
            if texts.is_empty() {
                "none".to_owned()
            } else {
                texts.join(", ")
            }
        }
        Value::Object(fields) => {
            let texts: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{} {}", label(key), self::value(key, value)))
                .collect();
            texts.join(", ")
        }
        Value::Null => "unknown".to_owned(),
    }
}

fn quantity(key: &str, number: f64) -> String {
    let ends = |suffixes: &[&str]| {
        suffixes
            .iter()
            .any(|suffix| key.ends_with(suffix) || key == suffix.trim_start_matches('_'))
    };
    if ends(&["_bytes_per_second"]) {
        format!("{}/s", ::units::size(number.max(0.0).round() as u64))
    } else if ends(&["_bytes"]) {
        ::units::size(number.max(0.0).round() as u64)
    } else if ends(&["_percent", "_pct"]) || leaf(key).starts_with("per_") {
        ::units::percent(number)
    } else if ends(&["_fraction"]) {
        ::units::percent(number * 100.0)
    } else if ends(&["_celsius"]) {
        format!("{} °C", plain((number * 10.0).round() / 10.0))
    } else if ends(&["_seconds", "_secs"]) {
        duration(number)
    } else if ends(&["_ms"]) {
        format!("{} ms", plain(number))
    } else if ends(&["_hours"]) {
        duration(number * 3_600.0)
    } else if ends(&["_mhz"]) {
        format!("{} MHz", plain(number))
    } else if ends(&["_at", "_time"]) && number > 1.0e9 {
        ::units::moment(number as i64)
    } else {
        plain(number)
    }
}

/// A number as the result has it.
fn plain(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1.0e15 {
        format!("{number:.0}")
    } else {
        number.to_string()
    }
}

/// As everywhere, and with the seconds of what took minutes.
fn duration(seconds: f64) -> String {
    let all = seconds.max(0.0).round() as u64;
    match (all / 60, all % 60) {
        (minutes @ 1..60, seconds @ 1..) => format!("{minutes} min {seconds} s"),
        _ => ::units::span(all),
    }
}

/// `2026-11-22T01:02:03Z` as people write it; other texts as they are.
fn moment(text: &str) -> String {
    let is_moment = text.len() <= 30 && text.ends_with('Z');
    let seconds = is_moment.then(|| ::units::civil::seconds(text)).flatten();
    seconds.map_or_else(|| text.to_owned(), ::units::moment)
}

/// Text from a result so that markdown shows it and does nothing else with it.
pub fn safe(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars().take(300) {
        match character {
            '\n' | '\r' | '\t' => safe.push(' '),
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '!' => {
                safe.push('\\');
                safe.push(character);
            }
            // Names such as local_lvm would need no escape, but `_so_` would be slanted.
            '_' => safe.push_str("\\_"),
            other => safe.push(other),
        }
    }
    if text.chars().count() > 300 {
        safe.push('…');
    }
    safe
}

/// A name as code.
pub fn code(text: &str) -> String {
    format!("`{}`", text.replace(['`', '\n', '\r'], "'"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_carry_their_units() {
        for (key, given, expect) in [
            ("memory_used_bytes", json!(13_207_024_435_u64), "12.3 GiB"),
            ("total_bytes", json!(1_099_511_627_776_u64), "1.0 TiB"),
            ("used_bytes", json!(10_665_186_000_000_u64), "9.7 TiB"),
            ("age_hours", json!(28.27), "1 d 4 h"),
            ("cpu_percent", json!(41.2), "41.2 %"),
            ("uptime_seconds", json!(273_600), "3 d 4 h"),
            ("package_celsius", json!(54), "54 °C"),
            ("load_1m", json!(0.42), "0.42"),
            ("per_delivered", json!(50), "50.0 %"),
            ("vmid", json!(101), "101"),
            (
                "state",
                json!({ "unknown": "node agent is offline" }),
                "unknown",
            ),
            ("name", json!("a|b`c`\n<b>"), "a\\|b\\`c\\` \\<b\\>"),
            (
                "started_at",
                json!("2026-11-22T01:02:03Z"),
                "22 Nov 2026, 01:02 UTC",
            ),
            ("nodes", json!(["pve", "Home"]), "pve, Home"),
        ] {
            assert_eq!(value(key, &given), expect, "{key}");
        }
        for (key, expect) in [
            ("vmid", "ID"),
            ("memory_used_bytes", "Memory used"),
            ("cpu_percent", "CPU"),
            ("unpaid", "Unpaid"),
            ("per_delivered", "Delivered"),
            ("usage.uptime_seconds", "Uptime"),
        ] {
            assert_eq!(label(key), expect);
        }
    }
}
