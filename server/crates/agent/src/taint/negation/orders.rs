//! Clauses that order something, and those that only want to know or see.

use std::ops::Range;

use super::{
    lists::{
        ACTIONS, ADVICE, DONE, FAILS, INQUIRIES, LEADS, LOOKS, List, ME, NO_ORDER_BEFORE, OPENERS,
        OPENING_ORDERS, PLEASE, PRONOUNS, REQUESTS, SEEN, VAGUE, WANTED,
    },
    prohibitions::word,
    sentences::SentenceWord,
};

/// The strength with which a clause speaks of what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Force {
    /// It wants to know about it, or to see it.
    Asks,
    /// It says something about it.
    States,
    /// It asks whether something can be done with it.
    Requests,
    /// It says what to do with it.
    Orders,
}

impl Force {
    pub(super) fn of(words: &[SentenceWord], sentence: &str) -> Self {
        let has_mark = sentence.trim_end().ends_with('?');
        let orders = orders(words) || opens_with_an_order(words);
        let first = words
            .iter()
            .map(|word| word.text.as_str())
            .find(|word| !["and", "und", "so", "also", "but", "aber", "then"].contains(word))
            .unwrap_or_default();
        let any = |list: &List| words.iter().any(|word| list.contains(word.text.as_str()));
        let is_request = any(&REQUESTS) && !any(&ADVICE);
        let inquires = INQUIRIES.contains(first);
        match orders {
            true if has_mark && inquires && !is_request => Self::Asks,
            true if has_mark && any(&ADVICE) && !any(&PLEASE) => Self::Asks,
            true if has_mark => Self::Requests,
            // "Why did smbd restart", without its mark.
            true if ["why", "who", "warum", "wieso", "wer", "did", "does"].contains(&first)
                && !is_request =>
            {
                Self::Asks
            }
            true => Self::Orders,
            false if has_mark || inquires || begins_with_a_look(words) || is_brief_look(words) => {
                Self::Asks
            }
            false => Self::States,
        }
    }
}

/// The words around a place between two marks.
pub(super) fn segment(words: &[SentenceWord], at: usize) -> Range<usize> {
    let start = (1..=at)
        .rev()
        .find(|&at| words.get(at).is_some_and(|word| word.after_mark));
    let end = (at + 1..words.len()).find(|&at| words[at].after_mark);
    start.unwrap_or(0)..end.unwrap_or(words.len())
}

/// True if any word of a clause is an order.
pub(super) fn orders(words: &[SentenceWord]) -> bool {
    (0..words.len()).any(|at| is_order(words, at))
}

/// True for "please deliver smbd", where the verb says nothing in other places.
fn opens_with_an_order(words: &[SentenceWord]) -> bool {
    let mut said = words.iter().map(|word| word.text.as_str());
    let first = said.find(|word| !OPENERS.contains(word));
    let is_order = first.is_some_and(|first| OPENING_ORDERS.contains(first));
    is_order && said.next().is_some_and(|next| !ME.contains(next))
}

/// True if a verb or noun of action orders it, and does not tell of it.
fn is_order(words: &[SentenceWord], at: usize) -> bool {
    let text = word(words, Some(at));
    if !ACTIONS.contains(text) {
        return false;
    }
    let before = word(words, at.checked_sub(1));
    if DONE.contains(text) {
        return words.iter().any(|word| WANTED.contains(word.text.as_str()));
    }
    if text == "neu" {
        let next = word(words, Some(at + 1));
        return next.starts_with("start") || is_split_order(words, at);
    }
    if VAGUE.contains(text) {
        return is_imperative(words, at);
    }
    if before == "to" {
        return !FAILS.contains(word(words, at.checked_sub(2)));
    }
    let is_proposed = ["why", "warum", "wieso"].contains(&word(words, at.checked_sub(2)));
    !NO_ORDER_BEFORE.contains(before) || is_proposed || is_imperative(words, at)
}

/// True for "starte … neu".
fn is_split_order(words: &[SentenceWord], at: usize) -> bool {
    let segment = segment(words, at);
    words[segment.start..at]
        .iter()
        .any(|word| ["starte", "starten", "start", "boote"].contains(&word.text.as_str()))
}

/// True if an imperative stands here: at the beginning, after a mark, or after a word that leads to
/// one.
pub(super) fn is_imperative(words: &[SentenceWord], at: usize) -> bool {
    let Some(this) = words.get(at) else {
        return false;
    };
    let text = this.text.as_str();
    let is_verb = ACTIONS.contains(text) && !DONE.contains(text)
        || ["try", "give", "put", "versuch", "versuche"].contains(&text)
            && words[at..]
                .iter()
                .any(|word| ACTIONS.contains(word.text.as_str()));
    let is_request = ["can", "could", "would", "will"].contains(&word(words, at.checked_sub(2)));
    let before = word(words, at.checked_sub(1));
    let after_noun = ["a", "an", "einen", "ein"].contains(&before);
    is_verb
        && !after_noun
        && (at == 0 || this.after_mark || LEADS.contains(before) || is_request && before == "you")
}

/// True if an order of a clause is about something that was named before it: "restart it", "go".
pub(super) fn orders_it(words: &[SentenceWord], names_anything: bool) -> bool {
    let mut orders = (0..words.len()).filter(|&at| is_order(words, at));
    orders.any(|at| {
        let segment = segment(words, at);
        let near = at.saturating_sub(3).max(segment.start)..(at + 3).min(segment.end);
        !names_anything
            || words[near]
                .iter()
                .any(|word| PRONOUNS.contains(word.text.as_str()))
    })
}

/// True for "smbd status" and "the log of smbd please".
fn is_brief_look(words: &[SentenceWord]) -> bool {
    let asks = |word: &SentenceWord| SEEN.contains(word.text.as_str());
    words.len() <= 6 && words.iter().any(asks)
}

/// True if a clause begins by asking for a look.
pub(super) fn begins_with_a_look(words: &[SentenceWord]) -> bool {
    let leads = |word: &&SentenceWord| {
        let text = word.text.as_str();
        LEADS.contains(text)
            || [
                "can",
                "could",
                "would",
                "will",
                "me",
                "kannst",
                "könntest",
                "have",
                "take",
                "a",
                "hey",
                "jarvis",
                "give",
                "i",
                "i'd",
                "like",
                "to",
                "know",
                "how",
            ]
            .contains(&text)
    };
    words
        .iter()
        .find(|word| !leads(word))
        .is_some_and(|word| LOOKS.contains(word.text.as_str()))
}
