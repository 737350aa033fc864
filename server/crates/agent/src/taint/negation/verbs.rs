//! Verbs that may order what a call does, or take back what was ordered: "cancel".

use super::sentences::{sentences, words};

/// An order that no list takes for anything else.
const PLAIN_ORDER: &str = "restart";

/// Words that may stand before the verb of an order.
const BEFORE: [&str; 20] = [
    "please", "kindly", "can", "could", "would", "will", "you", "i", "we", "want", "need", "to",
    "like", "now", "then", "and", "also", "ok", "yes", "jarvis",
];

/// A text with a plain order in place of a verb, in each sentence of which `is_about` is true and that
/// begins with the verb; none if there is no such sentence. A text of several lines stays as it is: what
/// a line belongs to depends on those above it.
pub(in crate::taint) fn replaced_verb(
    text: &str,
    verb: &str,
    is_about: impl Fn(&str) -> bool,
) -> Option<String> {
    let text = text.trim();
    if text.contains('\n') {
        return None;
    }
    let mut is_replaced = false;
    let read = sentences(text).into_iter().map(|mut sentence| {
        let words = words(&sentence);
        let mut words = words.iter();
        let first = words.find(|word| !BEFORE.contains(&word.text.as_str()));
        let place = first.map(|first| first.at..first.at + verb.len());
        let place = place.filter(|_| first.is_some_and(|first| first.text == verb));
        let is_there = |place: &std::ops::Range<usize>| {
            let written = sentence.get(place.clone());
            written.is_some_and(|written| written.eq_ignore_ascii_case(verb))
        };
        if let Some(place) = place.filter(is_there)
            && is_about(&sentence)
        {
            sentence.replace_range(place, PLAIN_ORDER);
            is_replaced = true;
        }
        sentence
    });
    let read: Vec<String> = read.collect();
    is_replaced.then(|| read.join(" "))
}
