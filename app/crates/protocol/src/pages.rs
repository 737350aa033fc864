//! Queries of a page about one thing of a system, and their answers. Only the toolset and the page
//! know which queries exist.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{FromJson, SystemStatus};

/// A query of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct PageQuery {
    /// Kind of the thing, such as `node`.
    pub kind: String,
    /// Name of the thing, such as `pve`.
    pub name: String,
    /// The part of the page, such as `charts/day`.
    pub part: String,
}

/// The answer to a [`PageQuery`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct PageAnswer {
    pub system: SystemStatus,
    pub value: Value,
}
