//! The table of a report's answer: columns and rows come in several forms.

use serde_json::{Map, Value, json};

use crate::{cell, plain_text::plain};

/// A report as rows of cells in the order of its columns.
pub(super) struct ReportTable {
    /// Each with `field` and `label`.
    pub(super) columns: Vec<Value>,
    pub(super) rows: Vec<Value>,
    /// The total row that the ERP adds, by field.
    pub(super) totals: Option<Map<String, Value>>,
}

impl ReportTable {
    /// None if the answer is of no known form.
    pub(super) fn read(answer: &Value) -> Option<Self> {
        let columns: Vec<ReportColumn> = match &answer["columns"] {
            Value::Array(columns) => columns.iter().map(ReportColumn::read).collect(),
            // A report without data may have none.
            Value::Null => Vec::new(),
            _ => return None,
        };
        let mut rows: Vec<&Value> = match &answer["result"] {
            Value::Array(rows) => rows.iter().filter(|row| !is_empty(row)).collect(),
            Value::Null => Vec::new(),
            _ => return None,
        };
        let has_total = answer["add_total_row"] == true || answer["add_total_row"] == 1;
        let totals = if has_total { rows.pop() } else { None };
        let totals = totals.map(|row| {
            let cells = columns.iter().enumerate().filter_map(|(at, column)| {
                let value = shown(column.value(at, row))?;
                Some((column.field.clone(), value))
            });
            cells.collect()
        });
        let cells = |row: &&Value| {
            let cells = columns.iter().enumerate();
            let cells = cells.map(|(at, column)| shown(column.value(at, row)).unwrap_or_default());
            Value::Array(cells.collect())
        };
        Some(Self {
            rows: rows.iter().map(cells).collect(),
            totals,
            columns: columns
                .into_iter()
                .map(|column| json!({ "field": column.field, "label": column.label }))
                .collect(),
        })
    }
}

struct ReportColumn {
    field: String,
    label: String,
}

impl ReportColumn {
    /// An object, or a text as `Label:Type/Options:Width`.
    fn read(column: &Value) -> Self {
        let text = |field: &str| column.get(field).and_then(Value::as_str);
        let label = match column {
            Value::String(text) => text.split(':').next().unwrap_or_default(),
            _ => text("label")
                .or_else(|| text("fieldname"))
                .unwrap_or_default(),
        };
        let label = plain(label, 80);
        let field = text("fieldname").map(str::to_owned);
        Self {
            // Frappe's own name for such a column.
            field: field.unwrap_or_else(|| label.to_lowercase().replace([' ', '-'], "_")),
            label,
        }
    }

    fn value<'a>(&self, at: usize, row: &'a Value) -> &'a Value {
        match row {
            Value::Array(cells) => cells.get(at).unwrap_or(&Value::Null),
            row => row.get(&self.field).unwrap_or(&Value::Null),
        }
    }
}

fn shown(value: &Value) -> Option<Value> {
    cell::cell(None, value, cell::IN_LIST)
}

fn is_empty(row: &Value) -> bool {
    match row {
        Value::Array(cells) => cells.is_empty(),
        Value::Object(cells) => cells.is_empty(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_come_in_several_forms() {
        let answer = json!({
            "columns": ["Item Code:Link/Item:120", {"fieldname": "qty", "label": "<b>Qty</b>", "fieldtype": "Float"}],
            "result": [["FRAME-M", 5.0], {"item_code": "<i>x</i>", "qty": null}, {}, ["Total", 5.0]],
            "add_total_row": 1,
        });
        let table = ReportTable::read(&answer).unwrap();
        assert_eq!(
            table.columns,
            [
                json!({"field": "item_code", "label": "Item Code"}),
                json!({"field": "qty", "label": "Qty"})
            ]
        );
        assert_eq!(table.rows, [json!(["FRAME-M", 5]), json!(["x", null])]);
        assert_eq!(json!(table.totals), json!({"item_code": "Total", "qty": 5}));
        assert!(ReportTable::read(&json!({"columns": "x"})).is_none());
        assert!(ReportTable::read(&json!({})).unwrap().rows.is_empty());
    }
}
