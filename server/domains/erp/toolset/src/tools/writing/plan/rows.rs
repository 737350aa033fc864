//! The rows of a document on a card.

use protocol::{CardSection, TableColumn};
use serde_json::Value;

use super::ErpSubject;
use crate::texts::plan as say;
use crate::tools::writing::{
    acting,
    posting::{MOST_LINES, padded, text_of},
};

/// Tables that say what a document is about, and the columns of their rows that a card shows.
const TABLES: [&str; 4] = ["items", "references", "accounts", "time_logs"];
const COLUMNS: [(&str, bool); 11] = [
    ("item_code", false),
    ("qty", true),
    ("uom", false),
    ("rate", true),
    ("amount", true),
    ("reference_doctype", false),
    ("reference_name", false),
    ("allocated_amount", true),
    ("project", false),
    ("activity_type", false),
    ("hours", true),
];

impl ErpSubject {
    /// The rows that say what it is about. Those of a journal are its ledger lines already.
    pub(crate) fn rows(&self) -> Option<CardSection> {
        let table = TABLES
            .iter()
            .find(|name| self.document.get(**name).is_some_and(Value::is_array))?;
        let field = self.meta.field(table)?;
        let columns = self.meta.rows_of(field).unwrap_or_default();
        let rows = self.document.get(*table)?.as_array()?;
        let rows: Vec<_> = rows.iter().filter_map(Value::as_object).collect();
        let used: Vec<(&str, bool)> = COLUMNS
            .into_iter()
            .filter(|(name, _)| columns.iter().any(|it| it.name == *name))
            .filter(|(name, _)| rows.iter().any(|row| !text_of(row, name).is_empty()))
            .collect();
        if used.is_empty() || rows.is_empty() {
            return None;
        }
        let cells = |row: &&crate::site::Document| {
            used.iter()
                .map(|(name, _)| text_of(row, name))
                .collect::<Vec<_>>()
        };
        let mut lines: Vec<_> = rows.iter().take(MOST_LINES).map(cells).collect();
        if rows.len() > MOST_LINES {
            lines.push(padded(&say::and_more(rows.len() - MOST_LINES), used.len()));
        }
        Some(CardSection::Table {
            title: acting::label(&self.meta, table),
            columns: used
                .iter()
                .map(|(name, numeric)| TableColumn {
                    name: name.replace('_', " "),
                    numeric: *numeric,
                })
                .collect(),
            rows: lines,
            sums: Vec::new(),
        })
    }
}
