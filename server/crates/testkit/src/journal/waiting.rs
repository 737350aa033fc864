//! What waits: questions for a person, turns and messages for a server.

use std::collections::HashMap;

use agent::ports::{NewRecord, Record};
use protocol::{CallId, Confirmation, EventBody, MessageId, Verdict};

pub(super) type Waiting = HashMap<CallId, Box<Confirmation>>;

/// The questions that wait after a write; none if it decides on one that does not, or if nobody but
/// a second person may and it is not one.
pub(super) fn waiting(before: &Waiting, records: &[NewRecord], stranger: bool) -> Option<Waiting> {
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
                if asked.second.is_some() && *verdict == Verdict::Approved && !stranger {
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

/// Whether a turn has not finished or a message waits.
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
