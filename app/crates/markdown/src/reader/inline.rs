//! Collects the running text of one paragraph, heading or cell.

use std::ops::Range;

use pulldown_cmark::{LinkType, Tag, TagEnd};

use super::MAX_DEPTH;
use crate::{
    Inline, link,
    pieces::{InlinePiece, merge},
    repair,
};

/// The inline element that a container becomes.
pub(super) enum InlineKind {
    Emph,
    Strong,
    Strike,
    /// Struck with one `~`, which people write for "about".
    Tilde,
    Link {
        href: String,
        title: String,
    },
}

impl InlineKind {
    pub(super) fn of(tag: &Tag<'_>, source: &str, start: usize) -> Option<Self> {
        Some(match tag {
            Tag::Emphasis => Self::Emph,
            Tag::Strong => Self::Strong,
            Tag::Strikethrough if source[start..].starts_with("~~") => Self::Strike,
            Tag::Strikethrough => Self::Tilde,
            Tag::Link {
                link_type: LinkType::Email,
                dest_url,
                ..
            } => Self::Link {
                href: format!("mailto:{dest_url}"),
                title: String::new(),
            },
            Tag::Link {
                dest_url, title, ..
            }
            | Tag::Image {
                dest_url, title, ..
            } => Self::Link {
                href: dest_url.to_string(),
                title: title.to_string(),
            },
            _ => return None,
        })
    }
}

pub(super) fn is_inline_end(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}

/// An open paragraph, heading or cell.
pub(super) struct InlineLeaf {
    pub(super) start: usize,
    /// The level of a heading.
    pub(super) level: Option<u8>,
    implicit: bool,
    /// End of the last addition.
    end: usize,
    /// Open containers, outermost first, with the pieces before each.
    open: Vec<(InlineKind, usize, Vec<InlinePiece>)>,
    /// Number of open containers that were too deep.
    flattened: usize,
    pieces: Vec<InlinePiece>,
}

impl InlineLeaf {
    pub(super) fn new(start: usize, level: Option<u8>) -> Self {
        Self {
            start,
            level,
            implicit: false,
            end: start,
            open: Vec::new(),
            flattened: 0,
            pieces: Vec::new(),
        }
    }

    pub(super) fn implicit(start: usize) -> Self {
        Self {
            implicit: true,
            ..Self::new(start, None)
        }
    }

    pub(super) fn is_implicit(&self) -> bool {
        self.implicit
    }

    pub(super) fn end(&self) -> usize {
        self.end
    }

    pub(super) fn text(&mut self, text: &str, range: Range<usize>) {
        self.push(Inline::Text(text.to_owned()), range);
    }

    pub(super) fn code(&mut self, text: &str, range: Range<usize>) {
        self.push(Inline::Code(text.to_owned()), range);
    }

    pub(super) fn soft_break(&mut self, range: Range<usize>) {
        self.push(Inline::SoftBreak, range);
    }

    pub(super) fn hard_break(&mut self, range: Range<usize>) {
        self.push(Inline::HardBreak, range);
    }

    /// Adds one line of an HTML block, as text.
    pub(super) fn html_line(&mut self, html: &str, range: Range<usize>) {
        let line = html.trim_end_matches('\n');
        if !line.is_empty() {
            self.text(line, range.start..range.start + line.len());
        }
        if line.len() < html.len() {
            self.soft_break(range.end..range.end);
        }
    }

    /// Handles the `<br>` that models write in table cells, where nothing else breaks a line.
    pub(super) fn inline_html(&mut self, html: &str, range: Range<usize>) {
        let name = html.trim_matches(|c: char| matches!(c, '<' | '>' | '/' | ' '));
        if name.eq_ignore_ascii_case("br") && !html.starts_with("</") {
            self.hard_break(range);
        } else {
            self.text(html, range);
        }
    }

    pub(super) fn open(&mut self, kind: InlineKind, start: usize) {
        if self.open.len() >= MAX_DEPTH {
            self.flattened += 1;
        } else {
            let before = std::mem::take(&mut self.pieces);
            self.open.push((kind, start, before));
        }
    }

    pub(super) fn close(&mut self, end: usize) {
        self.end = end;
        if self.flattened > 0 {
            self.flattened -= 1;
            return;
        }
        let in_link = self.is_in_link();
        let Some((kind, start, before)) = self.open.pop() else {
            return;
        };
        let pieces = std::mem::replace(&mut self.pieces, before);
        let range = start..end;
        let wrap: fn(Vec<Inline>) -> Inline = match kind {
            InlineKind::Emph => Inline::Emph,
            InlineKind::Strong => Inline::Strong,
            InlineKind::Strike => Inline::Strike,
            InlineKind::Tilde => {
                self.text("~", start..start + 1);
                self.pieces.extend(pieces);
                self.text("~", end - 1..end);
                return;
            }
            InlineKind::Link { href, title } => {
                self.link(href, title, pieces, range);
                return;
            }
        };
        let inline = wrap(merge(pieces, in_link));
        self.push(inline, range);
    }

    /// Adds a link; one within a link, or with a forbidden address, becomes its text.
    fn link(
        &mut self,
        href: String,
        title: String,
        mut pieces: Vec<InlinePiece>,
        range: Range<usize>,
    ) {
        if pieces.is_empty() {
            pieces.push(InlinePiece {
                inline: Inline::Text(href.clone()),
                range: range.clone(),
            });
        }
        if self.is_in_link() || !link::is_allowed(&href) {
            self.pieces.extend(pieces);
            return;
        }
        let inline = Inline::Link {
            href,
            title: Some(title).filter(|title| !title.is_empty()),
            children: merge(pieces, true),
        };
        self.push(inline, range);
    }

    /// Returns the content. With a source, closes syntax that is still open.
    pub(super) fn finish(&mut self, repair_in: Option<&str>) -> Vec<Inline> {
        let mut pieces = std::mem::take(&mut self.pieces);
        while matches!(
            pieces.last(),
            Some(InlinePiece {
                inline: Inline::SoftBreak,
                ..
            })
        ) {
            pieces.pop();
        }
        if let Some(source) = repair_in {
            pieces = repair::close_open(pieces, source);
        }
        merge(pieces, false)
    }

    fn push(&mut self, inline: Inline, range: Range<usize>) {
        self.end = range.end;
        self.pieces.push(InlinePiece { inline, range });
    }

    fn is_in_link(&self) -> bool {
        self.open
            .iter()
            .any(|(kind, ..)| matches!(kind, InlineKind::Link { .. }))
    }
}
