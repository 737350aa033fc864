//! Decisions on calls and cards: pure functions over a conversation, the facts of the moment and
//! the time. The driver reads the facts, asks here, writes the records and starts the work.
//!
//! Nothing here waits or does I/O. Code of a toolset is only asked for its opinion of an input, and
//! a panic in it is a refusal.

mod answer;
mod card;
mod judgement;
mod preview;
mod queue;
mod shown;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use protocol::{BlockedReason, Role, Timestamp, UserId};
use serde_json::Value;

pub(crate) use self::{preview::Edited, shown::checked};
use crate::{
    Policy,
    digest::call_key,
    live::LiveTurn,
    machine::{Call, Conversation},
    output::clean_line,
    taint::denied_key,
    texts,
    tools::ToolsSnapshot,
};

/// The facts that every decision depends on, as they are now; none for a fact that cannot be read.
#[derive(Clone)]
pub(crate) struct DecisionFacts {
    /// The configuration with its policy.
    pub(crate) live: Arc<LiveTurn>,
    /// The tools that are judged; those that start after the decision.
    pub(crate) tools: ToolsSnapshot,
    /// True while the kill switch is on.
    pub(crate) kill_switch: Option<bool>,
    /// The role of the conversation's user.
    pub(crate) role: Option<Role>,
}

/// A conversation at one moment, with all facts that a decision may use.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) conversation: &'a Conversation,
    pub(crate) facts: &'a DecisionFacts,
    /// The conversation's user.
    pub(crate) owner: UserId,
    /// Their name, if it is known.
    pub(crate) owner_name: Option<&'a str>,
    pub(crate) now: Timestamp,
}

impl<'a> Moment<'a> {
    fn policy(&self) -> &'a Policy {
        self.facts.live.policy()
    }

    /// The name of the conversation's user, or their id if the name is unknown.
    fn asker(&self) -> String {
        let name = self.owner_name.map(clean_line);
        name.unwrap_or_else(|| self.owner.to_string())
    }

    /// True if a person has denied this very call since they spoke last. They are asked again then,
    /// whatever its values are, and no grant covers it.
    fn is_denied(&self, call: &Call, input: &Value) -> bool {
        self.conversation.is_denied(&denied_key(&call.name, input))
    }

    /// True if a standing grant covers a call now.
    fn is_granted(&self, call: &Call) -> bool {
        let key = call_key(&call.name, call.effective_input());
        let grants = self.conversation.grants();
        grants
            .covering(&key, self.now, &self.policy().grants)
            .is_some()
    }
}

/// The refusal of a call whose decision failed.
fn undecided() -> (BlockedReason, String) {
    let message = texts::gate::COULD_NOT_DECIDE;
    (BlockedReason::NotAllowed, message.to_owned())
}
