//! Texts of cards about documents.

pub(crate) fn is_never_submitted(doctype: &str) -> String {
    format!("{doctype} is never submitted: it counts as soon as it is saved.")
}

pub(crate) const DOCUMENT: &str = "Document";
pub(crate) const PARTY: &str = "Party";
pub(crate) const COMPANY: &str = "Company";
pub(crate) const TOTAL: &str = "Total";
pub(crate) const STATUS: &str = "Status";
pub(crate) const STATE: &str = "Workflow state";
pub(crate) const MADE_BY: &str = "Made by";
pub(crate) const CHANGED_BY: &str = "Last changed by";
pub(crate) const CHANGED_AT: &str = "Last changed at";
pub(crate) const POSTS_ON: &str = "Posts on";
pub(crate) const LINES: &str = "Lines";

/// Typed where a name has no digits.
pub(crate) const WORD_WITHOUT_DIGITS: &str = "yes";

pub(crate) fn was(label: &str, before: &str, after: Option<&str>) -> String {
    match after {
        Some(after) => format!("{label} was {before} and is {after} now"),
        None => format!("{label} was {before} and is gone"),
    }
}

pub(crate) fn changes(all: &[String]) -> String {
    format!("{}.", all.join("; "))
}

pub(crate) const LINES_DIFFER: &str = "What it would do is no longer what the card showed.";

pub(crate) fn and_more(count: usize) -> String {
    format!("and {count} more")
}

pub(crate) const LARGE: &str = "Large amount";
pub(crate) const LARGE_DETAIL: &str =
    "The total is above the limit that this installation has set, so the amount has to be typed.";
pub(crate) const DAY_MOVES: &str = "The posting date moves";
pub(crate) const DAY_MOVES_DETAIL: &str =
    "The ERP posts it on the day of the submit; on another day this card is asked for again.";
