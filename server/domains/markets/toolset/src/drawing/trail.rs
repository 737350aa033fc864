//! The trail of the drawings and the alerts: each change with its time, author, reason and origin, in
//! parts, for the page and for export.

mod filter;

use std::fmt::Write;

use markets_wire::{TrailEntry, TrailPage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use self::filter::TrailQuery;
pub use self::filter::{BadTrailFilter, TrailFilter};
use crate::{
    StoreError, Symbol, Time,
    drawing::{Actor, Change, DrawingReader, DrawingStore, FieldChange, change_words},
    texts,
};

/// Columns of the export.
const COLUMNS: &str =
    "time,symbol,drawing,kind,by,reason,field,from,to,conversation,message,call,turn,person";

/// Changes in a part of the export.
const PART: usize = 500;
/// Changes on a page.
const SHOWN: usize = 200;

/// The place of a change in the trail, which is in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrailPlace {
    pub time: Time,
    /// Identifier of the drawing, or of the alert.
    pub drawing: String,
    /// The version that the change made; 1 is the drawing itself.
    pub version: u64,
    pub owner: String,
}

impl TrailPlace {
    /// Its text in the query of an address, where it needs no escape.
    fn cursor(&self) -> String {
        let Self {
            time,
            drawing,
            version,
            owner,
        } = self;
        format!("{time}~{version}~{owner}~{drawing}")
    }

    /// The place of such a text. A reader gets only their own changes from any of them.
    fn of_cursor(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, '~');
        Some(Self {
            time: Time::parse(parts.next()?).ok()?,
            version: parts.next()?.parse().ok()?,
            owner: parts.next()?.to_owned(),
            drawing: parts.next()?.to_owned(),
        })
    }
}

/// The direction in which the trail is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrailWay {
    /// Oldest first, after a place if one is given.
    After(Option<TrailPlace>),
    /// Newest first, before a place if one is given.
    NewestFirst(Option<TrailPlace>),
}

/// A change as the trail has it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrailRow {
    pub place: TrailPlace,
    /// Name of the symbol, which may not be declared any more.
    pub symbol: String,
    pub kind: String,
    pub actor: Actor,
    pub body: TrailBody,
}

/// The parts of a change that no filter looks at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrailBody {
    pub person: Option<String>,
    pub reason: String,
    /// Empty for the drawing itself.
    pub changes: Vec<FieldChange>,
    pub call: Option<String>,
    /// The turn.
    pub group: Option<String>,
    pub conversation: Option<String>,
    pub message: Option<String>,
    /// Set in place of changes that an earlier release did not keep: their number.
    pub dropped: u64,
}

/// A part of the export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailPart {
    /// Whole lines of CSV; the first part begins with the columns.
    pub text: String,
    /// The place after which the next part begins; `None` if this is the last one.
    pub next: Option<TrailPlace>,
}

/// One line of the export.
struct TrailLine<'a> {
    row: &'a TrailRow,
    reason: &'a str,
    field: &'a str,
    from: String,
    to: String,
}

/// The part of the trail after a place as CSV, oldest first, with removed drawings. Of the drawings that
/// the reader does not see it has nothing.
///
/// # Errors
/// The store fails.
pub(crate) async fn csv(
    drawings: &dyn DrawingStore,
    reader: DrawingReader,
    filter: &TrailFilter,
    after: Option<TrailPlace>,
) -> Result<TrailPart, StoreError> {
    let mut text = match &after {
        None => format!("{COLUMNS}\n"),
        Some(_) => String::new(),
    };
    let way = TrailWay::After(after);
    let rows = drawings.trail(&reader.owners(), filter, &way, PART).await?;
    for line in rows.iter().flat_map(lines) {
        write_line(&mut text, &line);
    }
    let last = rows.last().filter(|_| rows.len() >= PART);
    Ok(TrailPart {
        text,
        next: last.map(|row| row.place.clone()),
    })
}

/// The newest changes that a query lets through and the reader sees.
///
/// # Errors
/// The store fails.
pub(crate) async fn page(
    drawings: &dyn DrawingStore,
    reader: DrawingReader,
    query: TrailQuery,
) -> Result<TrailPage<Time>, StoreError> {
    let TrailQuery { filter, before } = query;
    let (owners, way) = (reader.owners(), TrailWay::NewestFirst(before));
    // One more, to learn whether there are more.
    let mut rows = drawings.trail(&owners, &filter, &way, SHOWN + 1).await?;
    let more = rows.len() > SHOWN;
    rows.truncate(SHOWN);
    let last = rows.last().filter(|_| more);
    Ok(TrailPage {
        next: last.map(|row| row.place.cursor()),
        entries: rows.into_iter().map(entry).collect(),
        more,
    })
}

fn entry(row: TrailRow) -> TrailEntry<Time> {
    let TrailRow {
        place,
        symbol,
        kind,
        actor,
        body,
    } = row;
    let reason = match body.dropped {
        0 => body.reason,
        count => texts::drawings::older_changes_are_not_kept(count),
    };
    let changes = change_words::in_words(&body.changes, symbol.parse().ok());
    TrailEntry {
        symbol,
        // An alert begins with its condition.
        is_drawn: place.version == 1 && body.changes.is_empty(),
        drawing: place.drawing,
        kind,
        change: Change {
            time: place.time,
            actor,
            person: body.person,
            reason,
            changes,
            call: body.call,
            group: body.group,
            conversation: body.conversation,
            message: body.message,
        },
    }
}

fn lines(row: &TrailRow) -> Vec<TrailLine<'_>> {
    let line = |reason, field, from, to| TrailLine {
        row,
        reason,
        field,
        from,
        to,
    };
    let TrailBody {
        reason,
        changes,
        dropped,
        ..
    } = &row.body;
    if row.place.version == 1 && changes.is_empty() {
        return vec![line(reason, "drawn", String::new(), String::new())];
    }
    if *dropped > 0 {
        let reason = texts::drawings::OLDER_CHANGES_ARE_NOT_KEPT;
        return vec![line(reason, "dropped", String::new(), dropped.to_string())];
    }
    let symbol: Option<Symbol> = row.symbol.parse().ok();
    let shown = |value: &Value| shown(&change_words::exact(value, symbol));
    let fields = changes
        .iter()
        .map(|field| line(reason, &field.field, shown(&field.from), shown(&field.to)));
    fields.collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn write_line(text: &mut String, line: &TrailLine<'_>) {
    let TrailRow {
        place,
        symbol,
        kind,
        actor,
        body,
    } = line.row;
    let of = |value: &Option<String>| value.clone().unwrap_or_default();
    let cells = [
        place.time.to_string(),
        symbol.clone(),
        place.drawing.clone(),
        kind.clone(),
        actor.name().to_owned(),
        line.reason.to_owned(),
        line.field.to_owned(),
        line.from.clone(),
        line.to.clone(),
        of(&body.conversation),
        of(&body.message),
        of(&body.call),
        of(&body.group),
        of(&body.person),
    ];
    for (index, value) in cells.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        // A string takes everything.
        write!(text, "{}", cell(value)).unwrap_or_default();
    }
    text.push('\n');
}

/// A value as a cell. A spreadsheet would run what begins like a formula, so that gets an apostrophe;
/// numbers stay as they are.
fn cell(value: &str) -> String {
    let begins = value.trim_start_matches(|sign: char| sign.is_whitespace() || sign.is_control());
    let is_formula = (begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || value.starts_with(['\t', '\r', '\n', '|', '%']))
        && value.parse::<f64>().is_err();
    let value = if is_formula {
        format!("'{value}")
    } else {
        value.to_owned()
    };
    if value.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_or_breaks_its_line() {
        for (value, expect) in [
            ("1.2", "1.2"),
            ("-0.5", "-0.5"),
            (
                "=HYPERLINK(\"http://x\",\"y\")",
                "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"",
            ),
            ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
            ("@SUM(A1)", "'@SUM(A1)"),
            (" \u{a0}=1+1", "' \u{a0}=1+1"),
            ("＝1+1", "'＝1+1"),
            ("%0A", "'%0A"),
            ("|calc", "'|calc"),
            ("\n=1+1", "\"'\n=1+1\""),
            ("two\nlines, \"said\"", "\"two\nlines, \"\"said\"\"\""),
        ] {
            assert_eq!(cell(value), expect);
        }
    }
}
