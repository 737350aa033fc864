//! The rows of a document on a card, with its taxes and totals.

use protocol::CardSection;
use serde_json::Value;

use super::ErpSubject;
use crate::tools::writing::{
    acting,
    cells::{CardCell, CardColumn, CardValues, MOST_LINES, table},
    draft::{self, TotalsOf},
    posting::CLOSING,
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

/// The tables of a till's closing: what each mode of payment holds and should hold, and the sales.
const OF_CLOSING: [&str; 4] = [
    "payment_reconciliation",
    "pos_invoices",
    "pos_transactions",
    "sales_invoices",
];
const COLUMNS_OF_CLOSING: [&str; 9] = [
    "mode_of_payment",
    "opening_amount",
    "expected_amount",
    "closing_amount",
    "difference",
    "pos_invoice",
    "sales_invoice",
    "customer",
    "grand_total",
];

impl ErpSubject {
    /// The rows that say what it is about, and its taxes and totals as the ERP stored them. The rows of a
    /// journal are its ledger lines already.
    pub(crate) fn rows(&self) -> Vec<CardSection> {
        let (tables, columns): (&[_], &[_]) = if self.meta.name == CLOSING {
            (&OF_CLOSING[..], &COLUMNS_OF_CLOSING[..])
        } else {
            let first = TABLES.iter().position(|it| self.has_table(it));
            let first = first.map_or(&[][..], |at| &TABLES[at..=at]);
            (first, &COLUMNS[..])
        };
        let tables = tables.iter().filter(|it| self.has_table(it));
        let mut sections: Vec<_> = tables.filter_map(|it| self.table(it, columns)).collect();
        sections.extend(draft::taxes_and_totals(self.values(), TotalsOf::Document));
        sections
    }

    fn has_table(&self, name: &str) -> bool {
        self.document.get(name).is_some_and(Value::is_array)
    }

    /// The columns of a table that have something in them.
    fn table(&self, name: &str, shown: &[&str]) -> Option<CardSection> {
        let field = self.meta.field(name)?;
        let columns = self.meta.rows_of(field).unwrap_or_default();
        let rows = self.document.get(name)?.as_array()?;
        let rows: Vec<_> = rows.iter().filter_map(Value::as_object).collect();
        let values = self.values();
        let used: Vec<_> = shown
            .iter()
            .filter_map(|name| columns.iter().find(|it| it.name == *name))
            .filter(|column| {
                rows.iter()
                    .any(|row| !cell(values, columns, column, row).is_nothing())
            })
            .collect();
        let head = used.iter().map(|it| {
            let is_summed = COLUMNS_OF_CLOSING.contains(&&*it.name) && it.kind.is_number();
            CardColumn::new(acting::field_label(it), it.kind.is_number()).summed(is_summed)
        });
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
