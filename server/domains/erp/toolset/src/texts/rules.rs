//! Texts of the rules for inputs of drafts.

use rust_decimal::Decimal;

use crate::decimal;

pub(crate) fn grave_type(doctype: &str) -> String {
    format!("{doctype}: documents of this type move money or values.")
}

pub(crate) fn no_plain_draft(doctype: &str) -> String {
    format!("A {doctype} is not one of the drafts that are made without asking.")
}

pub(crate) const OF_SUBMITTED: &str = "It changes a document that is already submitted.";
pub(crate) const NO_RATE: &str = "A row has no rate, so the ERP fills in its own price.";
pub(crate) const AMOUNT_TOO_LARGE: &str = "Its amount is too large to be computed.";

pub(crate) fn amount(total: Decimal, limit: u64) -> String {
    let [total, limit] = [total, Decimal::from(limit)].map(decimal::amount);
    format!("Its rows come to {total}, above {limit}.")
}

pub(crate) const CURRENCY: &str = "It sets a currency or an exchange rate.";
pub(crate) const NEGATIVE: &str = "It has a negative quantity or amount.";
pub(crate) const IS_RETURN: &str = "It is a return.";

pub(crate) fn discount(limit: u8) -> String {
    format!("It has a discount above {limit} percent, or one in money.")
}

pub(crate) fn posting(field: &str) -> String {
    format!("It sets {field:?}, so it posts on another day than today.")
}

pub(crate) fn money(field: &str) -> String {
    format!("{field:?} changes where money goes, or the terms.")
}

pub(crate) fn bulk(count: usize, limit: usize) -> String {
    format!("It has {count} rows, more than {limit}.")
}

pub(crate) fn rows_removed(count: usize) -> String {
    match count {
        1 => "It removes a row.".to_owned(),
        _ => format!("It removes {count} rows."),
    }
}
