//! Cuts text into pieces that can be searched alone: lines, and parts of very long lines.

use memchr::memchr;

use crate::texts::{LINE_REMOVED, OVERLONG_REMOVED};

/// Bytes of the longest piece of a line, and the most that is carried over while a line is not whole.
pub(crate) const LONGEST: usize = 4096;

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segment<'a> {
    /// Whole lines, or a part of a long one.
    Text(&'a str),
    /// Stands for what was removed.
    Removed(&'static str),
}

/// Calls back with the pieces of a text: all of it at once if no line is too long.
pub(crate) fn each_segment(text: &str, mut segment: impl FnMut(Segment<'_>)) {
    let mut from = 0;
    let mut at = 0;
    while at < text.len() {
        let end = memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end);
        if end - at > LONGEST {
            if from < at {
                segment(Segment::Text(&text[from..at]));
            }
            let mut lines = LineBuffer::default();
            lines.feed(&text.as_bytes()[at..end], &mut segment);
            lines.finish(&mut segment);
            from = end;
        }
        at = end + 1;
    }
    if from < text.len() {
        segment(Segment::Text(&text[from..]));
    }
}

/// Collects bytes until they make a line, or more than a piece of one.
#[derive(Clone, Default)]
pub(crate) struct LineBuffer {
    bytes: Vec<u8>,
    skipping: Skipping,
}

/// The state after a run without a place to cut, which is removed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Skipping {
    #[default]
    No,
    /// Before the run: the place between a name and its value is none to cut at, and is removed with it.
    /// To begin there once more would never end.
    Before,
    Within,
}

impl LineBuffer {
    /// Takes more bytes and calls back with the pieces that are whole now. Where pieces end depends on the
    /// text alone, not on how it arrives.
    pub(crate) fn feed(&mut self, more: &[u8], segment: &mut dyn FnMut(Segment<'_>)) {
        let mut all = std::mem::take(&mut self.bytes);
        all.extend_from_slice(more);
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            if self.skipping == Skipping::Before {
                let is_run = |byte: &u8| *byte == b'\n' || !is_delimiter(*byte);
                let Some(start) = rest.iter().position(is_run) else {
                    return;
                };
                self.skipping = Skipping::Within;
                rest = &rest[start..];
            }
            if self.skipping == Skipping::Within {
                let Some(end) = rest.iter().position(|byte| is_delimiter(*byte)) else {
                    return;
                };
                self.skipping = Skipping::No;
                rest = &rest[end..];
            }
            let line = memchr(b'\n', rest);
            let length = match line {
                Some(end) if end <= LONGEST => end + 1,
                None if rest.len() <= LONGEST => break,
                _ => match cut(&rest[..LONGEST]) {
                    Some(end) => end,
                    None => {
                        segment(Segment::Removed(OVERLONG_REMOVED));
                        self.skipping = Skipping::Before;
                        continue;
                    }
                },
            };
            emit(&rest[..length], segment);
            rest = &rest[length..];
        }
        self.bytes = rest.to_vec();
    }

    /// Hands over what is left: the last line, without a line break.
    pub(crate) fn finish(&mut self, segment: &mut dyn FnMut(Segment<'_>)) {
        let rest = std::mem::take(&mut self.bytes);
        if !rest.is_empty() {
            emit(&rest, segment);
        }
        self.skipping = Skipping::No;
    }
}

fn emit(bytes: &[u8], segment: &mut dyn FnMut(Segment<'_>)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        segment(Segment::Text(text));
        return;
    }
    segment(Segment::Removed(LINE_REMOVED));
    if bytes.ends_with(b"\n") {
        segment(Segment::Text("\n"));
    }
}

fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'}' | b'&')
}

/// The last place at which nothing that belongs together is torn: not between a name and its value.
fn cut(bytes: &[u8]) -> Option<usize> {
    let (mut last_sign, mut cut) = (None, None);
    for (at, byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_whitespace() {
            last_sign = Some(*byte);
        }
        if is_delimiter(*byte) && !matches!(last_sign, Some(b':' | b'=')) {
            cut = Some(at + 1);
        }
    }
    cut.filter(|at| *at > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let mut pieces = Vec::new();
        each_segment(text, |segment| {
            pieces.push(match segment {
                Segment::Text(text) => text.to_owned(),
                Segment::Removed(mark) => mark.to_owned(),
            });
        });
        pieces
    }

    #[test]
    fn short_lines_stay_together_and_long_ones_are_cut() {
        assert_eq!(pieces("a\nb\nc"), ["a\nb\nc"]);
        let long = format!("a\n{}, \"k\": {}\nz\n", "x".repeat(4000), "y".repeat(3000));
        let found = pieces(&long);
        assert_eq!(found.concat(), long);
        assert!(found[2].starts_with("\"k\": yyy"), "{}", &found[2][..20]);
    }

    #[test]
    fn what_cannot_be_cut_goes_whole() {
        let text = format!("a {} b\nc", "x".repeat(9000));
        assert_eq!(pieces(&text), ["a ", OVERLONG_REMOVED, " b", "\nc"]);
    }

    /// A name with a value that cannot be cut: there is no place to go on from, and yet it ends.
    #[test]
    fn a_long_value_behind_its_name_is_removed_once() {
        for (before, shown) in [
            ("number: ", ""),
            ("serial number: ", "serial "),
            ("k =  ", ""),
        ] {
            let text = format!("{before}{}\nnext", "x".repeat(5000));
            let found = pieces(&text).concat();
            let marks = found.matches(OVERLONG_REMOVED).count();
            assert!(
                found.starts_with(shown) && found.ends_with("\nnext"),
                "{found:.60}"
            );
            assert!((1..=2).contains(&marks), "{before}: {marks}");
        }
        let blanks = format!("k:{}v\nnext", " ".repeat(9000));
        assert!(pieces(&blanks).concat().ends_with("v\nnext"));
    }

    #[test]
    fn pieces_do_not_depend_on_how_the_text_arrives() {
        let text = format!(
            "a\n{}, {}\nb {} c\nk: {}\n",
            "x".repeat(4090),
            "y, ".repeat(2000),
            "z".repeat(9000),
            "w".repeat(9000)
        );
        let fed = |size: usize| {
            let mut lines = LineBuffer::default();
            let mut pieces = Vec::new();
            let mut take = |segment: Segment<'_>| pieces.push(format!("{segment:?}"));
            for chunk in text.as_bytes().chunks(size) {
                lines.feed(chunk, &mut take);
            }
            lines.finish(&mut take);
            pieces
        };
        let whole = fed(text.len());
        for size in [1, 7, 4095, 4096, 4097] {
            assert_eq!(fed(size), whole, "{size}");
        }
    }
}
