//! Texts of events in the feed.

/// A document and its event, such as `Sales Invoice ACC-SINV-2026-00012 submitted, 1,190.00 EUR`.
pub(crate) fn line(doctype: &str, name: &str, event: &str, amount: Option<&str>) -> String {
    match amount {
        Some(amount) => format!("{doctype} {name} {event}, {amount}"),
        None => format!("{doctype} {name} {event}"),
    }
}

pub(crate) const CREATED: &str = "created";
pub(crate) const CHANGED: &str = "changed";
pub(crate) const SUBMITTED: &str = "submitted";
pub(crate) const CREATED_AND_SUBMITTED: &str = "created and submitted";
pub(crate) const CANCELLED: &str = "cancelled";
