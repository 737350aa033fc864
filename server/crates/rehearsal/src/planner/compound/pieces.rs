//! Places where a message may be taken apart, and the forms of questions.

use std::cmp::Reverse;

use crate::planner::words::words;

/// Words that may stand before a question.
const BEFORE: &[&str] = &[
    "and", "so", "also", "then", "but", "now", "please", "jarvis", "sir", "hey", "hi", "hello",
    "ok", "okay", "well",
];

/// Words that open a question, or an order to tell something.
const OPENS: &[&str] = &[
    "what", "which", "who", "whose", "why", "when", "where", "how", "is", "are", "was", "were",
    "does", "do", "did", "has", "have", "had", "show", "list", "tell",
];

/// Words for what was named before.
const POINTS: &[&str] = &[
    "it", "its", "they", "them", "their", "this", "that", "these", "those", "there", "one", "ones",
    "same", "other", "others", "he", "she", "his", "her",
];

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuestionPiece<'q> {
    pub(super) text: &'q str,
    /// True if a sentence ends before it: by more than a plain "and".
    pub(super) is_sentence: bool,
}

/// A message in its smallest pieces.
#[derive(Debug)]
pub(super) struct Pieces<'q> {
    pub(super) all: Vec<QuestionPiece<'q>>,
    question: &'q str,
}

impl<'q> Pieces<'q> {
    pub(super) fn of(question: &'q str) -> Self {
        let signs = question.match_indices([';', '?']);
        let mut cuts: Vec<(usize, usize, bool)> = signs.map(|(at, _)| (at, at + 1, true)).collect();
        // Of the same length as the question, byte for byte.
        let lower = question.to_ascii_lowercase();
        for (at, and) in lower.match_indices(" and ") {
            let is_sentence = lower[..at].ends_with([',', ';', '?']);
            cuts.push((at, at + and.len(), is_sentence));
        }
        cuts.sort_unstable();
        cuts.push((question.len(), question.len(), true));
        let (mut all, mut from, mut is_sentence) = (Vec::new(), 0, false);
        for (until, next, ends) in cuts {
            let text = question.get(from..until).map(bare).unwrap_or_default();
            if !text.is_empty() {
                all.push(QuestionPiece { text, is_sentence });
                is_sentence = false;
            }
            is_sentence |= ends;
            from = next;
        }
        Self { all, question }
    }

    /// All ways to take the message apart into two parts or more, those with the most parts first.
    pub(super) fn ways(&self) -> Vec<Vec<QuestionPiece<'q>>> {
        let cuts = self.all.len().saturating_sub(1);
        let mut ways: Vec<u32> = (1..1_u32 << cuts).collect();
        ways.sort_by_key(|way| Reverse(way.count_ones()));
        ways.into_iter().map(|way| self.way(way)).collect()
    }

    /// The parts between the cuts whose bits are set.
    fn way(&self, cuts: u32) -> Vec<QuestionPiece<'q>> {
        let mut parts: Vec<QuestionPiece<'q>> = Vec::new();
        for (at, piece) in self.all.iter().enumerate() {
            let is_cut = at > 0 && (cuts >> (at - 1)) & 1 == 1;
            match parts.last_mut().filter(|_| !is_cut) {
                Some(part) => part.text = self.across(part.text, piece.text),
                None => parts.push(*piece),
            }
        }
        parts
    }

    /// The message from the beginning of one text of it to the end of another.
    fn across(&self, first: &str, last: &str) -> &'q str {
        let start = self.question.as_ptr() as usize;
        let place = |text: &str| (text.as_ptr() as usize).checked_sub(start);
        let places = place(first).zip(place(last));
        let text = places.and_then(|(from, to)| self.question.get(from..to + last.len()));
        text.unwrap_or_default()
    }
}

/// A text without the signs around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!' | ';' | '?'))
}

/// The first word that says something.
pub(super) fn opening(text: &str) -> Option<String> {
    words(text)
        .into_iter()
        .find(|word| !BEFORE.contains(&word.as_str()))
}

/// True if a text asks for something, and orders nothing.
pub(super) fn is_question(text: &str) -> bool {
    opening(text).is_some_and(|word| OPENS.contains(&word.as_str()))
}

/// True if a text speaks of what was named before.
pub(super) fn points_back(text: &str) -> bool {
    words(text)
        .iter()
        .any(|word| POINTS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(question: &str) -> Vec<&str> {
        let pieces = Pieces::of(question);
        pieces.all.iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn a_message_is_cut_at_signs_and_between_words() {
        for (question, expect) in [
            ("What is a, and why is b?", vec!["What is a", "why is b"]),
            ("What is a? And why is b?", vec!["What is a", "why is b"]),
            (
                "What is a; who is b AND c",
                vec!["What is a", "who is b", "c"],
            ),
            ("What is sand and andy?", vec!["What is sand", "andy"]),
            ("What is a?", vec!["What is a"]),
            ("? and ;", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(texts(question), expect, "{question}");
        }
        let pieces = Pieces::of("a, and b and c? D");
        let ends: Vec<bool> = pieces.all.iter().map(|it| it.is_sentence).collect();
        assert_eq!(ends, [false, true, false, true]);
    }

    #[test]
    fn the_most_parts_come_first_and_are_parts_of_the_message() {
        let ways = Pieces::of("a, and b; c?").ways();
        let texts = |way: &[QuestionPiece<'_>]| way.iter().map(|it| it.text.to_owned()).collect();
        let ways: Vec<Vec<String>> = ways.iter().map(|way| texts(way)).collect();
        let expect: [&[&str]; 3] = [&["a", "b", "c"], &["a", "b; c"], &["a, and b", "c"]];
        assert_eq!(ways, expect);
    }

    #[test]
    fn what_orders_is_no_question() {
        for text in ["So which are late?", "show me the list", "and how is it"] {
            assert!(is_question(text), "{text}");
        }
        for text in [
            "submit it",
            "could you stop a?",
            "research",
            "and Sons owe b",
            "",
        ] {
            assert!(!is_question(text), "{text}");
        }
    }
}
