//! Texts about the totals of a document on a card.

/// Of a stored document whose change the ERP has not seen yet.
pub(crate) fn before_change(title: &str) -> String {
    format!("{title} before the change")
}

/// Of a new document that the ERP has computed without what the call sets.
pub(crate) fn without_fields(title: &str) -> String {
    format!("{title} without the given fields")
}

pub(crate) fn of_cancelled(title: &str) -> String {
    format!("{title} of the cancelled document")
}

pub(crate) fn estimate(sum: &str) -> String {
    format!("Estimate: {sum}")
}

pub(crate) const ESTIMATE_DETAIL: &str = "Quantity times rate of the rows, before taxes and any discount on the whole \
     document. The ERP computes the totals when it saves it.";

pub(crate) fn rate_of_erp(without: usize, rows: usize) -> String {
    match rows {
        1 => "No estimate: the ERP sets the rate of its one row".to_owned(),
        _ => format!("No estimate: the ERP sets the rate of {without} of {rows} rows"),
    }
}

pub(crate) const NO_TAXES: &str = "No taxes are given";
pub(crate) const NO_TAXES_DETAIL: &str =
    "The ERP adds none unless a tax rule of its own does; the result says what it set.";

/// `taxed` of `all` newest submitted documents of the type have taxes, those of a party if it is given.
pub(crate) fn others_are_taxed(
    taxed: usize,
    all: usize,
    party: Option<&str>,
    newest: &str,
) -> String {
    let of = party.map_or(String::new(), |party| format!(" for {party}"));
    match (taxed, all) {
        (1, 1) => format!("The last one{of} has taxes: {newest}."),
        _ => format!("{taxed} of the last {all}{of} have taxes, such as {newest}."),
    }
}

/// `others`: the sentence about them.
pub(crate) fn none_are_added(others: &str) -> String {
    format!("{others} {NO_TAXES_DETAIL}")
}

/// Of a draft that the ERP has stored so.
pub(crate) const STAYS_UNTAXED: &str = "It has no taxes";

/// The taxes of other documents cannot be read.
pub(crate) fn others_unknown(reason: &str) -> String {
    format!("{NO_TAXES_DETAIL} {}", not_compared(reason))
}

pub(crate) fn not_compared(reason: &str) -> String {
    format!("Not compared with other documents: {reason}.")
}

pub(crate) const TOO_LARGE: &str = "No estimate: the sum is too large to compute";
