//! Branches: everything above is a copy, and leaving a call behind does not undo it.

use protocol::{Cost, MessageId, Seq, Tier, TurnId, Usage};

use crate::{
    entries::Branch,
    fold::{RowChange, Transcript},
    row::{RowContent, RowKey, ToolRow, ToolState},
    texts,
};

impl Transcript {
    /// Returns the point where it left another conversation, if it is a branch.
    pub fn branch_of(&self) -> Option<&Branch> {
        self.branches.last()
    }

    /// Returns the point where it left another conversation, if a message is the first after that.
    pub fn branch_at(&self, message: MessageId) -> Option<&Branch> {
        let mut branches = self.branches.iter();
        branches.find(|branch| branch.first == Some(message))
    }

    /// Marks everything so far as a copy: none of it is in effect here, and its usage counts
    /// elsewhere.
    pub(crate) fn branch(&mut self, mut branch: Branch, title: &str, changes: &mut Vec<RowChange>) {
        self.cut_off(changes);
        // The effects that an earlier branch in the same place was given apply to the message that
        // is now left behind.
        if let Some(before) = self.branches.pop_if(|it| it.end.next() == branch.end) {
            let effects = before.effects.into_iter().chain(branch.effects);
            branch.effects = effects.collect();
            branch.more += before.more;
        }
        self.branches.push(branch);
        title.clone_into(&mut self.title);
        self.usage = Usage::default();
        self.cost = Some(Cost::default());
        changes.extend([
            RowChange::Title,
            RowChange::Turn,
            RowChange::Queue,
            RowChange::Grants,
            RowChange::Totals,
        ]);
    }

    /// Marks the rows so far as copies, in which nothing continues.
    pub(crate) fn cut_off(&mut self, changes: &mut Vec<RowChange>) {
        self.end_all(
            texts::NOT_DECIDED_BEFORE_BRANCH,
            texts::NOT_ENDED_BEFORE_BRANCH,
        );
        for (index, row) in self.rows.iter_mut().enumerate() {
            if let RowContent::Tool(tool) = &mut row.content {
                tool.copied = true;
                changes.push(RowChange::Changed(index));
            }
        }
    }

    /// Keeps a branch at its place after an event about a call of the copy.
    pub(crate) fn stay_at_branch(&mut self, seq: Seq) {
        if let Some(branch) = self.branches.last_mut()
            && branch.end.next() == seq
        {
            branch.end = seq;
        }
    }

    /// Begins the conversation's own part if no turn lies between this one and the copy.
    pub(crate) fn begin_own_part(&mut self, seq: Seq, message: MessageId) {
        if let Some(branch) = self.branches.last_mut()
            && branch.end.next() == seq
        {
            branch.first = Some(message);
        }
    }

    /// Returns the message that began a turn.
    pub fn opening(&self, turn: TurnId) -> Option<MessageId> {
        self.rows.iter().rev().find_map(|row| match row.key {
            RowKey::User(message)
                if row.turn == turn
                    && !matches!(row.content, RowContent::User { read: true, .. }) =>
            {
                Some(message)
            }
            _ => None,
        })
    }

    /// Returns the calls that acted at and after a message, or all of them if it is older: a branch
    /// at it leaves them behind, and their effects remain. In the order in which they were
    /// requested.
    pub fn effects_after(&self, message: MessageId) -> Vec<&ToolRow> {
        let from = self
            .rows
            .iter()
            .rposition(|row| row.key == RowKey::User(message));
        let rows = self.rows.get(from.unwrap_or_default()..);
        let rows = rows.unwrap_or_default();
        let tools = rows.iter().filter_map(|row| match &row.content {
            RowContent::Tool(tool) => Some(tool.as_ref()),
            _ => None,
        });
        tools.filter(|tool| tool.has_acted()).collect()
    }
}

impl ToolRow {
    /// Returns whether it acted, or may have.
    fn has_acted(&self) -> bool {
        self.tier > Some(Tier::Green)
            && self.started.is_some()
            && !matches!(self.state, ToolState::Cancelled)
    }
}
