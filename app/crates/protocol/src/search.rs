//! What a search in a person's conversations finds.

use serde::{Deserialize, Serialize};

use crate::{ConversationId, MessageId, Seq, Shelf, Timestamp};

/// Some of what was found, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPage {
    pub hits: Vec<SearchHit>,
    /// There are more behind these.
    pub more: bool,
}

/// A title or a message in which all words were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    pub conversation: ConversationId,
    pub title: String,
    /// When it was said; for a title, when the conversation changed last.
    pub at: Timestamp,
    /// The event of the message; 0 for a title.
    pub seq: Seq,
    /// None for a title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// Which block of an answer; none for a message of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
    #[serde(default)]
    pub shelf: Shelf,
    /// The words where they stand, with some text around them. Plain text, never markup.
    #[serde(default)]
    pub spans: Vec<SearchSpan>,
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSpan {
    pub text: String,
    /// It is what was looked for.
    pub marked: bool,
}
