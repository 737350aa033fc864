//! Branches: one conversation that continues in several ways from one of its messages.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallId, ConversationId, FromJson, MessageId, Tier};

/// A call that acted in another branch. Branching does not undo it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct Effect {
    pub call: CallId,
    pub tool: String,
    /// The input with which it ran; null if it is too large to send.
    pub input: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    pub tier: Tier,
    pub outcome: EffectOutcome,
}

/// The known outcome of a call that acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum EffectOutcome {
    /// It took effect.
    Done,
    /// It ran and failed; parts of it may have taken effect.
    Failed,
    /// It did not take effect, as was found out or a person said.
    NotDone,
    /// It may or may not have taken effect.
    #[serde(other)]
    Unknown,
}

/// A message with siblings: other messages in the same position in other branches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Fork {
    /// The message in the conversation that was asked for.
    pub message: MessageId,
    /// Index of this message among the ways, from zero.
    pub at: u32,
    /// All ways, oldest first.
    pub ways: Vec<ForkWay>,
}

/// One of the ways in which the conversation continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ForkWay {
    /// The branch that shows it.
    pub conversation: ConversationId,
    /// The message in the same position there.
    pub message: MessageId,
}
