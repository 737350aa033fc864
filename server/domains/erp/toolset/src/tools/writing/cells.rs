//! Values of documents as cards say them: amounts with their currency, quantities as they are, and
//! tables of both. No digit of an amount is cut off.

use protocol::{CardSection, TableColumn};
use rust_decimal::Decimal;
use serde_json::Value;

use crate::{
    cell::IN_LIST,
    currency::{AmountCurrency, AmountPlace, Currencies, is_amount},
    dates,
    decimal::{amount, decimal},
    meta::{MetaField, MetaFieldKind, TypeMeta},
    plain_text::plain,
    site::Document,
    texts::{cells as say, plan as words},
};

/// The most lines of a table on a card that shows a part of them.
pub(crate) const MOST_LINES: usize = 50;
/// The most characters of a currency.
const CODE: usize = 10;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CardCell {
    Text(String),
    Number(Decimal),
    Percent(Decimal),
    Money(Decimal, AmountCurrency),
}

impl CardCell {
    pub(crate) fn nothing() -> Self {
        Self::Text(String::new())
    }

    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::nothing()
    }

    /// The same without markup, and no longer than a list has it: what is stored may have any length.
    #[must_use]
    pub(crate) fn shortened(self) -> Self {
        match self {
            Self::Text(text) => Self::Text(plain(&text, IN_LIST)),
            other => other,
        }
    }

    /// The same, or nothing for a zero.
    #[must_use]
    pub(crate) fn or_nothing(self) -> Self {
        match self {
            Self::Number(number) | Self::Money(number, _) if number.is_zero() => Self::nothing(),
            other => other,
        }
    }

    fn number(&self) -> Option<Decimal> {
        match self {
            Self::Number(number) | Self::Money(number, _) => Some(*number),
            Self::Text(_) | Self::Percent(_) => None,
        }
    }

    fn currency(&self) -> Option<&AmountCurrency> {
        match self {
            Self::Money(_, currency) => Some(currency),
            _ => None,
        }
    }

    /// Without a currency, which stands elsewhere.
    fn bare(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.normalize().to_string(),
            Self::Percent(number) => format!("{}%", number.normalize()),
            Self::Money(number, _) => amount(*number),
        }
    }

    /// The whole of it, such as `1,190.00 EUR`.
    pub(crate) fn whole(&self) -> String {
        match self {
            Self::Money(_, AmountCurrency::Known(code)) => {
                format!("{} {}", self.bare(), plain(code, CODE))
            }
            Self::Money(_, AmountCurrency::NotGiven) => {
                say::without_currency(&self.bare(), say::NOT_GIVEN)
            }
            Self::Money(_, AmountCurrency::Unknown) => {
                say::without_currency(&self.bare(), say::UNKNOWN)
            }
            _ => self.bare(),
        }
    }
}

/// An amount with its currency.
pub(crate) fn money(number: Decimal, currency: &AmountCurrency) -> String {
    CardCell::Money(number, currency.clone()).whole()
}

/// A document whose values a card shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CardValues<'a> {
    pub(crate) meta: &'a TypeMeta,
    pub(crate) document: &'a Document,
    pub(crate) currencies: &'a Currencies,
}

impl<'a> CardValues<'a> {
    /// The same for another state of the document.
    pub(crate) const fn of(self, document: &'a Document) -> Self {
        Self { document, ..self }
    }

    /// The currency of the books of its company.
    pub(crate) fn company_currency(&self) -> AmountCurrency {
        self.place(None).company().into()
    }

    /// A value of the document itself.
    pub(crate) fn own(&self, name: &str, value: &Value) -> CardCell {
        match self.meta.field(name) {
            Some(field) => self.cell(field, value, None, &[]),
            None => plain_cell(value),
        }
    }

    /// A value of one of its rows, which have these columns.
    pub(crate) fn of_row(
        &self,
        row: &'a Document,
        columns: &[MetaField],
        field: &MetaField,
    ) -> CardCell {
        let value = row.get(&field.name);
        value.map_or_else(CardCell::nothing, |it| {
            self.cell(field, it, Some(row), columns)
        })
    }

    /// A number of its rows together, as a field of theirs would show it.
    pub(crate) fn of_rows(
        &self,
        number: Decimal,
        columns: &[MetaField],
        field: &MetaField,
    ) -> CardCell {
        if is_amount(self.meta, field) {
            CardCell::Money(number, self.place(None).chosen(self.meta, columns, field))
        } else {
            CardCell::Number(number)
        }
    }

    fn place(&self, row: Option<&'a Document>) -> AmountPlace<'a> {
        AmountPlace {
            document: self.document,
            row,
            currencies: self.currencies,
        }
    }

    fn cell(
        &self,
        field: &MetaField,
        value: &Value,
        row: Option<&'a Document>,
        columns: &[MetaField],
    ) -> CardCell {
        let number = decimal(value);
        match (field.kind, value, number) {
            (_, Value::Null, _) => CardCell::nothing(),
            (MetaFieldKind::Check, value, _) => {
                let is_on = *value == 1 || *value == true;
                CardCell::Text((if is_on { say::YES } else { say::NO }).to_owned())
            }
            (_, _, Some(number)) if is_amount(self.meta, field) => {
                CardCell::Money(number, self.place(row).chosen(self.meta, columns, field))
            }
            (MetaFieldKind::Percent, _, Some(number)) => CardCell::Percent(number),
            (MetaFieldKind::Decimal, _, Some(number)) => CardCell::Number(number),
            (MetaFieldKind::Datetime, Value::String(text), _) => {
                CardCell::Text(dates::to_the_second(text))
            }
            _ => plain_cell(value),
        }
    }
}

/// A text whole, a number without the zeros of its form.
fn plain_cell(value: &Value) -> CardCell {
    match value {
        Value::Null => CardCell::nothing(),
        Value::String(text) => CardCell::Text(text.clone()),
        other => decimal(other).map_or_else(|| CardCell::Text(other.to_string()), CardCell::Number),
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CardColumn {
    pub(crate) label: String,
    pub(crate) is_number: bool,
    /// Quantities of different items have no sum.
    pub(crate) is_summed: bool,
}

impl CardColumn {
    /// One without a sum.
    pub(crate) fn new(label: impl Into<String>, is_number: bool) -> Self {
        Self {
            label: label.into(),
            is_number,
            is_summed: false,
        }
    }

    #[must_use]
    pub(crate) fn summed(self, is_summed: bool) -> Self {
        Self { is_summed, ..self }
    }
}

/// A table, or none without rows. Amounts of one currency have it in the head of their column; with several
/// each has its own, and there is no sum. Sums are of all rows, also of those above `most`.
pub(crate) fn table(
    title: &str,
    columns: &[CardColumn],
    rows: &[Vec<CardCell>],
    most: usize,
) -> Option<CardSection> {
    if rows.is_empty() || columns.is_empty() {
        return None;
    }
    let units: Vec<_> = (0..columns.len()).map(|at| unit(rows, at)).collect();
    let text = |(cell, unit): (&CardCell, &Option<&AmountCurrency>)| match unit {
        Some(_) => cell.bare(),
        None => cell.whole(),
    };
    let line = |row: &Vec<CardCell>| row.iter().zip(&units).map(text).collect::<Vec<_>>();
    let mut lines: Vec<_> = rows.iter().take(most).map(line).collect();
    if rows.len() > most {
        let mut more = vec![words::and_more(rows.len() - most)];
        more.resize(columns.len(), String::new());
        lines.push(more);
    }
    let head = |(column, unit): (&CardColumn, &Option<&AmountCurrency>)| TableColumn {
        name: match unit {
            None => column.label.clone(),
            Some(AmountCurrency::Known(code)) => say::headed(&column.label, &plain(code, CODE)),
            Some(AmountCurrency::NotGiven) => say::headed(&column.label, say::NOT_GIVEN),
            Some(AmountCurrency::Unknown) => say::headed(&column.label, say::UNKNOWN),
        },
        numeric: column.is_number,
    };
    let sums = columns.iter().enumerate().map(|(at, column)| {
        let is_summed = column.is_summed && rows.len() > 1;
        is_summed.then(|| sum(rows, at, units[at])).flatten()
    });
    let sums: Vec<Option<String>> = sums.collect();
    Some(CardSection::Table {
        title: title.to_owned(),
        columns: columns.iter().zip(&units).map(head).collect(),
        rows: lines,
        sums: if sums.iter().any(Option::is_some) {
            sums.into_iter().map(Option::unwrap_or_default).collect()
        } else {
            Vec::new()
        },
    })
}

/// The one currency of all amounts in a column.
fn unit(rows: &[Vec<CardCell>], at: usize) -> Option<&AmountCurrency> {
    let mut all = rows.iter().filter_map(|row| row.get(at)?.currency());
    let first = all.next()?;
    all.all(|it| it == first).then_some(first)
}

fn sum(rows: &[Vec<CardCell>], at: usize, unit: Option<&AmountCurrency>) -> Option<String> {
    let cells = || rows.iter().filter_map(|row| row.get(at));
    let is_money = cells().any(|it| it.currency().is_some());
    if is_money && unit.is_none() {
        return None;
    }
    let mut numbers = cells().filter_map(CardCell::number);
    let sum = numbers.try_fold(Decimal::ZERO, Decimal::checked_add)?;
    Some(if is_money {
        amount(sum)
    } else {
        sum.normalize().to_string()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cell(number: i64, code: &str) -> CardCell {
        CardCell::Money(
            Decimal::new(number, 1),
            AmountCurrency::Known(code.to_owned()),
        )
    }

    #[test]
    fn amounts_of_one_currency_have_it_in_the_head() {
        let columns = [CardColumn::new("Amount", true).summed(true)];
        let shown = |rows: &[CardCell]| {
            let rows: Vec<_> = rows.iter().map(|it| vec![it.clone()]).collect();
            match table("T", &columns, &rows, 2) {
                Some(CardSection::Table {
                    columns,
                    rows,
                    sums,
                    ..
                }) => {
                    let cells: Vec<_> = rows.into_iter().flatten().collect();
                    json!([columns[0].name, cells, sums])
                }
                other => panic!("{other:?}"),
            }
        };
        let same = [cell(119_005, "EUR"), cell(-5, "EUR"), CardCell::nothing()];
        assert_eq!(
            shown(&same),
            json!([
                "Amount (EUR)",
                ["11,900.50", "-0.50", "and 1 more"],
                ["11,900.00"]
            ])
        );
        let mixed = [cell(10, "EUR"), cell(10, "USD")];
        assert_eq!(
            shown(&mixed),
            json!(["Amount", ["1.00 EUR", "1.00 USD"], []])
        );
        let huge = CardCell::Money(Decimal::MAX, AmountCurrency::Unknown);
        let too_much = shown(&[huge.clone(), huge]);
        assert_eq!(
            (&too_much[0], &too_much[2]),
            (&json!("Amount (currency unknown)"), &json!([]))
        );
    }

    #[test]
    fn what_the_erp_chooses_is_not_the_companys() {
        let field = |name: &str, kind: &str, options: &str| json!({"fieldname": name, "fieldtype": kind, "options": options, "label": name});
        let docs = json!([
            {"name": "Sales Order", "fields": [
                field("company", "Link", "Company"), field("currency", "Link", "Currency"),
                field("items", "Table", "Row"), field("per_billed", "Percent", ""),
                field("base_total", "Currency", "Company:company:default_currency"),
                field("total", "Currency", "currency"), field("at", "Datetime", ""),
            ]},
            {"name": "Row", "fields": [field("rate", "Currency", "currency"), field("qty", "Float", "")]},
        ]);
        let meta = TypeMeta::of(&docs).unwrap();
        let currencies = Currencies::from([("AC".to_owned(), "EUR".to_owned())]);
        let shown = |document: Value, name: &str, value: Value| {
            let document = document.as_object().unwrap();
            let values = CardValues {
                meta: &meta,
                document,
                currencies: &currencies,
            };
            values.own(name, &value).whole()
        };
        let new = || json!({"company": "AC"});
        for (document, name, value, expect) in [
            (new(), "total", json!(12), "12.00 (currency not given)"),
            (new(), "base_total", json!(1190.125), "1,190.125 EUR"),
            (
                json!({"company": "Nobody"}),
                "base_total",
                json!(1),
                "1.00 (currency unknown)",
            ),
            (
                json!({"company": "AC", "currency": "USD"}),
                "total",
                json!("7.5"),
                "7.50 USD",
            ),
            (new(), "per_billed", json!(50.0), "50%"),
            (
                new(),
                "at",
                json!("2026-11-21 16:30:04.123456"),
                "2026-11-21 16:30:04",
            ),
        ] {
            assert_eq!(shown(document, name, value), expect, "{name}");
        }
        let document = json!({"company": "AC", "currency": "USD"});
        let row = json!({"rate": 12, "qty": 2.50});
        let values = CardValues {
            meta: &meta,
            document: document.as_object().unwrap(),
            currencies: &currencies,
        };
        let columns = meta.rows_of(meta.field("items").unwrap()).unwrap();
        let cells = columns.iter().map(|it| {
            let row = row.as_object().unwrap();
            values.of_row(row, columns, it).whole()
        });
        assert_eq!(cells.collect::<Vec<_>>(), ["12.00 USD", "2.5"]);
    }
}
