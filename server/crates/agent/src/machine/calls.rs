//! The records of the gate's decisions on calls, and of the ends of calls.

use std::sync::Arc;

use protocol::{BlockedReason, EventBody, GrantId, Tier, ToolOutcome, TurnId};
use serde_json::{Value, json, value::RawValue};

use super::{block::result_block, next::CallRefusal, state::Call};
use crate::{ports::NewRecord, raw_json::json as raw, texts};

/// The gate's decision on a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallDecision {
    /// It begins.
    Run {
        tier: Tier,
        target: Option<String>,
        /// The standing grant that takes the place of a decision.
        grant: Option<GrantId>,
    },
    /// It runs when the actions before it have ended.
    Queue { tier: Tier, target: Option<String> },
    Block {
        tier: Option<Tier>,
        reason: BlockedReason,
        message: String,
    },
}

impl CallDecision {
    /// Blocks a call beyond the most that one answer may ask for.
    pub(crate) fn too_many_calls(most: u32) -> Self {
        Self::Block {
            tier: None,
            reason: BlockedReason::CallLimit,
            message: texts::calls::too_many_in_one_answer(most),
        }
    }

    /// Blocks a call that would open one card too many.
    pub(crate) fn too_many_cards(tier: Option<Tier>, most: u32) -> Self {
        Self::Block {
            tier,
            reason: BlockedReason::CallLimit,
            message: texts::calls::too_many_waiting(most),
        }
    }
}

/// The end of a call that was started.
#[derive(Debug, Clone)]
pub(crate) struct FinishedCalls {
    pub(crate) outcome: ToolOutcome,
    /// The data as the model reads it, with its source; see [`crate::output`].
    pub(crate) content: Arc<RawValue>,
    pub(crate) elapsed_ms: u64,
}

impl Call {
    /// The record of the gate's decision.
    pub(crate) fn decision_record(&self, turn: TurnId, decision: CallDecision) -> NewRecord {
        let record = match decision {
            CallDecision::Queue { tier, target } => NewRecord::event(EventBody::ToolQueued {
                turn,
                call: self.id,
                tier,
                target,
            }),
            CallDecision::Run {
                tier,
                target,
                grant,
            } => NewRecord::event(EventBody::ToolStarted {
                turn,
                call: self.id,
                tier,
                target,
                grant,
                // Only a person's input: the model's own is in its answer.
                input: self.is_edited().then(|| self.effective_input().clone()),
            }),
            CallDecision::Block {
                tier,
                reason,
                message,
            } => {
                let content = raw(&json!({ "blocked": message }));
                NewRecord {
                    body: EventBody::ToolBlocked {
                        turn,
                        call: self.id,
                        tier,
                        reason,
                        message,
                    },
                    raw: Some(result_block(&self.use_id, &content, &[], true)),
                    audit: None,
                    trace: Default::default(),
                }
            }
        };
        record.audited(self.audit())
    }

    /// The fields that the audit chain keeps of a call beside the event.
    pub(super) fn audit(&self) -> Value {
        json!({ "tool": self.name, "input": self.effective_input() })
    }

    /// The record of a call that is not executed, since one before it failed or has an unknown
    /// outcome.
    pub(crate) fn not_executed(&self, turn: TurnId, tier: Option<Tier>) -> NewRecord {
        self.decision_record(
            turn,
            CallDecision::Block {
                tier,
                reason: BlockedReason::NotExecuted,
                message: texts::calls::CALL_BEFORE_FAILED.to_owned(),
            },
        )
    }

    /// The record of a call that was refused unseen.
    pub(crate) fn refused(&self, turn: TurnId, why: CallRefusal) -> NewRecord {
        let (reason, message) = match why {
            CallRefusal::Truncated => (BlockedReason::Truncated, texts::calls::ANSWER_WAS_CUT),
            CallRefusal::StepLimit => (BlockedReason::StepLimit, texts::calls::NO_CALLS_LEFT),
        };
        self.decision_record(
            turn,
            CallDecision::Block {
                tier: None,
                reason,
                message: message.to_owned(),
            },
        )
    }

    /// The end of a call that ran.
    pub(crate) fn finished(&self, turn: TurnId, finished: FinishedCalls) -> NewRecord {
        let is_error = !matches!(finished.outcome, ToolOutcome::Succeeded { .. });
        let images = match &finished.outcome {
            ToolOutcome::Succeeded { output } => &output.images[..],
            _ => &[],
        };
        let result = result_block(&self.use_id, &finished.content, images, is_error);
        let record = NewRecord {
            raw: Some(result),
            body: EventBody::ToolFinished {
                turn,
                call: self.id,
                outcome: finished.outcome,
                elapsed_ms: finished.elapsed_ms,
            },
            audit: None,
            trace: Default::default(),
        };
        record.audited(self.audit())
    }

    /// The end of a call that a person cancelled before it did anything.
    pub(crate) fn cancelled(&self, turn: TurnId, elapsed_ms: u64) -> NewRecord {
        self.finished(
            turn,
            FinishedCalls {
                outcome: ToolOutcome::Cancelled,
                content: raw(&json!({ "error": texts::calls::CANCELLED_BY_USER })).into(),
                elapsed_ms,
            },
        )
    }

    /// The end of a call that may have taken effect. `known` says what is known, in one sentence.
    pub(crate) fn unknown(
        &self,
        turn: TurnId,
        elapsed_ms: u64,
        known: Option<String>,
    ) -> NewRecord {
        self.finished(
            turn,
            FinishedCalls {
                content: unknown_content(known.as_deref()).into(),
                outcome: ToolOutcome::OutcomeUnknown { known },
                elapsed_ms,
            },
        )
    }

    /// The `tool_result` of a call that has none.
    pub(super) fn interrupted(&self) -> Box<RawValue> {
        result_block(&self.use_id, &unknown_content(None), &[], true)
    }
}

fn unknown_content(known: Option<&str>) -> Box<RawValue> {
    raw(&json!({
        "outcome": "unknown",
        "known": known.unwrap_or(texts::calls::SERVER_STOPPED),
        "error": texts::calls::EFFECT_IS_UNKNOWN
    }))
}
