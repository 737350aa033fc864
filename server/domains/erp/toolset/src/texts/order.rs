//! Texts about the status of orders.

pub(crate) const CLOSE: &str = "Close";
pub(crate) const HOLD: &str = "Hold";
pub(crate) const STOP: &str = "Stop";
pub(crate) const REOPEN: &str = "Reopen";

pub(crate) fn not_for_type(verb: &str, doctype: &str) -> String {
    format!(
        "{verb:?} is not for a {doctype}: close is for orders, notes and receipts, hold for orders, stop for a Material Request."
    )
}

pub(crate) fn is_not_submitted(name: &str, status: &str) -> String {
    format!("{name} is {status}; only a submitted order has a status to set.")
}

pub(crate) fn is_already(name: &str, status: &str) -> String {
    format!("{name} is {status:?} already.")
}

pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_MENTIONS: &str =
    "The reason becomes a comment and must not mention anybody: leave out \"@\".";
pub(crate) const REOPENS: &str = "Open rows come back";
pub(crate) const REOPENS_DETAIL: &str =
    "They are planned and reserved again, and the ERP may check the credit limit.";
pub(crate) const NOTHING_OPEN: &str = "Nothing is open";
pub(crate) const NOTHING_OPEN_DETAIL: &str = "Only the status changes.";
pub(crate) const HOLDS: &str = "Open rows wait";
pub(crate) const HOLDS_DETAIL: &str = "Nothing can be made from it until it is reopened.";
pub(crate) const DROPS: &str = "Open rows are dropped";
pub(crate) const DROPS_DETAIL: &str =
    "They will not be delivered, received or billed, and their reservations are freed.";
pub(crate) const OPEN_ROWS: &str = "Open rows";
pub(crate) const ITEM: &str = "item";
pub(crate) const ORDERED: &str = "ordered";
pub(crate) const IS_DONE: &str = "done";
pub(crate) const OPEN: &str = "open";

/// `rows`: those that are open, of all. `measure`: the field that says what is done.
pub(crate) fn change(
    verb: &str,
    target: &str,
    party: Option<&str>,
    rows: (usize, usize),
    measure: &str,
) -> String {
    let party = party.map(|party| format!(" ({party})")).unwrap_or_default();
    let done = match measure {
        "delivered_qty" => "delivered",
        "received_qty" => "received",
        "ordered_qty" => "ordered",
        _ => "billed",
    };
    let (open, all) = rows;
    format!("{verb} {target}{party}; {open} of {all} rows are not fully {done}.")
}

pub(crate) fn changed(doctype: &str, name: &str, status: &str) -> String {
    format!("{doctype} {name}: {status}")
}
