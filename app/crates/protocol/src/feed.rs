//! The feed: one activity log of all sources.

mod filter;
mod id;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallId, ConversationId, FromJson, Tier, Timestamp};

pub use filter::FeedFilter;
pub use id::FeedId;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum FeedKind {
    /// A task of a system.
    Task,
    /// A line of a system's own log.
    Log,
    /// A condition that a person should know of.
    Notice,
    /// A tool call, by a model or by a person.
    Call,
    /// A request for a decision, and the decision.
    Confirmation,
    Grant,
    KillSwitch,
    SignIn,
    /// Users, roles, tokens, policy, settings.
    Configuration,
    /// The server itself: it started, or data was deleted.
    Server,
    /// A kind that this build does not know.
    #[serde(other)]
    Unknown,
}

impl FeedKind {
    /// All kinds, as filters show them.
    pub const ALL: [Self; 10] = [
        Self::Task,
        Self::Log,
        Self::Notice,
        Self::Call,
        Self::Confirmation,
        Self::Grant,
        Self::KillSwitch,
        Self::SignIn,
        Self::Configuration,
        Self::Server,
    ];

    /// Returns the word on the wire, in addresses and in the database.
    pub fn word(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Log => "log",
            Self::Notice => "notice",
            Self::Call => "call",
            Self::Confirmation => "confirmation",
            Self::Grant => "grant",
            Self::KillSwitch => "kill_switch",
            Self::SignIn => "sign_in",
            Self::Configuration => "configuration",
            Self::Server => "server",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the kind of a word; `Unknown` for any other word.
    pub fn from_word(word: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.word() == word)
            .unwrap_or(Self::Unknown)
    }
}

/// The status of an entry, for its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum FeedTone {
    /// Neutral.
    #[default]
    Plain,
    /// In progress.
    Running,
    /// It waits for a person.
    Waiting,
    Good,
    /// It should be looked at.
    Warning,
    Bad,
    /// The outcome is unknown, or this build does not know the word.
    #[serde(other)]
    Unknown,
}

impl FeedTone {
    const ALL: [Self; 6] = [
        Self::Plain,
        Self::Running,
        Self::Waiting,
        Self::Good,
        Self::Warning,
        Self::Bad,
    ];

    /// Returns the word on the wire and in the database.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Good => "good",
            Self::Warning => "warning",
            Self::Bad => "bad",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the tone of a word; `Unknown` for any other word.
    pub fn from_word(word: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|tone| tone.word() == word)
            .unwrap_or(Self::Unknown)
    }
}

/// One entry. Something in progress is a single entry, which changes until it has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FeedEntry {
    /// Sorts by time.
    pub id: FeedId,
    /// Increases with every new or changed entry: a reader asks for everything after its own.
    pub rev: u64,
    /// Time at which it happened or began.
    pub at: Timestamp,
    pub kind: FeedKind,
    #[serde(default)]
    pub tone: FeedTone,
    /// One line that says what happened.
    pub line: String,
    /// Status or outcome, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// Its target, such as `VM 101 (nextcloud) on node pve`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The person who did it, or in whose name it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The toolset whose system reported it; none for Jarvis itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its conversation, if that is one of the reader's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    /// The object concerned, as boards name it: `node/pve`, `guest/101`, `task/UPID:…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Time at which it ended, if it is something that lasts a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// Further fields, by name; null if there are none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

/// A page of the feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FeedPage {
    /// Newest first.
    pub entries: Vec<FeedEntry>,
    /// True if older entries match the filter.
    pub older: bool,
    /// True if newer entries match the filter.
    pub newer: bool,
    /// Revision up to which the feed is known: a subscription continues from here.
    pub rev: u64,
    /// Retention period of the feed, in days.
    pub days: u32,
    /// Time of the answer.
    pub now: Timestamp,
}

/// The part of the feed to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FeedPlace {
    Newest,
    /// Older than an entry.
    Before {
        id: FeedId,
    },
    /// Newer than an entry: the ones next to it.
    After {
        id: FeedId,
    },
    /// An entry with its neighbours on both sides; the newest entries if it is gone.
    Around {
        id: FeedId,
    },
}
