//! Lines of a ledger as a table of a card.

use protocol::{CardSection, TableColumn};
use rust_decimal::Decimal;
use serde_json::Value;

use crate::{
    cell,
    decimal::{decimal, number},
    site::Document,
    texts::plan as say,
};

/// The most lines of each table on a card.
pub(crate) const MOST_LINES: usize = 50;

/// A cell as a person reads it; a number without the zeros of its form, and a zero as nothing.
pub(crate) fn text_of(line: &Document, name: &str) -> String {
    let Some(value) = line.get(name) else {
        return String::new();
    };
    match decimal(value).filter(|_| is_amount(name)) {
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
fn is_amount(name: &str) -> bool {
    matches!(
        name,
        "debit"
            | "credit"
            | "actual_qty"
            | "qty"
            | "rate"
            | "amount"
            | "allocated_amount"
            | "hours"
    )
}

/// A line with a text in its first cell.
pub(crate) fn padded(text: &str, columns: usize) -> Vec<String> {
    let mut cells = vec![text.to_owned()];
    cells.resize(columns.max(1), String::new());
    cells
}

/// The lines with the sums of all of them; None if there are none.
pub(super) fn table(
    title: &str,
    lines: &[Document],
    columns: &[(&str, bool)],
) -> Option<CardSection> {
    if lines.is_empty() {
        return None;
    }
    // Quantities of different items have no sum.
    let sum = |name: &str| {
        let values = lines.iter().filter_map(|line| decimal(line.get(name)?));
        matches!(name, "debit" | "credit").then(|| number(values.sum::<Decimal>()).to_string())
    };
    let sums: Vec<_> = columns.iter().map(|(name, _)| sum(name)).collect();
    let has_sums = sums.iter().any(Option::is_some);
    let cells = |line| {
        columns
            .iter()
            .map(|(name, _)| text_of(line, name))
            .collect()
    };
    let mut rows: Vec<Vec<String>> = lines.iter().take(MOST_LINES).map(cells).collect();
    if lines.len() > MOST_LINES {
        let more = say::and_more(lines.len() - MOST_LINES);
        rows.push(padded(&more, columns.len()));
    }
    Some(CardSection::Table {
        title: title.to_owned(),
        columns: columns
            .iter()
            .map(|(name, numeric)| TableColumn {
                name: name.replace('_', " "),
                numeric: *numeric,
            })
            .collect(),
        rows,
        sums: if has_sums {
            sums.into_iter().map(Option::unwrap_or_default).collect()
        } else {
            Vec::new()
        },
    })
}
