//! Conditions that a person should know of, as a toolset finds them on its board.

use std::collections::BTreeSet;

use protocol::{Notice, Timestamp};

/// Something that is not as it should be, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The same condition of the same thing has the same key, such as `node/agent1/down`.
    pub key: String,
    /// Such as `node_down`.
    pub kind: &'static str,
    /// Something is broken; else it will be soon.
    pub grave: bool,
    /// What it is about, such as `node agent1`.
    pub about: String,
    /// One sentence, with units.
    pub text: String,
    /// Set if it is something that happened, which is told at once; none if it is a state, which has
    /// to last for a while.
    pub happened: Option<Timestamp>,
}

/// What a look at a system says of its conditions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// What holds now.
    pub holds: Vec<Condition>,
    /// Keys of which nobody can say now whether they hold. All others that are not in `holds` are
    /// gone.
    pub unknown: BTreeSet<String>,
}

/// What became of a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeChange {
    /// It is told for the first time.
    Raised(Notice),
    /// It says something else, or was seen again after a while.
    Changed(Notice),
    Ended(Notice),
}

impl NoticeChange {
    /// The notice as it is now.
    pub fn notice(&self) -> &Notice {
        match self {
            Self::Raised(notice) | Self::Changed(notice) | Self::Ended(notice) => notice,
        }
    }
}
