//! The words for outcomes that programs read, in messages and in labels.

use protocol::TurnOutcome;

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
