//! The pieces of running text, which the reader collects and the repair completes.

use std::ops::Range;

use crate::{Inline, link};

/// An inline element and its range in the source.
pub(crate) struct InlinePiece {
    pub(crate) inline: Inline,
    pub(crate) range: Range<usize>,
}

/// Joins adjacent texts and turns bare addresses into links, unless they are in one already.
pub(crate) fn merge(pieces: Vec<InlinePiece>, in_link: bool) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut text = String::new();
    let flush = |text: &mut String, out: &mut Vec<Inline>| {
        if in_link && !text.is_empty() {
            out.push(Inline::Text(text.clone()));
        } else {
            link::push_text(text, out);
        }
        text.clear();
    };
    for piece in pieces {
        match piece.inline {
            Inline::Text(more) => text.push_str(&more),
            other => {
                flush(&mut text, &mut out);
                out.push(other);
            }
        }
    }
    flush(&mut text, &mut out);
    out
}
