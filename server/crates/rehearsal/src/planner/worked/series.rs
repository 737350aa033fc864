//! Numbers of things that are said without their kind: "why is AB-2026-00003 late".

use super::{
    asked,
    speech::is_number_of_thing,
    text::{between, has_digit, is_written, letters, texts, tokens},
};
use crate::planner::view::{Tool, View};

/// The newest words with the kind of a thing before its number, if that makes them a form of an example.
/// The kind is what examples call things with numbers of the same series.
pub(in crate::planner) fn with_kind(view: &View<'_>) -> Option<String> {
    let said = tokens(&view.question);
    let mut numbers = said
        .into_iter()
        .filter(|word| has_digit(word) && is_number_of_thing(word))
        .peekable();
    if numbers.peek().is_none() || asked(view).is_some() {
        return None;
    }
    numbers.find_map(|number| {
        let at = (number.as_ptr() as usize).checked_sub(view.question.as_ptr() as usize)?;
        let (before, rest) = view.question.split_at_checked(at)?;
        kinds(view, number).into_iter().find_map(|kind| {
            let question = format!("{before}{kind} {rest}");
            let other = View {
                question: question.clone(),
                ..view.clone()
            };
            asked(&other).is_some().then_some(question)
        })
    })
}

/// The words before numbers of the same series in examples, each once: a kind that stands in the input of
/// the example, or the last word of one.
fn kinds<'e>(view: &View<'e>, number: &str) -> Vec<&'e str> {
    let series = letters(number);
    let mut found: Vec<&'e str> = Vec::new();
    for (example, input) in view.formed.iter().flat_map(Tool::worked) {
        let said = tokens(example);
        let at = said
            .iter()
            .position(|word| has_digit(word) && letters(word) == series);
        let before = at.and_then(|at| said.get(..at)).unwrap_or_default();
        let mut values = Vec::new();
        texts(input, &mut values);
        let kind = values.iter().find_map(|(value, _)| {
            let own = tokens(value);
            let last = own.get(own.len().checked_sub(1)?..)?;
            [own.as_slice(), last].into_iter().find_map(|words| {
                let there = before.get(before.len().checked_sub(words.len())?..)?;
                is_written(words, there).then(|| between(example, there))
            })
        });
        if let Some(kind) = kind
            && !found.contains(&kind)
        {
            found.push(kind);
        }
    }
    found
}
