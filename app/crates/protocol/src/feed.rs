//! The feed: one stream of what happened, from all sources.

mod filter;
mod id;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallId, ConversationId, Tier, Timestamp};

pub use filter::FeedFilter;
pub use id::FeedId;

/// What sort of thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedKind {
    /// A task of a system.
    Task,
    /// A line of a system's own log.
    Log,
    /// Something worth telling a person.
    Notice,
    /// A tool call, by a model or by a person.
    Call,
    /// A person was asked, and what was decided.
    Confirmation,
    Grant,
    KillSwitch,
    SignIn,
    /// Users, roles, tokens, policy, settings.
    Configuration,
    /// The server itself: it started, something of it was deleted.
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

    /// The word on the wire, in addresses and in the database.
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

    /// The kind of a word; `Unknown` for every other word.
    pub fn from_word(word: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.word() == word)
            .unwrap_or(Self::Unknown)
    }
}

/// How an entry stands, for its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedTone {
    /// Nothing to judge.
    #[default]
    Plain,
    /// It goes on.
    Running,
    /// It waits for a person.
    Waiting,
    Good,
    /// It should be looked at.
    Warning,
    Bad,
    /// Nobody knows how it ended, or this build does not know the word.
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

    /// The word on the wire and in the database.
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

    /// The tone of a word; `Unknown` for every other word.
    pub fn from_word(word: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|tone| tone.word() == word)
            .unwrap_or(Self::Unknown)
    }
}

/// Something that happened. What goes on is one entry, which changes until it has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedEntry {
    /// Sorts as the time does.
    pub id: FeedId,
    /// Rises with every new entry and every change of one: a reader asks for what came after.
    pub rev: u64,
    /// When it happened or began.
    pub at: Timestamp,
    pub kind: FeedKind,
    #[serde(default)]
    pub tone: FeedTone,
    /// What happened, in one line.
    pub line: String,
    /// How it stands or ended, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// What it is about, such as `VM 101 (nextcloud) on node pve`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Who did it, or in whose name it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The toolset whose system told it; none if it is Jarvis's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Where it happened, if that is a conversation of the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    /// The object that it is about, as boards name it: `node/pve`, `guest/101`, `task/UPID:…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// When it ended, if it is something that goes on for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Timestamp>,
    /// More, by name; null if there is none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

/// Some of the feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedPage {
    /// Newest first.
    pub entries: Vec<FeedEntry>,
    /// Whether there are older ones that fit the filter.
    pub older: bool,
    /// Whether there are newer ones that fit the filter.
    pub newer: bool,
    /// Up to where the feed is known: a subscription goes on from here.
    pub rev: u64,
    /// For how many days the feed is kept.
    pub days: u32,
    /// When this was so.
    pub now: Timestamp,
}

/// Which part of the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FeedPlace {
    Newest,
    /// Older than an entry.
    Before {
        id: FeedId,
    },
    /// Newer than an entry: those next to it.
    After {
        id: FeedId,
    },
    /// An entry with those on both sides of it; the newest, if it is not there.
    Around {
        id: FeedId,
    },
}
