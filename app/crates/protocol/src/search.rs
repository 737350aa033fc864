//! Results of a search in a person's conversations.

use serde::{Deserialize, Serialize};

use crate::{ConversationId, FromJson, MessageId, Seq, Shelf, Timestamp};

/// A page of results, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SearchPage {
    pub hits: Vec<SearchHit>,
    /// True if there are more after these.
    pub more: bool,
}

/// A title or a message that contains all words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SearchHit {
    pub conversation: ConversationId,
    pub title: String,
    /// Time of the message; for a title, of the conversation's last change.
    pub at: Timestamp,
    /// The event of the message; 0 for a title.
    pub seq: Seq,
    /// None for a title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// The block of an answer; none for a message of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
    #[serde(default)]
    pub shelf: Shelf,
    /// The words in their place, with some text around them. Plain text, never markup.
    #[serde(default)]
    pub spans: Vec<SearchSpan>,
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SearchSpan {
    pub text: String,
    /// True for a word that was searched for.
    pub marked: bool,
}
