//! Values of the ERP as a result shows them: short, typed, without markup.

use serde_json::{Map, Value};

use crate::{
    decimal::{decimal, number},
    meta::{MetaField, MetaFieldKind},
    plain_text::plain,
};

/// The most characters of a text in a list, and in a document.
pub(crate) const IN_LIST: usize = 120;
pub(crate) const IN_DOCUMENT: usize = 600;

/// Shown instead of a password.
const HIDDEN: &str = "(hidden)";

/// The value for a result; None if there is nothing to show.
pub(crate) fn cell(field: Option<&MetaField>, value: &Value, most: usize) -> Option<Value> {
    let kind = field.map(|field| field.kind);
    match (kind, value) {
        (_, Value::Null | Value::Array(_) | Value::Object(_)) => None,
        (Some(MetaFieldKind::Password), _) => Some(HIDDEN.into()),
        (Some(MetaFieldKind::Check), value) => (value == 1 || value == true).then_some(true.into()),
        (_, Value::Bool(flag)) => Some((*flag).into()),
        // A number as the ERP has it, without the zeros of its form.
        (_, Value::Number(_)) => Some(decimal(value).map_or_else(|| value.clone(), number)),
        (_, Value::String(text)) => {
            let text = plain(text, most);
            (!text.is_empty()).then_some(text.into())
        }
    }
}

/// The cells of a row, in the order of the columns.
pub(crate) fn row<'a>(
    columns: impl Iterator<Item = (&'a str, Option<&'a MetaField>)>,
    values: &Map<String, Value>,
) -> Map<String, Value> {
    let cells = columns.filter_map(|(name, field)| {
        let value = cell(field, values.get(name)?, IN_LIST)?;
        Some((name.to_owned(), value))
    });
    cells.collect()
}

/// The first rows that fit into `room` bytes of JSON.
pub(crate) fn fit(rows: Vec<Value>, room: usize) -> (Vec<Value>, bool) {
    let count = rows.len();
    let mut used = 0;
    let fitting = rows.into_iter().take_while(|row| {
        used += row.to_string().len() + 1;
        used <= room
    });
    let fitting: Vec<_> = fitting.collect();
    let is_cut = fitting.len() < count;
    (fitting, is_cut)
}

/// The word for a `docstatus`.
pub(crate) fn docstatus(value: &Value) -> &'static str {
    match value.as_i64() {
        Some(0) | None => "draft",
        Some(1) => "submitted",
        Some(2) => "cancelled",
        Some(_) => "unknown",
    }
}
