//! A listener that measures the engine at work.

use std::time::Duration;

use protocol::{EventBody, Tier, Timestamp};

use super::Durability;

/// The call that an event is about, as the journal knows it, also after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedCall<'a> {
    /// As the model wrote it, so it may be the name of no tool.
    pub tool: &'a str,
    /// None until the gate has decided, and for a call that never had one.
    pub tier: Option<Tier>,
}

/// Hears of every write of a conversation's actor, after it was committed. It decides nothing, and it
/// must return at once: the actor waits for it.
pub trait Observer: Send + Sync + 'static {
    /// A write took this long.
    fn wrote(&self, durability: Durability, took: Duration);

    /// An event is in the journal since `at`.
    fn recorded(&self, body: &EventBody, at: Timestamp, call: Option<ObservedCall<'_>>);
}
