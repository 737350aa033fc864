//! Changes of rows: a table is sent whole, because the ERP deletes rows that are not listed and
//! empties fields that a listed row leaves out.

use serde_json::{Value, json};

use super::{
    CopyBefore, FieldCheck,
    input::{DraftRowChange, RowAction},
    rows_in,
};
use crate::{error::ErpError, meta::TypeMeta, site::Document, texts::draft as say};

/// A table with its changes, whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangedTable {
    pub(crate) table: String,
    pub(crate) rows: Vec<Value>,
    /// For each row, the values that the call gave.
    pub(crate) asked: Vec<Value>,
}

/// Lays changes over the rows of a stored document. Rows that are not named stay as they are.
pub(crate) fn apply(
    check: FieldCheck<'_>,
    meta: &TypeMeta,
    document: &Document,
    changes: &[DraftRowChange],
) -> Result<Vec<ChangedTable>, ErpError> {
    let is_submitted = document.get("docstatus").and_then(Value::as_i64) == Some(1);
    let mut tables: Vec<ChangedTable> = Vec::new();
    let mut named: Vec<(&str, &str)> = Vec::new();
    for change in changes {
        let table = change.table.as_str();
        let (field, columns) = check.table_of(meta, table)?;
        check.level(field)?;
        if change.action != RowAction::Change && is_submitted && !field.allows_change_after_submit {
            return Err(ErpError::input(say::not_after_submit(table)));
        }
        if let Some(row) = change.row.as_deref() {
            if named.contains(&(table, row)) {
                return Err(ErpError::input(say::given_twice(row)));
            }
            named.push((table, row));
        }
        let at = match tables.iter().position(|it| it.table == table) {
            Some(at) => at,
            None => {
                tables.push(ChangedTable {
                    table: table.to_owned(),
                    rows: rows_in(document, table).to_vec(),
                    asked: vec![json!({}); rows_in(document, table).len()],
                });
                tables.len() - 1
            }
        };
        let ChangedTable { rows, asked, .. } = &mut tables[at];
        match (change.action, change.row.as_deref(), &change.fields[..]) {
            (RowAction::Add, None, [_, ..]) => {
                let row = check.values(table, columns, &change.fields, CopyBefore::New)?;
                asked.push(Value::Object(row.clone()));
                rows.push(Value::Object(row));
            }
            (RowAction::Change, Some(name), [_, ..]) => {
                let at = position(rows, table, name)?;
                let Some(row) = rows.get(at).and_then(Value::as_object).cloned() else {
                    return Err(ErpError::input(say::no_such_row(table, name)));
                };
                let before = if is_submitted {
                    CopyBefore::Submitted(&row)
                } else {
                    CopyBefore::Draft(&row)
                };
                let values = check.values(table, columns, &change.fields, before)?;
                let mut row = row.clone();
                asked[at] = Value::Object(values.clone());
                row.extend(values);
                rows[at] = Value::Object(row);
            }
            (RowAction::Remove, Some(name), []) => {
                let at = position(rows, table, name)?;
                rows.remove(at);
                asked.remove(at);
            }
            _ => return Err(ErpError::input(say::bad_row_change(table))),
        }
    }
    for table in &mut tables {
        for (index, row) in table.rows.iter_mut().enumerate() {
            row["idx"] = (index + 1).into();
        }
    }
    Ok(tables)
}

/// The values that a call gives, for fields and for rows.
pub(crate) fn asked_for(fields: &Document, tables: &[ChangedTable]) -> Document {
    let mut asked = fields.clone();
    for it in tables {
        asked.insert(it.table.clone(), Value::Array(it.asked.clone()));
    }
    asked
}

/// The place of a row. Only rows of this very document have one.
fn position(rows: &[Value], table: &str, name: &str) -> Result<usize, ErpError> {
    let found = rows.iter().position(|row| row["name"] == name);
    found.ok_or_else(|| ErpError::input(say::no_such_row(table, name)))
}
