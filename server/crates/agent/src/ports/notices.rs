//! Conditions that a person should know of, as a toolset finds them on its board.

use std::collections::BTreeSet;

use async_trait::async_trait;
use protocol::{CommandId, Notice, NoticeId, Timestamp};

use super::{JournalError, Person};

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
    /// Keys of conditions that were settled for good, such as by a person: their notices are resolved
    /// at once, while a condition that is gone otherwise has to stay gone for a while.
    pub settled: BTreeSet<String>,
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

/// The notices that were raised, and the people who acknowledged them.
#[async_trait]
pub trait NoticeRecords: Send + Sync {
    /// The open notices of a system, and those that were resolved at `since` or later.
    async fn notices(&self, system: &str, since: Timestamp) -> Result<Vec<Notice>, JournalError>;

    /// Writes changes of notices, all of them or none. Notices that are raised or resolved go to
    /// the system journal too.
    async fn change_notices(
        &self,
        changes: &[NoticeChange],
        at: Timestamp,
    ) -> Result<(), JournalError>;

    /// Records that a person has acknowledged a notice, with an audit record. `NotFound` if there
    /// is no such open notice, `Duplicate` if the command was carried out before.
    async fn acknowledge_notice(
        &self,
        notice: NoticeId,
        by: &Person,
        at: Timestamp,
        command: CommandId,
    ) -> Result<(), JournalError>;
}
