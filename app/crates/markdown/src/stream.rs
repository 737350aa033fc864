//! The splitter: reads a growing text so that finished blocks are never read again.

use std::mem;

use crate::{
    Block,
    fence::CodeFence,
    reader::{self, ReaderPart, Spacing, Top, is_after_blank},
    repair,
};

/// A text that is still arriving.
///
/// A block is settled once a later block has begun below it, on a complete line: nothing that
/// follows can change it then. Within an open list, table or fenced code block the same applies to
/// items, rows and lines, so a token costs the work of the last item, row or line. An open
/// paragraph or quote, and a single long item, are read from their start each time.
#[derive(Debug, Default)]
pub struct MarkdownStream {
    /// The text that is not settled yet.
    source: String,
    /// Length of the prefix of `source` that is known to settle nothing more.
    examined: usize,
    /// The settled blocks, then the tail.
    blocks: Vec<Block>,
    settled: usize,
    /// The kind of block that the settled parts of `blocks[settled]` belong to.
    open: OpenTail,
    /// True if the last piece ended with a carriage return.
    after_return: bool,
}

/// The changes since the last refresh: new final blocks, and those that may still change.
#[derive(Debug, PartialEq, Eq)]
pub struct StreamUpdate<'a> {
    /// Blocks that are new and final. They replace the tail of the previous update.
    pub settled: &'a [Block],
    /// Blocks that may still change, repaired for display.
    pub tail: &'a [Block],
    /// Size of the final part of the tail's first block: items of a list, rows of a table, bytes of
    /// a code block. Only a list's `tight` may still change.
    pub kept: usize,
}

/// A block with some settled parts.
#[derive(Debug, Default)]
enum OpenTail {
    #[default]
    None,
    List {
        items: usize,
        spacing: Spacing,
    },
    Table {
        rows: usize,
        /// Head and delimiter line.
        head: String,
    },
    Code {
        bytes: usize,
        fence: CodeFence,
    },
}

impl MarkdownStream {
    /// Creates an empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds text. Cheap; call it for every token.
    pub fn push(&mut self, text: &str) {
        self.source.reserve(text.len());
        for c in text.chars() {
            let after_return = mem::replace(&mut self.after_return, c == '\r');
            match c {
                '\n' if after_return => {}
                '\r' => self.source.push('\n'),
                '\0' => self.source.push(char::REPLACEMENT_CHARACTER),
                c => self.source.push(c),
            }
        }
    }

    /// Reads the added text. Call it once per frame.
    pub fn refresh(&mut self) -> StreamUpdate<'_> {
        let before = self.settled;
        self.settle();
        self.show(true);
        StreamUpdate {
            settled: &self.blocks[before..self.settled],
            tail: &self.blocks[self.settled..],
            kept: self.open.kept(),
        }
    }

    /// Returns all blocks as of the last refresh: the settled ones, then the tail.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the number of settled blocks.
    pub fn settled(&self) -> usize {
        self.settled
    }

    /// Completes the text and returns all its blocks, with nothing repaired.
    pub fn finish(mut self) -> Vec<Block> {
        self.settle();
        self.show(false);
        self.blocks
    }

    /// Moves everything that is final out of `source`.
    fn settle(&mut self) {
        self.remove_tail();
        let mut done = 0;
        while let Some(end) = self.source[done..].rfind('\n').map(|at| done + at + 1) {
            if end <= self.examined {
                break;
            }
            let before = done;
            done = match &self.open {
                OpenTail::Code { fence, .. } => {
                    let fence = *fence;
                    self.settle_code(fence, done, end)
                }
                _ => self.settle_blocks(done, end),
            };
            if done == before {
                break;
            }
        }
        self.examined = self.source.rfind('\n').map_or(0, |at| at + 1).max(done) - done;
        self.source.drain(..done);
    }

    /// Settles code lines in a range of the source. Returns the start of the rest.
    fn settle_code(&mut self, fence: CodeFence, start: usize, end: usize) -> usize {
        let mut done = start;
        for line in self.source[start..end].split_inclusive('\n') {
            done += line.len();
            if fence.is_closed_by(line) {
                self.settle_open();
                return done;
            }
            if let Some(Block::CodeBlock { text, .. }) = self.blocks.last_mut() {
                text.push_str(line);
            }
        }
        if let (OpenTail::Code { bytes, .. }, Some(Block::CodeBlock { text, .. })) =
            (&mut self.open, self.blocks.last())
        {
            *bytes = text.len();
        }
        done
    }

    /// Settles blocks, items and rows in a range of complete lines. Returns the start of the rest.
    fn settle_blocks(&mut self, start: usize, end: usize) -> usize {
        let mut tops = self.read(start, end, false);
        let mut continues = !matches!(self.open, OpenTail::None);
        let Some(last) = tops.pop() else {
            return if continues { start } else { end };
        };
        for top in tops {
            self.add(top, continues);
            self.settle_open();
            continues = false;
        }
        if continues {
            self.settle_parts(last, start)
        } else {
            self.open_block(last, start, end)
        }
    }

    /// Continues the open block: settles its complete parts.
    fn settle_parts(&mut self, mut top: Top, start: usize) -> usize {
        let (parts, rest) = complete_parts(&mut top);
        let Some(rest) = rest.map(|rest| start + rest) else {
            return start;
        };
        match &mut self.open {
            OpenTail::List { items, spacing } => {
                *items += parts.len();
                *spacing = spacing.and(Spacing::of(&parts));
                spacing.blank |= is_after_blank(&self.source, rest);
            }
            OpenTail::Table { rows, .. } => *rows += parts.len(),
            OpenTail::None | OpenTail::Code { .. } => return start,
        }
        self.add(top, true);
        rest
    }

    /// Opens a new last block if its parts can be settled separately.
    fn open_block(&mut self, mut top: Top, start: usize, end: usize) -> usize {
        let at = start + top.start;
        let (parts, rest) = complete_parts(&mut top);
        let rest = rest.map(|rest| start + rest);
        match (&mut top.block, rest) {
            (Block::List(_), Some(rest)) => {
                let mut spacing = Spacing::of(&parts);
                spacing.blank |= is_after_blank(&self.source, rest);
                self.open = OpenTail::List {
                    items: parts.len(),
                    spacing,
                };
                self.blocks.push(top.block);
                rest
            }
            (Block::Table(_), _) => {
                let head = first_lines(&self.source[at..end], 2);
                self.open = OpenTail::Table {
                    rows: parts.len(),
                    head: head.to_owned(),
                };
                self.blocks.push(top.block);
                rest.unwrap_or(at + head.len())
            }
            (Block::CodeBlock { text, .. }, _) => {
                let line = first_lines(&self.source[at..end], 1);
                let Some(fence) = CodeFence::opened_by(line) else {
                    return at;
                };
                text.clear();
                self.open = OpenTail::Code { bytes: 0, fence };
                self.blocks.push(top.block);
                at + line.len()
            }
            _ => at,
        }
    }

    /// Reads the rest of the source into the tail.
    fn show(&mut self, repair: bool) {
        if let OpenTail::Code { fence, .. } = &self.open {
            let closes = if repair {
                fence.may_be_closed_by(&self.source)
            } else {
                fence.is_closed_by(&self.source)
                    || matches!(self.source.as_str(), " " | "  " | "   ")
            };
            if let (false, Some(Block::CodeBlock { text, .. })) = (closes, self.blocks.last_mut()) {
                text.push_str(&self.source);
            }
            return;
        }
        let mut continues = !matches!(self.open, OpenTail::None);
        for top in self.read(0, self.source.len(), repair) {
            self.add(top, continues);
            continues = false;
        }
    }

    /// Reads a range of the source as the continuation of the open block.
    fn read(&self, start: usize, end: usize, repair: bool) -> Vec<Top> {
        let source = &self.source[start..end];
        let in_table = matches!(self.open, OpenTail::Table { .. });
        let source = if repair {
            repair::trim(source, in_table)
        } else {
            source.into()
        };
        let OpenTail::Table { head, .. } = &self.open else {
            return reader::read(&source, repair);
        };
        let mut tops = reader::read(&format!("{head}{source}"), repair);
        for top in &mut tops {
            top.start = top.start.saturating_sub(head.len());
            for part in &mut top.parts {
                part.at = part.at.saturating_sub(head.len());
            }
        }
        tops
    }

    /// Adds a block, or its parts to the open block.
    fn add(&mut self, top: Top, continues: bool) {
        match (&self.open, self.blocks.last_mut(), top.block) {
            (OpenTail::List { spacing, .. }, Some(Block::List(list)), Block::List(more))
                if continues =>
            {
                list.items.extend(more.items);
                list.tight = spacing.and(Spacing::of(&top.parts)).is_tight();
            }
            (OpenTail::Table { .. }, Some(Block::Table(table)), Block::Table(more))
                if continues =>
            {
                table.rows.extend(more.rows);
            }
            (_, _, block) => self.blocks.push(block),
        }
    }

    /// Settles the open block, if any.
    fn settle_open(&mut self) {
        self.open = OpenTail::None;
        self.settled = self.blocks.len();
    }

    /// Removes what the last refresh showed of the unsettled text.
    fn remove_tail(&mut self) {
        let open = usize::from(!matches!(self.open, OpenTail::None));
        self.blocks.truncate(self.settled + open);
        match (&self.open, self.blocks.last_mut()) {
            (OpenTail::List { items, spacing }, Some(Block::List(list))) => {
                list.items.truncate(*items);
                list.tight = spacing.is_tight();
            }
            (OpenTail::Table { rows, .. }, Some(Block::Table(table))) => table.rows.truncate(*rows),
            (OpenTail::Code { bytes, .. }, Some(Block::CodeBlock { text, .. })) => {
                text.truncate(*bytes);
            }
            _ => {}
        }
    }
}

impl OpenTail {
    fn kept(&self) -> usize {
        match self {
            Self::None => 0,
            Self::List { items, .. } => *items,
            Self::Table { rows, .. } => *rows,
            Self::Code { bytes, .. } => *bytes,
        }
    }
}

/// Removes the part of a block of complete lines that may still change: the last item of a list.
/// Returns the parts that stay, and the start of the rest if there is any.
fn complete_parts(top: &mut Top) -> (Vec<ReaderPart>, Option<usize>) {
    let mut parts = top.parts.clone();
    let rest = match &mut top.block {
        Block::List(list) if list.items.len() > 1 => {
            list.items.pop();
            top.parts.pop();
            parts.pop().map(|item| item.at)
        }
        Block::Table(_) => parts.last().map(|row| row.at),
        _ => None,
    };
    (parts, rest)
}

fn first_lines(source: &str, count: usize) -> &str {
    let end = source.match_indices('\n').nth(count - 1);
    end.map_or(source, |(at, _)| &source[..=at])
}
