//! Tools that need an open page: what comes of a call that a tab carries out.

use serde::{Deserialize, Serialize};

/// The longest word of a tab about a call, in bytes.
pub const MAX_WORD_BYTES: usize = 1024;

/// What a tab says of a call that it was asked to show or to carry out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Performed {
    /// It is shown, or was done.
    Done {
        /// What the model should know of it, such as the range of time that is in sight.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// It could not be.
    Failed { message: String },
    #[serde(other)]
    Unknown,
}
