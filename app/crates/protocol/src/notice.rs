//! Notices: conditions of a system that a person should know of, each told once.

use serde::{Deserialize, Serialize};

use crate::{NoticeId, Timestamp};

/// A condition from when it was told until it ended. When it comes back it is another notice.
///
/// On a board it is the part `notice/ID`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub id: NoticeId,
    /// The toolset whose system it is about, such as `homelab`.
    pub system: String,
    /// The same condition of the same thing has the same key, such as `node/agent1/down`.
    pub key: String,
    /// Such as `node_down`.
    pub kind: String,
    /// Something is broken; else it will be soon.
    pub grave: bool,
    /// What it is about, such as `node agent1`.
    pub about: String,
    /// One sentence, with units.
    pub text: String,
    /// When the condition was first seen.
    pub since: Timestamp,
    /// When it was last seen, to some minutes.
    pub seen: Timestamp,
    /// Who knows of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<Acknowledged>,
    /// When it was first seen to be gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
}

impl Notice {
    /// Whether a person has yet to see to it.
    pub fn is_loud(&self) -> bool {
        self.acknowledged.is_none() && self.ended.is_none()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acknowledged {
    /// The person's name.
    pub by: String,
    pub at: Timestamp,
}

/// How many notices nobody has acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NoticeCount {
    pub open: u32,
    /// Those of `open` that are grave.
    pub grave: u32,
}

/// A notice that has just been told, for those who are on another page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaisedNotice {
    pub grave: bool,
    pub text: String,
}
