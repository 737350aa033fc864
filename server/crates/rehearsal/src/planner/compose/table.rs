//! A list of objects as a table with the most telling columns.

use serde_json::Value;

use super::{flat_row::FlatRow, money, naming::Naming, trouble, units};
use crate::{
    planner::{
        records::is_id,
        words::{parts, singular},
    },
    texts::results,
};

/// Most columns and rows that are shown.
const COLUMNS: usize = 7;
const ROWS: usize = 25;

/// An object as flat cells: nested objects become `outer.inner`.
pub(super) fn cells(object: &Value) -> Vec<(String, Value)> {
    let mut flat = Vec::new();
    flatten("", object, &mut flat);
    flat
}

fn flatten(prefix: &str, value: &Value, flat: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) if units::unknown(value).is_none() => {
            for (key, value) in fields {
                let key = if prefix.is_empty() {
                    key.clone()
                } else {
                    format!("{prefix}.{key}")
                };
                flatten(&key, value, flat);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {}
        _ => flat.push((prefix.to_owned(), value.clone())),
    }
}

/// Rows as a markdown table.
pub(super) fn of(
    rows: &[FlatRow],
    naming: Naming<'_>,
    words: &[String],
    limit: Option<u64>,
) -> String {
    let columns = columns(rows, naming, words);
    if columns.is_empty() {
        return String::new();
    }
    let most = limit.map_or(ROWS, |limit| {
        usize::try_from(limit).unwrap_or(ROWS).min(ROWS)
    });
    let numeric = |key: &String| {
        rows.iter().filter_map(|row| cell(row, key)).all(|value| {
            value.is_number() || money::is_amount(value) || units::unknown(value).is_some()
        })
    };
    let labels: Vec<String> = columns.iter().map(|key| units::label(key)).collect();
    let heads: Vec<String> = columns
        .iter()
        .zip(&labels)
        .map(|(key, label)| {
            let twins = labels.iter().filter(|other| *other == label).count() > 1;
            if twins && key.ends_with("percent") {
                format!("{label} %")
            } else {
                label.clone()
            }
        })
        .collect();
    let rules: Vec<&str> = columns
        .iter()
        .map(|key| if numeric(key) { "---:" } else { "---" })
        .collect();
    let mut text = format!("| {} |\n| {} |\n", heads.join(" | "), rules.join(" | "));
    for row in rows.iter().take(most) {
        let line: Vec<String> = columns
            .iter()
            .map(|key| match cell(row, key) {
                None => "–".to_owned(),
                Some(value) => {
                    let text = units::value(key, value);
                    if trouble::is_bad(key, value) || text == "unknown" {
                        format!("**{text}**")
                    } else {
                        text
                    }
                }
            })
            .collect();
        text.push_str(&format!("| {} |\n", line.join(" | ")));
    }
    if rows.len() > most {
        text.push_str(&format!("\n{}\n", results::more_rows(rows.len() - most)));
    }
    text
}

/// The value under a key; if the object around it is unknown as a whole, that.
fn cell<'r>(row: &'r [(String, Value)], key: &str) -> Option<&'r Value> {
    let at = |key: &str| {
        row.iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    };
    at(key).or_else(|| {
        let (outer, _) = key.rsplit_once('.')?;
        at(outer).filter(|value| units::unknown(value).is_some())
    })
}

/// The columns worth their room, in the order in which they are read.
fn columns(rows: &[FlatRow], naming: Naming<'_>, words: &[String]) -> Vec<String> {
    let mut keys: Vec<&String> = Vec::new();
    for (key, _) in rows.iter().flatten() {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let all: Vec<String> = keys.iter().map(|key| (*key).clone()).collect();
    keys.retain(|key| {
        let inner = format!("{key}.");
        !all.iter().any(|other| other.starts_with(&inner))
    });
    keys.retain(|key| {
        rows.iter()
            .filter_map(|row| cell(row, key))
            .any(|value| match value {
                Value::Null => false,
                Value::Array(items) => !items.is_empty(),
                Value::String(text) => !text.is_empty() && text.len() <= 120,
                _ => true,
            })
    });
    let mut ranked: Vec<(usize, &String)> = keys
        .iter()
        .enumerate()
        .map(|(at, key)| (rank(key, naming, words) * 100 + at, *key))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut chosen = with_amounts(ranked, rows);
    chosen.truncate(COLUMNS);
    chosen.into_iter().cloned().collect()
}

/// The columns in their order, with the most telling amounts right behind those that say what a row is.
fn with_amounts<'k>(ranked: Vec<(usize, &'k String)>, rows: &[FlatRow]) -> Vec<&'k String> {
    /// So many columns say what a row is, and so many amounts follow them at most.
    const NAMES: usize = 3;
    const EARLY: usize = 3;
    let holds = |key: &str, is: fn(&Value) -> bool| {
        let cells = rows.iter().filter_map(|row| cell(row, key));
        let mut known = cells.filter(|value| units::unknown(value).is_none());
        known.clone().next().is_some() && known.all(is)
    };
    let keys = ranked.into_iter().map(|(_, key)| key);
    let (mut amounts, others): (Vec<_>, Vec<_>) =
        keys.partition(|key| holds(key.as_str(), money::is_amount));
    // Columns of nothing but zeros come last, and currencies that the amounts say.
    amounts.sort_by_key(|key| (holds(key.as_str(), money::is_nothing), money::weight(key)));
    let is_currency = |key: &&String| *key == "currency" || key.ends_with("_currency");
    let has_amounts = !amounts.is_empty();
    let (late, others): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|key| has_amounts && is_currency(key));
    let names = others.len().min(NAMES);
    let is_told = |key: &&&String| !holds(key.as_str(), money::is_nothing);
    let early = amounts.iter().filter(is_told).count().min(EARLY);
    let late_amounts = amounts.split_off(early);
    let mut chosen: Vec<&String> = others;
    let rest = chosen.split_off(names);
    chosen.extend(amounts);
    chosen.extend(rest);
    chosen.extend(late_amounts);
    chosen.extend(late);
    chosen
}

/// Lower is more telling.
fn rank(key: &str, naming: Naming<'_>, words: &[String]) -> usize {
    /// So many of the following say what a row is and how it fares; the rest are figures.
    const NAMES: usize = 13;
    /// Stands for the fields that say where.
    const PLACE: &str = "";
    const ORDER: &[&str] = &[
        "name",
        "id",
        "kind",
        "label",
        "sensor",
        PLACE,
        "type",
        "about",
        "state",
        "status",
        "online",
        "outcome",
        "result",
        "exit_status",
        "cpu_percent",
        "memory_percent",
        "used_percent",
        "celsius",
        "memory_used_bytes",
        "memory_total_bytes",
        "used_bytes",
        "total_bytes",
        "size_bytes",
        "newest_at",
        "created_at",
        "started_at",
        "ended_at",
        "duration_seconds",
        "uptime_seconds",
        "error",
        "user",
        "free_bytes",
    ];
    let leaf = key.rsplit('.').next().unwrap_or(key);
    let is_place = |name: &str| naming.places.iter().any(|place| place == name);
    let known = if leaf == naming.kind() {
        "name"
    } else if is_id(leaf) {
        "id"
    } else if is_place(leaf) && !ORDER.contains(&leaf) {
        PLACE
    } else if leaf != singular(leaf) && is_place(&singular(leaf)) {
        "free_bytes"
    } else {
        leaf
    };
    let place = ORDER
        .iter()
        .position(|name| *name == known)
        .or_else(|| leaf.ends_with("celsius").then_some(NAMES + 3))
        .unwrap_or(ORDER.len());
    let asked = parts(leaf).iter().any(|part| {
        words
            .iter()
            .any(|word| word == part || word.strip_suffix('s') == Some(part))
    });
    // What was asked for comes right after name and state, the usual figures first.
    match (asked, place) {
        (true, NAMES..) if place < ORDER.len() => 2 * NAMES - 1,
        (true, NAMES..) => 2 * (NAMES + 4) - 1,
        _ => 2 * place,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_come_right_behind_what_a_row_is() {
        let row = |party: &str, open: &str| -> FlatRow {
            [
                ("invoiced", "5.00 EUR"),
                ("posting_date", "1 Nov 2026"),
                ("party", party),
                ("type", "Letter"),
                ("number", "1"),
                ("paid", "0.00 EUR"),
                ("currency", "EUR"),
                ("outstanding", open),
                ("remarks", "-"),
            ]
            .map(|(key, text)| (key.to_owned(), json!(text)))
            .into()
        };
        let naming = Naming {
            key: "rows",
            places: &[],
        };
        let rows = [row("A", "5.00 EUR"), row("B", "1,000.10 EUR")];
        let text = of(&rows, naming, &[], None);
        let mut lines = text.lines();
        let head = "| Type | Posting date | Party | Outstanding | Invoiced | Number | Remarks |";
        assert_eq!(lines.next(), Some(head), "{text}");
        let rule = "| --- | --- | --- | ---: | ---: | --- | --- |";
        assert_eq!(lines.next(), Some(rule), "{text}");
        assert!(text.contains("| 1,000.10 EUR |"), "{text}");
    }
}
