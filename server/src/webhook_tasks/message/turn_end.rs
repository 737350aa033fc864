//! The end of a turn in closed words: for an own call, that of the call.

use agent::Sight;
use protocol::{EventBody, ToolOutcome, TurnOutcome, Verdict};
use serde_json::{Value, json};
use store::OwnCallEnd;

use super::verdict_word;
use crate::outcomes::turn_word;

/// The end of a turn as a message has it. Sentences may name things, and are left out.
pub(super) struct TurnEnd {
    pub(super) outcome: &'static str,
    /// The code of an error, or the reason of a refusal.
    pub(super) error: Value,
    /// The id by which the log has it.
    pub(super) request: Option<String>,
}

impl TurnEnd {
    pub(super) fn of(outcome: &TurnOutcome, call: Option<OwnCallEnd>) -> Self {
        match (outcome, call) {
            // Its turn is done however the call ended.
            (TurnOutcome::Done, Some(call)) => Self::of_call(call),
            (TurnOutcome::Limited { error } | TurnOutcome::Failed { error }, _) => Self {
                outcome: turn_word(outcome),
                error: json!(error.code),
                request: error.request_id.clone(),
            },
            _ => Self::of_word(turn_word(outcome)),
        }
    }

    fn of_call(call: OwnCallEnd) -> Self {
        let request = call.request;
        match call.event.by(Sight::Tokens).body {
            EventBody::ToolFinished { outcome, .. } => match outcome {
                ToolOutcome::Succeeded { .. } => Self::of_word("done"),
                ToolOutcome::Failed { error } => Self {
                    outcome: "failed",
                    error: json!(error.code),
                    request: error.request_id.or(request),
                },
                ToolOutcome::Cancelled => Self::of_word("stopped"),
                ToolOutcome::OutcomeUnknown { .. } | ToolOutcome::Unknown => Self {
                    request,
                    ..Self::of_word("unknown")
                },
            },
            EventBody::ToolBlocked { reason, .. } => Self {
                outcome: "blocked",
                error: json!(reason),
                request,
            },
            EventBody::ConfirmationDecided { verdict, .. } if verdict != Verdict::Approved => {
                Self::of_word(verdict_word(&verdict))
            }
            _ => Self::of_word("done"),
        }
    }

    fn of_word(outcome: &'static str) -> Self {
        Self {
            outcome,
            error: Value::Null,
            request: None,
        }
    }
}
