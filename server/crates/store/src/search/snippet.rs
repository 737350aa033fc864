//! The snippet of a text around the words that were found, as pieces of plain text.

use protocol::{FeedFilter, SearchSpan};

/// Words of the text around the first one that is marked.
const BEFORE: usize = 6;
/// Words of the text that are shown.
const SHOWN: usize = 32;
/// Characters of a piece that are shown: a single word may be very long.
const PIECE: usize = 240;

/// The words of a search, each as its runs of letters and digits.
pub(super) struct SnippetWords(pub(super) Vec<Vec<String>>);

impl SnippetWords {
    /// True if a word may be the beginning of a longer one: the last one that was typed may.
    pub(super) fn is_open(&self, place: usize) -> bool {
        let word = self.0.get(place).filter(|_| place + 1 == self.0.len());
        word.is_some_and(|word| FeedFilter::is_beginning(word))
    }
}

/// A snippet of a text with the words that were found in it.
pub(super) struct Snippet {
    /// The number of different words in it.
    pub(super) words: usize,
    pub(super) spans: Vec<SearchSpan>,
}

/// A word of the text: its position, and its form for comparison.
struct SnippetToken {
    start: usize,
    end: usize,
    folded: String,
}

/// A found word: its number, and its tokens, from the first to the one after the last.
struct SnippetMark {
    word: usize,
    first: usize,
    end: usize,
}

/// The snippet of a text with most of the words, marked; its beginning if it has none of them.
pub(super) fn snippet(text: &str, words: &SnippetWords) -> Snippet {
    let tokens = tokens(text);
    let marks = marks(&tokens, words);
    let (words, first) = best(&marks);
    let first = first.saturating_sub(BEFORE);
    let end = (first + SHOWN).min(tokens.len());
    let start_of = |token: usize| tokens.get(token).map_or(text.len(), |token| token.start);
    let end_of = |token: usize| {
        let last = token.checked_sub(1).and_then(|last| tokens.get(last));
        last.map_or(0, |token| token.end)
    };
    let from = if first == 0 { 0 } else { start_of(first) };
    let to = if end == tokens.len() {
        text.len()
    } else {
        end_of(end)
    };
    let mut pieces = SnippetPieces::default();
    if from > 0 {
        pieces.add("…", false);
    }
    let mut at = from;
    for mark in marks {
        let (start, stop) = (start_of(mark.first), end_of(mark.end));
        if mark.first >= first && mark.end <= end && start >= at {
            pieces.add(text.get(at..start).unwrap_or_default(), false);
            pieces.add(text.get(start..stop).unwrap_or_default(), true);
            at = stop;
        }
    }
    pieces.add(text.get(at..to).unwrap_or_default(), false);
    if to < text.len() {
        pieces.add("…", false);
    }
    Snippet {
        words,
        spans: pieces.0,
    }
}

/// Pieces of a text, with each run of blanks as one.
#[derive(Default)]
struct SnippetPieces(Vec<SearchSpan>);

impl SnippetPieces {
    fn add(&mut self, text: &str, marked: bool) {
        let mut piece = String::new();
        let mut blank = self.0.last().is_none_or(|last| last.text.ends_with(' '));
        for (n, c) in text.chars().enumerate() {
            if n == PIECE {
                piece.push('…');
                break;
            }
            let is_blank = c.is_whitespace() || c.is_control();
            if !is_blank {
                piece.push(c);
            } else if !blank {
                piece.push(' ');
            }
            blank = is_blank;
        }
        if !piece.is_empty() {
            self.0.push(SearchSpan {
                text: piece,
                marked,
            });
        }
    }
}

/// The best place for a snippet: the number of different words that follow, and the first token.
fn best(marks: &[SnippetMark]) -> (usize, usize) {
    let mut best = (0, 0);
    for (n, mark) in marks.iter().enumerate() {
        let end = mark.first + SHOWN - BEFORE;
        let near = marks.get(n..).unwrap_or_default().iter();
        let mut seen: Vec<_> = near
            .take_while(|next| next.end <= end)
            .map(|next| next.word)
            .collect();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() > best.0 {
            best = (seen.len(), mark.first);
        }
    }
    best
}

/// The most marks that are compared: a text may be one word, over and over.
const MARKS: usize = 500;

fn marks(tokens: &[SnippetToken], words: &SnippetWords) -> Vec<SnippetMark> {
    let folded: Vec<Vec<String>> = words
        .0
        .iter()
        .map(|word| word.iter().map(|token| fold(token)).collect())
        .collect();
    let mut marks = Vec::new();
    for first in 0..tokens.len() {
        for (word, wanted) in folded.iter().enumerate() {
            let there = tokens.get(first..first + wanted.len()).unwrap_or_default();
            if is_there(there, wanted, words.is_open(word)) {
                marks.push(SnippetMark {
                    word,
                    first,
                    end: first + wanted.len(),
                });
            }
        }
        if marks.len() >= MARKS {
            break;
        }
    }
    marks
}

fn is_there(tokens: &[SnippetToken], wanted: &[String], open: bool) -> bool {
    let (Some((end, begin)), Some((last, first))) = (tokens.split_last(), wanted.split_last())
    else {
        return false;
    };
    let same = begin.iter().zip(first).all(|(is, want)| is.folded == *want);
    same && if open {
        end.folded.starts_with(last.as_str())
    } else {
        end.folded == *last
    }
}

fn tokens(text: &str) -> Vec<SnippetToken> {
    let mut tokens = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                tokens.push(token(text, from, at));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        tokens.push(token(text, from, text.len()));
    }
    tokens
}

fn token(text: &str, start: usize, end: usize) -> SnippetToken {
    SnippetToken {
        start,
        end,
        folded: fold(text.get(start..end).unwrap_or_default()),
    }
}

/// Folds a word like the index, for the letters that are common in Europe: others are found there
/// too, and only not marked.
fn fold(word: &str) -> String {
    word.chars()
        .flat_map(char::to_lowercase)
        .map(plain)
        .collect()
}

/// A small letter without its accent.
fn plain(c: char) -> char {
    match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' => 'i',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' => 's',
        'ţ' | 'ť' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The spans as one text, with marked words in brackets.
    fn shown(text: &str, words: &str) -> String {
        let found = snippet(text, &SnippetWords(FeedFilter::words(words)));
        let spans = found.spans.into_iter();
        let texts = spans.map(|span| {
            if span.marked {
                format!("[{}]", span.text)
            } else {
                span.text
            }
        });
        texts.collect()
    }

    #[test]
    fn the_words_are_marked_where_they_stand() {
        for (text, words, expect) in [
            ("Is pve up?", "pve", "Is [pve] up?"),
            ("The backups of nas", "nas back", "The [backups] of [nas]"),
            // Only the last word is a beginning.
            ("The backups of nas", "back nas", "The backups of [nas]"),
            ("restart pve-02 now", "pve-0", "restart [pve-02] now"),
            (
                "Läuft das Öl?\n\n  Ja.",
                "lauft ol",
                "[Läuft] das [Öl]? Ja.",
            ),
            ("nothing  here\tat\u{0}all", "x", "nothing here at all"),
            ("", "x", ""),
            ("<b>bold</b> & co", "bold", "<b>[bold]</b> & co"),
            ("👍🏽 ok 👍🏽", "ok", "👍🏽 [ok] 👍🏽"),
        ] {
            assert_eq!(shown(text, words), expect);
        }
    }

    #[test]
    fn of_a_long_text_the_best_place_is_shown() {
        let filler = "word ".repeat(100);
        let text = format!("alpha {filler}alpha beta {filler}");
        let found = shown(&text, "alpha beta");
        assert!(found.starts_with("…word word"), "{found}");
        assert!(found.contains("[alpha] [beta] word"), "{found}");
        assert!(found.ends_with("word…"), "{found}");
        assert!(found.chars().count() < 250, "{found}");
        let long = shown(&"x".repeat(100_000), "y");
        assert_eq!(long.chars().count(), PIECE + 1);
    }
}
