//! Words that look like a name of several words.

use crate::planner::words::{is_filler, original};

/// The words in quotes, else a run of capitals, after a preposition first, else what a preposition
/// stands before.
pub fn phrase(question: &str) -> Option<String> {
    if let Some((_, rest)) = question.split_once('"')
        && let Some((quoted, _)) = rest.split_once('"')
    {
        return Some(quoted.to_owned());
    }
    let said = original(question);
    let capital = |word: &&str| word.starts_with(char::is_uppercase);
    let run = |from: usize| {
        let mut words: Vec<&str> = said[from..]
            .iter()
            .copied()
            .take_while(|w| capital(w))
            .collect();
        // "Nonfarm payrolls": what follows a single capital up to the end of the question goes with it.
        let rest = said.get(from + 1..).unwrap_or_default();
        let is_short = rest.len() <= 2 && !rest.iter().any(|word| is_filler(&word.to_lowercase()));
        if words.len() == 1 && is_short {
            words.extend(rest);
        }
        (!words.is_empty()).then(|| words.join(" "))
    };
    let places = ["in", "for", "at", "of", "about", "on", "to", "after"];
    let prepositions = || {
        said.iter()
            .enumerate()
            .filter(|(_, word)| places.contains(&word.to_lowercase().as_str()))
            .map(|(at, _)| at + 1)
            .filter(|at| *at < said.len())
    };
    prepositions()
        .find_map(run)
        .or_else(|| (1..said.len()).find_map(run))
        .or_else(|| {
            let at = prepositions().next()?;
            let words = said[at..].iter().copied();
            let words: Vec<&str> = words
                .skip_while(|word| is_filler(&word.to_lowercase()))
                .take_while(|word| !is_filler(&word.to_lowercase()))
                .collect();
            (!words.is_empty()).then(|| words.join(" "))
        })
}
