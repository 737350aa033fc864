//! The calls of the running turn, and whether they wait for a person alone.

use protocol::{CallId, ContentBlock, EventBody, Verdict};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TrackedState {
    /// The gate has not decided.
    Proposed,
    /// It waits for calls before it.
    Behind,
    /// It waits for a person.
    Asked,
    Running,
    Ended,
}

#[derive(Debug)]
struct TrackedCall {
    id: CallId,
    name: String,
    state: TrackedState,
}

/// The calls of the running turn, in their order.
#[derive(Debug, Default)]
pub(crate) struct Calls(Vec<TrackedCall>);

impl Calls {
    pub(crate) fn apply(&mut self, body: &EventBody) {
        match body {
            EventBody::AssistantMessage { blocks, .. } => {
                // Calls of the answer before have all ended.
                self.0.clear();
                for block in blocks {
                    if let ContentBlock::ToolUse { call, name, .. } = block {
                        self.add(*call, name);
                    }
                }
            }
            EventBody::ActionStarted { call, tool, .. } => self.add(*call, tool),
            EventBody::ToolQueued { call, .. } => self.set(*call, TrackedState::Behind),
            EventBody::ConfirmationRequested { call, .. } => self.set(*call, TrackedState::Asked),
            EventBody::ConfirmationDecided { call, verdict, .. } => match verdict {
                Verdict::Approved => self.set(*call, TrackedState::Behind),
                Verdict::Denied { .. }
                | Verdict::Expired
                | Verdict::Withdrawn
                | Verdict::Unknown => self.set(*call, TrackedState::Ended),
            },
            EventBody::ToolStarted { call, .. } => self.set(*call, TrackedState::Running),
            EventBody::ToolBlocked { call, .. } | EventBody::ToolFinished { call, .. } => {
                self.set(*call, TrackedState::Ended);
            }
            EventBody::TurnStarted { .. } | EventBody::TurnFinished { .. } => self.0.clear(),
            _ => {}
        }
    }

    /// Returns whether nothing goes on until a person decides. What is approved or queued goes on,
    /// unless it is behind a question.
    pub(crate) fn wait_for_person(&self) -> bool {
        let mut asked = false;
        for call in &self.0 {
            match call.state {
                TrackedState::Asked => asked = true,
                TrackedState::Behind if asked => {}
                TrackedState::Ended => {}
                TrackedState::Proposed | TrackedState::Behind | TrackedState::Running => {
                    return false;
                }
            }
        }
        asked
    }

    /// Iterates over the calls that have an activity: all but those that were only asked for.
    pub(crate) fn shown(&self) -> impl Iterator<Item = CallId> {
        let shown = self.0.iter().filter(|call| {
            matches!(
                call.state,
                TrackedState::Behind | TrackedState::Running | TrackedState::Ended
            )
        });
        shown.map(|call| call.id)
    }

    pub(crate) fn name(&self, call: CallId) -> Option<&str> {
        let call = self.0.iter().find(|known| known.id == call)?;
        Some(&call.name)
    }

    fn add(&mut self, id: CallId, name: &str) {
        self.0.push(TrackedCall {
            id,
            name: name.to_owned(),
            state: TrackedState::Proposed,
        });
    }

    fn set(&mut self, id: CallId, state: TrackedState) {
        if let Some(call) = self.0.iter_mut().find(|call| call.id == id) {
            call.state = state;
        }
    }
}
