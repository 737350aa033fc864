#![doc = include_str!("../README.md")]

mod ast;
mod code;
mod definitions;
mod fence;
mod link;
mod pieces;
mod plain_words;
mod plot;
mod reader;
mod repair;
mod stream;
mod words;

pub use ast::{Alignment, Block, Cell, Inline, Item, List, Table};
pub use code::code_spans;
pub use plain_words::plain;
pub use plot::{PLOT, Plot, PlotAxis, PlotEnds, PlotKind, PlotSeries, say_plots};
pub use reader::MAX_DEPTH;
pub use stream::{MarkdownStream, StreamUpdate};
pub use words::{Lead, has_words, holds_sorts, link_words};

/// Parses a complete text. Gives the same result as a [`MarkdownStream`] that received it in pieces.
pub fn parse(text: &str) -> Vec<Block> {
    let mut stream = MarkdownStream::new();
    stream.push(text);
    stream.finish()
}

#[cfg(test)]
mod tests;
