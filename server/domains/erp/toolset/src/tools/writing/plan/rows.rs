//! The rows of a document on a card.

use protocol::CardSection;
use serde_json::Value;

use super::ErpSubject;
use crate::tools::writing::{
    acting,
    cells::{CardCell, CardColumn, CardValues, MOST_LINES, table},
};
use crate::{meta::MetaField, site::Document};

/// Tables that say what a document is about, and the columns of their rows that a card shows.
const TABLES: [&str; 4] = ["items", "references", "accounts", "time_logs"];
const COLUMNS: [&str; 11] = [
    "item_code",
    "qty",
    "uom",
    "rate",
    "amount",
    "reference_doctype",
    "reference_name",
    "allocated_amount",
    "project",
    "activity_type",
    "hours",
];

impl ErpSubject {
    /// The rows that say what it is about. Those of a journal are its ledger lines already.
    pub(crate) fn rows(&self) -> Option<CardSection> {
        let name = TABLES
            .iter()
            .find(|name| self.document.get(**name).is_some_and(Value::is_array))?;
        let field = self.meta.field(name)?;
        let columns = self.meta.rows_of(field).unwrap_or_default();
        let rows = self.document.get(*name)?.as_array()?;
        let rows: Vec<_> = rows.iter().filter_map(Value::as_object).collect();
        let values = self.values();
        let used: Vec<_> = COLUMNS
            .iter()
            .filter_map(|name| columns.iter().find(|it| it.name == *name))
            .filter(|column| {
                rows.iter()
                    .any(|row| !cell(values, columns, column, row).is_nothing())
            })
            .collect();
        let head = used
            .iter()
            .map(|it| CardColumn::new(acting::field_label(it), it.kind.is_number()));
        let lines = rows.iter().map(|row| {
            used.iter()
                .map(|column| cell(values, columns, column, row))
                .collect::<Vec<_>>()
        });
        let title = acting::label(&self.meta, name);
        let (head, lines): (Vec<_>, Vec<_>) = (head.collect(), lines.collect());
        table(&title, &head, &lines, MOST_LINES)
    }
}

fn cell(
    values: CardValues<'_>,
    columns: &[MetaField],
    column: &MetaField,
    row: &Document,
) -> CardCell {
    let cell = values.of_row(row, columns, column);
    cell.shortened().or_nothing()
}
