//! A block of Markdown as views follow it: each of its blocks has its own signal, and a token
//! changes only the last one.

use leptos::prelude::*;
use markdown::{Block, MarkdownStream};
use transcript::BlockState;

use crate::{names::Names, words};

/// A text that may still grow.
#[derive(Clone)]
pub(crate) struct TextCell {
    pub(crate) blocks: ArcRwSignal<Vec<BlockCell>>,
    pub(crate) state: ArcRwSignal<BlockState>,
    growing: ArcStoredValue<Growing>,
    names: Names,
}

/// One block of a text, known by its index.
#[derive(Clone)]
pub(crate) struct BlockCell {
    pub(crate) place: usize,
    pub(crate) block: ArcRwSignal<Block>,
}

/// The parser of a growing text, and the bytes that it has read.
#[derive(Default)]
struct Growing {
    stream: MarkdownStream,
    read: usize,
}

impl Growing {
    fn read(&mut self, text: &str) {
        if let Some(new) = text.get(self.read..) {
            self.stream.push(new);
            self.read = text.len();
        }
    }
}

impl TextCell {
    pub(super) fn new(text: &str, state: BlockState, names: &Names) -> Self {
        let cell = Self {
            blocks: ArcRwSignal::new(Vec::new()),
            state: ArcRwSignal::new(state),
            growing: ArcStoredValue::new(Growing::default()),
            names: names.clone(),
        };
        cell.replace(text, state);
        cell
    }

    /// Reads text added at the end; returns the part that became final.
    pub(super) fn append(&self, text: &str) -> Option<String> {
        let mut growing = self.growing.write_value();
        growing.read(text);
        let before = growing.stream.settled();
        growing.stream.refresh();
        let settled = growing.stream.settled();
        let blocks = &growing.stream.blocks()[before..];
        if settled > before {
            self.show(before, &self.linked(blocks, settled - before));
        } else {
            self.show(before, blocks);
        }
        (settled > before).then(|| words::plain(&growing.stream.blocks()[before..settled]))
    }

    /// Reads the whole text again; returns the part that became final.
    pub(super) fn replace(&self, text: &str, state: BlockState) -> Option<String> {
        let mut growing = self.growing.write_value();
        let said = growing.stream.settled();
        *growing = Growing::default();
        let words = if state == BlockState::Streaming {
            growing.read(text);
            growing.stream.refresh();
            let stream = &growing.stream;
            self.show(0, &self.linked(stream.blocks(), stream.settled()));
            None
        } else {
            let mut blocks = markdown::parse(text);
            self.names.link(&mut blocks);
            self.show(0, &blocks);
            blocks.get(said..).map(words::plain)
        };
        if self.state.get_untracked() != state {
            self.state.set(state);
        }
        words
    }

    /// Reads a finished text again if it may contain names, because the names have changed.
    pub(super) fn relink(&self, text: &str) {
        if self.names.are_in(text) {
            let mut blocks = markdown::parse(text);
            self.names.link(&mut blocks);
            self.show(0, &blocks);
        }
    }

    /// Returns blocks with links in the settled ones, which come first.
    fn linked(&self, blocks: &[Block], settled: usize) -> Vec<Block> {
        let mut blocks = blocks.to_vec();
        if let Some(settled) = blocks.get_mut(..settled) {
            self.names.link(settled);
        }
        blocks
    }

    /// Returns the announcement for a text that came as a whole.
    pub(super) fn first_words(&self) -> Option<String> {
        if self.state.get_untracked() == BlockState::Streaming {
            return None;
        }
        let blocks: Vec<_> = self
            .blocks
            .read_untracked()
            .iter()
            .map(|cell| cell.block.get_untracked())
            .collect();
        Some(words::plain(&blocks))
    }

    /// Shows `blocks` from the index `from` on, and nothing after them. Unchanged blocks are left
    /// alone.
    fn show(&self, from: usize, blocks: &[Block]) {
        let known = self.blocks.read_untracked().clone();
        for (cell, block) in known.iter().skip(from).zip(blocks) {
            if *cell.block.read_untracked() != *block {
                cell.block.set(block.clone());
            }
        }
        let wanted = from + blocks.len();
        if known.len() != wanted {
            self.blocks.update(|cells| {
                cells.truncate(wanted);
                let first = cells.len();
                for (place, block) in (first..).zip(&blocks[first.saturating_sub(from)..]) {
                    cells.push(BlockCell {
                        place,
                        block: ArcRwSignal::new(block.clone()),
                    });
                }
            });
        }
    }
}
