//! Questions of a page about one thing of a system, and their answers. Which there are, only the
//! toolset and the page know.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::SystemStatus;

/// What a page asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageQuery {
    /// Such as `node`.
    pub kind: String,
    /// Such as `pve`.
    pub name: String,
    /// Which part of the page, such as `charts/day`.
    pub part: String,
}

/// The answer to a [`PageQuery`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageAnswer {
    pub system: SystemStatus,
    pub value: Value,
}
