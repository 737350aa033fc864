//! Conversations as lists and pages show them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ConversationId, Cost, Event, Fork, FromJson, MessageId, Seq, SharedBy, Timestamp, Usage,
    WaitingCall,
};

/// The mode of a conversation, fixed when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Tools, under the gate.
    #[default]
    Default,
    /// No tools at all.
    Plan,
    /// A mode that this build does not know. Never falls back to another.
    #[serde(other)]
    Unknown,
}

/// The place of a conversation in its person's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// Sorted by its date.
    #[default]
    Listed,
    /// Above the others, whatever its date.
    Pinned,
    /// Out of the list until it is restored or gets another message.
    Archived,
    /// A place that this build does not know: sorted by its date.
    #[serde(other)]
    Unknown,
}

impl Shelf {
    /// Returns the place that a word on the wire names.
    pub fn from_word(word: &str) -> Self {
        match word {
            "listed" => Self::Listed,
            "pinned" => Self::Pinned,
            "archived" => Self::Archived,
            _ => Self::Unknown,
        }
    }

    fn is_listed(&self) -> bool {
        *self == Self::Listed
    }
}

/// The longest name of a folder, in characters.
pub const MAX_FOLDER_CHARS: usize = 40;

/// A folder of a person's list, which exists as long as a conversation is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Folder {
    /// One line of at most [`MAX_FOLDER_CHARS`] characters.
    pub name: String,
    /// Conversations in it that are not archived; a conversation with branches counts once.
    pub conversations: u64,
}

/// One line in the list of conversations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ConversationSummary {
    pub id: ConversationId,
    pub title: String,
    pub model: String,
    pub mode: Mode,
    pub created: Timestamp,
    /// Time of the newest event.
    pub updated: Timestamp,
    /// Messages of the user and final answers; for a branch, only its own.
    pub messages: u64,
    pub usage: Usage,
    /// Unknown if the price of any model is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// True while a turn is running.
    pub running: bool,
    /// Calls that wait for a person, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<WaitingCall>,
    /// The conversation that this one continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<ConversationId>,
    /// Set if it is no conversation but a person's own call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Box<OwnCall>>,
    #[serde(default, skip_serializing_if = "Shelf::is_listed")]
    pub shelf: Shelf,
    /// The name of the folder that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Time of the import from a file: closed history, which nobody can continue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Timestamp>,
    /// Relation to its branches; none if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// The newest end of a turn, or request for a decision, that its person has not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<Seq>,
}

/// The branches of one conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Family {
    /// The conversation that they all come from.
    pub root: ConversationId,
    /// True for the one that represents them all in the list: it was shown or changed last.
    pub front: bool,
}

/// A call made by a person, not by a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct OwnCall {
    pub tool: String,
    /// As the person sent it.
    pub input: Value,
}

/// The end of a conversation, from which a page is rendered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ConversationPage {
    pub summary: ConversationSummary,
    /// The newest turns, each of them whole, up to `head`.
    pub events: Vec<Event>,
    /// The newest event; a subscription continues from here.
    pub head: Seq,
    /// The newest conversation that continues this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<ConversationId>,
    /// Its messages that have siblings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forks: Vec<Fork>,
    /// Summary of everything before `events`; none if they begin with the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<Before>>,
    /// Tokens that its model can read and write in one call, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Set if it was read through a share link: it belongs to another person and is read-only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedBy>,
}

/// Everything that the events before a page leave behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Before {
    /// The newest of them.
    pub seq: Seq,
    /// The ones that matter beyond their own turn ([`crate::EventBody::outlives_turn`]), in order.
    pub events: Vec<Event>,
    /// Tokens of all answers among them.
    pub usage: Usage,
    /// Cost of all answers among them; unknown if that of any answer in the conversation is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// Older turns of a conversation, each of them whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct HistoryPage {
    /// The event before the first one here; zero at the beginning of the conversation.
    pub after: Seq,
    /// In order and without gaps. Empty if there are none, or no such message.
    pub events: Vec<Event>,
    /// Later events that settle the outcome of calls among them, or mark where a branch began after
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<Event>,
}

/// The part of a conversation's history to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HistoryPlace {
    /// The turns that end with an event.
    Until { seq: Seq },
    /// The turns that begin after an event.
    After { seq: Seq },
    /// The turn of a message, with some turns around it.
    Around { message: MessageId },
}
