//! The questions that wait for a person.

use std::collections::HashMap;

use agent::ports::NewRecord;
use protocol::{CallId, Confirmation, EventBody, Verdict};

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
