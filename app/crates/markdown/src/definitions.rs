//! Makes link reference definitions visible: otherwise they would vanish from the page, and could
//! change links in blocks that were settled long ago.

use std::{borrow::Cow, ops::Range};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The Markdown extensions that are enabled.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// One definition can hide another; after this many rounds the rest may stay hidden.
const MAX_ROUNDS: usize = 4;

/// A source without definitions, and the insertions that removed them.
pub(crate) struct Visible<'a> {
    pub(crate) source: Cow<'a, str>,
    /// Ascending offsets, in the original, of the inserted backslashes.
    inserted: Vec<usize>,
}

impl<'a> Visible<'a> {
    pub(crate) fn new(original: &'a str) -> Self {
        let mut visible = Self {
            source: Cow::Borrowed(original),
            inserted: Vec::new(),
        };
        if !original.contains("]:") {
            return visible;
        }
        for _ in 0..MAX_ROUNDS {
            let found = definitions(&visible.source);
            if found.is_empty() {
                break;
            }
            let found: Vec<usize> = found.into_iter().map(|at| visible.original(at)).collect();
            visible.inserted.extend(found);
            visible.inserted.sort_unstable();
            visible.inserted.dedup();
            visible.source = Cow::Owned(escape(original, &visible.inserted));
        }
        visible
    }

    /// Converts an offset in the source to the offset in the original.
    pub(crate) fn original(&self, offset: usize) -> usize {
        let before = |count: usize| self.inserted[..count].last().map_or(0, |at| at + count);
        let (mut low, mut high) = (0, self.inserted.len());
        while low < high {
            let middle = (low + high).div_ceil(2);
            if before(middle) <= offset {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        offset - low
    }
}

/// Finds the beginnings of definitions and of lines that look like one (a second definition of the
/// same label is not reported).
fn definitions(source: &str) -> Vec<usize> {
    let parser = Parser::new_ext(source, OPTIONS);
    let mut found: Vec<usize> = parser
        .reference_definitions()
        .iter()
        .map(|(_, definition)| definition.span.start)
        .collect();
    if found.is_empty() {
        return found;
    }
    let code = code_ranges(parser);
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, ' ' | '\t' | '>' | '*' | '+' | '-' | '.' | ')')
        });
        let at = start + line.len() - text.len();
        let next = code.partition_point(|range| range.end <= at);
        let in_code = code.get(next).is_some_and(|range| range.start <= at);
        if looks_like_definition(text) && !in_code {
            found.push(at);
        }
        start += line.len();
    }
    found
}

fn looks_like_definition(text: &str) -> bool {
    text.strip_prefix('[').is_some_and(|label| {
        let end = label.find(['[', ']', '\\']).unwrap_or(0);
        end > 0 && label[end..].starts_with("]:")
    })
}

fn code_ranges(parser: Parser<'_>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open = None;
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => open = Some(range.start),
            Event::End(TagEnd::CodeBlock) => {
                if let Some(start) = open.take() {
                    ranges.push(start..range.end);
                }
            }
            Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) => ranges.push(range),
            _ => {}
        }
    }
    ranges
}

fn escape(original: &str, at: &[usize]) -> String {
    let mut out = String::with_capacity(original.len() + at.len());
    let mut done = 0;
    for &offset in at {
        out.push_str(&original[done..offset]);
        out.push('\\');
        done = offset;
    }
    out.push_str(&original[done..]);
    out
}
