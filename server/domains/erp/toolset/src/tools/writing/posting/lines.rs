//! Lines of the ledgers: their columns on a card, their reversal, and the digest of what they do.

use std::fmt::Write;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::tools::writing::cells::{CardCell, CardColumn};
use crate::{
    cell,
    currency::AmountCurrency,
    decimal::{decimal, number},
    site::Document,
    texts::pages as say,
};

/// A column of a card, and what it holds.
pub(super) type LedgerColumn = (&'static str, LedgerValue);

/// Kind of value of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LedgerValue {
    Text,
    Quantity,
    /// In the currency of the company.
    Amount,
}

pub(super) const ACCOUNTING: [LedgerColumn; 5] = [
    ("account", LedgerValue::Text),
    ("debit", LedgerValue::Amount),
    ("credit", LedgerValue::Amount),
    ("party", LedgerValue::Text),
    ("cost_center", LedgerValue::Text),
];
pub(super) const STOCK: [LedgerColumn; 4] = [
    ("item_code", LedgerValue::Text),
    ("warehouse", LedgerValue::Text),
    ("actual_qty", LedgerValue::Quantity),
    ("stock_uom", LedgerValue::Text),
];

/// The columns that a card shows of lines: a text that no line has, such as a party, is none.
pub(super) fn shown(ledger: &[Document], columns: &[LedgerColumn]) -> Vec<LedgerColumn> {
    let is_set = |(at, (name, value)): &(usize, LedgerColumn)| {
        let mut texts = ledger.iter().map(|line| text_of(line, name));
        *at == 0 || *value != LedgerValue::Text || texts.any(|text| !text.is_empty())
    };
    let columns = columns.iter().copied().enumerate().filter(is_set);
    columns.map(|(_, column)| column).collect()
}

/// The head of a column, in the words of the document's page: a preview has no labels of its own.
pub(super) fn head((name, value): &LedgerColumn) -> CardColumn {
    let label = say::ledger_column(name);
    let is_amount = *value == LedgerValue::Amount;
    CardColumn::new(label, *value != LedgerValue::Text).summed(is_amount)
}

/// A line; a zero on its other side says nothing.
pub(super) fn cells(
    line: &Document,
    columns: &[LedgerColumn],
    currency: &AmountCurrency,
) -> Vec<CardCell> {
    let cell = |(name, kind): &LedgerColumn| {
        let number = line.get(*name).and_then(decimal);
        let cell = match (kind, number) {
            (LedgerValue::Amount, Some(number)) => CardCell::Money(number, currency.clone()),
            (LedgerValue::Quantity, Some(number)) => CardCell::Number(number),
            _ => CardCell::Text(text_of(line, name)),
        };
        cell.or_nothing()
    };
    columns.iter().map(cell).collect()
}

/// A cell as a person reads it; a number without the zeros of its form, and a zero as nothing.
pub(crate) fn text_of(line: &Document, name: &str) -> String {
    let Some(value) = line.get(name) else {
        return String::new();
    };
    match decimal(value).filter(|_| is_number(name)) {
        Some(amount) if amount.is_zero() => String::new(),
        Some(amount) => number(amount).to_string(),
        None => match cell::cell(None, value, cell::IN_LIST) {
            None => String::new(),
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        },
    }
}

/// True for a column of numbers. A name may look like one.
fn is_number(name: &str) -> bool {
    matches!(name, "debit" | "credit" | "actual_qty")
}

/// The accounting line that takes one back.
pub(super) fn swapped(mut line: Document) -> Document {
    let (debit, credit) = (line.shift_remove("debit"), line.shift_remove("credit"));
    line.extend(credit.map(|it| ("debit".to_owned(), it)));
    line.extend(debit.map(|it| ("credit".to_owned(), it)));
    line
}

/// The stock line that takes one back.
pub(super) fn negated(mut line: Document) -> Document {
    if let Some(quantity) = line.get("actual_qty").and_then(decimal) {
        line.insert("actual_qty".to_owned(), number(-quantity));
    }
    line
}

/// The moves that a count of the stock makes: what was counted less what is there. None for any
/// other type.
pub(super) fn counted(doctype: &str, document: &Document) -> Option<Vec<Document>> {
    if doctype != "Stock Reconciliation" {
        return None;
    }
    let rows = document.get("items").and_then(Value::as_array);
    let moves = rows.into_iter().flatten().filter_map(|row| {
        let amount = |field: &str| decimal(&row[field]).unwrap_or_default();
        let moved = amount("qty") - amount("current_qty");
        let line = json!({
            "item_code": row["item_code"],
            "warehouse": row["warehouse"],
            "stock_uom": row["stock_uom"],
            "actual_qty": number(moved),
        });
        line.as_object().cloned()
    });
    Some(moves.collect())
}

/// A digest of what the lines do, whatever their order.
pub(super) fn digest(lines: &[Document], columns: &[LedgerColumn]) -> String {
    let mut cells: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            columns
                .iter()
                .map(|(name, _)| text_of(line, name))
                .collect()
        })
        .collect();
    cells.sort();
    let bytes = Sha256::digest(json!(cells).to_string().as_bytes());
    let bytes = bytes.iter().take(16);
    bytes.fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        write!(hex, "{byte:02x}").unwrap_or_default();
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(value: Value) -> Document {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn the_digest_is_of_what_lines_do() {
        let debit = |amount: Value| line(json!({"account": "Cash", "debit": amount, "credit": 0}));
        let one = digest(&[debit(json!(5)), debit(json!(7.5))], &ACCOUNTING);
        let other_order = digest(&[debit(json!("7.50")), debit(json!(5.0))], &ACCOUNTING);
        assert_eq!(one, other_order);
        let balance = line(json!({"account": "Cash", "debit": 5, "balance": 99}));
        assert_eq!(
            digest(&[balance], &ACCOUNTING),
            digest(&[debit(json!(5))], &ACCOUNTING)
        );
        let back = swapped(debit(json!(5)));
        assert_ne!(
            digest(std::slice::from_ref(&back), &ACCOUNTING),
            digest(&[debit(json!(5))], &ACCOUNTING)
        );
        assert_eq!(back["credit"], 5);
        let moved = line(json!({"item_code": "PUMP", "actual_qty": -2.5}));
        assert_eq!(negated(moved)["actual_qty"], 2.5);
    }

    #[test]
    fn a_text_that_no_line_has_is_no_column() {
        let lines = [
            line(json!({"account": "Cash", "party": "", "cost_center": null})),
            line(json!({"account": "Sales", "cost_center": "Main - AC"})),
        ];
        let columns = shown(&lines, &ACCOUNTING);
        let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["account", "debit", "credit", "cost_center"]);
    }
}
