//! The facts of an audit row, for its line in the feed: never the text of messages, inputs or results.
//! Those belong to their conversation.

use std::collections::HashMap;

use protocol::{ConversationId, EventBody, Timestamp, UserId};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::SystemEvent;

/// A row of the audit chain.
pub struct AuditFact<'a> {
    pub seq: i64,
    pub at: Timestamp,
    /// The type of the event.
    pub kind: &'a str,
    pub conversation: Option<ConversationId>,
    /// The user whose conversation it is.
    pub owner: Option<UserId>,
    /// The name of the person who did it.
    pub person: Option<&'a str>,
    pub event: AuditedEvent,
    /// The tool of the call, if it is about one.
    pub tool: Option<String>,
    /// The id of the request or command that brought it about.
    pub correlation: Option<String>,
    /// The names of all users.
    pub users: &'a HashMap<UserId, String>,
}

/// The event of an audit row.
pub enum AuditedEvent {
    Conversation(Box<EventBody>),
    System(Box<SystemEvent>),
    /// Of a newer version.
    Unknown,
}

#[derive(Deserialize)]
pub(super) struct FeedBody<'a> {
    #[serde(borrow)]
    event: &'a RawValue,
    detail: Option<FeedDetail>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct FeedDetail {
    pub(super) tool: Option<String>,
    pub(super) correlation: Option<String>,
}

impl FeedBody<'_> {
    /// Returns the event, and what is noted beside it; `in_conversation` says where the row belongs.
    pub(super) fn event(self, in_conversation: bool) -> (AuditedEvent, FeedDetail) {
        let text = self.event.get();
        let detail = self.detail.unwrap_or_default();
        if in_conversation
            && let Ok(event) = serde_json::from_str::<EventBody>(text)
            && !matches!(event, EventBody::Unknown)
        {
            return (AuditedEvent::Conversation(Box::new(event)), detail);
        }
        let event = match serde_json::from_str(text) {
            Ok(SystemEvent::Unknown) | Err(_) => AuditedEvent::Unknown,
            Ok(event) => AuditedEvent::System(Box::new(event)),
        };
        (event, detail)
    }
}
