//! The words for outcomes that programs read, in messages and in labels.

use std::borrow::Cow;

use protocol::TurnOutcome;
use serde::Serialize;
use serde_json::Value;

/// The word for how a turn ended: one of a closed set.
pub(crate) fn turn_word(outcome: &TurnOutcome) -> &'static str {
    match outcome {
        TurnOutcome::Answered => "answered",
        TurnOutcome::Done => "done",
        TurnOutcome::Truncated => "truncated",
        TurnOutcome::Refused => "refused",
        TurnOutcome::Stopped => "stopped",
        TurnOutcome::Limited { .. } => "limited",
        TurnOutcome::Failed { .. } => "failed",
        TurnOutcome::Unknown => "unknown",
    }
}

/// The word for a code, such as that of an error, as it is on the wire: one of a closed set.
pub(crate) fn code_word(code: &impl Serialize) -> Cow<'static, str> {
    match serde_json::to_value(code) {
        Ok(Value::String(word)) => Cow::Owned(word),
        _ => Cow::Borrowed("unknown"),
    }
}
