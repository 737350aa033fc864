//! What came out of a file: history in which nothing goes on.

use crate::{
    fold::Transcript,
    row::{RowContent, ToolState},
};

impl Transcript {
    /// Ends what was under way when the file was made. What became of it is not in the file, and
    /// nothing of it holds here: no turn, no question, no grant.
    pub fn close(&mut self) {
        self.end_all(
            "The file ends before it was decided.",
            "The file ends before the call did.",
        );
    }

    /// The same where it is read under a link, and goes on with its owner alone.
    pub fn look_on(&mut self) {
        self.end_all(
            "It was not decided yet when this page was read.",
            "The call had not ended when this page was read.",
        );
    }

    /// No turn, no question and no grant holds any more; says why of calls that have not ended.
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
