//! Texts about the closing of a till.

pub(crate) fn is_no_session(name: &str, docstatus: &str) -> String {
    format!("{name} is {docstatus}; only a session that was opened can be closed.")
}

/// `by`: the entry that closed it, if the ERP names one.
pub(crate) fn is_closed(name: &str, status: &str, by: &str) -> String {
    match by {
        "" => format!("The session {name} is {status:?}, so it cannot be closed."),
        by => format!("The session {name} is {status:?}: {by} has closed it."),
    }
}

pub(crate) fn is_being_closed(name: &str, entries: &str) -> String {
    format!(
        "The session {name} has a closing entry already: {entries}. Change that draft, or delete it in the ERP."
    )
}

pub(crate) fn no_such_mode(mode: &str, modes: &str) -> String {
    format!("The session has no payments or opening amount in {mode:?}; its modes are: {modes}.")
}

pub(crate) fn counted_twice(mode: &str) -> String {
    format!("{mode:?} is counted twice.")
}

pub(crate) fn not_counted(modes: &str) -> String {
    format!(
        "Not counted: {modes}. Ask for the amount of each; what nobody has counted is unknown, and not what is \
         expected."
    )
}

pub(crate) const ABSURD: &str =
    "A sale or a mode of payment of this session has an absurdly large number.";

pub(crate) fn amount_is_no_number(mode: &str) -> String {
    format!("The amount of {mode:?} is no number that can be added.")
}

pub(crate) fn other_currency(invoice: &str, currency: &str, own: &str) -> String {
    format!(
        "{invoice} is in {currency} and the till's company counts in {own}; such a session is closed in the ERP."
    )
}

pub(crate) const CASHIER_UNKNOWN: &str =
    "The session names no till or no cashier, so its sales cannot be told from others.";

pub(crate) const AGREES: &str = "The count agrees";
pub(crate) const AGREES_DETAIL: &str =
    "In every mode of payment as much was counted as the ERP expects.";
pub(crate) const DIFFERS_DETAIL: &str =
    "Counted less expected: what was opened with, and what the sales of the session brought.";

/// `differences`: each mode with the amount that is too much or, negative, missing.
pub(crate) fn differs(differences: &str) -> String {
    format!("The count differs: {differences}")
}

pub(crate) const NO_SALES: &str = "The session has no sales";

pub(crate) fn sales(count: usize, returns: usize, total: &str) -> String {
    let count = match count {
        1 => "1 invoice".to_owned(),
        _ => format!("{count} invoices"),
    };
    match returns {
        0 => format!("{count}, {total} with taxes"),
        _ => format!("{count}, {returns} of them returns, {total} with taxes"),
    }
}

pub(crate) const SALES_DETAIL: &str = "The submitted invoices of this till and cashier since the session was opened; its period ends with the last \
     of them. Nothing is in the books until the entry is submitted.";
