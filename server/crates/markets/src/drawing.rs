//! Drawings on a chart as records: what they are, who made them and why, and how they changed. The
//! record is the truth; a chart shows it.
//!
//! A change names the version that it was made from, and one that changes nothing writes nothing.
//! The newest changes are kept field by field. What was removed stays as a record, and a turn of
//! the assistant can be taken back except for what somebody changed since.

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

/// Whose chart it is: there is one for the installation. Who did something is [`Actor`].
pub const EVERYONE: &str = "everyone";

/// Who did something to a drawing.
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

/// What a drawing looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    pub colour: Colour,
    pub line: Line,
    /// In pixels, 1 to 4; 0 means the usual one.
    pub width: u8,
}

/// What can be changed of a drawing.
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
    /// The timeframes that it is shown on; all if there is none.
    #[serde(default)]
    pub visible_on: Vec<Timeframe>,
    /// Only people lock and hide.
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
    /// The turn that it was made in.
    #[serde(default)]
    pub group: Option<String>,
}

/// A drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    pub id: String,
    /// Whose chart it is on.
    pub owner: String,
    pub symbol: Symbol,
    pub content: Content,
    /// Why it is there.
    pub reason: String,
    pub actor: Actor,
    #[serde(default)]
    pub call: Option<String>,
    /// The conversation in which it was made.
    #[serde(default)]
    pub conversation: Option<String>,
    #[serde(default)]
    pub message: Option<String>,
    /// The turn that it was made in.
    #[serde(default)]
    pub group: Option<String>,
    /// The openings of the candles that speak for it.
    #[serde(default)]
    pub candles: Vec<Time>,
    pub created_at: Time,
    /// Of a position.
    #[serde(default)]
    pub life: Option<Life>,
    /// One more with each change.
    pub version: u64,
    #[serde(default)]
    pub removed: bool,
    /// The newest changes, oldest first, [`CHANGES`] at most.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// Older changes that are not kept.
    #[serde(default)]
    pub dropped: u64,
}

/// Changes that a drawing keeps.
pub const CHANGES: usize = 50;

impl Drawing {
    /// As the model reads it: times and prices, never places on a screen.
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
