//! Waiting work: cards for a person, turns and messages for a server.

use std::collections::HashMap;

use agent::ports::{Append, JournalError, NewRecord, Record, SecondPersons};
use async_trait::async_trait;
use protocol::{
    CallId, Confirmation, EventBody, MessageId, SecondCall, Timestamp, UserId, Verdict,
};

use super::{Inner, MemoryJournal};

pub(super) type Waiting = HashMap<CallId, Box<Confirmation>>;

/// The cards that wait after a write; none if it decides on one that does not, or if only a second
/// person may and it is not one.
pub(super) fn waiting(before: &Waiting, records: &[NewRecord], second: bool) -> Option<Waiting> {
    let mut waiting = before.clone();
    for record in records {
        match &record.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                waiting.insert(*call, confirmation.clone());
            }
            EventBody::ConfirmationDecided {
                call,
                digest,
                verdict,
                ..
            } => {
                let asked = waiting
                    .remove(call)
                    .filter(|asked| asked.digest == *digest)?;
                if asked.second.is_some() && *verdict == Verdict::Approved && !second {
                    return None;
                }
            }
            EventBody::ToolStarted { call, .. } | EventBody::ToolBlocked { call, .. } => {
                waiting.remove(call);
            }
            _ => {}
        }
    }
    Some(waiting)
}

impl Inner {
    /// True if two sides share an account or were marked as close.
    pub(super) fn are_one(&self, askers: &[UserId], deciders: &[UserId]) -> bool {
        askers.iter().any(|asker| {
            let is =
                |decider: &UserId| asker == decider || self.close.contains(&(*asker, *decider));
            deciders.iter().any(is)
        })
    }

    /// True if the person who writes is not the one who asked.
    pub(super) fn is_second(&self, append: &Append) -> bool {
        let asked = self.conversations.get(&append.conversation);
        let Some((conversation, (person, _))) = asked.zip(append.command) else {
            return false;
        };
        let mut askers = vec![conversation.stored.owner];
        askers.extend(
            conversation
                .records
                .iter()
                .filter_map(|record| match record.event.body {
                    EventBody::AskedByLink { by } => Some(by),
                    _ => None,
                }),
        );
        let mut deciders = vec![person];
        deciders.extend(append.records.iter().filter_map(|record| {
            let second = record.audit.as_ref()?.get("second")?;
            second
                .pointer("/confirmed_by/link_by")?
                .as_str()?
                .parse::<UserId>()
                .ok()
        }));
        !self.are_one(&askers, &deciders)
    }
}

/// True if a turn has not finished or a message waits.
pub(super) fn is_unfinished(records: &[Record]) -> bool {
    let mut running = false;
    let mut queue: Vec<MessageId> = Vec::new();
    for record in records {
        match &record.event.body {
            EventBody::TurnStarted { message, .. } => {
                running = true;
                queue.retain(|queued| queued != message);
            }
            EventBody::ActionStarted { .. } | EventBody::TurnResumed { .. } => running = true,
            EventBody::TurnFinished { .. } => running = false,
            EventBody::MessageQueued { message, .. }
            | EventBody::MessageSteered { message, .. } => queue.push(*message),
            EventBody::MessageRead { message, .. } => queue.retain(|queued| queued != message),
            EventBody::Branched { .. } => {
                running = false;
                queue.clear();
            }
            EventBody::MessageWithdrawn { message } => {
                queue.retain(|queued| queued != message);
            }
            _ => {}
        }
    }
    running || !queue.is_empty()
}

#[async_trait]
impl SecondPersons for MemoryJournal {
    async fn second_calls(&self) -> Result<Vec<(UserId, SecondCall)>, JournalError> {
        self.unless_frozen().await;
        let inner = self.inner.lock().unwrap();
        let mut found = Vec::new();
        for conversation in inner.conversations.values() {
            for (call, asked) in &conversation.waiting {
                if asked.second.is_some() {
                    let call = SecondCall {
                        conversation: conversation.stored.id,
                        call: *call,
                        tool: conversation.tool(*call),
                        confirmation: (**asked).clone(),
                    };
                    found.push((conversation.stored.owner, call));
                }
            }
        }
        found.sort_by_key(|(_, call)| (call.confirmation.expires, call.call));
        Ok(found)
    }

    async fn may_be_one(
        &self,
        askers: &[UserId],
        deciders: &[UserId],
        _now: Timestamp,
    ) -> Result<bool, JournalError> {
        self.unless_frozen().await;
        Ok(self.inner.lock().unwrap().are_one(askers, deciders))
    }
}
