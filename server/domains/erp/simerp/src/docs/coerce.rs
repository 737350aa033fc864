//! JSON into fields: unknown ones are dropped, values are forced into their kind without a word.

use serde_json::{Map, Value};

use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc, parse_decimal};
use crate::clock::parse_date;
use crate::meta::{FieldKind, OF_ROWS, STANDARD, SimField, SimType};
use crate::refusal::{SimResult, crashed, invalid};

/// Longest value of a short field.
const LONGEST: usize = 140;

/// A document out of a JSON object alone: what is not in it is null.
pub(crate) fn from_json(
    books: &SimBooks,
    kind: &str,
    from: &Map<String, Value>,
) -> SimResult<SimDoc> {
    let of = books.type_of(kind)?;
    let mut doc = SimDoc::new(of.name);
    if let Some(name) = from.get("name").and_then(Value::as_str) {
        doc.name = name.to_owned();
    }
    for (field, kind) in STANDARD.iter().skip(1).chain(OF_ROWS.iter()) {
        if let Some(value) = from.get(*field) {
            doc.set(field, cell(*kind, field, value)?);
        }
    }
    lay_over(books, &mut doc, from)?;
    Ok(doc)
}

/// Lays the fields of a JSON object over a document. A table that is named is replaced: rows that are not
/// listed go, and a row with part of its fields has null in the others.
pub(crate) fn lay_over(
    books: &SimBooks,
    doc: &mut SimDoc,
    from: &Map<String, Value>,
) -> SimResult<()> {
    let of = books.type_of(doc.kind)?;
    for field in &of.fields {
        let Some(value) = from.get(field.name) else {
            continue;
        };
        if field.kind == FieldKind::Table {
            let rows = match value {
                Value::Array(rows) => rows.as_slice(),
                _ => &[],
            };
            let table = rows.iter().filter_map(Value::as_object);
            let table: SimResult<Vec<_>> = table
                .map(|row| from_json(books, field.options, row))
                .collect();
            doc.tables.insert(field.name, table?);
        } else {
            doc.set(field.name, cell(field.kind, field.name, value)?);
        }
    }
    Ok(())
}

fn cell(kind: FieldKind, field: &str, value: &Value) -> SimResult<SimCell> {
    let text = match value {
        Value::Null => return Ok(blank(kind)),
        Value::Bool(flag) => i64::from(*flag).to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(match kind {
        FieldKind::Int | FieldKind::Check => SimCell::Int(whole(&text)),
        FieldKind::Float | FieldKind::Percent | FieldKind::Currency => {
            let value = parse_decimal(&text);
            SimCell::Num(value.round_dp(9))
        }
        FieldKind::Date if text.is_empty() => SimCell::Null,
        FieldKind::Date => match parse_date(&text) {
            Some(date) => SimCell::from(date),
            None => return Err(bad_date(field, &text)),
        },
        FieldKind::Datetime if text.is_empty() => SimCell::Null,
        FieldKind::Datetime => match parse_date(&text) {
            Some(_) if !text.contains('+') => SimCell::from(text),
            _ => return Err(bad_date(field, &text)),
        },
        FieldKind::Data | FieldKind::Link | FieldKind::DynamicLink | FieldKind::Select
            if text.chars().count() > LONGEST =>
        {
            return Err(invalid(
                "CharacterLengthExceededError",
                format!("'{field}' will get truncated, as max characters allowed is {LONGEST}"),
            ));
        }
        _ => SimCell::from(text),
    })
}

fn blank(kind: FieldKind) -> SimCell {
    match kind {
        FieldKind::Int | FieldKind::Check => SimCell::Int(0),
        kind if kind.is_number() => SimCell::Num(Decimal::ZERO),
        _ => SimCell::Null,
    }
}

/// Python's `cint`: a text that is no number is zero.
fn whole(text: &str) -> i64 {
    let number: Result<Decimal, _> = text.trim().parse();
    let number = number.ok().map(|number| number.trunc());
    number.and_then(|it| it.try_into().ok()).unwrap_or_default()
}

fn bad_date(field: &str, text: &str) -> crate::refusal::SimRefusal {
    crashed(
        "OperationalError",
        format!("(1292, \"Incorrect date value: '{text}' for column '{field}'\")"),
    )
}

/// Fills defaults, and zeroes where numbers are missing.
pub(super) fn fill_defaults(of: &SimType, doc: &mut SimDoc) {
    doc.fields.fill(of.defaults(default_of));
    for table in of.tables() {
        doc.tables.entry(table.name).or_default();
    }
}

/// The value of a field that has none; nothing if its default is not of its kind.
fn default_of(field: &SimField) -> Option<SimCell> {
    if field.default.is_empty() {
        return Some(blank(field.kind));
    }
    cell(field.kind, field.name, &Value::from(field.default)).ok()
}
