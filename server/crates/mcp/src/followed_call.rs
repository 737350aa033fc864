//! A relayed call, folded from the events of its journal.

use protocol::{BlockedReason, CallId, EventBody, OwnCall, Timestamp, ToolOutcome, Verdict};
use serde_json::Value;

use crate::texts;

/// A call that a program relayed, as far as its journal was read.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowedCall {
    own: OwnCall,
    id: CallId,
    standing: CallStanding,
}

/// The standing of a relayed call.
#[derive(Debug, Clone, PartialEq)]
pub enum CallStanding {
    /// It goes on without anybody.
    Running,
    /// A person is asked whether it may run.
    Waiting(AskedPerson),
    Ended(EndedCall),
}

/// A question to a person, without anything that their card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedPerson {
    /// Time at which the request expires.
    pub expires: Timestamp,
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedCall {
    /// The outcome as a word.
    pub word: &'static str,
    /// True if the tool or the gate says that the call failed. An unknown outcome is no failure, and a
    /// person's denial none either.
    pub is_error: bool,
    /// The result for a model: data, or a sentence.
    pub content: Value,
    /// One line for people, if the tool gave one.
    pub summary: Option<String>,
    /// The number of images, which are left out.
    pub images: usize,
    /// The reason, if the gate refused the call.
    pub reason: Option<BlockedReason>,
}

impl FollowedCall {
    /// The call that a journal begins with; none for another event, and for a call that a person made
    /// on a page.
    pub fn begun(body: &EventBody) -> Option<Self> {
        match body {
            EventBody::ActionStarted {
                call,
                tool,
                input,
                relayed: true,
                ..
            } => Some(Self {
                own: OwnCall {
                    tool: tool.clone(),
                    input: input.clone(),
                },
                id: *call,
                standing: CallStanding::Running,
            }),
            _ => None,
        }
    }

    /// Follows the journal. An end stays, whatever comes after it, but for what is found out later.
    pub fn apply(&mut self, body: &EventBody) {
        match body {
            EventBody::OutcomeResolved { call, message, .. } if *call == self.id => {
                if let CallStanding::Ended(ended) = &mut self.standing {
                    ended.word = "resolved";
                    ended.content = message.clone().into();
                }
            }
            _ if matches!(self.standing, CallStanding::Ended(_)) => {}
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } if *call == self.id => {
                self.standing = CallStanding::Waiting(AskedPerson {
                    expires: confirmation.expires,
                });
            }
            EventBody::ConfirmationDecided { call, verdict, .. } if *call == self.id => {
                self.standing = match EndedCall::decided(verdict) {
                    Some(ended) => CallStanding::Ended(ended),
                    None => CallStanding::Running,
                };
            }
            EventBody::ToolBlocked {
                call,
                reason,
                message,
                ..
            } if *call == self.id => {
                self.standing = CallStanding::Ended(EndedCall {
                    is_error: true,
                    reason: Some(*reason),
                    ..EndedCall::said("blocked", message)
                });
            }
            EventBody::ToolFinished { call, outcome, .. } if *call == self.id => {
                self.standing = CallStanding::Ended(EndedCall::of(outcome));
            }
            // A turn that ends leaves nothing behind that goes on.
            EventBody::TurnFinished { .. } => {
                self.standing =
                    CallStanding::Ended(EndedCall::said("stopped", texts::STOPPED_BEFORE));
            }
            _ => {}
        }
    }

    pub fn id(&self) -> CallId {
        self.id
    }

    /// The tool and its input, as the program sent them.
    pub fn own(&self) -> &OwnCall {
        &self.own
    }

    pub fn standing(&self) -> &CallStanding {
        &self.standing
    }
}

impl EndedCall {
    fn said(word: &'static str, sentence: &str) -> Self {
        Self {
            word,
            is_error: false,
            content: sentence.into(),
            summary: None,
            images: 0,
            reason: None,
        }
    }

    fn of(outcome: &ToolOutcome) -> Self {
        match outcome {
            ToolOutcome::Succeeded { output } => Self {
                content: match &output.data {
                    Value::Null => output.summary.clone().into(),
                    data => data.clone(),
                },
                summary: Some(output.summary.clone()),
                images: output.images.len(),
                ..Self::said("succeeded", "")
            },
            ToolOutcome::Failed { error } => {
                let help = error.help.as_deref().unwrap_or_default();
                let sentence = format!("{} {help}", error.message);
                Self {
                    is_error: true,
                    ..Self::said("failed", sentence.trim_end())
                }
            }
            ToolOutcome::Cancelled => Self::said("stopped", texts::STOPPED_BEFORE),
            ToolOutcome::OutcomeUnknown { known } => {
                let known = known.as_deref().unwrap_or_default();
                let sentence = format!("{} {known}", texts::OUTCOME_UNKNOWN);
                Self::said("unknown", sentence.trim_end())
            }
            ToolOutcome::Unknown => Self::said("unreadable", texts::RESULT_NOT_READABLE),
        }
    }

    /// The end that a decision is; none if the call may run.
    fn decided(verdict: &Verdict) -> Option<Self> {
        match verdict {
            Verdict::Approved => None,
            Verdict::Denied { comment: None } => Some(Self::said("denied", texts::DENIED)),
            Verdict::Denied {
                comment: Some(comment),
            } => Some(Self::said("denied", &texts::denied_with(comment))),
            Verdict::Expired => Some(Self::said("expired", texts::EXPIRED)),
            Verdict::Withdrawn => Some(Self::said("withdrawn", texts::WITHDRAWN)),
            Verdict::Unknown => Some(Self::said("unreadable", texts::RESULT_NOT_READABLE)),
        }
    }
}

#[cfg(test)]
mod tests;
