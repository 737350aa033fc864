//! The types of runs: what programs send and read.

use std::borrow::Cow;

use protocol::{CallId, ConversationId, Event, EventBody, ToolOutcome, Verdict};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::texts;

/// Begins a call of a tool, as a person does on a page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewRun")]
pub(in crate::http::api) struct NewRunBody {
    /// The name of the tool.
    pub(super) tool: String,
    pub(super) input: OwnCallInput,
}

/// The input of a tool.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct OwnCallInput(pub(super) Map<String, Value>);

impl JsonSchema for OwnCallInput {
    fn schema_name() -> Cow<'static, str> {
        "RunInput".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Said, because generators take an object without it for an empty one.
        json_schema!({
            "type": "object",
            "additionalProperties": true,
            "description": texts::api::RUN_INPUT
        })
    }
}

/// A call has begun.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RunBegun")]
pub(in crate::http::api) struct RunBegunBody {
    #[schemars(with = "String")]
    id: ConversationId,
    /// The address of its state.
    pub(super) run: String,
}

impl RunBegunBody {
    pub(super) fn of(id: ConversationId) -> Self {
        Self {
            id,
            run: format!("/api/v1/runs/{id}"),
        }
    }
}

/// The state of a call.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Run")]
pub(in crate::http) struct OwnRunBody {
    #[schemars(with = "String")]
    id: ConversationId,
    #[schemars(with = "String")]
    call: CallId,
    tool: String,
    state: OwnRunState,
    /// The address of its card, if a person was or is asked.
    confirmation: Option<String>,
    /// The code of the failure, or the reason why the gate refused it.
    code: Option<String>,
    /// One sentence about its end.
    message: Option<String>,
    /// The id of the request that began a call that failed or that the gate refused, as in the log.
    request_id: Option<String>,
    data: RunData,
}

/// The state of a call. `waiting` is for a decision on its card; all but `waiting` and `running` are
/// its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RunState")]
pub(in crate::http) enum OwnRunState {
    Running,
    Waiting,
    Succeeded,
    Failed,
    Blocked,
    Denied,
    Expired,
    Withdrawn,
    Cancelled,
    OutcomeUnknown,
}

/// The result of a call.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct RunData(Value);

impl JsonSchema for RunData {
    fn schema_name() -> Cow<'static, str> {
        "RunData".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": texts::api::RUN_DATA })
    }
}

impl OwnRunBody {
    /// The call of a journal; none if it is that of a conversation.
    pub(in crate::http) fn of(id: ConversationId, events: &[Event]) -> Option<Self> {
        let begun = events.iter().find_map(|event| match &event.body {
            EventBody::ActionStarted { call, tool, .. } => Some((*call, tool.clone())),
            _ => None,
        });
        let (call, tool) = begun?;
        let mut run = Self {
            id,
            call,
            tool,
            state: OwnRunState::Running,
            confirmation: None,
            code: None,
            message: None,
            request_id: None,
            data: RunData(Value::Null),
        };
        for event in events {
            run.apply(&event.body);
        }
        Some(run)
    }

    pub(super) fn call(&self) -> CallId {
        self.call
    }

    /// True if it ended with an error.
    pub(super) fn is_error(&self) -> bool {
        matches!(self.state, OwnRunState::Failed | OwnRunState::Blocked)
    }

    pub(super) fn of_request(self, request_id: Option<String>) -> Self {
        Self { request_id, ..self }
    }

    pub(in crate::http) fn tool(&self) -> &str {
        &self.tool
    }

    pub(in crate::http) fn state(&self) -> OwnRunState {
        self.state
    }

    /// One sentence about its end.
    pub(in crate::http) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The result; null without one.
    pub(in crate::http) fn data(&self) -> &Value {
        &self.data.0
    }

    /// Follows its journal.
    fn apply(&mut self, body: &EventBody) {
        match body {
            EventBody::ConfirmationRequested { .. } => {
                self.state = OwnRunState::Waiting;
                self.confirmation = Some(format!("/api/v1/confirmations/{}", self.call));
            }
            EventBody::ConfirmationDecided { verdict, .. } => {
                self.state = match verdict {
                    Verdict::Approved => OwnRunState::Running,
                    Verdict::Denied { .. } => OwnRunState::Denied,
                    Verdict::Expired => OwnRunState::Expired,
                    Verdict::Withdrawn | Verdict::Unknown => OwnRunState::Withdrawn,
                };
            }
            EventBody::ToolBlocked {
                reason, message, ..
            } if self.is_open() => {
                self.state = OwnRunState::Blocked;
                self.code = word(reason);
                self.message = Some(message.clone());
            }
            EventBody::ToolFinished { outcome, .. } => self.end(outcome),
            EventBody::OutcomeResolved { message, .. } => self.message = Some(message.clone()),
            // It was stopped before it did anything.
            EventBody::TurnFinished { .. } if self.is_open() => {
                self.state = OwnRunState::Cancelled;
            }
            _ => {}
        }
    }

    fn is_open(&self) -> bool {
        matches!(self.state, OwnRunState::Running | OwnRunState::Waiting)
    }

    fn end(&mut self, outcome: &ToolOutcome) {
        match outcome {
            ToolOutcome::Succeeded { output } => {
                self.state = OwnRunState::Succeeded;
                self.message = Some(output.summary.clone());
                self.data = RunData(output.data.clone());
            }
            ToolOutcome::Failed { error } => {
                self.state = OwnRunState::Failed;
                self.code = word(&error.code);
                self.message = Some(error.message.clone());
            }
            ToolOutcome::Cancelled => self.state = OwnRunState::Cancelled,
            ToolOutcome::OutcomeUnknown { known } => {
                self.state = OwnRunState::OutcomeUnknown;
                self.message.clone_from(known);
            }
            ToolOutcome::Unknown => self.state = OwnRunState::OutcomeUnknown,
        }
    }
}

/// A word as it is on the wire.
fn word(value: &impl Serialize) -> Option<String> {
    let value = serde_json::to_value(value).ok()?;
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use protocol::{BlockedReason, MessageId, Seq, Timestamp, TurnId, TurnOutcome, Usage};

    use super::*;

    const AT: Timestamp = Timestamp(1_700_000_000_000);

    fn state(bodies: Vec<EventBody>) -> Option<OwnRunState> {
        let events = bodies.into_iter().map(|body| Event {
            seq: Seq(1),
            at: AT,
            body,
        });
        let events: Vec<_> = events.collect();
        OwnRunBody::of(ConversationId::new(AT, 1), &events).map(|run| run.state)
    }

    #[test]
    fn a_run_has_the_state_that_its_journal_says() {
        let (turn, call) = (TurnId::new(AT, 1), CallId::new(AT, 1));
        let begun = EventBody::ActionStarted {
            turn,
            message: MessageId::new(AT, 1),
            call,
            tool: "stop_vm".to_owned(),
            input: Value::Null,
            by: "Ada".to_owned(),
            relayed: false,
        };
        let decided = |verdict| EventBody::ConfirmationDecided {
            turn,
            call,
            digest: String::new(),
            verdict,
            by: None,
            via: None,
        };
        let finished = |outcome| EventBody::ToolFinished {
            turn,
            call,
            outcome,
            elapsed_ms: 1,
        };
        let blocked = EventBody::ToolBlocked {
            turn,
            call,
            tier: None,
            reason: BlockedReason::KillSwitch,
            message: String::new(),
        };
        let ended = EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Done,
            usage: Usage::default(),
            cost: None,
        };
        let unknown = ToolOutcome::OutcomeUnknown { known: None };
        for (events, expect) in [
            (vec![], OwnRunState::Running),
            (vec![ended.clone()], OwnRunState::Cancelled),
            (vec![blocked.clone(), ended.clone()], OwnRunState::Blocked),
            (vec![decided(Verdict::Approved)], OwnRunState::Running),
            // What a person said stays the reason, whatever the engine writes about it.
            (
                vec![
                    decided(Verdict::Denied { comment: None }),
                    blocked,
                    ended.clone(),
                ],
                OwnRunState::Denied,
            ),
            (
                vec![decided(Verdict::Expired), ended.clone()],
                OwnRunState::Expired,
            ),
            (
                vec![decided(Verdict::Unknown), ended.clone()],
                OwnRunState::Withdrawn,
            ),
            (
                vec![finished(unknown), ended.clone()],
                OwnRunState::OutcomeUnknown,
            ),
        ] {
            let events = [vec![begun.clone()], events].concat();
            assert_eq!(state(events), Some(expect));
        }
        // A conversation is no run.
        assert_eq!(state(vec![ended]), None);
    }
}
