//! Drawings as records: their shape, author, reason and changes. The record is authoritative; a
//! chart only shows it.
//!
//! A change names the version it is based on, and a change without effect writes nothing. The
//! newest changes are kept field by field. A removed drawing stays as a record, and a turn of the
//! assistant can be undone except for drawings that somebody changed later.

mod change;
pub(crate) mod change_words;
mod diff;
mod known;
mod name;
mod reader;
mod shape;
mod store;
pub(crate) mod trail;
mod undo;

use markets_wire as wire;
use serde_json::Value;
pub use wire::{
    Actor, Anchor, Change, Colour, Content, Extent, FieldChange, Fill, Importance, Line,
    MarkerKind, MarkerSize, Shape, Style,
};

pub use self::{
    change::{NewDrawing, Refusal, Update, create, dragged, happens, remove, update},
    reader::{DrawingReader, SeenBy, is_private},
    shape::Invalid,
    store::{DrawingStore, ReplaceError},
    undo::{Undone, undo},
};
pub(crate) use self::{
    known::{known_since, mark_known},
    reader::own,
    shape::{is_at, plan, snapped, text_fits},
};
use crate::{Time, texts};

/// A drawing, with checked times.
pub type Drawing = wire::Drawing<Time>;

/// Owner of the drawings that everybody sees; those that one person keeps to themselves have theirs.
/// Authors are told apart by [`Actor`].
pub const EVERYONE: &str = "everyone";

/// Limit on the changes kept per drawing.
pub const CHANGES: usize = 50;

/// The drawing as the model reads it: times and prices, never positions on a screen.
pub(crate) fn brief(drawing: &Drawing) -> Value {
    let content = &drawing.content;
    let mut brief = serde_json::json!({
        "id": drawing.id,
        "version": drawing.version,
        "shape": content.shape,
        "label": content.label,
        "reason": drawing.reason,
        "by": drawing.actor,
        "importance": content.importance,
        "locked": content.locked,
        "hidden": content.hidden,
        "state": drawing.life.as_ref().map(|life| life.state),
    });
    if let Some(person) = &drawing.person {
        brief["person"] = person.as_str().into();
    }
    if is_private(drawing) {
        brief["seen_by"] = texts::drawings::THIS_PERSON_ALONE.into();
    }
    brief
}

#[cfg(test)]
mod tests;
