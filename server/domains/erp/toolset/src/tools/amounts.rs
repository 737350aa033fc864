//! Amounts of documents and ledgers with their currencies, for summaries.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    decimal::{decimal, money},
    error::ErpError,
    plain_text::plain,
    site::{Document, ErpSite, ListQuery},
    texts::readings as say,
};

/// Columns with the amount of a document, the most telling first, and those with its currency.
const AMOUNTS: [(&str, &[&str]); 3] = [
    ("outstanding_amount", &["party_account_currency"]),
    ("grand_total", &["currency"]),
    ("paid_amount", &["paid_from_account_currency"]),
];

/// The sum of an amount over documents, and its column: `1,190.00 EUR and 20.00 USD`. None where
/// a document lacks the amount or its currency: a sum without one says nothing.
pub(super) fn total(rows: &[Document]) -> Option<(&'static str, String)> {
    AMOUNTS.iter().find_map(|(column, currencies)| {
        let mut sums: BTreeMap<String, Decimal> = BTreeMap::new();
        for row in rows {
            let currency = currencies.iter().find_map(|it| row.get(*it)?.as_str());
            let sum = sums.entry(plain(currency?, 10)).or_default();
            *sum = sum.checked_add(decimal(row.get(*column)?)?)?;
        }
        let sums: Vec<_> = sums.iter().map(|(of, sum)| money(*sum, of)).collect();
        (!sums.is_empty()).then(|| (*column, say::and(&sums)))
    })
}

/// Party and amount of an outline.
pub(super) fn outlined(outline: &Value) -> (Option<&str>, Option<String>) {
    let amount = decimal(&outline["total"]).zip(outline["currency"].as_str());
    let amount = amount.map(|(amount, currency)| money(amount, currency));
    (outline["party"].as_str(), amount)
}

/// An outline in words: type, name, party and amount.
pub(super) fn named(outline: &Value) -> String {
    let text = |field: &str| outline[field].as_str().unwrap_or_default();
    let (party, amount) = outlined(outline);
    say::named(text("doctype"), text("name"), party, amount.as_deref())
}

/// The currency of a company's books.
pub(super) async fn company_currency(site: &ErpSite, company: &str) -> Result<Value, ErpError> {
    let meta = site.readable_type("Company").await?;
    let query = ListQuery {
        doctype: "Company",
        fields: vec![json!("default_currency")],
        filters: vec![json!(["name", "=", company])],
        order: "name asc".to_owned(),
        limit: 1,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    let row = found.rows.into_iter().next().unwrap_or_default();
    match row.get("default_currency") {
        Some(currency) if currency.is_string() => Ok(currency.clone()),
        _ => Err(ErpError::input(say::NO_SUCH_COMPANY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_summed_by_currency_or_not_at_all() {
        let rows = |rows: Value| -> Vec<Document> {
            let rows = rows.as_array().unwrap().iter();
            rows.map(|row| row.as_object().unwrap().clone()).collect()
        };
        let mixed = rows(json!([
            {"grand_total": 1190.1, "currency": "EUR"},
            {"grand_total": 0.2, "currency": "EUR"},
            {"grand_total": -20, "currency": "USD"},
        ]));
        let expect = "1,190.30 EUR and -20.00 USD".to_owned();
        assert_eq!(total(&mixed), Some(("grand_total", expect)));
        let open = rows(
            json!([{"grand_total": 9, "outstanding_amount": 4, "currency": "USD",
            "party_account_currency": "EUR"}]),
        );
        let expect = "4.00 EUR".to_owned();
        assert_eq!(total(&open), Some(("outstanding_amount", expect)));
        assert_eq!(total(&rows(json!([{"grand_total": 1}]))), None);
        assert_eq!(total(&[]), None);
    }
}
