//! What to write when a person asks for something.

use protocol::{ErrorBody, EventBody, MessageId, Timestamp, TurnId, TurnOutcome};

use super::{
    answer::Draft,
    block::{array, text_block},
    next::Next,
    state::{Call, CallState, Conversation},
};
use crate::{error, ports::NewRecord};

/// What stopping a turn brings about.
#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) records: Vec<NewRecord>,
    /// Whether the turn ends only when what acts has ended.
    pub(crate) waits: bool,
}

/// A turn begins with this message.
pub(crate) fn turn_started(turn: TurnId, message: MessageId, text: String) -> NewRecord {
    let block = text_block(&text);
    NewRecord {
        raw: Some(array([&*block])),
        body: EventBody::TurnStarted {
            turn,
            message,
            text,
        },
    }
}

impl Conversation {
    /// A message: the start of `turn`, or one that waits.
    pub(crate) fn send(
        &self,
        turn: TurnId,
        message: MessageId,
        text: String,
        queue_limit: usize,
    ) -> Result<NewRecord, ErrorBody> {
        if self.running().is_none() && self.queue.is_empty() {
            return Ok(turn_started(turn, message, text));
        }
        if self.queue.len() >= queue_limit {
            return Err(error::queue_full(queue_limit));
        }
        Ok(NewRecord::event(EventBody::MessageQueued { message, text }))
    }

    /// Takes a waiting message back.
    pub(crate) fn withdraw(&self, message: MessageId) -> Result<NewRecord, ErrorBody> {
        if self.queue.iter().any(|queued| queued.message == message) {
            Ok(NewRecord::event(EventBody::MessageWithdrawn { message }))
        } else {
            Err(error::message_not_queued())
        }
    }

    /// Goes on with the last turn, if it failed, was stopped or was cut short.
    pub(crate) fn retry(&self, turn: TurnId) -> Result<NewRecord, ErrorBody> {
        match self.turns.back() {
            Some(last)
                if last.id == turn
                    && matches!(
                        last.outcome,
                        Some(
                            TurnOutcome::Failed { .. }
                                | TurnOutcome::Stopped
                                | TurnOutcome::Truncated
                        )
                    ) =>
            {
                Ok(NewRecord::event(EventBody::TurnResumed { turn }))
            }
            _ => Err(error::turn_not_found()),
        }
    }

    /// Stops the running turn. `draft` is what the model has said so far in an open step;
    /// `can_cancel` tells calls that may be ended at any time from those that act.
    pub(crate) fn stop(
        &self,
        turn: TurnId,
        now: Timestamp,
        draft: &Draft,
        can_cancel: impl Fn(&Call) -> bool,
    ) -> Result<Stop, ErrorBody> {
        let running = self
            .running()
            .filter(|running| running.id == turn)
            .ok_or_else(error::turn_not_found)?;
        if let Some(step) = running.steps.last().filter(|step| step.is_open()) {
            return Ok(Stop {
                records: self.stop_answer(turn, step.message, draft),
                waits: false,
            });
        }
        let mut waits = false;
        let mut records = Vec::new();
        for call in running.steps.last().map_or(&[][..], |step| step.calls()) {
            match call.state {
                CallState::Proposed => records.push(call.cancelled(turn, 0)),
                CallState::Running { since } if can_cancel(call) => {
                    records.push(call.cancelled(turn, elapsed(since, now)));
                }
                CallState::Running { .. } => waits = true,
                CallState::Closed { .. } => {}
            }
        }
        if !waits {
            records.push(self.turn_finished(turn, TurnOutcome::Stopped, None));
        }
        Ok(Stop { records, waits })
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_at_rest(&self) -> bool {
        matches!(self.next(u32::MAX), Next::Rest)
    }
}

/// Milliseconds between two times.
pub(crate) fn elapsed(since: Timestamp, now: Timestamp) -> u64 {
    u64::try_from(now.0.saturating_sub(since.0)).unwrap_or_default()
}
