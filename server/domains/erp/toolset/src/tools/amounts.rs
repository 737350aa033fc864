//! Amounts of documents and ledgers with their currencies, for summaries.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    decimal::{self, decimal, money, sane},
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

const STOCK: &str = "actual_qty";
const PRICE: &str = "price_list_rate";
/// More prices than this are a list to read.
const MOST_PRICES: usize = 4;

/// The sum of an amount over documents, and its column: `1,190.00 EUR and 20.00 USD`. None where
/// a document lacks the amount or its currency: a sum without one says nothing. Of the stock of one item
/// the quantity, of a few prices each with its list.
pub(super) fn total(rows: &[Document]) -> Option<(&'static str, String)> {
    let amounts = AMOUNTS.iter().find_map(|(column, currencies)| {
        let mut sums: BTreeMap<String, Decimal> = BTreeMap::new();
        for row in rows {
            let currency = currencies.iter().find_map(|it| row.get(*it)?.as_str());
            let sum = sums.entry(plain(currency?, 10)).or_default();
            *sum = sum.checked_add(decimal(row.get(*column)?)?)?;
        }
        let sums: Vec<_> = sums.iter().map(|(of, sum)| money(*sum, of)).collect();
        (!sums.is_empty()).then(|| (*column, say::and(&sums)))
    });
    amounts.or_else(|| stock(rows)).or_else(|| prices(rows))
}

/// The stock of one item over all places: `34 Nos`.
fn stock(rows: &[Document]) -> Option<(&'static str, String)> {
    let text = |row: &Document, field: &str| row.get(field)?.as_str().map(str::to_owned);
    let first = rows.first()?;
    let (item, unit) = (text(first, "item_code")?, text(first, "stock_uom")?);
    let mut sum = Decimal::ZERO;
    for row in rows {
        if text(row, "item_code")? != item || text(row, "stock_uom")? != unit {
            return None;
        }
        sum = sum.checked_add(decimal(row.get(STOCK)?)?)?;
    }
    Some((STOCK, format!("{} {}", sum.normalize(), plain(&unit, 20))))
}

/// A few prices: `24.90 EUR in Retail`.
fn prices(rows: &[Document]) -> Option<(&'static str, String)> {
    let price = |row: &Document| {
        let text = |field: &str| Some(plain(row.get(field)?.as_str()?, 60));
        let rate = decimal(row.get(PRICE)?)?;
        let rate = money(rate, &text("currency")?);
        Some(say::price_in(&rate, &text("price_list")?))
    };
    let prices: Vec<String> = rows.iter().map(price).collect::<Option<_>>()?;
    let is_few = (1..=MOST_PRICES).contains(&prices.len());
    is_few.then(|| (PRICE, say::and(&prices)))
}

/// An amount with its currency in it, for a result: `1,190.00 EUR`. Nothing of it is rounded away.
pub(crate) fn shown(amount: Decimal, currency: Option<&str>) -> String {
    let Some(amount) = sane(amount) else {
        return say::TOO_LARGE.to_owned();
    };
    let digits = decimal::amount(amount);
    match currency.and_then(word) {
        Some(code) => format!("{digits} {code}"),
        None => say::of_unknown_currency(&digits),
    }
}

/// The name of a currency, which the ERP's users may choose: none that could be read as more than one.
pub(super) fn word(currency: &str) -> Option<String> {
    let code = plain(currency, 10);
    let is_word = !code.is_empty() && code.chars().all(char::is_alphanumeric);
    is_word.then_some(code)
}

/// The same as a key of a result, beside the amounts that are in it.
pub(super) fn code(currency: Option<&str>) -> String {
    currency
        .and_then(word)
        .unwrap_or_else(|| "unknown".to_owned())
}

/// Sums of amounts, one for each currency.
#[derive(Debug, Default)]
pub(crate) struct CurrencySums(BTreeMap<Option<String>, Decimal>);

impl CurrencySums {
    /// Adds an amount. Without a currency it is in that of the company, which `shown` is told.
    pub(crate) fn add(&mut self, currency: Option<&str>, amount: Decimal) {
        let currency = currency.filter(|it| !it.is_empty()).map(str::to_owned);
        let sum = self.0.entry(currency).or_default();
        *sum = sum.saturating_add(amount);
    }

    /// The same with another amount for each.
    pub(crate) fn map(&self, of: impl Fn(Decimal) -> Decimal) -> Self {
        let sums = self.0.iter();
        Self(sums.map(|(it, sum)| (it.clone(), of(*sum))).collect())
    }

    /// The sums for a result: `1,190.00 EUR and 20.00 USD`. `own`: the currency of the company, in which a
    /// sum of nothing is nothing.
    pub(crate) fn shown(&self, own: Option<&str>) -> String {
        let mut sums: BTreeMap<Option<&str>, Decimal> = BTreeMap::new();
        for (currency, sum) in &self.0 {
            let of = sums.entry(currency.as_deref().or(own)).or_default();
            *of = of.saturating_add(*sum);
        }
        if sums.is_empty() {
            return shown(Decimal::ZERO, own);
        }
        let sums = sums.iter().map(|(currency, sum)| shown(*sum, *currency));
        say::and(&sums.collect::<Vec<_>>())
    }
}

/// A currency for a result, beside the amounts that are in it.
pub(crate) fn currency(of: Option<&str>) -> Value {
    of.and_then(word)
        .map_or_else(|| super::unknown(say::CURRENCY_UNKNOWN), Value::from)
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

    #[test]
    fn stock_of_one_item_is_summed_and_few_prices_are_told() {
        let rows = |rows: Value| -> Vec<Document> {
            let rows = rows.as_array().unwrap().iter();
            rows.map(|row| row.as_object().unwrap().clone()).collect()
        };
        let at = |item: &str, unit: &str| json!({"item_code": item, "stock_uom": unit, "actual_qty": 2.5});
        let one = rows(json!([at("PUMP", "Nos"), at("PUMP", "Nos")]));
        assert_eq!(total(&one), Some(("actual_qty", "5 Nos".to_owned())));
        for other in [
            at("BELL", "Nos"),
            at("PUMP", "Box"),
            json!({"item_code": "PUMP"}),
        ] {
            let mixed = rows(json!([at("PUMP", "Nos"), other]));
            assert_eq!(total(&mixed), None);
        }
        let price = json!({"price_list_rate": 24.9, "currency": "EUR", "price_list": "Retail"});
        let told = "24.90 EUR in Retail".to_owned();
        let price = rows(json!([price]));
        assert_eq!(total(&price), Some(("price_list_rate", told)));
        assert_eq!(total(&vec![price[0].clone(); 5]), None);
    }

    #[test]
    fn an_amount_without_a_currency_is_in_that_of_the_company_or_in_an_unknown_one() {
        let sums = |amounts: &[(Option<&str>, &str)]| {
            let mut sums = CurrencySums::default();
            for (currency, amount) in amounts {
                let amount = Decimal::from_scientific(amount).or_else(|_| amount.parse());
                sums.add(*currency, amount.unwrap());
            }
            sums
        };
        let two = sums(&[(Some("EUR"), "1190.1"), (Some("USD"), "-20"), (None, "0.2")]);
        assert_eq!(two.shown(Some("EUR")), "1,190.30 EUR and -20.00 USD");
        assert_eq!(
            two.shown(None),
            "0.20 of an unknown currency, 1,190.10 EUR and -20.00 USD"
        );
        let half = two.map(|sum| sum / Decimal::TWO);
        assert_eq!(half.shown(Some("EUR")), "595.15 EUR and -10.00 USD");
        assert_eq!(sums(&[]).shown(Some("EUR")), "0.00 EUR");
        let absurd = sums(&[(Some("EUR"), "79e27"), (Some("EUR"), "79e27")]);
        assert_eq!(absurd.shown(None), say::TOO_LARGE);
        assert_eq!(sums(&[(Some(""), "0.125")]).shown(Some("JPY")), "0.125 JPY");
        for hostile in ["EUR and 9,000,000.00 USD", "EUR; 9", "<b></b>", ""] {
            let said = shown(Decimal::ONE, Some(hostile));
            assert_eq!(said, "1.00 of an unknown currency", "{hostile:?}");
        }
        assert_eq!(shown(Decimal::ONE, Some("<b>EUR</b>")), "1.00 EUR");
    }
}
