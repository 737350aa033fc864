//! Conversations as lists and pages show them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ConversationId, Cost, Event, Fork, MessageId, Seq, SharedBy, Timestamp, Usage, WaitingCall,
};

/// What a conversation may do. Fixed when it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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

/// Where a conversation stands in its person's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// By its date.
    #[default]
    Listed,
    /// Above the others, whatever its date.
    Pinned,
    /// Out of the list, until it is brought back or gets another message.
    Archived,
    /// A place that this build does not know: shown by its date.
    #[serde(other)]
    Unknown,
}

impl Shelf {
    /// The place of a word on the wire.
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

/// One line in the list of conversations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConversationSummary {
    pub id: ConversationId,
    pub title: String,
    pub model: String,
    pub mode: Mode,
    pub created: Timestamp,
    /// The newest event.
    pub updated: Timestamp,
    /// Messages of the user and final answers; of a branch, its own.
    pub messages: u64,
    pub usage: Usage,
    /// Unknown if the price of a model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Whether a turn is running.
    pub running: bool,
    /// Calls that wait for a person, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<WaitingCall>,
    /// The conversation that it goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<ConversationId>,
    /// It is no conversation but a person's own call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Box<OwnCall>>,
    #[serde(default, skip_serializing_if = "Shelf::is_listed")]
    pub shelf: Shelf,
    /// When it came out of a file: closed history, which nobody goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Timestamp>,
    /// What it shares with its branches; none if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// The newest end of a turn, or question to decide, that its person has not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<Seq>,
}

/// All branches of one conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    /// The conversation that all of them come from.
    pub root: ConversationId,
    /// This one stands for all of them in the list: it was shown or changed last.
    pub front: bool,
}

/// A call that a person made, not a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnCall {
    pub tool: String,
    /// As the person sent it.
    pub input: Value,
}

/// A conversation from its end, as a page is rendered from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConversationPage {
    pub summary: ConversationSummary,
    /// The newest turns, each of them whole, up to `head`.
    pub events: Vec<Event>,
    /// The newest event; a subscription goes on from here.
    pub head: Seq,
    /// The newest conversation that goes on from this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<ConversationId>,
    /// Its messages that have siblings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forks: Vec<Fork>,
    /// What lies before `events`; none if they begin with the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<Before>>,
    /// What its model can read and write in one call, in tokens, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Set if it was read under a link: it is another's, and nothing goes on in it here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedBy>,
}

/// What the events before a page left behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// The newest of them.
    pub seq: Seq,
    /// Those that mean something beyond their turn ([`crate::EventBody::outlives_turn`]), in order.
    pub events: Vec<Event>,
    /// Tokens of all answers among them.
    pub usage: Usage,
    /// Cost of all answers among them; unknown if that of one answer of the conversation is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// Older turns of a conversation, each of them whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryPage {
    /// The event before the first one here; zero at the beginning of the conversation.
    pub after: Seq,
    /// In order and without a gap. None if there are none, or no such message.
    pub events: Vec<Event>,
    /// Later ones that say what became of calls among them, and where a branch left after them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<Event>,
}

/// Which part of a conversation's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HistoryPlace {
    /// The turns that end with an event.
    Until { seq: Seq },
    /// The turns that begin after an event.
    After { seq: Seq },
    /// The turn of a message, with some around it.
    Around { message: MessageId },
}
