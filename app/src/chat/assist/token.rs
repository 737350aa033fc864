//! The word being typed at the caret: a command, or the name of a thing.

/// The longest word that is recognised, in bytes.
const LONGEST: usize = 80;

/// The mark at the beginning of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MentionMark {
    /// `/`, at the very beginning of the text.
    Slash,
    /// `@`, at the beginning of a word.
    At,
}

/// A marked word that ends at the caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MentionToken {
    pub(super) mark: MentionMark,
    /// Offset of its mark, in bytes.
    pub(super) start: usize,
    /// Offset of the caret, in bytes.
    pub(super) end: usize,
    /// The word without its mark.
    pub(super) word: String,
}

impl MentionToken {
    /// Returns the word before a caret, if it is marked.
    pub(super) fn at(text: &str, caret: usize) -> Option<Self> {
        let before = text.get(..caret)?;
        let start = before.rfind(char::is_whitespace).map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
        let word = &before[start..];
        let (start, mark) = match word.chars().next()? {
            '/' if start == 0 => (0, MentionMark::Slash),
            // Also after a bracket or a quotation mark.
            _ => {
                let inner = word.trim_start_matches(['(', '[', '"', '\'', '“', '‘']);
                let at = start + word.len() - inner.len();
                inner.starts_with('@').then_some((at, MentionMark::At))?
            }
        };
        let word = &before[start + 1..];
        let is_word = word.len() <= LONGEST && (mark == MentionMark::At || !word.contains('/'));
        is_word.then(|| Self {
            mark,
            start,
            end: caret,
            word: word.to_owned(),
        })
    }

    /// Returns the text with a replacement for the word, and the caret after it.
    pub(super) fn replace(&self, text: &str, by: &str) -> Option<(String, usize)> {
        let (before, after) = (text.get(..self.start)?, text.get(self.end..)?);
        let caret = before.len() + by.len();
        Some((format!("{before}{by}{after}"), caret))
    }
}

/// Converts an offset in UTF-16 units, as the browser counts, to bytes.
pub(super) fn bytes(text: &str, units: u32) -> usize {
    let mut left = units as usize;
    for (at, character) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left = left.saturating_sub(character.len_utf16());
    }
    text.len()
}

/// Converts an offset in bytes to UTF-16 units, as the browser counts.
pub(super) fn units(text: &str, bytes: usize) -> u32 {
    let before = text.get(..bytes).unwrap_or(text);
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_a_mark_are_found() {
        // The bar is the caret.
        for (text, expect) in [
            ("|", None),
            ("/|", Some((MentionMark::Slash, 0, ""))),
            ("/ne|w", Some((MentionMark::Slash, 0, "ne"))),
            ("/new |", None),
            ("/etc/pass|", None),
            (" /new|", None),
            ("x\n/new|", None),
            ("@|", Some((MentionMark::At, 0, ""))),
            ("restart @next| now", Some((MentionMark::At, 8, "next"))),
            ("(@pve|)", Some((MentionMark::At, 1, "pve"))),
            ("“@pve|", Some((MentionMark::At, 3, "pve"))),
            ("é\u{a0}@p|", Some((MentionMark::At, 4, "p"))),
            ("me@home|", None),
            ("@pve and|", None),
            ("@a/b|", Some((MentionMark::At, 0, "a/b"))),
        ] {
            let caret = text.find('|').unwrap();
            let text = text.replacen('|', "", 1);
            let found = MentionToken::at(&text, caret);
            let found = found.as_ref().map(|it| (it.mark, it.start, &*it.word));
            assert_eq!(found, expect, "{text}");
        }
        let long = format!("@{}", "x".repeat(LONGEST + 1));
        assert_eq!(MentionToken::at(&long, long.len()), None);
    }

    #[test]
    fn a_word_is_replaced_and_the_rest_stays() {
        let text = "is @ne up?";
        let token = MentionToken::at(text, 6).unwrap();
        let replaced = token.replace(text, "guest 101 ");
        assert_eq!(replaced, Some(("is guest 101  up?".to_owned(), 13)));
    }

    #[test]
    fn places_are_counted_as_the_browser_does() {
        let text = "é😀a";
        for (at, unit) in [(0, 0), (2, 1), (6, 3), (7, 4)] {
            assert_eq!(units(text, at), unit);
            assert_eq!(bytes(text, unit), at);
        }
        assert_eq!(bytes(text, 99), text.len());
    }
}
