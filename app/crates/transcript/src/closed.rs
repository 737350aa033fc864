//! What came out of a file: history in which nothing goes on.

use crate::{
    fold::Transcript,
    row::{RowContent, ToolState},
};

impl Transcript {
    /// Ends what was under way when the file was made. What became of it is not in the file, and
    /// nothing of it holds here: no turn, no question, no grant.
    pub fn close(&mut self) {
        self.turn = None;
        self.queue.clear();
        self.grants.clear();
        for row in &mut self.rows {
            if let RowContent::Tool(tool) = &mut row.content
                && !tool.state.is_terminal()
            {
                let known = match tool.state {
                    ToolState::Waiting => "The file ends before it was decided.",
                    _ => "The file ends before the call did.",
                };
                tool.state = ToolState::OutcomeUnknown {
                    known: Some(known.to_owned()),
                };
            }
        }
    }
}
