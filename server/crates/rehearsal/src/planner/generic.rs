//! Finds the tool for a request that no rule knows, by the words of its name and description.

use super::{
    Call, action,
    arguments::{self, Missing},
    intent::Intent,
    view::{Tool, View},
    words::{is_filler, parts, stem, words},
};

/// The best tool for the words, or what it needs to know, or nothing.
pub(super) fn call(view: &View<'_>, intent: &Intent) -> Option<Result<Call, Missing>> {
    let tool = best(view)?;
    let input = arguments::fill(tool.schema, &view.question, &intent.presets());
    Some(input.map(|input| Call {
        name: tool.name.to_owned(),
        input,
    }))
}

fn best<'v>(view: &'v View<'_>) -> Option<&'v Tool<'v>> {
    let said: Vec<String> = words(&view.question)
        .into_iter()
        .filter(|word| !is_filler(word))
        .collect();
    let mut best: Option<(usize, &Tool<'_>)> = None;
    for tool in &view.tools {
        let name = parts(tool.name);
        // What changes something is done on a plain order only, never on a likeness.
        let harmless = !name.iter().any(|part| action::changes_something(part));
        let score = score(&said, &name, tool.description);
        if harmless && score >= 3 && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, tool));
        }
    }
    best.map(|(_, tool)| tool)
}

fn score(said: &[String], name: &[String], description: &str) -> usize {
    let told = words(description);
    said.iter()
        .map(|word| {
            let same = |other: &String| stem(other) == stem(word) && !is_filler(other);
            if name.iter().any(same) {
                3
            } else {
                usize::from(told.iter().any(same))
            }
        })
        .sum()
}
