//! A result that begins with its own summary, which is said as it is: whoever made the result knows
//! best which figures of it count.

use serde_json::Value;

use super::{
    facts::grouped, flat_row::FlatRow, gather::gather, money, naming::Naming,
    result_section::ResultSection, table, units,
};
use crate::planner::{
    plan::PlanContext,
    view::Done,
    words::{parts, words},
};

/// The summary of a result, as one line.
pub(super) fn text(done: &Done) -> Option<&str> {
    let text = done.data["summary"].as_str()?.trim();
    (!done.is_error && !text.is_empty()).then_some(text)
}

/// True if a result tells its summary.
pub(super) fn is_told(context: PlanContext<'_>) -> bool {
    context.view.done.iter().any(|done| text(done).is_some())
}

/// The summary as a sentence, and everything else below it.
pub(super) fn fill(done: &Done, text: &str, context: PlanContext<'_>, section: &mut ResultSection) {
    let text = units::safe(text);
    let text = units::capitalised(text.trim_end_matches('.'));
    section.lead = Some(format!("{text}, sir."));
    let is_said = |key: &str, value: &Value| {
        is_state_of(value, &text) || is_stamp(value) && !asks_for(key, &context.ask.said)
    };
    let mut scalars: FlatRow = Vec::new();
    let mut lists: Vec<(String, Vec<FlatRow>)> = Vec::new();
    gather("", &without_summary(&done.data), &mut scalars, &mut lists);
    money::tell(std::slice::from_mut(&mut scalars), "", &done.data);
    for (key, rows) in lists.iter_mut().filter(|(_, rows)| !rows.is_empty()) {
        money::tell(rows, key, &done.data);
        without_row_ids(rows);
        for row in rows.iter_mut() {
            row.retain(|(key, value)| !is_stamp(value) || asks_for(key, &context.ask.said));
        }
        for (_, value) in rows.iter_mut().flatten() {
            say_day(value);
        }
        let naming = Naming {
            key,
            places: context.toolbox.places.as_slice(),
        };
        let table = table::of(rows, naming, &context.ask.said, context.ask.count);
        section.body.push_str(&format!("{}\n\n", table.trim_end()));
    }
    let rows_of = |owner: &str| {
        let list = format!("{owner}.rows");
        let found = lists.iter().find(|(key, _)| *key == list);
        found.map(|(_, rows)| rows.len() as u64)
    };
    scalars.retain(|(key, value)| match key.rsplit_once('.') {
        // Told by the table that follows it.
        Some((owner, "of")) => rows_of(owner).is_none_or(|rows| value.as_u64() != Some(rows)),
        Some(_) => true,
        // How to ask for the next rows, where there are none or these are the first.
        None => !(key == "more" && *value == false || key == "start" && *value == 0),
    });
    scalars.retain(|(key, value)| !is_said(key, value));
    // What the call has given is left out, so it stays as it was given.
    for (key, value) in &mut scalars {
        if done.input.get(key.as_str()) != Some(&*value) {
            say_day(value);
        }
    }
    section.body.push_str(&grouped(&scalars, &done.input));
    for (key, value) in &scalars {
        if matches!(key.as_str(), "warnings" | "errors" | "incomplete" | "notes") {
            let told = units::value(key, value);
            let line = format!("- {}: {told}\n", units::label(key));
            section.body.push_str(&line);
        }
    }
    section.unknown = scalars
        .iter()
        .any(|(_, value)| units::unknown(value).is_some());
}

/// True for a moment with millionths of a second, by which machines tell one copy from another.
fn is_stamp(value: &Value) -> bool {
    let fraction = value.as_str().and_then(|text| {
        let (moment, fraction) = text.rsplit_once('.')?;
        let (day, time) = moment.split_once(' ')?;
        seconds_of(day, time).map(|_| fraction)
    });
    fraction.is_some_and(|it| it.len() == 6 && it.bytes().all(|sign| sign.is_ascii_digit()))
}

/// True if the words have one of the field's name.
fn asks_for(key: &str, said: &[String]) -> bool {
    parts(key).iter().any(|part| said.contains(part))
}

/// True for a state in a word that the summary has: `draft`.
fn is_state_of(value: &Value, summary: &str) -> bool {
    const SHORT: usize = 4;
    let state = value.as_str().filter(|it| it.len() >= SHORT);
    let state = state.filter(|it| it.bytes().all(|sign| sign.is_ascii_lowercase()));
    state.is_some_and(|state| words(summary).iter().any(|word| word == state))
}

/// The seconds of `2026-11-27` and `10:00:00`.
fn seconds_of(day: &str, time: &str) -> Option<i64> {
    let is_short = day.len() == 10 && time.len() == 8;
    let seconds = is_short.then(|| ::units::civil::seconds(&format!("{day}T{time}Z")));
    // Not the 31st of February.
    let is_day = |seconds: &i64| ::units::civil::rfc3339(*seconds).starts_with(day);
    seconds.flatten().filter(is_day)
}

/// Writes a day, `2026-11-27`, as sentences have it, `27 Nov 2026`, and so a moment of the system's own
/// clock.
fn say_day(value: &mut Value) {
    let told = value.as_str().and_then(|text| match text.split_once(' ') {
        Some((day, time)) => {
            let moment = ::units::moment(seconds_of(day, time)?);
            Some(moment.strip_suffix(" UTC")?.to_owned())
        }
        None => {
            let moment = ::units::moment(seconds_of(text, "00:00:00")?);
            Some(moment.split_once(',')?.0.to_owned())
        }
    });
    if let Some(told) = told {
        *value = Value::String(told);
    }
}

/// Leaves the names of rows out where they are random: `0m59ujter8`. Calls need them, nobody else does.
fn without_row_ids(rows: &mut [FlatRow]) {
    let is_random = |value: &Value| {
        let text = value.as_str().unwrap_or_default().as_bytes();
        let is_plain = |it: &u8| it.is_ascii_digit() || it.is_ascii_lowercase();
        // A number at the end, as in `webserver1`, is what people write.
        let mut pairs = text.windows(2);
        text.len() == 10
            && text.iter().all(is_plain)
            && pairs.any(|pair| matches!(pair, [b'0'..=b'9', b'a'..=b'z']))
    };
    let mut names = rows.iter().flatten().filter(|(key, _)| key == "name");
    if names.all(|(_, value)| is_random(value)) {
        for row in rows {
            row.retain(|(key, _)| key != "name");
        }
    }
}

fn without_summary(data: &Value) -> Value {
    let mut data = data.clone();
    if let Some(fields) = data.as_object_mut() {
        fields.remove("summary");
    }
    data
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn days_are_said_as_people_do() {
        for (text, expect) in [
            ("2026-11-27", "27 Nov 2026"),
            ("2026-02-31", "2026-02-31"),
            ("2026-11-27T10:00:00Z", "2026-11-27T10:00:00Z"),
            ("PUR-ORD-26", "PUR-ORD-26"),
            ("2026-11-27 19:33:29", "27 Nov 2026, 19:33"),
            ("2026-02-31 19:33:29", "2026-02-31 19:33:29"),
            ("two words", "two words"),
        ] {
            let mut value = json!(text);
            say_day(&mut value);
            assert_eq!(value, expect);
        }
    }

    #[test]
    fn stamps_of_machines_and_states_that_are_said_are_known() {
        for (text, is_known) in [
            ("2026-11-29 19:33:29.011887", true),
            ("2026-11-29 19:33:29", false),
            ("v1.011887", false),
            ("a b.011887", false),
        ] {
            assert_eq!(is_stamp(&json!(text)), is_known, "{text}");
        }
        for (value, is_known) in [
            (json!("draft"), true),
            (json!("drafts"), false),
            (json!("Draft"), false),
            (json!(20), false),
        ] {
            let summary = "Draft order AB-1 of 20 pumps";
            assert_eq!(is_state_of(&value, summary), is_known, "{value}");
        }
    }

    #[test]
    fn random_names_of_rows_are_left_out() {
        for (names, stay) in [
            (["0m59ujter8", "8kq2v0d1ab"], false),
            (["0m59ujter8", "PUMP"], true),
            (["webserver1", "webserver2"], true),
        ] {
            let row = |name: &str| vec![("name".to_owned(), json!(name))];
            let mut rows = names.map(row);
            without_row_ids(&mut rows);
            assert_eq!(rows.iter().all(|row| row.len() == 1), stay, "{names:?}");
        }
    }
}
