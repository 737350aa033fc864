//! The trail of the drawings and the alerts.

pub(crate) const ALL_CHANGES: &str = "All changes";

pub(crate) const FILTER: &str = "Filter of the changes";

pub(crate) const BY: &str = "By";

pub(crate) const ANYBODY: &str = "Anybody";

pub(crate) const PEOPLE: &str = "People";

pub(crate) const ASSISTANT: &str = "The assistant";

/// Moves positions along by its price.
pub(crate) const MARKET: &str = "The market";

pub(crate) const KIND: &str = "Kind";

pub(crate) const ANY_KIND: &str = "Any kind";

pub(crate) const FROM: &str = "From (UTC)";

/// With that day.
pub(crate) const UNTIL: &str = "To (UTC)";

pub(crate) const EXPORT: &str = "Export these changes (CSV)";

pub(crate) const NONE: &str = "There are no such changes.";

pub(crate) const OLDER: &str = "Show older changes";

/// The name of a kind of drawing, or of an alert, from its word.
pub(crate) fn kind(word: &str) -> String {
    word.replace('_', " ")
}

/// The subject of a change. When, who and why follow.
pub(crate) fn subject(symbol: &str, word: &str, is_drawn: bool) -> String {
    let drawn = if is_drawn { " drawn" } else { "" };
    format!("{symbol} {}{drawn}:", kind(word))
}
