//! Conditions that a person should know of, as a toolset finds them on its board.

use std::collections::BTreeSet;

use protocol::{Notice, Timestamp};

/// A condition that is not as it should be, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The same condition of the same thing has the same key, such as `node/agent1/down`.
    pub key: String,
    /// Such as `node_down`.
    pub kind: &'static str,
    /// True if something is broken, false if it will be soon.
    pub grave: bool,
    /// The thing concerned, such as `node agent1`.
    pub about: String,
    /// One sentence, with units.
    pub text: String,
    /// Set for something that happened, which is raised at once; none for a state, which has to
    /// persist for a while.
    pub happened: Option<Timestamp>,
}

/// The conditions of a system at one look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// The conditions that exist now.
    pub holds: Vec<Condition>,
    /// Keys of conditions that cannot be checked now. All others that are not in `holds` are gone.
    pub unknown: BTreeSet<String>,
}

/// A change of a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeChange {
    /// It is raised.
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
