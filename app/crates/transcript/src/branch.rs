//! Branches: what stands above is a copy, and what acted is not undone by leaving it behind.

use protocol::{ConversationId, Cost, Effect, MessageId, Seq, Tier, TurnId, Usage};

use crate::{
    fold::{Change, Transcript},
    row::{RowContent, RowKey, ToolRow, ToolState},
};

/// Where a conversation left another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    pub parent: ConversationId,
    /// The message after the copy: the first of its own.
    pub first: Option<MessageId>,
    /// Calls of other branches that acted; their effects stand.
    pub effects: Vec<Effect>,
    /// Older ones that are not told.
    pub more: u32,
    /// The newest event at which the copy ends: no turn lies between.
    end: Seq,
}

impl Branch {
    pub(crate) fn new(
        parent: ConversationId,
        end: Seq,
        effects: &[Effect],
        more: Option<u32>,
    ) -> Self {
        Self {
            parent,
            first: None,
            effects: effects.to_vec(),
            more: more.unwrap_or_default(),
            end,
        }
    }
}

impl Transcript {
    /// Where it left another conversation, if it is a branch.
    pub fn branch_of(&self) -> Option<&Branch> {
        self.branches.last()
    }

    /// Where it left another conversation, if a message is the first after that.
    pub fn branch_at(&self, message: MessageId) -> Option<&Branch> {
        let mut branches = self.branches.iter();
        branches.find(|branch| branch.first == Some(message))
    }

    /// What stands so far is a copy: nothing of it holds here, and what was used counts elsewhere.
    pub(crate) fn branch(&mut self, mut branch: Branch, title: &str, changes: &mut Vec<Change>) {
        self.cut_off(changes);
        // What an earlier branch was told in the same place, it was told in place of the message
        // that is now left behind.
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
            Change::Title,
            Change::Turn,
            Change::Queue,
            Change::Grants,
            Change::Totals,
        ]);
    }

    /// The rows so far are copies, in which nothing goes on.
    pub(crate) fn cut_off(&mut self, changes: &mut Vec<Change>) {
        self.end_all(
            "It was not decided before this branch.",
            "It had not ended before this branch.",
        );
        for (index, row) in self.rows.iter_mut().enumerate() {
            if let RowContent::Tool(tool) = &mut row.content {
                tool.copied = true;
                changes.push(Change::Changed(index));
            }
        }
    }

    /// A word about a call of the copy: what comes next may still be in the same place.
    pub(crate) fn stay_at_branch(&mut self, seq: Seq) {
        if let Some(branch) = self.branches.last_mut()
            && branch.end.next() == seq
        {
            branch.end = seq;
        }
    }

    /// A turn begins: the first of the conversation's own, if nothing lies between it and the copy.
    pub(crate) fn begin_own_part(&mut self, seq: Seq, message: MessageId) {
        if let Some(branch) = self.branches.last_mut()
            && branch.end.next() == seq
        {
            branch.first = Some(message);
        }
    }

    /// The message that began a turn.
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

    /// The calls at and after a message that acted, all of them if it is older: a branch at it leaves
    /// them behind, and their effects stand. In the order in which they were asked for.
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
    /// Whether it acted, or may have.
    fn has_acted(&self) -> bool {
        self.tier > Some(Tier::Green)
            && self.started.is_some()
            && !matches!(self.state, ToolState::Cancelled)
    }
}
