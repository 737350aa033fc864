//! The trail of the drawings and the alerts, as a page lists it.

use protocol::FromJson;
use serde::{Deserialize, Serialize};

use crate::Change;

/// The kind of an alert in the trail, beside those of shapes.
pub const ALERT_KIND: &str = "alert";

/// A change of a drawing or an alert, or the drawing itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct TrailEntry<T = String> {
    /// Name of the symbol.
    pub symbol: String,
    /// Identifier of the drawing, or of the alert.
    pub drawing: String,
    /// Kind of the drawing, such as `horizontal_line`, or [`ALERT_KIND`].
    pub kind: String,
    /// True for the drawing itself, whose change has no fields.
    pub is_drawn: bool,
    pub change: Change<T>,
}

/// The page `trail`: the newest changes that its filter lets through, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct TrailPage<T = String> {
    #[serde(default = "Vec::new")]
    pub entries: Vec<TrailEntry<T>>,
    /// True if there are older ones.
    pub more: bool,
    /// The value of `before` in the query for the page with these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}
