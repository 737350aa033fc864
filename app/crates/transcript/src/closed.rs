//! Closed history: imported or shared conversations, in which nothing continues.

use crate::{
    fold::Transcript,
    row::{RowContent, ToolState},
    texts,
};

impl Transcript {
    /// Ends everything that was in progress when the file was made. Its outcome is not in the file,
    /// and none of it is in effect here: no turn, no request, no grant.
    pub fn close(&mut self) {
        self.end_all(
            texts::FILE_ENDS_BEFORE_DECISION,
            texts::FILE_ENDS_BEFORE_CALL_DID,
        );
    }

    /// Does the same for a conversation read through a link, which only its owner can continue.
    pub fn look_on(&mut self) {
        self.end_all(texts::NOT_DECIDED_WHEN_READ, texts::NOT_ENDED_WHEN_READ);
    }

    /// Ends the turn, all requests and all grants; records the reason on calls that have not ended.
    pub(crate) fn end_all(&mut self, waited: &str, open: &str) {
        self.turn = None;
        self.queue.clear();
        self.grants.clear();
        for row in &mut self.rows {
            if let RowContent::Tool(tool) = &mut row.content
                && !tool.state.is_terminal()
            {
                let known = match tool.state {
                    ToolState::Waiting => waited,
                    _ => open,
                };
                tool.state = ToolState::OutcomeUnknown {
                    known: Some(known.to_owned()),
                };
            }
        }
    }
}
