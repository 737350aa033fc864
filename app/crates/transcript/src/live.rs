//! Live frames: blocks that are being streamed and are not yet in the journal.

use protocol::{BlockKind, CallId, ErrorBody, LiveBlockId, MessageId, Timestamp, TurnId};

use crate::{
    fold::{Gap, RowChange, Transcript},
    row::{BlockState, Row, RowContent, RowKey, ToolRow, ToolState},
    turn::{Phase, Waiting},
};

impl Transcript {
    /// Applies a block that is being streamed; `text` is all of it so far.
    pub fn apply_block(
        &mut self,
        block: LiveBlockId,
        message: MessageId,
        index: u32,
        kind: &BlockKind,
        text: &str,
    ) -> Vec<RowChange> {
        let mut changes = Vec::new();
        let Some(turn) = &mut self.turn else {
            return changes;
        };
        let id = turn.id;
        if turn.phase != Phase::Answering || turn.waiting.is_some() {
            turn.phase = Phase::Answering;
            turn.waiting = None;
            changes.push(RowChange::Turn);
        }
        let Some(content) = live_content(kind, text) else {
            return changes;
        };
        let row = match self.find_block(message, index) {
            // Its message is in the journal already.
            Some(row) if self.rows[row].at.is_some() => return changes,
            Some(row) => {
                self.rows[row].content = content;
                changes.push(RowChange::Changed(row));
                row
            }
            None => self.push(
                RowKey::Block(message, index),
                id,
                None,
                content,
                &mut changes,
            ),
        };
        self.live.insert(block, Some(row));
        changes
    }

    /// Adds text to a block. Text that is already there is not added again; text that does not
    /// follow on from it is a gap. Returns the row that changed, if any.
    pub fn apply_delta(
        &mut self,
        block: LiveBlockId,
        offset: u64,
        text: &str,
    ) -> Result<Option<usize>, Gap> {
        let index = match self.live.get(&block) {
            Some(Some(index)) => *index,
            Some(None) => return Ok(None),
            None => return Err(Gap),
        };
        let row = self.rows.get_mut(index).ok_or(Gap)?;
        let Some(have) = live_text(row) else {
            return Ok(None);
        };
        let offset = usize::try_from(offset).map_err(|_| Gap)?;
        let known = have.len().checked_sub(offset).ok_or(Gap)?;
        match text.get(known..) {
            Some("") => Ok(None),
            Some(new) => {
                have.push_str(new);
                Ok(Some(index))
            }
            // Shorter than the known text: a repetition. Within a character: a different text.
            None if known > text.len() => Ok(None),
            None => Err(Gap),
        }
    }

    /// Applies the progress of a running tool.
    pub fn apply_progress(&mut self, call: CallId, message: &str) -> Option<RowChange> {
        let &index = self.calls.get(&call)?;
        match self.rows.get_mut(index)? {
            Row {
                content: RowContent::Tool(tool),
                ..
            } if tool.state == ToolState::Running => {
                tool.progress = Some(message.to_owned());
                Some(RowChange::Changed(index))
            }
            _ => None,
        }
    }

    /// Records that the model cannot answer yet and is asked again at `until`.
    pub fn apply_waiting(
        &mut self,
        turn: TurnId,
        error: ErrorBody,
        until: Timestamp,
    ) -> Option<RowChange> {
        let active = self.turn.as_mut().filter(|active| active.id == turn)?;
        active.waiting = Some(Waiting { error, until });
        Some(RowChange::Turn)
    }

    /// Forgets the names of live blocks, which mean nothing on the next connection. Their rows stay
    /// until the journal or the next connection settles them.
    pub fn forget_live(&mut self) {
        self.live.clear();
    }

    pub(crate) fn end_live(&mut self, message: MessageId) {
        let rows = &self.rows;
        self.live.retain(|_, row| {
            let row = row.and_then(|row| rows.get(row));
            !matches!(row, Some(Row { key: RowKey::Block(of, _), .. }) if *of == message)
        });
    }
}

fn live_content(kind: &BlockKind, text: &str) -> Option<RowContent> {
    let state = BlockState::Streaming;
    match kind {
        BlockKind::Text => Some(RowContent::Text {
            text: text.to_owned(),
            state,
        }),
        BlockKind::Thinking => Some(RowContent::Thinking {
            text: text.to_owned(),
            state,
        }),
        BlockKind::ToolUse { name } => Some(RowContent::Tool(Box::new(ToolRow::new(
            None,
            name.clone(),
            None,
            ToolState::Writing,
        )))),
        BlockKind::Other => None,
    }
}

fn live_text(row: &mut Row) -> Option<&mut String> {
    match &mut row.content {
        RowContent::Text { text, .. } | RowContent::Thinking { text, .. } => Some(text),
        _ => None,
    }
}
