//! Texts of values on cards.

pub(crate) const YES: &str = "yes";
pub(crate) const NO: &str = "no";
pub(crate) const NOT_GIVEN: &str = "currency not given";
pub(crate) const UNKNOWN: &str = "currency unknown";

/// The head of a column of amounts.
pub(crate) fn headed(label: &str, currency: &str) -> String {
    format!("{label} ({currency})")
}

/// An amount whose currency cannot be said, with the reason.
pub(crate) fn without_currency(amount: &str, why: &str) -> String {
    format!("{amount} ({why})")
}
