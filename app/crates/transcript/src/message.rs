//! The end of a streamed message: finished, or interrupted for good.

use protocol::{ContentBlock, MessageId, StopReason, Timestamp, TurnId};

use crate::{
    fold::{RowChange, Transcript},
    row::{BlockState, Row, RowContent, RowKey, ToolRow, ToolState},
};

impl Transcript {
    /// Marks the streamed part of a message that will not be finished.
    pub(crate) fn interrupt(&mut self, message: MessageId, changes: &mut Vec<RowChange>) {
        self.end_live(message);
        let first = self.rows.partition_point_of_message(message);
        for index in (first..self.rows.len()).rev() {
            let row = &mut self.rows[index];
            if !matches!(row.key, RowKey::Block(of, _) if of == message) {
                continue;
            }
            match &mut row.content {
                RowContent::Text { text, state } | RowContent::Thinking { text, state }
                    if !text.is_empty() =>
                {
                    *state = BlockState::Interrupted;
                    changes.push(RowChange::Changed(index));
                }
                RowContent::Tool(tool) => {
                    tool.state = ToolState::Abandoned;
                    changes.push(RowChange::Changed(index));
                }
                _ => self.remove(index, changes),
            }
        }
    }

    /// Replaces the streamed part of a message by the message in the journal.
    pub(crate) fn finish_message(
        &mut self,
        turn: TurnId,
        message: MessageId,
        at: Timestamp,
        blocks: &[ContentBlock],
        stop: StopReason,
        changes: &mut Vec<RowChange>,
    ) {
        self.end_live(message);
        let state = match stop {
            StopReason::Cancelled | StopReason::Interrupted => BlockState::Interrupted,
            _ => BlockState::Done,
        };
        for (index, block) in (0u32..).zip(blocks) {
            let Some(content) = block_content(block, state) else {
                continue;
            };
            let row = match self.find_block(message, index) {
                Some(row) => {
                    self.rows[row].at = Some(at);
                    self.rows[row].content = content;
                    changes.push(RowChange::Changed(row));
                    row
                }
                None => self.push(
                    RowKey::Block(message, index),
                    turn,
                    Some(at),
                    content,
                    changes,
                ),
            };
            if let ContentBlock::ToolUse { call, .. } = block {
                self.calls.insert(*call, row);
            }
        }
        // Streamed parts that are not in the message, such as a tool call that was cut off.
        let first = self.rows.partition_point_of_message(message);
        for index in (first..self.rows.len()).rev() {
            let row = &self.rows[index];
            if matches!(row.key, RowKey::Block(of, _) if of == message) && row.at.is_none() {
                self.remove(index, changes);
            }
        }
    }
}

/// Finds the first row of the newest message without a walk over the whole history.
trait MessageRows {
    fn partition_point_of_message(&self, message: MessageId) -> usize;
}

impl MessageRows for Vec<Row> {
    fn partition_point_of_message(&self, message: MessageId) -> usize {
        let is_of = |row: &Row| matches!(row.key, RowKey::Block(of, _) if of == message);
        let Some(last) = self.iter().rposition(is_of) else {
            return self.len();
        };
        self[..=last]
            .iter()
            .rposition(|row| !is_of(row))
            .map_or(0, |before| before + 1)
    }
}

fn block_content(block: &ContentBlock, state: BlockState) -> Option<RowContent> {
    match block {
        ContentBlock::Text { text } if text.is_empty() => None,
        ContentBlock::Text { text } => Some(RowContent::Text {
            text: text.clone(),
            state,
        }),
        ContentBlock::Thinking { text } if text.is_empty() => None,
        ContentBlock::Thinking { text } => Some(RowContent::Thinking {
            text: text.clone(),
            state,
        }),
        ContentBlock::ToolUse { call, name, input } => {
            Some(RowContent::Tool(Box::new(ToolRow::new(
                Some(*call),
                name.clone(),
                Some(input.clone()),
                ToolState::Proposed,
            ))))
        }
        ContentBlock::Other => None,
    }
}
