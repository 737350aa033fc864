//! Texts of warnings about the other party of a document.

pub(crate) fn bank_changed(party: &str) -> String {
    format!("The bank details of {party} have changed within 30 days.")
}

pub(crate) fn bank_unknown(party: &str) -> String {
    format!("It is unknown whether the bank details of {party} have changed.")
}

pub(crate) fn changed_at(name: &str, at: &str, by: &str) -> String {
    format!("{name}: {at} by {by}")
}

pub(crate) fn duplicate(number: &str, names: &str) -> String {
    format!("The number {number:?} is already on {names}.")
}
