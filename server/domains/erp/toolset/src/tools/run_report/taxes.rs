//! The balance of the accounts of taxes in a trial balance: what is owed, and what is there to be deducted.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::{
    decimal::decimal_or_zero,
    error::ErpError,
    site::{ErpSite, ListQuery, NEWEST},
    texts::readings as say,
    tools::{amounts, unknown},
};

/// More accounts of taxes than one company has.
const MOST: usize = 200;

/// The sums over the accounts of taxes at the end of the report's days.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TaxBalance {
    /// Of accounts on whose credit side the balance is: taxes of sales.
    owed: Decimal,
    /// Of accounts on whose debit side it is: taxes of purchases.
    input: Decimal,
}

/// The names of the accounts of taxes of a company. Groups sum up others, so they do not count.
pub(super) async fn accounts(site: &ErpSite, company: &str) -> Result<BTreeSet<String>, ErpError> {
    let meta = site.readable_type("Account").await?;
    let query = ListQuery {
        doctype: "Account",
        fields: vec![json!("name")],
        filters: vec![
            json!(["company", "=", company]),
            json!(["account_type", "=", "Tax"]),
            json!(["is_group", "=", 0]),
        ],
        order: NEWEST.to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    if found.has_more {
        return Err(ErpError::input(say::too_many_to_sum(MOST, "Account")));
    }
    let names = found
        .rows
        .iter()
        .filter_map(|row| row.get("name")?.as_str());
    Ok(names.map(str::to_owned).collect())
}

impl TaxBalance {
    /// None if none of the accounts is in the report, or its rows are of no known form.
    pub(super) fn of(answer: &Value, accounts: &BTreeSet<String>) -> Option<Self> {
        let rows = answer["result"].as_array()?.iter();
        let rows = rows.filter_map(Value::as_object).filter(|row| {
            let account = row.get("account").and_then(Value::as_str);
            account.is_some_and(|it| accounts.contains(it))
        });
        let balances = rows.map(|row| {
            let side = |field: &str| row.get(field).map(decimal_or_zero);
            side("closing_credit")?.checked_sub(side("closing_debit")?)
        });
        // A sum of a part would be wrong.
        let balances: Vec<Decimal> = balances.collect::<Option<_>>()?;
        if balances.is_empty() {
            return None;
        }
        Some(Self {
            owed: sum(balances.iter().copied())?,
            input: sum(balances.iter().map(|it| -*it))?,
        })
    }

    /// One figure of the summary, which says both sides.
    pub(super) fn figure(&self, currency: Option<&str>) -> String {
        let shown = |amount| amounts::shown(amount, currency);
        let left = self.owed.saturating_sub(self.input);
        let sides = [shown(self.owed), shown(self.input)];
        say::taxes(left.is_sign_negative(), &shown(left.abs()), &sides)
    }

    pub(super) fn told(&self, currency: Option<&str>) -> Value {
        let shown = |amount| amounts::shown(amount, currency);
        json!({
            "owed": shown(self.owed),
            "input": shown(self.input),
            "owed_less_input": shown(self.owed.saturating_sub(self.input)),
            "definition": say::TAXES,
        })
    }
}

/// The sum of what is above zero.
fn sum(mut amounts: impl Iterator<Item = Decimal>) -> Option<Decimal> {
    amounts.try_fold(Decimal::ZERO, |sum, it| {
        sum.checked_add(it.max(Decimal::ZERO))
    })
}

/// The part of the result about taxes.
pub(super) fn told(
    balance: &Result<Option<TaxBalance>, ErpError>,
    currency: Option<&str>,
) -> Value {
    match balance {
        Ok(Some(balance)) => balance.told(currency),
        Ok(None) => Value::Null,
        Err(error) => unknown(error.reason()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: Value) -> Option<TaxBalance> {
        let accounts = ["VAT", "Input VAT", "Idle"].map(str::to_owned).into();
        TaxBalance::of(&json!({ "result": rows }), &accounts)
    }

    #[test]
    fn sales_less_purchases_are_owed() {
        let row = |account: &str, debit: f64, credit: f64| json!({"account": account, "closing_debit": debit, "closing_credit": credit});
        let bank = row("Bank", 900.0, 0.0);
        let total = row("'Total'", 1000.0, 1000.0);
        let found = of(json!([
            bank,
            row("VAT", 0.0, 190.5),
            row("Input VAT", 70.25, 0.0),
            total
        ]))
        .unwrap();
        assert_eq!(
            found.figure(Some("EUR")),
            "taxes owed 120.25 EUR (190.50 EUR of sales less 70.25 EUR of purchases)"
        );
        let back = of(json!([row("VAT", 0.0, 10.0), row("Input VAT", 30.0, 0.0)])).unwrap();
        assert_eq!(
            back.figure(Some("EUR")),
            "taxes to get back 20.00 EUR (10.00 EUR of sales less 30.00 EUR of purchases)"
        );
        assert_eq!(back.told(Some("EUR"))["owed_less_input"], "-20.00 EUR");
        assert_eq!(of(json!([bank])), None);
        assert_eq!(of(json!([["VAT", 1, 2]])), None);
        assert_eq!(of(json!([{"account": "VAT"}])), None);
    }
}
