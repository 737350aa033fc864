//! Errors. None of them holds a value of a vault.

use thiserror::Error;

use crate::token::Pseudonym;

/// Failure to open a stored vault or to restore values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RedactionError {
    /// A token that this vault never gave out: it was invented or mistyped.
    #[error("There is no value {0} at this site.")]
    UnknownToken(Pseudonym),
    /// A token of another site, whose values must not be used here.
    #[error("{0} belongs to another site. Use values of one site only.")]
    OtherSite(Pseudonym),
    /// A stored value that the key does not open: another key, or a row that was changed.
    #[error("The stored value of {0} cannot be opened with this key.")]
    CannotOpen(Pseudonym),
    /// Stored entries that contradict each other or have no known form.
    #[error("The stored entry {0} is not valid.")]
    BadEntry(String),
}
