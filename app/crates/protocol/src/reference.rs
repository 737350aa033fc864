//! Things of a system that a message can be about, and that have a page.

use serde::{Deserialize, Serialize};

use crate::FileNote;

/// References that one message may carry.
pub const MAX_REFERENCES: usize = 8;
/// The longest identifier of a thing, in bytes.
pub const MAX_REFERENCE_BYTES: usize = 256;

/// A thing of a system, or a file. What a thing is, only its toolset knows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Reference {
    /// Such as `node`, `guest`, `storage`, `task`.
    pub kind: String,
    /// Names it among its kind, such as `pve`, `101`, `pve/local-zfs`, or a UPID.
    pub id: String,
    /// It is a file, which the server keeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileNote>,
}

impl Reference {
    pub fn new(kind: impl Into<String>, id: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            id: id.into(),
            file: None,
        }
    }
}

/// How a text names a thing, such as `nextcloud` for the guest 101.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name {
    pub name: String,
    pub of: Reference,
}
