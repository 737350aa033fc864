//! Currencies of listed amounts, where no column says them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::{
    currency::{self, AmountPlace, Currencies},
    meta::{MetaField, TypeMeta},
    site::{Document, ErpSite},
    tools::amounts,
};

/// Currencies with the columns of the amounts that are in them.
type ColumnsByCurrency<'a> = BTreeMap<String, BTreeSet<&'a str>>;

pub(super) enum AmountsIn<'a> {
    /// Each column has one currency in all rows.
    OfAll(ColumnsByCurrency<'a>),
    /// Each row has its own.
    OfRows(Vec<ColumnsByCurrency<'a>>),
}

impl<'a> AmountsIn<'a> {
    /// `rows` have the company of each, and the columns that may say a currency, as far as the user sees them.
    pub(super) async fn read(
        site: &ErpSite,
        meta: &TypeMeta,
        amounts: &[&'a MetaField],
        rows: &[Document],
    ) -> Self {
        let untold: Vec<_> = rows.iter().map(|row| untold(amounts, row)).collect();
        if untold.iter().all(Vec::is_empty) {
            return Self::OfAll(BTreeMap::new());
        }
        let currencies = site.known_currencies().await;
        let each = rows.iter().zip(&untold);
        let each: Vec<_> = each
            .map(|(row, fields)| by_currency(meta, row, fields, &currencies))
            .collect();
        let mut all = ColumnsByCurrency::new();
        for (currency, columns) in each.iter().flatten() {
            all.entry(currency.clone()).or_default().extend(columns);
        }
        let named: usize = all.values().map(BTreeSet::len).sum();
        let columns: BTreeSet<_> = all.values().flatten().collect();
        if named == columns.len() {
            Self::OfAll(all)
        } else {
            Self::OfRows(each)
        }
    }

    /// For the result; null if each row has its own.
    pub(super) fn of_all(&self) -> Value {
        match self {
            Self::OfAll(all) => json!(all),
            Self::OfRows(_) => Value::Null,
        }
    }

    pub(super) fn of_row(&self, at: usize) -> Option<Value> {
        match self {
            Self::OfAll(_) => None,
            Self::OfRows(each) => each.get(at).filter(|it| !it.is_empty()).map(|it| json!(it)),
        }
    }
}

/// The amounts of a row that no column of it has the currency of.
fn untold<'a>(amounts: &[&'a MetaField], row: &Document) -> Vec<&'a MetaField> {
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let is_told = |field: &MetaField| {
        let mut named = currency::named(field).into_iter().flatten();
        !field.is_of_company() && named.any(|name| !text(name).is_empty())
    };
    let is_there = |field: &MetaField| row.get(&field.name).is_some_and(|it| !it.is_null());
    let untold = amounts.iter().filter(|it| is_there(it) && !is_told(it));
    untold.copied().collect()
}

fn by_currency<'a>(
    meta: &TypeMeta,
    row: &Document,
    fields: &[&'a MetaField],
    currencies: &Currencies,
) -> ColumnsByCurrency<'a> {
    let place = AmountPlace {
        document: row,
        row: None,
        currencies,
    };
    let mut found = ColumnsByCurrency::new();
    for field in fields {
        let currency = place.currency(meta, field);
        let currency = amounts::code(currency.as_deref());
        found.entry(currency).or_default().insert(&field.name);
    }
    found
}
