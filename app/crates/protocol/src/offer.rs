//! What pages offer to do.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool that a page offers for a thing. Its input names the thing and holds what is in `with`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    pub tool: String,
    /// For the button.
    pub label: String,
    /// What it acts on, in the words of its domain.
    pub on: String,
    /// The state in which it makes sense.
    pub when: String,
    /// The only things that it is for, by the domain's names; empty for all.
    #[serde(default)]
    pub only: Vec<String>,
    /// More of the input: an object, or null.
    #[serde(default)]
    pub with: Value,
}
