//! Words of questions with their places, and the texts of inputs that stand among them.

use std::borrow::Cow;

use serde_json::Value;

use crate::planner::{
    action,
    words::{is_filler, singular},
};

/// The words of a text with their places in it.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The part of a text from the first of its words to the last.
pub(super) fn between<'t>(text: &'t str, words: &[&'t str]) -> &'t str {
    let place = |word: &str| (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return "";
    };
    let part = place(first)
        .zip(place(last))
        .and_then(|(from, to)| text.get(from..to + last.len()));
    part.unwrap_or_default()
}

/// True if a colon stands before the first of some words of a text.
pub(super) fn is_behind_colon(text: &str, words: &[&str]) -> bool {
    let place = |word: &&str| (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let before = words.first().and_then(place).and_then(|at| text.get(..at));
    before.is_some_and(|before| before.trim_end().ends_with(':'))
}

/// True if nothing but politeness stands before the first of some words of a text: what they open with is
/// no name of a thing but what is to be done.
pub(super) fn opens(text: &str, words: &[&str]) -> bool {
    let place = |word: &&str| (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let before = words.first().and_then(place).and_then(|at| text.get(..at));
    let is_polite = |word: &&str| action::is_polite(&word.to_lowercase());
    before.is_some_and(|before| tokens(before).iter().all(is_polite))
}

/// A text with other words in the places of values that stand in it.
pub(super) fn replaced(text: &str, taken: &[(Cow<'_, str>, String)]) -> String {
    let words = tokens(text);
    let place = |word: &str| (word.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let (mut out, mut from, mut at) = (String::new(), 0, 0);
    while at < words.len() {
        let found = taken.iter().find_map(|(value, said)| {
            let own = tokens(value);
            let there = words.get(at..at + own.len()).filter(|it| !it.is_empty())?;
            let is_there = is_written(&own, there) || same_number(value, there);
            let (first, last) = there.first().zip(there.last()).filter(|_| is_there)?;
            let (start, end) = (place(first)?, place(last)? + last.len());
            Some((there.len(), start, end, said))
        });
        if let Some((count, start, end, said)) = found {
            out.push_str(text.get(from..start).unwrap_or_default());
            // A value that was said in another case stays as the sentence has it.
            let own = text.get(start..end).unwrap_or_default();
            let is_same = said.eq_ignore_ascii_case(own);
            out.push_str(if is_same { own } else { said });
            from = end;
            at += count;
        } else {
            at += 1;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// True if words are a value in any case, or its plural.
pub(super) fn is_written(value: &[&str], words: &[&str]) -> bool {
    let count = value.len();
    !value.is_empty()
        && words.len() == count
        && value
            .iter()
            .zip(words)
            .enumerate()
            .all(|(at, (own, word))| {
                let word = word.to_lowercase();
                let own = own.to_lowercase();
                own == word || at + 1 == count && own == singular(&word)
            })
}

/// True if a word is a number, however many zeros it ends with: `8.50` is 8.5.
pub(super) fn same_number(value: &str, words: &[&str]) -> bool {
    let [word] = words else {
        return false;
    };
    let (value, word) = (value.parse::<f64>(), word.parse::<f64>());
    value.is_ok() && value == word
}

/// The texts and numbers of an input; true for numbers.
pub(super) fn texts<'v>(value: &'v Value, found: &mut Vec<(Cow<'v, str>, bool)>) {
    match value {
        Value::String(text) => found.push((text.into(), false)),
        Value::Number(number) => found.push((number.to_string().into(), true)),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        _ => {}
    }
}

/// The texts in the rows of an input: in objects that are items of a list.
pub(super) fn row_texts<'v>(value: &'v Value, is_row: bool, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if is_row => found.push(text),
        Value::Array(items) => items
            .iter()
            .for_each(|item| row_texts(item, is_row || item.is_object(), found)),
        Value::Object(fields) => fields
            .values()
            .for_each(|field| row_texts(field, is_row, found)),
        _ => {}
    }
}

/// True if words have a number beside one that says little, such as the price in `box at 20`.
pub(super) fn has_amount(words: &[&str]) -> bool {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let says_little = |word: &str| is_filler(&word.to_lowercase());
    words.windows(2).any(|pair| {
        says_little(pair[0]) && is_number(pair[1]) || is_number(pair[0]) && says_little(pair[1])
    })
}

/// The input with what the words have in place of its texts and numbers.
pub(super) fn filled(input: &Value, taken: &[(Cow<'_, str>, String)]) -> Value {
    let said = |own: &str| taken.iter().find(|(it, _)| it == own).map(|(_, said)| said);
    match input {
        Value::String(text) => said(text).unwrap_or(text).clone().into(),
        Value::Number(number) => {
            let said = said(&number.to_string()).and_then(|said| said.parse().ok());
            Value::Number(said.unwrap_or_else(|| number.clone()))
        }
        Value::Array(items) => items.iter().map(|item| filled(item, taken)).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, field)| (name.clone(), filled(field, taken)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The values of the choice in a schema that has this one.
pub(super) fn choices<'s>(schema: &'s Value, value: &str) -> Vec<&'s str> {
    let own = schema["enum"].as_array().into_iter().flatten();
    let own: Vec<&str> = own.filter_map(Value::as_str).collect();
    if own.contains(&value) {
        return own;
    }
    let inner: Vec<&Value> = match schema {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    };
    let found = inner.into_iter().map(|inner| choices(inner, value));
    found
        .into_iter()
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

pub(super) fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// A text without its digits: the series of a number such as `AB-2026-00012`.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The kind of the thing whose identifier a word is: `box` of `box_0123456789abcdefghijklmnop`.
pub(super) fn identified_kind(word: &str) -> Option<&str> {
    const LEAST: usize = 20;
    let (kind, rest) = word.split_once('_')?;
    let is_kind = (2..=5).contains(&kind.len()) && kind.bytes().all(|it| it.is_ascii_lowercase());
    let is_random = rest.len() >= LEAST && rest.bytes().all(|it| it.is_ascii_alphanumeric());
    (is_kind && is_random).then_some(kind)
}

/// A text with each run of letters as `a` and each run of digits as `0`: `a-a-0-0`. All identifiers of a
/// kind have one shape: `box_`.
pub(super) fn shape(text: &str) -> String {
    if let Some(kind) = identified_kind(text) {
        return format!("{kind}_");
    }
    let mut shape = String::new();
    for c in text.chars() {
        let kind = match c {
            c if c.is_alphabetic() => 'a',
            c if c.is_ascii_digit() => '0',
            other => other,
        };
        if !shape.ends_with(kind) || !kind.is_alphanumeric() {
            shape.push(kind);
        }
    }
    shape
}

pub(super) fn title(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let mut signs = word.chars();
        let first = signs.next().map(char::to_uppercase);
        first.into_iter().flatten().chain(signs).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}
