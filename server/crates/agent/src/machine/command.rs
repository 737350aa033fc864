//! The records for what a person asks for: send, withdraw, retry, stop.

use protocol::{CallId, ErrorBody, EventBody, MessageId, OwnCall, Timestamp, TurnId, TurnOutcome};
use serde_json::json;

use super::{
    answer::Draft,
    block::array,
    next::NextStep,
    state::{Call, CallState, Conversation, Said},
    withdrawal,
};
use crate::{
    error,
    ports::{NewRecord, Person},
    raw_json::text_block,
};

/// The record of a turn that begins with a message.
pub(crate) fn turn_started(turn: TurnId, message: MessageId, said: Said) -> NewRecord {
    let block = text_block(said.words());
    let Said {
        text,
        references,
        files,
    } = said;
    let files = files.iter().map(|file| &**file);
    NewRecord {
        raw: Some(array(std::iter::once(&*block).chain(files))),
        body: EventBody::TurnStarted {
            turn,
            message,
            text,
            references,
        },
        audit: None,
        trace: Default::default(),
    }
}

/// The record of a person's own call, or of one that a program relays.
pub(crate) fn action_started(
    turn: TurnId,
    message: MessageId,
    call: CallId,
    begun: BegunCall,
    by: &Person,
) -> NewRecord {
    let BegunCall { own, relayed } = begun;
    let OwnCall { tool, input } = own;
    let mut detail = json!({ "via": by.via.record() });
    if relayed {
        detail["relayed"] = true.into();
    }
    NewRecord::event(EventBody::ActionStarted {
        turn,
        message,
        call,
        tool,
        input,
        by: by.name.clone(),
        relayed,
    })
    .audited(detail)
}

/// A call with a journal of its own.
pub(crate) struct BegunCall {
    pub(crate) own: OwnCall,
    /// True if a program relays it for a model elsewhere.
    pub(crate) relayed: bool,
}

/// The record of a person asking from a session that began with another user's sign-in link; none
/// for any other session.
pub(crate) fn asked_by_link(person: &Person) -> Option<NewRecord> {
    let by = person.via.link_by().filter(|by| *by != person.id)?;
    Some(NewRecord::event(EventBody::AskedByLink { by }))
}

impl Conversation {
    /// The same, once for each such user.
    pub(crate) fn asked_by_link(&self, person: &Person) -> Option<NewRecord> {
        let known = person.via.link_by();
        if known.is_some_and(|by| self.link_makers().contains(&by)) {
            None
        } else {
            asked_by_link(person)
        }
    }

    /// The record of a message: it starts `turn`, or waits in the queue if a turn runs or others
    /// wait already.
    pub(crate) fn send(
        &self,
        turn: TurnId,
        message: MessageId,
        said: Said,
        queue_limit: usize,
    ) -> Result<NewRecord, ErrorBody> {
        if self.running().is_none() && self.queue.is_empty() {
            return Ok(turn_started(turn, message, said));
        }
        if self.queue.len() >= queue_limit {
            return Err(error::queue_full(queue_limit));
        }
        let files = said.files.iter().map(|file| &**file);
        Ok(NewRecord {
            raw: (!said.files.is_empty()).then(|| array(files)),
            ..NewRecord::event(EventBody::MessageQueued {
                message,
                text: said.text,
                references: said.references,
            })
        })
    }

    /// Sends a message in place of the decisions that are waited for: they are withdrawn, the
    /// parked turn ends and `turn` begins.
    pub(crate) fn send_instead(
        &self,
        turn: TurnId,
        message: MessageId,
        said: Said,
        by: &Person,
    ) -> Result<Vec<NewRecord>, ErrorBody> {
        let running = self.running_turn();
        let parked = running.filter(|_| self.is_parked());
        let Some(parked) = parked else {
            return Err(error::not_parked());
        };
        // Every call without a result gets one before the turn ends: a turn that is over must leave
        // nothing behind that could still run.
        let mut records = self.withdraw_questions(parked, Some(by));
        for call in self.last_calls() {
            if matches!(call.state, CallState::Queued | CallState::Approved) {
                records.push(call.cancelled(parked, 0));
            }
        }
        records.push(self.turn_finished(parked, TurnOutcome::Stopped, None));
        records.push(turn_started(turn, message, said));
        Ok(records)
    }

    /// True if a message withdraws the pending request: it would be useless behind its own card.
    pub(crate) fn is_withdrawal(&self, text: &str) -> bool {
        self.queue.is_empty()
            && withdrawal::is_withdrawal(text)
            && self.running_turn().is_some()
            && self.is_parked()
    }

    /// True if the running turn does nothing but wait for a person.
    fn is_parked(&self) -> bool {
        let mut waits = false;
        for call in self.last_calls() {
            match call.state {
                CallState::Proposed | CallState::Running { .. } => return false,
                CallState::Waiting => waits = true,
                CallState::Queued | CallState::Approved | CallState::Closed { .. } => {}
            }
        }
        waits
    }

    /// Withdraws a queued message.
    pub(crate) fn withdraw(&self, message: MessageId) -> Result<NewRecord, ErrorBody> {
        if self.queue.iter().any(|queued| queued.message == message) {
            Ok(NewRecord::event(EventBody::MessageWithdrawn { message }))
        } else {
            Err(error::message_not_queued())
        }
    }

    /// Resumes the last turn, if it failed, was stopped, was cut short or ended at a limit.
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
                                | TurnOutcome::Limited { .. }
                        )
                    ) =>
            {
                Ok(NewRecord::event(EventBody::TurnResumed { turn }))
            }
            _ => Err(error::turn_not_found()),
        }
    }

    /// Stops the running turn. `draft` is the answer so far of an open step; `can_cancel` tells
    /// calls that may be ended at any time from those that act.
    pub(crate) fn stop(
        &self,
        turn: TurnId,
        now: Timestamp,
        draft: &Draft,
        by: Option<&Person>,
        can_cancel: impl Fn(&Call) -> bool,
    ) -> Result<Vec<NewRecord>, ErrorBody> {
        let running = self
            .running()
            .filter(|running| running.id == turn)
            .ok_or_else(error::turn_not_found)?;
        // While the model answers there is no open call, so cutting the answer ends the turn.
        if let Some(step) = running.steps.last().filter(|step| step.is_open()) {
            return Ok(self.stop_answer(turn, step.message, draft));
        }
        // Cards are withdrawn and calls that have not begun are answered in one write, so that no
        // restart finds a stopped turn with a call that could still begin.
        let mut waits = false;
        let mut records = self.withdraw_questions(turn, by);
        for call in running.steps.last().map_or(&[][..], |step| step.calls()) {
            match call.state {
                CallState::Proposed | CallState::Queued | CallState::Approved => {
                    records.push(call.cancelled(turn, 0));
                }
                CallState::Waiting => {}
                CallState::Running { since, .. } if can_cancel(call) => {
                    records.push(call.cancelled(turn, elapsed(since, now)));
                }
                CallState::Running { .. } => waits = true,
                CallState::Closed { .. } => {}
            }
        }
        // Actions under way are allowed to finish; the turn ends after them, also across a restart.
        records.push(if waits {
            NewRecord::event(EventBody::StopRequested { turn })
        } else {
            self.turn_finished(turn, TurnOutcome::Stopped, None)
        });
        Ok(records)
    }

    /// True if nothing is left to do until a person acts.
    pub(crate) fn is_at_rest(&self) -> bool {
        matches!(self.next(u32::MAX), NextStep::Rest)
    }
}

/// Milliseconds from `since` to `now`; zero if the clock was set back.
pub(crate) fn elapsed(since: Timestamp, now: Timestamp) -> u64 {
    u64::try_from(now.0.saturating_sub(since.0)).unwrap_or_default()
}
