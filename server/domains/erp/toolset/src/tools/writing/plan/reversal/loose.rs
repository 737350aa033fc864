//! Payments that come loose when what they pay is cancelled.

use std::collections::BTreeMap;

use protocol::CardSection;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{super::ErpSubject, PAYMENTS};
use crate::tools::writing::cells::{CardCell, CardColumn, table};
use crate::{
    currency::AmountCurrency,
    decimal::{decimal_or_zero, sane},
    error::ErpError,
    site::{ErpSite, ListQuery},
    texts::reversal as say,
    tools::trace_doc::NamedDocument,
};

/// The most ledger lines of payments that are read.
const MOST: usize = 200;

/// A payment whose money stays with the party, allocated to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoosePayment {
    pub(super) doctype: String,
    pub(super) name: String,
    /// In company currency; None if the ledger does not tell.
    pub(super) amount: Option<Decimal>,
}

/// The payments of a document by the ledger, and those that only link to it. `linked`: submitted
/// payments that hang on it.
pub(super) async fn payments(
    site: &ErpSite,
    subject: &ErpSubject,
    linked: &[NamedDocument],
) -> Result<Vec<LoosePayment>, ErpError> {
    let ledger = site.readable_type("GL Entry").await?;
    let query = ListQuery {
        doctype: "GL Entry",
        fields: ["voucher_type", "voucher_no", "debit", "credit"]
            .map(|field| json!(field))
            .into(),
        filters: vec![
            json!(["against_voucher_type", "=", subject.meta.name]),
            json!(["against_voucher", "=", subject.name]),
            json!(["voucher_type", "in", PAYMENTS]),
            json!(["is_cancelled", "=", 0]),
        ],
        order: "creation asc, name asc".to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(&ledger, query).await?;
    let mut amounts: BTreeMap<NamedDocument, Decimal> = BTreeMap::new();
    for line in &found.rows {
        let text = |field: &str| line.get(field).and_then(Value::as_str);
        let amount = |field: &str| line.get(field).map(decimal_or_zero).unwrap_or_default();
        if let (Some(doctype), Some(name)) = (text("voucher_type"), text("voucher_no")) {
            let key = (doctype.to_owned(), name.to_owned());
            *amounts.entry(key).or_default() += amount("credit") - amount("debit");
        }
    }
    let mut loose: Vec<_> = amounts
        .iter()
        .map(|((doctype, name), amount)| LoosePayment {
            doctype: doctype.clone(),
            name: name.clone(),
            amount: sane(amount.abs()),
        })
        .collect();
    let unknown = linked.iter().filter(|it| !amounts.contains_key(*it));
    loose.extend(unknown.map(|(doctype, name)| LoosePayment {
        doctype: doctype.clone(),
        name: name.clone(),
        amount: None,
    }));
    Ok(loose)
}

pub(super) fn section(loose: &[LoosePayment], currency: &AmountCurrency) -> Option<CardSection> {
    let row = |it: &LoosePayment| {
        let amount = it.amount.map(|it| CardCell::Money(it, currency.clone()));
        vec![
            CardCell::Text(it.doctype.clone()),
            CardCell::Text(it.name.clone()),
            amount.unwrap_or_else(|| CardCell::Text(say::AMOUNT_UNKNOWN.to_owned())),
        ]
    };
    let columns = [
        CardColumn::new(say::TYPE, false),
        CardColumn::new(say::NAME, false),
        CardColumn::new(say::AMOUNT, true),
    ];
    let rows: Vec<_> = loose.iter().map(row).collect();
    table(say::LOOSE_PAYMENTS, &columns, &rows, MOST)
}
