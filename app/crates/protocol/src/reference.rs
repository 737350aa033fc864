//! References: things of a system that a message can be about and that have a page.

use serde::{Deserialize, Serialize};

use crate::{FileNote, FromJson};

/// The most references in one message.
pub const MAX_REFERENCES: usize = 8;
/// The end of a link to a page that takes the person's question along as a draft.
pub const ASK_ALONG: &str = "#ask";
/// The beginning of a link from a figure in an answer to the call that brought it. The number of the
/// call in its turn follows, from 1.
pub const SOURCE: &str = "/#call-";
/// The longest identifier of a thing, in bytes.
pub const MAX_REFERENCE_BYTES: usize = 256;

/// A thing of a system, or a file. Only its toolset knows what a thing is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJson)]
pub struct Reference {
    /// Kind of the thing, such as `node`, `guest`, `storage`, `task`.
    pub kind: String,
    /// Identifier among its kind, such as `pve`, `101`, `pve/local-zfs`, or a UPID.
    pub id: String,
    /// Set for a file, which the server stores.
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

/// The name by which a text mentions a thing, such as `nextcloud` for the guest 101.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, FromJson)]
pub struct Name {
    pub name: String,
    pub of: Reference,
    /// Kind, identifier and place beside a name that somebody gave to the thing, such as
    /// `VM 110 · pve`; empty for a name that says so itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Name {
    /// A name without a note.
    pub fn new(name: impl Into<String>, of: Reference) -> Self {
        Self {
            name: name.into(),
            of,
            note: String::new(),
        }
    }
}
