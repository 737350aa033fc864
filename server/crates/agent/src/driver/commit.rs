//! Writing: journal first, then memory, then the tabs.

use std::time::Duration;

use protocol::{CallId, CommandId, EventBody, UserId};
use tokio::time::Instant;

use super::{ConversationActor, EndedActor};
use crate::{
    crash, error,
    ports::{Append, Durability, JournalError, NewRecord, ObservedEvent},
};

/// The first and the longest pause before a write is tried again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// The failure of a write that was tried once.
pub(super) enum CommitRefused {
    /// It was not carried out; the actor may continue.
    Not(JournalError),
    /// The actor may no longer write.
    Ended(EndedActor),
}

impl ConversationActor {
    /// Writes the results of the work, however long it takes until the journal can.
    pub(super) async fn commit(
        &mut self,
        records: Vec<NewRecord>,
        durability: Durability,
    ) -> Result<(), EndedActor> {
        let (mut pause, longest) = PAUSES;
        let (mut failures, mut outage) = (0_u32, None);
        loop {
            let error = match self.write(records.clone(), None, durability).await {
                Ok(()) => return Ok(()),
                Err(CommitRefused::Ended(ended)) => return Err(ended),
                Err(CommitRefused::Not(error)) => error,
            };
            tracing::error!(
                conversation = %self.entry.id,
                correlation = self.correlations.of_turn().map(tracing::field::display),
                %error,
                "a write failed and is tried again"
            );
            // A single failure may come from another writer that was in the way.
            failures = failures.saturating_add(1);
            if failures > 1 {
                outage.get_or_insert_with(|| self.shared.cannot_write(&error));
            }
            self.pause(pause, &error).await?;
            pause = (pause * 2).min(longest);
        }
    }

    /// Writes once.
    pub(super) async fn write(
        &mut self,
        records: Vec<NewRecord>,
        command: Option<(UserId, CommandId)>,
        durability: Durability,
    ) -> Result<(), CommitRefused> {
        if records.is_empty() {
            return Ok(());
        }
        let records = match &self.cover {
            None => records,
            // What cannot be covered waits like what cannot be saved.
            Some(cover) => match cover.records(self.about(), records).await {
                Ok(records) => records,
                Err(error) => {
                    cover.log(&error);
                    let error = JournalError::Storage(error.to_string());
                    return Err(CommitRefused::Not(error));
                }
            },
        };
        let records: Vec<_> = records
            .into_iter()
            .map(|record| self.correlations.mark(record))
            .collect();
        let traces: Vec<_> = records.iter().map(|record| record.trace.clone()).collect();
        // The journal compares epoch and head: an actor that was taken over, or that fell behind,
        // writes nothing.
        let append = Append {
            conversation: self.entry.id,
            epoch: self.epoch,
            head: self.conversation.head(),
            at: self.shared.env.now(),
            records,
            command,
            durability,
        };
        let begun = Instant::now();
        let appended = match self.shared.journal.append(append).await {
            Ok(appended) => appended,
            Err(JournalError::Fenced) => return Err(CommitRefused::Ended(EndedActor::Fenced)),
            Err(JournalError::NotFound) => return Err(CommitRefused::Ended(EndedActor::Deleted)),
            Err(JournalError::Conflict { .. }) => {
                return Err(CommitRefused::Ended(EndedActor::Stale));
            }
            Err(error) => return Err(CommitRefused::Not(error)),
        };
        // Written, so it is a fact. It is folded before it is published: nobody sees what the
        // machine does not know, and a crash in between loses nothing.
        let waiting = self.conversation.waiting_for_second();
        let observer = self.shared.observer.get();
        if let Some(observer) = observer {
            observer.wrote(durability, begun.elapsed());
        }
        for (record, trace) in appended.records.iter().zip(traces) {
            let correlation = trace.correlation.as_ref();
            self.correlations.note(&record.event.body, correlation);
            if let Some(observer) = observer {
                // Before the fold, which forgets the tier of a call that has ended.
                let body = &record.event.body;
                let call = call_of(body).and_then(|call| self.conversation.observed_call(call));
                observer.recorded(ObservedEvent {
                    conversation: self.entry.id,
                    body,
                    at: record.event.at,
                    call,
                    correlation,
                });
            }
            self.conversation
                .apply(record)
                .map_err(|corrupt| CommitRefused::Ended(EndedActor::Corrupt(corrupt)))?;
        }
        let events: Vec<_> = appended.records.into_iter().map(|r| r.event).collect();
        crash::point(|| format!("recorded, not told: {}", crash::names(&events)));
        self.entry.hub.publish(&events);
        self.shared.lists.changed(
            self.stored.owner,
            &appended.summary,
            &self.conversation.frozen().toolsets,
        );
        if self.conversation.waiting_for_second() != waiting {
            self.shared.tell_second_calls();
        }
        Ok(())
    }

    /// Waits; commands that come meanwhile are refused with the reason for the failure.
    async fn pause(&mut self, pause: Duration, why: &JournalError) -> Result<(), EndedActor> {
        let until = tokio::time::Instant::now() + pause;
        loop {
            tokio::select! {
                () = self.shared.closing.cancelled() => return Err(EndedActor::Closing),
                () = tokio::time::sleep_until(until) => return Ok(()),
                message = self.messages.recv() => match message {
                    Some(message) => message.answer(Err(error::of_journal(why))),
                    None => return Err(EndedActor::Closing),
                },
            }
        }
    }
}

/// The call whose life an event is a part of.
fn call_of(body: &EventBody) -> Option<CallId> {
    match body {
        EventBody::ToolStarted { call, .. }
        | EventBody::ToolBlocked { call, .. }
        | EventBody::ToolFinished { call, .. }
        | EventBody::ConfirmationRequested { call, .. }
        | EventBody::ConfirmationDecided { call, .. } => Some(*call),
        _ => None,
    }
}
