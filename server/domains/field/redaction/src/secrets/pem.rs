//! Keys and certificates of several lines: `-----BEGIN …-----` to `-----END …-----`.

use std::ops::Range;

use memchr::memmem;

use crate::fields::line_end;
use crate::layers::Layers;
use crate::texts::SECRET_REMOVED;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Memory of the lines so far: they may have ended inside of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct PemState {
    is_inside: bool,
}

/// Calls back with the beginnings of blocks: a label of capitals stands between the dashes.
pub(super) fn begins(text: &str, found: &mut dyn FnMut(usize)) {
    for at in memmem::find_iter(text.as_bytes(), BEGIN) {
        let label = &text[at + BEGIN.len()..];
        let end = label
            .find(|sign: char| !sign.is_ascii_uppercase() && !sign.is_ascii_digit() && sign != ' ');
        if end.is_some_and(|end| end > 0 && label[end..].starts_with("-----")) {
            found(at);
        }
    }
}

/// A part of a block that is removed, and what stands for it.
pub(super) struct PemPart {
    pub(super) range: Range<usize>,
    pub(super) mark: &'static str,
}

impl PemState {
    /// The parts of whole lines that belong to blocks, given where blocks begin, and the mark for each: only
    /// the first line of a block leaves one. A block without an end reaches as far as there are lines of
    /// base64.
    pub(super) fn blocks(&mut self, text: &str, mut begins: Vec<usize>) -> Vec<PemPart> {
        if begins.is_empty() && !self.is_inside {
            return Vec::new();
        }
        begins.sort_unstable();
        begins.dedup();
        let mut begins = begins.into_iter().peekable();
        let mut blocks = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let line_break = line_end(text.as_bytes(), at);
            let next = (line_break + 1).min(text.len());
            if self.is_inside {
                self.inside(text, at..line_break, next, &mut blocks);
            }
            while let Some(begin) = begins.next_if(|begin| *begin < next) {
                // A block within a block is the same block.
                let is_new = blocks
                    .last()
                    .is_none_or(|last: &PemPart| last.range.end <= begin);
                if !self.is_inside && is_new {
                    let end = closing(&text[begin..line_break]);
                    self.is_inside = end.is_none();
                    blocks.push(PemPart {
                        range: begin..end.map_or(line_break, |end| begin + end),
                        mark: SECRET_REMOVED,
                    });
                }
            }
            at = next;
        }
        blocks
    }

    /// Decides about a line after the first one of a block. Its line break goes with it; that of the first
    /// line stays.
    fn inside(&mut self, text: &str, line: Range<usize>, next: usize, blocks: &mut Vec<PemPart>) {
        let decoded = deepest(&text[line.clone()]);
        let remove = match (closing(&text[line.clone()]), closing(&decoded)) {
            (Some(end), _) if text[line.start + end..line.end].trim().is_empty() => Some(next),
            (Some(end), _) => Some(line.start + end),
            // The end is there, in other signs.
            (None, Some(_)) => Some(next),
            (None, None) if is_body(&decoded) => Some(next),
            (None, None) => None,
        };
        let is_last = closing(&decoded).is_some() || remove.is_none();
        self.is_inside = !is_last;
        if let Some(end) = remove {
            blocks.push(PemPart {
                range: line.start..end,
                mark: "",
            });
        }
    }
}

/// The offset behind the mark that ends a block.
fn closing(line: &str) -> Option<usize> {
    let end = line.find(END)? + END.len();
    line[end..].find("-----").map(|dashes| end + dashes + 5)
}

fn deepest(line: &str) -> String {
    let mut decoded = line.to_owned();
    Layers::of(line).each(|layer, _| layer.trim_end_matches('\n').clone_into(&mut decoded));
    decoded
}

/// Base64, or one of the headers that old keys have. Quotes, indentation and the signs of string literals
/// are tolerated.
fn is_body(line: &str) -> bool {
    const HEADERS: [&str; 6] = [
        "Proc-Type:",
        "DEK-Info:",
        "Version:",
        "Comment:",
        "Hash:",
        "Charset:",
    ];
    let line = line.trim_matches(|sign: char| sign.is_whitespace() || "\"'+,\\>|#*".contains(sign));
    HEADERS.iter().any(|header| line.starts_with(header))
        || line
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
}
