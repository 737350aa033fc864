//! The trail of the drawings: each change with its time, author, reason and origin, for export.

use std::fmt::Write;

use serde_json::Value;

use crate::{
    StoreError, Symbol, Time,
    drawing::{Actor, Drawing, DrawingStore, EVERYONE},
    texts,
};

/// Columns of the export.
const COLUMNS: &str =
    "time,symbol,drawing,kind,by,reason,field,from,to,conversation,message,call,turn,person";

/// Part of the trail; everything by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrailFilter {
    pub symbol: Option<Symbol>,
    pub drawing: Option<String>,
    pub actor: Option<Actor>,
    /// Changes at this time or later.
    pub from: Option<Time>,
    /// Changes before this time.
    pub until: Option<Time>,
}

/// One line of the trail.
struct TrailLine<'a> {
    drawing: &'a Drawing,
    time: Time,
    actor: Actor,
    person: Option<&'a str>,
    reason: &'a str,
    field: &'a str,
    from: String,
    to: String,
    call: Option<&'a str>,
    turn: Option<&'a str>,
    /// True for the drawing itself, whose message is known.
    is_made: bool,
}

/// The trail as CSV, oldest first, with removed drawings.
///
/// # Errors
/// The store fails.
pub(crate) async fn csv(
    drawings: &dyn DrawingStore,
    filter: &TrailFilter,
) -> Result<String, StoreError> {
    let mut all = Vec::new();
    for symbol in Symbol::all() {
        if filter.symbol.is_none_or(|wanted| wanted == symbol) {
            all.extend(drawings.list(EVERYONE, symbol, true).await?);
        }
    }
    all.retain(|drawing| filter.drawing.as_ref().is_none_or(|id| *id == drawing.id));
    let mut lines: Vec<TrailLine<'_>> = all.iter().flat_map(lines).collect();
    lines.retain(|line| {
        filter.actor.is_none_or(|actor| actor == line.actor)
            && filter.from.is_none_or(|from| line.time >= from)
            && filter.until.is_none_or(|until| line.time < until)
    });
    // Stable, so that the fields of a change stay together.
    lines.sort_by(|one, other| (one.time, &one.drawing.id).cmp(&(other.time, &other.drawing.id)));
    let mut text = format!("{COLUMNS}\n");
    for line in &lines {
        write_line(&mut text, line);
    }
    Ok(text)
}

fn lines(drawing: &Drawing) -> Vec<TrailLine<'_>> {
    let made = TrailLine {
        drawing,
        time: drawing.created_at,
        actor: drawing.actor,
        person: drawing.person.as_deref(),
        reason: &drawing.reason,
        field: "drawn",
        from: String::new(),
        to: String::new(),
        call: drawing.call.as_deref(),
        turn: drawing.group.as_deref(),
        is_made: true,
    };
    let mut all = vec![made];
    if drawing.dropped > 0 {
        all.push(TrailLine {
            drawing,
            time: drawing.created_at,
            actor: drawing.actor,
            person: None,
            reason: texts::drawings::OLDER_CHANGES_ARE_NOT_KEPT,
            field: "dropped",
            from: String::new(),
            to: drawing.dropped.to_string(),
            call: None,
            turn: None,
            is_made: false,
        });
    }
    for change in &drawing.changes {
        for field in &change.changes {
            all.push(TrailLine {
                drawing,
                time: change.time,
                actor: change.actor,
                person: change.person.as_deref(),
                reason: &change.reason,
                field: &field.field,
                from: shown(&field.from),
                to: shown(&field.to),
                call: change.call.as_deref(),
                turn: change.group.as_deref(),
                is_made: false,
            });
        }
    }
    all
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn write_line(text: &mut String, line: &TrailLine<'_>) {
    let drawing = line.drawing;
    let of_made = |value: &Option<String>| {
        let value = value.as_deref().filter(|_| line.is_made);
        value.unwrap_or_default().to_owned()
    };
    let cells = [
        line.time.to_string(),
        drawing.symbol.name().to_owned(),
        drawing.id.clone(),
        drawing.content.shape.kind().to_owned(),
        line.actor.name().to_owned(),
        line.reason.to_owned(),
        line.field.to_owned(),
        line.from.clone(),
        line.to.clone(),
        of_made(&drawing.conversation),
        of_made(&drawing.message),
        line.call.unwrap_or_default().to_owned(),
        line.turn.unwrap_or_default().to_owned(),
        line.person.unwrap_or_default().to_owned(),
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
