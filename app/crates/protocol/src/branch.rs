//! Branches: the same conversation, told on from one of its messages in several ways.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallId, ConversationId, MessageId, Tier};

/// A call that acted in another branch. Branching does not undo it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    pub call: CallId,
    pub tool: String,
    /// The input with which it ran; null if it is too large to be told.
    pub input: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    pub tier: Tier,
    pub outcome: EffectOutcome,
}

/// What is known of a call that acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectOutcome {
    /// It took effect.
    Done,
    /// It ran and failed; parts of it may have taken effect.
    Failed,
    /// It was found out, or a person said, that it did not take effect.
    NotDone,
    /// Whether it took effect is unknown.
    #[serde(other)]
    Unknown,
}

/// A message with siblings: other messages that stand in its place in other branches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The message in the conversation that was asked for.
    pub message: MessageId,
    /// Its place among the ways, from zero.
    pub at: u32,
    /// All ways, oldest first.
    pub ways: Vec<ForkWay>,
}

/// One way to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkWay {
    /// The branch that shows it.
    pub conversation: ConversationId,
    /// The message in the same place there.
    pub message: MessageId,
}
