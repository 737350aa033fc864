//! A listener that measures the engine at work.

use std::time::Duration;

use protocol::{ConversationId, EventBody, Tier, Timestamp};

use super::{Correlation, Durability};

/// The call that an event is about, as the journal knows it, also after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedCall<'a> {
    /// As the model wrote it, so it may be the name of no tool.
    pub tool: &'a str,
    /// None until the gate has decided, and for a call that never had one.
    pub tier: Option<Tier>,
}

/// An event in the journal, with its place.
#[derive(Debug, Clone, Copy)]
pub struct ObservedEvent<'a> {
    pub conversation: ConversationId,
    pub body: &'a EventBody,
    /// Time at which it was written.
    pub at: Timestamp,
    /// The call that it is about, if it is about one.
    pub call: Option<ObservedCall<'a>>,
    /// The request that it comes of.
    pub correlation: Option<&'a Correlation>,
}

/// Hears of every write of a conversation's actor, after it was committed. It decides nothing, and it
/// must return at once: the actor waits for it.
pub trait Observer: Send + Sync + 'static {
    /// A write took this long.
    fn wrote(&self, durability: Durability, took: Duration);

    /// An event is in the journal. Those that begin a conversation or a branch are not among them.
    fn recorded(&self, event: ObservedEvent<'_>);
}
