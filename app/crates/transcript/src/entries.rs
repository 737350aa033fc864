//! Entries of a transcript beside its rows: branches, standing grants, queued messages.

use protocol::{ConversationId, Effect, Grant, MessageId, Reference, Seq, Timestamp};

/// The point at which a conversation left another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    pub parent: ConversationId,
    /// The message after the copy: the branch's first own message.
    pub first: Option<MessageId>,
    /// Calls of other branches that acted; their effects remain.
    pub effects: Vec<Effect>,
    /// Number of older ones that are left out.
    pub more: u32,
    /// The newest event at the end of the copy: no turn lies between.
    pub(crate) end: Seq,
}

impl Branch {
    pub(crate) fn new(
        parent: ConversationId,
        end: Seq,
        effects: &[Effect],
        more: Option<u32>,
    ) -> Self {
        Self {
            parent,
            first: None,
            effects: effects.to_vec(),
            more: more.unwrap_or_default(),
            end,
        }
    }
}

/// A standing grant and its use so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingGrant {
    pub grant: Grant,
    /// The name of the person who granted it.
    pub by: String,
    pub at: Timestamp,
    /// Calls that ran under it.
    pub used: u32,
    /// The name of the person who revoked it.
    pub revoked: Option<String>,
}

impl StandingGrant {
    /// Returns whether another call may run under it.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.revoked.is_none() && self.used < self.grant.terms.uses && now < self.grant.terms.until
    }
}

/// A queued message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedMessage {
    pub message: MessageId,
    pub text: String,
    /// Things that the message refers to, apart from its text.
    pub references: Vec<Reference>,
    /// True if the running turn reads it at its next step.
    pub steers: bool,
}
