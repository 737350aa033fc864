//! The requests behind the work of a conversation, by their ids.
//!
//! A turn belongs to the request whose message began it, also if that message waited, and also after a
//! restart: the journal keeps the id beside each record.

use std::collections::HashMap;

use protocol::{EventBody, MessageId};

use crate::ports::{Correlation, NewRecord};

/// The ids for the records of one conversation.
#[derive(Debug, Default)]
pub(crate) struct Correlations {
    /// The request behind the running turn.
    turn: Option<Correlation>,
    /// The requests behind the messages that wait.
    waiting: HashMap<MessageId, Correlation>,
    /// The request that is being carried out.
    pub(super) asking: Option<Correlation>,
}

impl Correlations {
    /// Those of a journal, from its events and their ids.
    pub(crate) fn of<'a>(
        events: impl IntoIterator<Item = (&'a EventBody, Option<&'a Correlation>)>,
    ) -> Self {
        let mut found = Self::default();
        for (body, correlation) in events {
            found.note(body, correlation);
        }
        found
    }

    /// The request behind the running turn.
    pub(super) fn of_turn(&self) -> Option<&Correlation> {
        self.turn.as_ref()
    }

    /// Marks a record with the request that it comes of.
    pub(super) fn mark(&self, record: NewRecord) -> NewRecord {
        let waited = match &record.body {
            EventBody::TurnStarted { message, .. } | EventBody::MessageRead { message, .. } => {
                self.waiting.get(message)
            }
            _ => None,
        };
        let found = self.asking.as_ref().or(waited).or(self.turn.as_ref());
        record.correlated(found)
    }

    /// Takes in a record that is in the journal.
    pub(super) fn note(&mut self, body: &EventBody, correlation: Option<&Correlation>) {
        match body {
            EventBody::TurnStarted { message, .. } => {
                self.waiting.remove(message);
                self.turn = correlation.cloned();
            }
            EventBody::ActionStarted { .. } | EventBody::TurnResumed { .. } => {
                self.turn = correlation.cloned();
            }
            EventBody::MessageQueued { message, .. }
            | EventBody::MessageSteered { message, .. } => {
                if let Some(correlation) = correlation {
                    self.waiting.insert(*message, correlation.clone());
                }
            }
            EventBody::MessageWithdrawn { message } | EventBody::MessageRead { message, .. } => {
                self.waiting.remove(message);
            }
            // Everything live in the copy has ended.
            EventBody::Branched { .. } => *self = Self::default(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::{CallId, ErrorBody, ErrorCode, MessageId, Timestamp, ToolOutcome, TurnId};

    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn message(n: u128) -> MessageId {
        MessageId::new(NOW, n)
    }

    fn turn(n: u128) -> TurnId {
        TurnId::new(NOW, n)
    }

    fn started(n: u128) -> EventBody {
        EventBody::TurnStarted {
            turn: turn(n),
            message: message(n),
            text: String::new(),
            references: Vec::new(),
        }
    }

    fn queued(n: u128) -> EventBody {
        EventBody::MessageQueued {
            message: message(n),
            text: String::new(),
            references: Vec::new(),
        }
    }

    fn id(text: &str) -> Correlation {
        Correlation::parse(text).unwrap()
    }

    fn marked(correlations: &Correlations, body: EventBody) -> Option<String> {
        let record = correlations.mark(NewRecord::event(body));
        let correlation = record.trace.correlation;
        correlation.map(|correlation| correlation.to_string())
    }

    #[test]
    fn the_error_of_a_call_names_the_request_of_its_turn() {
        let correlations = Correlations::of([(&started(1), Some(&id("first")))]);
        let failed = EventBody::ToolFinished {
            turn: turn(1),
            call: CallId::new(NOW, 1),
            outcome: ToolOutcome::Failed {
                error: ErrorBody::new(ErrorCode::ToolFailed, "No."),
            },
            elapsed_ms: 1,
        };
        let EventBody::ToolFinished {
            outcome: ToolOutcome::Failed { error },
            ..
        } = correlations.mark(NewRecord::event(failed)).body
        else {
            panic!("another event");
        };
        assert_eq!(error.request_id.as_deref(), Some("first"));
    }

    #[test]
    fn a_turn_belongs_to_the_request_of_its_message() {
        let (first, second) = (id("first"), id("second"));
        let step = || EventBody::StepStarted {
            turn: turn(1),
            step: 1,
            message: message(9),
        };
        let mut correlations =
            Correlations::of([(&started(1), Some(&first)), (&queued(2), Some(&second))]);
        assert_eq!(marked(&correlations, step()).as_deref(), Some("first"));
        // Somebody decides meanwhile.
        correlations.asking = Some(id("third"));
        assert_eq!(marked(&correlations, step()).as_deref(), Some("third"));
        correlations.asking = None;
        assert_eq!(marked(&correlations, step()).as_deref(), Some("first"));
        assert_eq!(marked(&correlations, started(2)).as_deref(), Some("second"));
        correlations.note(&started(2), Some(&second));
        assert_eq!(marked(&correlations, step()).as_deref(), Some("second"));
        // A turn that no request is known for has none of another.
        correlations.note(&started(3), None);
        assert_eq!(marked(&correlations, step()), None);
    }

    #[test]
    fn what_is_audited_has_the_id_too() {
        let correlations = Correlations::of([(&started(1), Some(&id("first")))]);
        let plain = NewRecord::event(started(2));
        assert_eq!(correlations.mark(plain.clone()).audit, None);
        let audited = plain.audited(serde_json::json!({ "tool": "look" }));
        assert_eq!(
            correlations.mark(audited).audit,
            Some(serde_json::json!({ "tool": "look", "correlation": "first" }))
        );
    }
}
