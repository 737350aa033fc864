//! The export of the feed: page by page, in constant memory.

use std::convert::Infallible;

use futures::{Stream, stream};
use protocol::{FeedEntry, FeedFilter, FeedPlace, Tier, Timestamp};

use super::{Feed, FeedReader, MAX_PAGE};
use crate::texts;

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON, one entry per line.
    JsonLines,
    /// CSV for spreadsheets.
    Csv,
}

const HEAD: &str = "id,time,kind,state,line,outcome,tier,target,person,source,conversation,call,\
                    subject,ended,details\r\n";

/// Exports everything that matches a filter, newest first. A fault ends the file with a line that
/// says so.
pub(crate) fn export(
    feed: Feed,
    reader: FeedReader,
    filter: FeedFilter,
    format: Format,
) -> impl Stream<Item = Result<String, Infallible>> {
    let first = Some((FeedPlace::Newest, true));
    stream::unfold(first, move |state| {
        let (feed, filter) = (feed.clone(), filter.clone());
        let FeedReader { user, role } = reader;
        async move {
            let (place, is_first) = state?;
            let mut text = match (format, is_first) {
                (Format::Csv, true) => HEAD.to_owned(),
                _ => String::new(),
            };
            let next = match feed.page(user, role, &filter, place, MAX_PAGE).await {
                Ok(page) => {
                    for entry in &page.entries {
                        write(entry, format, &mut text);
                    }
                    let last = page.entries.last().filter(|_| page.older);
                    last.map(|entry| (FeedPlace::Before { id: entry.id }, false))
                }
                Err(error) => {
                    tracing::error!(%error, "an export of the feed broke off");
                    text.push_str(match format {
                        Format::JsonLines => texts::start::EXPORT_BROKE_OFF_JSON,
                        Format::Csv => texts::start::EXPORT_BROKE_OFF_CSV,
                    });
                    None
                }
            };
            Some((Ok(text), next))
        }
    })
}

fn write(entry: &FeedEntry, format: Format, text: &mut String) {
    match format {
        Format::JsonLines => {
            if let Ok(json) = serde_json::to_string(entry) {
                text.push_str(&json);
                text.push('\n');
            }
        }
        Format::Csv => row(entry, text),
    }
}

fn row(entry: &FeedEntry, text: &mut String) {
    let optional = |field: &Option<String>| field.clone().unwrap_or_default();
    let tier = entry.tier.map(|tier| match tier {
        Tier::Green => "GREEN",
        Tier::Yellow => "YELLOW",
        Tier::Red => "RED",
        Tier::Black => "BLACK",
    });
    let details = match &entry.details {
        serde_json::Value::Null => String::new(),
        details => details.to_string(),
    };
    let cells = [
        entry.id.to_string(),
        moment(entry.at),
        entry.kind.word().to_owned(),
        entry.tone.word().to_owned(),
        entry.line.clone(),
        optional(&entry.outcome),
        tier.unwrap_or_default().to_owned(),
        optional(&entry.target),
        optional(&entry.person),
        optional(&entry.source),
        entry
            .conversation
            .map(|id| id.to_string())
            .unwrap_or_default(),
        entry.call.map(|id| id.to_string()).unwrap_or_default(),
        optional(&entry.subject),
        entry.ended.map(moment).unwrap_or_default(),
        details,
    ];
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        push_cell(cell, text);
    }
    text.push_str("\r\n");
}

/// Adds a quoted cell. One that a spreadsheet would take for a formula gets a leading apostrophe,
/// which makes it text.
fn push_cell(cell: &str, text: &mut String) {
    let begins = cell.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
    let formula = begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || cell.starts_with(['\t', '\r', '\n', '|', '%']);
    text.push('"');
    if formula {
        text.push('\'');
    }
    for c in cell.chars() {
        match c {
            '"' => text.push_str("\"\""),
            // One row is one line, and no control character reaches a terminal.
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text.push('"');
}

/// Formats `2026-11-22T14:05:09.123Z`.
pub(crate) fn moment(at: Timestamp) -> String {
    let whole = units::civil::rfc3339(at.0.div_euclid(1000));
    format!(
        "{}.{:03}Z",
        whole.trim_end_matches('Z'),
        at.0.rem_euclid(1000)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_of_the_calendar() {
        for (ms, expect) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_355_999_999, "2026-11-22T13:59:59.999Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(moment(Timestamp(ms)), expect);
        }
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        let cell = |text: &str| {
            let mut out = String::new();
            push_cell(text, &mut out);
            out
        };
        for (text, expect) in [
            ("plain, \"quoted\"", r#""plain, ""quoted""""#),
            ("=HYPERLINK(\"x\")", r#""'=HYPERLINK(""x"")""#),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", "\"' =1\""),
            ("  =1", "\"'  =1\""),
            ("a\r\n=1", "\"a  =1\""),
            ("＝1", "\"'＝1\""),
            ("", "\"\""),
        ] {
            assert_eq!(cell(text), expect, "{text:?}");
        }
    }
}
