//! Turns a piece of source into top-level blocks, with the offsets of their parts.

mod inline;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use self::inline::{InlineKind, InlineLeaf};
use crate::{
    Alignment, Block, Cell, Item, List, Table,
    definitions::{OPTIONS, Visible},
};

/// Containers nested deeper than this lose their frame and keep their content; the same applies,
/// separately, to emphasis and links within a paragraph.
pub const MAX_DEPTH: usize = 16;

/// A top-level block with the facts that the splitter needs. All offsets are of line starts.
#[derive(Debug)]
pub(crate) struct Top {
    pub(crate) block: Block,
    pub(crate) start: usize,
    /// The items of a list or the rows of a table.
    pub(crate) parts: Vec<ReaderPart>,
}

/// An item of a list or a row of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReaderPart {
    /// The beginning of an item, or the end of a row.
    pub(crate) at: usize,
    pub(crate) spacing: Spacing,
}

impl ReaderPart {
    fn at(at: usize) -> Self {
        Self {
            at,
            spacing: Spacing::default(),
        }
    }
}

/// The facts that decide whether a list is loose.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spacing {
    /// True if there are blank lines between items or in them.
    pub(crate) blank: bool,
    /// True if an item has a paragraph that could get space around it.
    pub(crate) text: bool,
}

impl Spacing {
    pub(crate) fn of(parts: &[ReaderPart]) -> Self {
        parts
            .iter()
            .fold(Self::default(), |all, part| all.and(part.spacing))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            blank: self.blank || other.blank,
            text: self.text || other.text,
        }
    }

    pub(crate) fn is_tight(self) -> bool {
        !(self.blank && self.text)
    }
}

/// Reads a piece of source that begins at a top-level block. With `repair`, syntax that is still
/// open at the end is shown as if it were closed.
pub(crate) fn read(original: &str, repair: bool) -> Vec<Top> {
    let visible = Visible::new(original);
    let mut reader = BlockReader {
        source: &visible.source,
        repair_from: repair.then(|| visible.source.trim_end().len()),
        stack: Vec::new(),
        flattened: 0,
        leaf: None,
        tops: Vec::new(),
    };
    for (event, range) in Parser::new_ext(&visible.source, OPTIONS).into_offset_iter() {
        reader.event(event, range);
    }
    reader.end_implicit();
    let mut tops = reader.tops;
    let line_start = |offset: usize| {
        let offset = visible.original(offset);
        original[..offset].rfind('\n').map_or(0, |at| at + 1)
    };
    for top in &mut tops {
        top.start = line_start(top.start);
        match &top.block {
            Block::Table(_) => {
                for part in &mut top.parts {
                    let start = line_start(part.at);
                    part.at = original[start..]
                        .find('\n')
                        .map_or(original.len(), |at| start + at + 1);
                }
            }
            _ => top
                .parts
                .iter_mut()
                .for_each(|part| part.at = line_start(part.at)),
        }
    }
    tops
}

/// An open container.
enum OpenBlock {
    Quote {
        start: usize,
        blocks: Vec<Block>,
    },
    List {
        start: usize,
        number: Option<u64>,
        items: Vec<Item>,
        parts: Vec<ReaderPart>,
    },
    Item {
        task: Option<bool>,
        blocks: Vec<Block>,
    },
    Table {
        start: usize,
        table: Table,
        row: Vec<Cell>,
        parts: Vec<ReaderPart>,
    },
    Code {
        start: usize,
        lang: Option<String>,
        text: String,
    },
}

struct BlockReader<'a> {
    source: &'a str,
    /// Anything that ends at or after this offset may still be open.
    repair_from: Option<usize>,
    stack: Vec<OpenBlock>,
    /// Number of open containers too deep for the stack; they are all inside its last frame.
    flattened: usize,
    /// The open paragraph, heading or cell.
    leaf: Option<InlineLeaf>,
    tops: Vec<Top>,
}

impl BlockReader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Rule => {
                self.end_implicit();
                self.add(Block::Rule, range.start);
            }
            Event::TaskListMarker(ticked) => {
                if let (0, Some(OpenBlock::Item { task, .. })) =
                    (self.flattened, self.stack.last_mut())
                {
                    *task = Some(ticked);
                }
            }
            Event::Text(text) => {
                if let Some(OpenBlock::Code { text: code, .. }) = self.stack.last_mut() {
                    code.push_str(&text);
                } else {
                    self.leaf(range.start).text(&text, range);
                }
            }
            Event::Code(text) => self.leaf(range.start).code(&text, range),
            Event::Html(html) => self.leaf(range.start).html_line(&html, range),
            Event::InlineHtml(html) => self.leaf(range.start).inline_html(&html, range),
            Event::SoftBreak => self.leaf(range.start).soft_break(range),
            Event::HardBreak => self.leaf(range.start).hard_break(range),
            // Extensions that are not enabled.
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.leaf(range.start).text(&text, range)
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let start = range.start;
        if let Some(kind) = InlineKind::of(&tag, self.source, start) {
            self.leaf(start).open(kind, start);
            return;
        }
        self.end_implicit();
        match tag {
            Tag::Paragraph => {
                self.note_spacing(true);
                self.leaf = Some(InlineLeaf::new(start, None));
            }
            Tag::HtmlBlock => self.leaf = Some(InlineLeaf::new(start, None)),
            Tag::Heading { level, .. } => {
                self.leaf = Some(InlineLeaf::new(start, Some(level as u8)))
            }
            Tag::TableCell => self.leaf = Some(InlineLeaf::new(start, None)),
            Tag::CodeBlock(kind) => {
                let lang = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', '\t', ',', '{']).next().map(str::to_owned)
                    }
                    CodeBlockKind::Indented => None,
                };
                self.stack.push(OpenBlock::Code {
                    start,
                    lang: lang.filter(|lang| !lang.is_empty()),
                    text: String::new(),
                });
            }
            Tag::Table(alignments) => self.stack.push(OpenBlock::Table {
                start,
                table: Table {
                    alignments: alignments.into_iter().map(alignment).collect(),
                    head: Vec::new(),
                    rows: Vec::new(),
                },
                row: Vec::new(),
                parts: Vec::new(),
            }),
            Tag::BlockQuote(_) | Tag::List(_) | Tag::Item if self.is_too_deep(&tag) => {
                self.flattened += 1;
            }
            Tag::BlockQuote(_) => self.stack.push(OpenBlock::Quote {
                start,
                blocks: Vec::new(),
            }),
            Tag::List(number) => self.stack.push(OpenBlock::List {
                start,
                number,
                items: Vec::new(),
                parts: Vec::new(),
            }),
            Tag::Item => {
                self.note_blank_before(start);
                if let Some(OpenBlock::List { parts, .. }) = self.stack.last_mut() {
                    parts.push(ReaderPart::at(start));
                }
                self.stack.push(OpenBlock::Item {
                    task: None,
                    blocks: Vec::new(),
                });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        if inline::is_inline_end(tag) {
            if let Some(leaf) = &mut self.leaf {
                leaf.close(range.end);
            }
            return;
        }
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Heading(_) => self.end_leaf(),
            TagEnd::TableCell => {
                let cell = self
                    .take_leaf()
                    .map_or_else(Vec::new, |(_, content)| content);
                if let Some(OpenBlock::Table { row, .. }) = self.stack.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::TableHead => {
                if let Some(OpenBlock::Table { table, row, .. }) = self.stack.last_mut() {
                    table.head = std::mem::take(row);
                }
            }
            TagEnd::TableRow => {
                if let Some(OpenBlock::Table {
                    table, row, parts, ..
                }) = self.stack.last_mut()
                {
                    table.rows.push(std::mem::take(row));
                    parts.push(ReaderPart::at(range.start));
                }
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => {
                self.end_implicit();
                if self.flattened > 0 {
                    self.flattened -= 1;
                } else {
                    self.pop();
                }
            }
            TagEnd::CodeBlock | TagEnd::Table => self.pop(),
            _ => {}
        }
    }

    fn pop(&mut self) {
        match self.stack.pop() {
            Some(OpenBlock::Quote { start, blocks }) => self.add(Block::Quote(blocks), start),
            Some(OpenBlock::Item { task, blocks }) => {
                if let Some(OpenBlock::List { items, .. }) = self.stack.last_mut() {
                    items.push(Item { task, blocks });
                }
            }
            Some(OpenBlock::List {
                start,
                number,
                items,
                parts,
            }) => {
                let block = Block::List(List {
                    start: number,
                    tight: Spacing::of(&parts).is_tight(),
                    items,
                });
                self.add_parted(block, start, parts);
            }
            Some(OpenBlock::Table {
                start,
                table,
                parts,
                ..
            }) => self.add_parted(Block::Table(table), start, parts),
            Some(OpenBlock::Code { start, lang, text }) => {
                self.add(Block::CodeBlock { lang, text }, start);
            }
            None => {}
        }
    }

    fn add(&mut self, block: Block, start: usize) {
        self.add_parted(block, start, Vec::new());
    }

    fn add_parted(&mut self, block: Block, start: usize, parts: Vec<ReaderPart>) {
        if matches!(self.stack.last(), Some(OpenBlock::Item { blocks, .. }) if !blocks.is_empty()) {
            self.note_blank_before(start);
        }
        match self.stack.last_mut() {
            Some(OpenBlock::Quote { blocks, .. } | OpenBlock::Item { blocks, .. }) => {
                blocks.push(block)
            }
            Some(_) => {}
            None => self.tops.push(Top {
                block,
                start,
                parts,
            }),
        }
    }

    /// Returns the open leaf; text directly in a container opens a paragraph.
    fn leaf(&mut self, start: usize) -> &mut InlineLeaf {
        if self.leaf.is_none() {
            self.note_spacing(false);
        }
        self.leaf.get_or_insert_with(|| InlineLeaf::implicit(start))
    }

    fn end_implicit(&mut self) {
        if self.leaf.as_ref().is_some_and(InlineLeaf::is_implicit) {
            self.end_leaf();
        }
    }

    fn end_leaf(&mut self) {
        let Some((leaf, content)) = self.take_leaf() else {
            return;
        };
        let block = match leaf.level {
            Some(level) => Block::Heading { level, content },
            None => Block::Paragraph(content),
        };
        self.add(block, leaf.start);
    }

    fn take_leaf(&mut self) -> Option<(InlineLeaf, Cell)> {
        let mut leaf = self.leaf.take()?;
        let open = self.repair_from.is_some_and(|from| leaf.end() >= from);
        let content = leaf.finish(open.then_some(self.source));
        Some((leaf, content))
    }

    /// Notes the start of a paragraph; in the items of a loose list it has its own tag.
    fn note_spacing(&mut self, tagged: bool) {
        if self.flattened > 0 || self.stack.len() < 2 {
            return;
        }
        let list = self.stack.len() - 2;
        if let [OpenBlock::List { parts, .. }, OpenBlock::Item { .. }] = &mut self.stack[list..]
            && let Some(ReaderPart { spacing, .. }) = parts.last_mut()
        {
            spacing.blank |= tagged;
            spacing.text = true;
        }
    }

    /// In a list at the top level, whose parts may be read one by one, looks for blank lines in the
    /// source: the parser reports them only if the same part has a paragraph.
    fn note_blank_before(&mut self, start: usize) {
        if self.stack.len() > 2 {
            return;
        }
        if let Some(OpenBlock::List { parts, .. }) = self.stack.first_mut()
            && let Some(ReaderPart { spacing, .. }) = parts.last_mut()
        {
            // The parser places a list behind a tab one byte too early.
            let start = start + usize::from(self.source[start..].starts_with('\n'));
            let line = self.source[..start].rfind('\n').map_or(0, |at| at + 1);
            spacing.blank |= is_after_blank(self.source, line);
        }
    }

    fn is_too_deep(&self, tag: &Tag<'_>) -> bool {
        self.flattened > 0 || (!matches!(tag, Tag::Item) && self.stack.len() >= MAX_DEPTH)
    }
}

fn alignment(alignment: pulldown_cmark::Alignment) -> Alignment {
    match alignment {
        pulldown_cmark::Alignment::None => Alignment::None,
        pulldown_cmark::Alignment::Left => Alignment::Left,
        pulldown_cmark::Alignment::Center => Alignment::Center,
        pulldown_cmark::Alignment::Right => Alignment::Right,
    }
}

/// Returns whether the line before a line that starts at `offset` is blank.
pub(crate) fn is_after_blank(source: &str, offset: usize) -> bool {
    source[..offset].strip_suffix('\n').is_some_and(|before| {
        let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        line.trim().is_empty()
    })
}
