//! Decoded copies of a text, each with the way back to the original bytes.
//!
//! A value can be split by what does not show: JSON and percent escapes, invisible characters, full-width
//! digits, letters of other scripts. Values are searched in the text and in each of its layers; what is found
//! in a layer stands for the original bytes that it was decoded from.

mod escapes;
mod fold;

use std::ops::Range;

use memchr::{memchr, memrchr};

/// Escapes within escapes: more of them hide something, and such words are removed whole.
const DEEPEST: usize = 4;

/// A decoded copy of those lines of a text in which there was anything to decode.
#[derive(Default)]
pub(crate) struct Layer {
    text: String,
    runs: Vec<DecodedRun>,
    /// Ranges of the base that are escapes of nothing, such as half of a surrogate pair.
    broken: Vec<Range<usize>>,
}

/// A piece of a layer and the piece of its base that it came from.
struct DecodedRun {
    at: usize,
    base: Range<usize>,
    /// Byte for byte the same as its base.
    is_same: bool,
}

/// All layers of a text, the text itself aside.
pub(crate) struct Layers {
    layers: Vec<Layer>,
    /// Ranges of the original that cannot be decoded.
    pub(crate) undecodable: Vec<Range<usize>>,
}

impl Layers {
    pub(crate) fn of(text: &str) -> Self {
        let mut layers: Vec<Layer> = Vec::new();
        let mut rest = decode(text);
        while let Some(layer) = rest.take_if(|_| layers.len() < DEEPEST) {
            rest = decode(&layer.text);
            layers.push(layer);
        }
        let mut all = Self {
            layers,
            undecodable: Vec::new(),
        };
        let mut undecodable = Vec::new();
        for (depth, layer) in all.layers.iter().enumerate() {
            let ranges = layer.broken.iter();
            undecodable.extend(ranges.map(|range| all.original(depth, range.clone())));
        }
        if let Some(layer) = rest {
            let decoded = layer.runs.iter().filter(|run| !run.is_same);
            let depth = all.layers.len();
            undecodable.extend(
                decoded
                    .filter(|run| !text_of(&layer, run).starts_with('\n'))
                    .map(|run| all.original(depth, run.base.clone())),
            );
        }
        all.undecodable = undecodable.into_iter().map(|at| word(text, at)).collect();
        all
    }

    /// Calls back with each layer's text and the way from its ranges to those of the original.
    pub(crate) fn each(&self, mut look: impl FnMut(&str, &dyn Fn(Range<usize>) -> Range<usize>)) {
        for (depth, layer) in self.layers.iter().enumerate() {
            look(&layer.text, &|range| self.original(depth + 1, range));
        }
    }

    /// Leads from a range of the layer at `depth` to the original: 0 is the original itself.
    fn original(&self, depth: usize, range: Range<usize>) -> Range<usize> {
        self.layers[..depth]
            .iter()
            .rev()
            .fold(range, |range, layer| layer.base(&range))
    }
}

impl Layer {
    fn base(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.run(range.start);
        let start = if first.is_same {
            first.base.start + (range.start - first.at)
        } else {
            first.base.start
        };
        if range.is_empty() {
            return start..start;
        }
        let last = self.run(range.end - 1);
        let end = if last.is_same {
            last.base.start + (range.end - last.at)
        } else {
            last.base.end
        };
        start..end
    }

    fn run(&self, at: usize) -> &DecodedRun {
        let behind = self.runs.partition_point(|run| run.at <= at);
        &self.runs[behind.saturating_sub(1)]
    }

    fn push_same(&mut self, base: &str, range: Range<usize>) {
        if !range.is_empty() {
            self.runs.push(DecodedRun {
                at: self.text.len(),
                base: range.clone(),
                is_same: true,
            });
            self.text.push_str(&base[range]);
        }
    }

    /// Decodes one line, unless there is nothing to decode in it.
    fn push_line(&mut self, base: &str, line: Range<usize>) {
        let bytes = base.as_bytes();
        let mut decoded = String::new();
        let mut is_changed = false;
        let mut from = line.start;
        let mut at = line.start;
        while let Some(found) = special(&bytes[at..line.end]) {
            at += found;
            let rest = &base[at..line.end];
            decoded.clear();
            let length = match bytes[at] {
                b'\\' => escapes::backslash(rest, &mut decoded),
                b'%' => escapes::percent(rest, &mut decoded),
                _ => fold::first(rest, &mut decoded),
            };
            let Some(length) = length else {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            is_changed = true;
            if decoded.contains(char::REPLACEMENT_CHARACTER) {
                self.broken.push(at..at + length);
            }
            self.push_same(base, from..at);
            if !decoded.is_empty() {
                self.runs.push(DecodedRun {
                    at: self.text.len(),
                    base: at..at + length,
                    is_same: false,
                });
                self.text.push_str(&decoded);
            }
            at += length;
            from = at;
        }
        if !is_changed {
            return;
        }
        self.push_same(base, from..line.end);
        self.runs.push(DecodedRun {
            at: self.text.len(),
            base: line.end..(line.end + 1).min(base.len()),
            is_same: false,
        });
        self.text.push('\n');
    }
}

/// Decodes one level, or nothing if there is nothing to decode.
fn decode(text: &str) -> Option<Layer> {
    let bytes = text.as_bytes();
    let mut layer = Layer::default();
    let mut at = 0;
    while let Some(found) = special(&bytes[at..]) {
        let hit = at + found;
        let start = memrchr(b'\n', &bytes[at..hit]).map_or(at, |end| at + end + 1);
        let end = memchr(b'\n', &bytes[hit..]).map_or(bytes.len(), |end| hit + end);
        layer.push_line(text, start..end);
        at = (end + 1).min(bytes.len());
    }
    (!layer.text.is_empty()).then_some(layer)
}

/// The first byte that may need decoding.
fn special(bytes: &[u8]) -> Option<usize> {
    bytes
        .iter()
        .position(|byte| matches!(byte, b'\\' | b'%' | 0x80..))
}

fn text_of<'a>(layer: &'a Layer, run: &DecodedRun) -> &'a str {
    &layer.text[run.at..]
}

/// Extends a range to the white space around it.
fn word(text: &str, at: Range<usize>) -> Range<usize> {
    let start = text[..at.start]
        .rfind(char::is_whitespace)
        .map_or(0, |space| {
            space + text[space..].chars().next().map_or(1, char::len_utf8)
        });
    let end = text[at.end..]
        .find(char::is_whitespace)
        .map_or(text.len(), |space| at.end + space);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds `what` in any layer and returns the original text of it.
    fn original<'a>(text: &'a str, what: &str) -> Option<&'a str> {
        let layers = Layers::of(text);
        let mut found = None;
        layers.each(|layer, original| {
            if let Some(at) = layer.find(what) {
                found = found.or(Some(&text[original(at..at + what.len())]));
            }
        });
        found
    }

    #[test]
    fn what_is_hidden_leads_back_to_its_bytes() {
        for (text, what, expected) in [
            ("a 10.0\u{200b}.0.1 b", "10.0.0.1", "10.0\u{200b}.0.1"),
            ("a １０.0.0.1 b", "10.0.0.1", "１０.0.0.1"),
            (r#""10\u002e0.0.1""#, "10.0.0.1", r"10\u002e0.0.1"),
            ("q=10%2E0.0.1&", "10.0.0.1", "10%2E0.0.1"),
            ("10%252e0.0.1", "10.0.0.1", "10%252e0.0.1"),
            ("x\ny h\u{43e}st z", "host", "h\u{43e}st"),
            (r"a\xc3\xa4b", "äb", r"\xc3\xa4b"),
            (r"\ud83d\ude00!", "😀!", r"\ud83d\ude00!"),
        ] {
            assert_eq!(original(text, what), Some(expected), "{text}");
        }
    }

    #[test]
    fn plain_text_has_no_layers() {
        for text in ["", "plain\ntext\n", "100 % of it", "ä ö"] {
            assert!(Layers::of(text).layers.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_decoded_is_the_whole_word() {
        let found = |text: &str| -> Vec<String> {
            let ranges = Layers::of(text).undecodable;
            ranges.into_iter().map(|at| text[at].to_owned()).collect()
        };
        assert_eq!(found(r"a b\ud800c d"), [r"b\ud800c"]);
        assert_eq!(found("a %25252525252541 b"), ["%25252525252541"]);
        assert!(found(r"a \u0041 %41 b").is_empty());
    }
}
