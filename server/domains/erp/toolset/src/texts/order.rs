//! Texts about the status of orders.

pub(crate) const CLOSE: &str = "Close";
pub(crate) const HOLD: &str = "Hold";
pub(crate) const STOP: &str = "Stop";
pub(crate) const REOPEN: &str = "Reopen";
pub(crate) const RESUME: &str = "Resume";

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
pub(crate) const ITEM: &str = "Item";
pub(crate) const ORDERED: &str = "Ordered";
pub(crate) const IS_DONE: &str = "Done";
pub(crate) const OPEN: &str = "Open";

/// The rows of an order.
#[derive(Clone, Copy)]
pub(crate) struct OrderRows {
    pub(crate) open: usize,
    pub(crate) all: usize,
}

/// `measure`: the field that says what is done.
pub(crate) fn change(
    verb: &str,
    target: &str,
    party: Option<&str>,
    rows: OrderRows,
    measure: &str,
) -> String {
    let party = party.map(|party| format!(" ({party})")).unwrap_or_default();
    let done = match measure {
        "delivered_qty" => "delivered",
        "received_qty" => "received",
        "ordered_qty" => "ordered",
        _ => "billed",
    };
    let OrderRows { open, all } = rows;
    format!("{verb} {target}{party}; {open} of {all} rows are not fully {done}.")
}

pub(crate) fn changed(doctype: &str, name: &str, status: &str) -> String {
    format!("{doctype} {name}: {status}")
}

pub(crate) fn stays_closed(name: &str) -> String {
    format!("{name} is closed, and a closed work order cannot be resumed; plan a new one.")
}

pub(crate) fn is_made(name: &str) -> String {
    format!("{name} is completed: there is nothing left to stop.")
}

pub(crate) const STOPS_WORK: &str = "Nothing more is made";
pub(crate) const STOPS_WORK_DETAIL: &str = "No material goes to it and no goods come from it until it is resumed; what it has reserved and planned \
     is free.";
pub(crate) const CLOSES_WORK: &str = "Closed for good";
pub(crate) const CLOSES_WORK_DETAIL: &str =
    "A closed work order cannot be resumed; what is not made will not be made by it.";
pub(crate) const RESUMES_WORK: &str = "Work goes on";
pub(crate) const RESUMES_WORK_DETAIL: &str =
    "What is not made is planned again, and its materials are reserved again.";
pub(crate) const MATERIALS_UNDER_WAY: &str = "Materials under way";
pub(crate) const TAKEN: &str = "Taken";
pub(crate) const USED: &str = "Used";
pub(crate) const LEFT: &str = "Left";
pub(crate) const UNDER_WAY_DETAIL: &str =
    "They stay in the warehouse of the work in progress until somebody moves them back.";

pub(crate) fn under_way(count: usize) -> String {
    match count {
        1 => "1 material was taken and is not used".to_owned(),
        _ => format!("{count} materials were taken and are not used"),
    }
}

/// `made`: of the quantity `of`.
pub(crate) fn change_work_order(
    verb: &str,
    target: &str,
    item: &str,
    made: &str,
    of: &str,
) -> String {
    format!("{verb} {target} ({item}); {made} of {of} are made.")
}
