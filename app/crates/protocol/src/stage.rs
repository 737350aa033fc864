//! Tools that need an open page: the result of a call that a tab carries out.

use serde::{Deserialize, Serialize};

use crate::FromJson;

/// The longest text that a tab may send about a call, in bytes.
pub const MAX_WORD_BYTES: usize = 1024;

/// A tab's report on a call that it was asked to show or to carry out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Performed {
    /// It is shown, or was done.
    Done {
        /// Note for the model, such as the range of time that is visible.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// It could not be shown or done.
    Failed { message: String },
    #[serde(other)]
    Unknown,
}
