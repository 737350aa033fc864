//! The things of an order for several: "restart a, b and c".

use crate::planner::words::{is_filler, words};

/// Most things of one order.
const MOST: usize = 4;

/// The names behind the verb, where the words are nothing but names: one in each part between commas and
/// `and`. Words of the tools, such as kinds of things, may stand beside them.
pub(super) fn names(
    question: &str,
    verb_words: usize,
    is_noun: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let rest = question
        .split_whitespace()
        .skip(verb_words)
        .collect::<Vec<_>>()
        .join(" ");
    let rest = rest.trim_end_matches(['.', '!', '?']).replace(" and ", ",");
    // The places of all of them.
    let rest = match rest.rsplit_once(" on ") {
        Some((before, place)) if !place.trim().contains([' ', ',']) => before.to_owned(),
        _ => rest,
    };
    let parts: Vec<&str> = rest
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    if !(2..=MOST).contains(&parts.len()) {
        return Vec::new();
    }
    let names = parts.iter().map(|part| {
        let said = words(part);
        let mut names = said
            .iter()
            .filter(|word| !(is_filler(word) || is_noun(word)));
        let name = names.next()?.clone();
        names.next().is_none().then_some(name)
    });
    names.collect::<Option<Vec<String>>>().unwrap_or_default()
}
