//! Boards: live views of systems, made of keyed parts.
//!
//! Only the toolset that shows a part and the page that draws it know what it is.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{FromJson, SystemStatus};

/// A part of a board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct BoardPart {
    /// Kind and name, such as `node/pve`.
    pub key: String,
    pub value: Value,
}

/// A board as it is when a page is rendered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct BoardPage {
    pub board: String,
    /// The system on view.
    pub system: SystemStatus,
    /// Empty if nothing has been seen yet.
    #[serde(default)]
    pub parts: Vec<BoardPart>,
}
