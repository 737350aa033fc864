//! Notices: conditions of a system that a person should know of, each raised once.

use serde::{Deserialize, Serialize};

use crate::{FromJson, NoticeId, Timestamp};

/// A condition from when it was raised until it is resolved. If it comes back, it is another
/// notice.
///
/// On a board it is the part `notice/ID`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Notice {
    pub id: NoticeId,
    /// The toolset whose system it concerns, such as `homelab`.
    pub system: String,
    /// Key of the condition, the same whenever the same thing has it, such as `node/agent1/down`.
    pub key: String,
    /// Kind of condition, such as `node_down`.
    pub kind: String,
    /// True if something is broken; false if it soon will be.
    pub grave: bool,
    /// The thing concerned, such as `node agent1`.
    pub about: String,
    /// One sentence, with units.
    pub text: String,
    /// Time at which the condition was first seen.
    pub since: Timestamp,
    /// Time at which it was last seen, to within some minutes.
    pub seen: Timestamp,
    /// The person who acknowledged it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<Acknowledged>,
    /// Time at which the condition was first seen to be gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
}

impl Notice {
    /// Returns whether it still needs a person's attention.
    pub fn is_loud(&self) -> bool {
        self.acknowledged.is_none() && self.ended.is_none()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Acknowledged {
    /// The person's name.
    pub by: String,
    pub at: Timestamp,
}

/// The number of unacknowledged notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, FromJson)]
pub struct NoticeCount {
    pub open: u32,
    /// The number of grave ones in `open`.
    pub grave: u32,
}

/// A notice that was just raised, for people who are on another page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct RaisedNotice {
    pub grave: bool,
    pub text: String,
}
