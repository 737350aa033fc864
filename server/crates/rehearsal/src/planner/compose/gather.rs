//! Data as single values and lists of objects.

use serde_json::Value;

use super::{flat_row::FlatRow, money, naming, table, units};
use crate::planner::view::Done;

/// Splits data into single values and lists of objects.
pub(super) fn gather(
    prefix: &str,
    data: &Value,
    scalars: &mut FlatRow,
    lists: &mut Vec<(String, Vec<FlatRow>)>,
) {
    let join = |key: &str| {
        if prefix.is_empty() {
            key.to_owned()
        } else {
            format!("{prefix}.{key}")
        }
    };
    match data {
        Value::Array(items) if items.is_empty() => lists.push((prefix.to_owned(), Vec::new())),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let rows = items
                .iter()
                .filter(|item| item.is_object())
                .map(table::cells);
            lists.push((prefix.to_owned(), rows.collect()));
        }
        Value::Object(fields) if units::unknown(data).is_none() => {
            if let Some(rows) = columns(fields) {
                lists.push((prefix.to_owned(), rows));
                return;
            }
            let records = fields.len() > 1 && fields.values().all(Value::is_object);
            let known = fields.values().all(|value| units::unknown(value).is_none());
            let nested = fields
                .values()
                .flat_map(|value| value.as_object().into_iter().flatten())
                .any(|(_, value)| value.is_array() || value.is_object());
            if records && known && !nested {
                // An object of objects is a list by name.
                let rows = fields.iter().map(|(key, value)| {
                    let mut row = vec![("name".to_owned(), Value::String(key.clone()))];
                    row.extend(
                        table::cells(value)
                            .into_iter()
                            .filter(|(key, _)| key != "name"),
                    );
                    row
                });
                lists.push((prefix.to_owned(), rows.collect()));
            } else {
                for (key, value) in fields {
                    gather(&join(key), value, scalars, lists);
                }
            }
        }
        _ => scalars.push((prefix.to_owned(), data.clone())),
    }
}

/// The name of a column that is a text, or an object with a field.
fn column_name(column: &Value) -> &str {
    let name = column.as_str().or_else(|| column["field"].as_str());
    name.unwrap_or_default()
}

/// Rows as lists of values beside the names of their columns.
fn columns(fields: &serde_json::Map<String, Value>) -> Option<Vec<FlatRow>> {
    let names = fields.get("columns")?.as_array()?;
    let rows = fields.get("rows")?.as_array()?;
    let row = |values: &Value| -> Option<FlatRow> {
        let cells = names.iter().zip(values.as_array()?);
        let named = |field: &Value| {
            let field = field.as_str()?;
            let mut cells = cells.clone();
            let (_, value) = cells.find(|(name, _)| column_name(name) == field)?;
            value.as_str()
        };
        let shown = cells.clone().map(|(name, value)| {
            let currency = &name["currency"];
            let currency = currency.as_str().or_else(|| named(&currency["by_row"]));
            (column_name(name).to_owned(), money::shown(value, currency))
        });
        Some(shown.collect())
    };
    // A result that was cut ends with a note instead of a row.
    Some(rows.iter().filter_map(row).collect())
}

/// The lists of a result.
pub(super) fn lists_of(done: &Done) -> Vec<(String, Vec<FlatRow>)> {
    let (mut scalars, mut lists) = (Vec::new(), Vec::new());
    gather("", &done.data, &mut scalars, &mut lists);
    lists.retain(|(key, _)| !key.contains("_without_"));
    lists
}

/// The same without rows that the result's own counts leave out, such as templates.
pub(super) fn counted_lists_of(done: &Done) -> Vec<(String, Vec<FlatRow>)> {
    let (mut scalars, mut lists) = (Vec::new(), Vec::new());
    gather("", &done.data, &mut scalars, &mut lists);
    for (_, rows) in &mut lists {
        if let Some((state, _)) = naming::uncounted(rows, &scalars) {
            rows.retain(|row| !naming::is_in(row, &state));
        }
    }
    lists
}

/// The single values of a result about one thing, as a row of a list of such things.
pub(super) fn whole(done: &Done) -> Option<(String, Vec<FlatRow>)> {
    let (mut scalars, mut lists) = (Vec::new(), Vec::new());
    gather("", &done.data, &mut scalars, &mut lists);
    let (key, value) = done.input.as_object()?.iter().next()?;
    if scalars.is_empty() {
        return None;
    }
    if naming::cell(&scalars, key).is_none() {
        scalars.insert(0, (key.clone(), value.clone()));
    }
    Some((format!("{key}s"), vec![scalars]))
}
