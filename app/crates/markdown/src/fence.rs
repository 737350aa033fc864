//! Fences of code blocks that begin at the left margin.

/// The line that opened a code block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeFence {
    mark: char,
    length: usize,
}

impl CodeFence {
    /// Returns the fence that a line of a code block opens; none if the block is indented.
    pub(crate) fn opened_by(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = line.len() - line.trim_start_matches(mark).len();
        (length >= 3).then_some(Self { mark, length })
    }

    /// Returns whether a complete line closes the block.
    pub(crate) fn is_closed_by(self, line: &str) -> bool {
        self.marks_in(line)
            .is_some_and(|marks| marks >= self.length)
    }

    /// Returns whether a line that is still arriving could become one that closes the block.
    pub(crate) fn may_be_closed_by(self, line: &str) -> bool {
        self.marks_in(line)
            .is_some_and(|marks| marks >= self.length || line.ends_with(self.mark))
    }

    /// Returns the number of marks in a line that has nothing else.
    fn marks_in(self, line: &str) -> Option<usize> {
        let text = line.trim_start_matches(' ');
        if line.len() - text.len() > 3 {
            return None;
        }
        let rest = text.trim_start_matches(self.mark);
        rest.trim_matches([' ', '\n'])
            .is_empty()
            .then_some(text.len() - rest.len())
    }
}
