//! Offers: tools that a page has buttons for.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::FromJson;

/// A tool that a page offers for a thing. Its input is the thing and the fields of `with`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Offer {
    pub tool: String,
    /// Label of the button.
    pub label: String,
    /// The kind of thing that it acts on, in the words of its domain.
    pub on: String,
    /// The state in which it makes sense.
    pub when: String,
    /// The only things that it applies to, by the domain's names; empty for all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Further fields of the input: an object, or null.
    #[serde(default)]
    pub with: Value,
}
