//! Drawings as records: their shape, author, reason and changes. The record is authoritative; a
//! chart only shows it.
//!
//! A change names the version it is based on, and a change without effect writes nothing. The
//! newest changes are kept field by field. A removed drawing stays as a record, and a turn of the
//! assistant can be undone except for drawings that somebody changed later.

mod change;
mod diff;
mod shape;
mod store;
mod undo;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    change::{NewDrawing, Refusal, Update, create, dragged, happens, remove, update},
    diff::FieldChange,
    shape::{Anchor, Extent, Invalid, Shape},
    store::{DrawingStore, ReplaceError},
    undo::{Undone, undo},
};
use crate::{Symbol, Time, Timeframe, maths::life::Life};

/// Owner of all charts: an installation has one set. Authors are told apart by [`Actor`].
pub const EVERYONE: &str = "everyone";

/// The author of a drawing or a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    User,
    Model,
}

/// How much a drawing matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Importance {
    Low,
    #[default]
    Medium,
    High,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    #[default]
    Solid,
    Dashed,
    Dotted,
}

/// A colour of the palette: an enum, so that none is unreadable on one of the themes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    #[default]
    Cyan,
    Green,
    Red,
    Amber,
    Violet,
    Grey,
}

/// Appearance of a drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    pub colour: Colour,
    pub line: Line,
    /// Width in pixels, 1 to 4; 0 is the default.
    pub width: u8,
}

/// The editable part of a drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    pub shape: Shape,
    #[serde(default)]
    pub style: Style,
    #[serde(default)]
    pub label: String,
    #[serde(default)]
    pub note: String,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub importance: Importance,
    /// Timeframes on which it is visible; empty for all.
    #[serde(default)]
    pub visible_on: Vec<Timeframe>,
    /// Only people lock and hide drawings.
    #[serde(default)]
    pub locked: bool,
    #[serde(default)]
    pub hidden: bool,
}

/// One change of a drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub time: Time,
    pub actor: Actor,
    pub reason: String,
    pub changes: Vec<FieldChange>,
    /// The tool call that made it.
    #[serde(default)]
    pub call: Option<String>,
    /// The turn in which it was made.
    #[serde(default)]
    pub group: Option<String>,
}

/// A drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    pub id: String,
    /// Owner of its chart.
    pub owner: String,
    pub symbol: Symbol,
    pub content: Content,
    /// The reason for drawing it.
    pub reason: String,
    pub actor: Actor,
    #[serde(default)]
    pub call: Option<String>,
    /// The conversation in which it was made.
    #[serde(default)]
    pub conversation: Option<String>,
    #[serde(default)]
    pub message: Option<String>,
    /// The turn in which it was made.
    #[serde(default)]
    pub group: Option<String>,
    /// Opening times of the candles that support it.
    #[serde(default)]
    pub candles: Vec<Time>,
    pub created_at: Time,
    /// The state of a position; `None` for other shapes.
    #[serde(default)]
    pub life: Option<Life<Time>>,
    /// Increases by one with each change.
    pub version: u64,
    #[serde(default)]
    pub removed: bool,
    /// The newest changes, oldest first, at most [`CHANGES`].
    #[serde(default)]
    pub changes: Vec<Change>,
    /// Number of older changes no longer kept.
    #[serde(default)]
    pub dropped: u64,
}

/// Limit on the changes kept per drawing.
pub const CHANGES: usize = 50;

impl Drawing {
    /// The drawing as the model reads it: times and prices, never positions on a screen.
    pub fn brief(&self) -> Value {
        let content = &self.content;
        serde_json::json!({
            "id": self.id,
            "version": self.version,
            "shape": content.shape,
            "label": content.label,
            "reason": self.reason,
            "by": self.actor,
            "importance": content.importance,
            "locked": content.locked,
            "hidden": content.hidden,
            "state": self.life.as_ref().map(|life| life.state),
        })
    }
}

#[cfg(test)]
mod tests;
