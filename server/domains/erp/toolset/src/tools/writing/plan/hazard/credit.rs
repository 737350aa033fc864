//! The credit limit of a customer.

use protocol::RiskWeight;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{ErpSubject, Hazard};
use crate::tools::writing::cells::money;
use crate::{
    decimal::{decimal, decimal_or_zero},
    error::ErpError,
    site::ErpSite,
    texts::hazard as say,
};

/// Types that add to what a customer owes.
const TYPES: [&str; 3] = ["Sales Order", "Sales Invoice", "Delivery Note"];

pub(super) async fn check(
    site: &ErpSite,
    subject: &ErpSubject,
) -> Result<Option<Hazard>, ErpError> {
    let (Some(customer), Some(company), Some(total)) = (
        subject.raw("customer"),
        subject.raw("company"),
        subject.base_total(),
    ) else {
        return Ok(None);
    };
    let is_return = subject.document.get("is_return") == Some(&json!(1));
    if is_return || !TYPES.contains(&subject.meta.name.as_str()) {
        return Ok(None);
    }
    let meta = site.readable_type("Customer").await?;
    let party = site.document(&meta, customer).await?;
    let limits = party.get("credit_limits").and_then(Value::as_array);
    let limit = limits
        .into_iter()
        .flatten()
        .find(|row| row["company"] == company)
        .and_then(|row| decimal(&row["credit_limit"]))
        .filter(|it| !it.is_zero());
    let Some(limit) = limit else {
        return Ok(None);
    };
    let ledger = site.readable_type("GL Entry").await?;
    let filters = vec![
        json!(["party_type", "=", "Customer"]),
        json!(["party", "=", customer]),
        json!(["company", "=", company]),
        json!(["is_cancelled", "=", 0]),
    ];
    let sums = site.sums(&ledger, &["debit", "credit"], filters).await?;
    let amount = |field: &str| sums.get(field).map(decimal_or_zero).unwrap_or_default();
    let owed: Decimal = amount("debit") - amount("credit");
    Ok((owed.saturating_add(total) > limit).then(|| {
        let currency = subject.values().company_currency();
        let text = |it: Decimal| money(it.round_dp(2), &currency);
        Hazard::new(
            "credit",
            RiskWeight::Grave,
            say::credit_passed(&text(owed), &text(total), &text(limit)),
            say::CREDIT_DETAIL,
        )
    }))
}
