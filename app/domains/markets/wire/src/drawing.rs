//! A drawing as a record, which the server keeps and a chart only shows.

use protocol::FromJson;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Life, Shape, Symbol, Timeframe, words::words};

words! {
    /// The author of a drawing or a change.
    Actor {
        User = "user",
        Model = "model",
        // The price, which moves positions along.
        Price = "price",
    }
}

words! {
    /// Importance of a drawing.
    #[derive(Default)]
    Importance {
        Low = "low",
        #[default]
        Medium = "medium",
        High = "high",
    }
}

words! {
    /// Style of a line.
    #[derive(Default)]
    Line {
        #[default]
        Solid = "solid",
        Dashed = "dashed",
        Dotted = "dotted",
    }
}

words! {
    /// A colour of the palette: an enum, so that none is unreadable on one of the themes.
    #[derive(Default)]
    Colour {
        #[default]
        Cyan = "cyan",
        Green = "green",
        Red = "red",
        Amber = "amber",
        Violet = "violet",
        Grey = "grey",
    }
}

/// Appearance of a drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    pub colour: Colour,
    pub line: Line,
    /// Width in pixels, 1 to 4; 0 is the default.
    pub width: u8,
}

/// The editable part of a drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(deny_unknown_fields)]
pub struct Content<T = String> {
    pub shape: Shape<T>,
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

/// A field with its old and new value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FieldChange {
    /// Path such as `shape.to.price`.
    pub field: String,
    pub from: Value,
    pub to: Value,
}

/// One change of a drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Change<T = String> {
    pub time: T,
    pub actor: Actor,
    /// Name of the person who made it, or for whom the assistant did; as it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    pub reason: String,
    pub changes: Vec<FieldChange>,
    /// The tool call that made it.
    #[serde(default)]
    pub call: Option<String>,
    /// The turn in which it was made.
    #[serde(default)]
    pub group: Option<String>,
    /// The conversation of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The message that has the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Drawing<T = String> {
    pub id: String,
    /// Owner of its chart.
    pub owner: String,
    pub symbol: Symbol,
    pub content: Content<T>,
    /// The reason for drawing it.
    pub reason: String,
    pub actor: Actor,
    /// Name of the person who made it, or for whom the assistant did; as it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
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
    #[serde(default = "Vec::new")]
    pub candles: Vec<T>,
    pub created_at: T,
    /// The market's time since which it says what it does: of its newest move, name, note or state, or of its
    /// creation. Rows of earlier releases lack it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_at: Option<T>,
    /// The state of a position; `None` for other shapes.
    pub life: Option<Life<T>>,
    /// Increases by one with each change.
    pub version: u64,
    #[serde(default)]
    pub removed: bool,
    /// The newest changes, oldest first.
    #[serde(default = "Vec::new")]
    pub changes: Vec<Change<T>>,
    /// Number of older changes no longer kept.
    #[serde(default)]
    pub dropped: u64,
}
