//! A result as a part of the answer.

/// One result in words.
#[derive(Debug, Default)]
pub(super) struct ResultSection {
    pub(super) title: String,
    /// A sentence.
    pub(super) lead: Option<String>,
    pub(super) troubles: Vec<String>,
    /// Markdown.
    pub(super) body: String,
    /// It was searched for a thing by name and does not have it.
    pub(super) missed: bool,
    /// The call failed.
    pub(super) failed: bool,
    /// It could not be read.
    pub(super) has_gap: bool,
    /// Something in it is not known.
    pub(super) unknown: bool,
}
