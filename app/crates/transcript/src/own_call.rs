//! A person's own call: a transcript with one call and no messages.

use protocol::{Event, EventBody, TurnId};

use crate::{
    fold::{RowChange, Transcript},
    row::{RowContent, RowKey, ToolRow, ToolState},
};

impl Transcript {
    /// Returns the name of the person who made the only call; none for a conversation.
    pub fn by(&self) -> Option<&str> {
        self.by.as_deref()
    }

    /// Starts with the call; nothing is decided yet.
    pub(crate) fn begin_own(&mut self, event: &Event, turn: TurnId, changes: &mut Vec<RowChange>) {
        let EventBody::ActionStarted {
            message,
            call,
            tool,
            input,
            by,
            ..
        } = &event.body
        else {
            return;
        };
        self.by = Some(by.clone());
        changes.push(RowChange::Title);
        self.begin_turn(turn, event.at, changes);
        let (input, state) = (Some(input.clone()), ToolState::Proposed);
        let row = ToolRow::new(Some(*call), tool.clone(), input, state);
        let (key, content) = (RowKey::Block(*message, 0), RowContent::Tool(Box::new(row)));
        let index = self.push(key, turn, Some(event.at), content, changes);
        self.calls.insert(*call, index);
        self.tools_phase(changes);
    }
}
