//! Words that speak of tools with worked examples, though they are no form of any example on offer.

use serde_json::Value;

use super::{
    NAME_WORDS, fitting, known, tells,
    text::{texts, tokens},
};
use crate::{
    area::Area,
    planner::{
        action,
        view::{Tool, View},
        words::{close, meaning},
    },
};

/// The schema of a tool that is not on offer.
static NO_SCHEMA: Value = Value::Null;

/// The group of tools that this conversation lacks although people can choose it, and that has an example
/// of which the newest words are a form.
pub(in crate::planner) fn absent<'v>(view: &'v View<'_>) -> Option<&'v Area> {
    let known = known(view);
    let mut absent = view.areas.iter().filter(|area| {
        let mut tools = area.tools.iter();
        area.pack.is_some() && !tools.any(|(name, _)| view.tool(name).is_some())
    });
    absent.find(|area| {
        let mut tools = area.tools.iter();
        tools.any(|(name, examples)| {
            let tool = Tool {
                name,
                description: "",
                schema: &NO_SCHEMA,
                examples,
            };
            fitting(view, tool, &known).is_some()
        })
    })
}

/// An example of another tool for the order that the newest words are, where a tool only reads what it is
/// about; with the pack that has the tool, if this conversation lacks it.
pub(in crate::planner) fn order_in_full<'v>(
    view: &'v View<'_>,
    reader: &str,
) -> Option<(&'v str, Option<&'v str>)> {
    /// Telling words that both have to have.
    const LEAST: usize = 2;
    let said = tokens(&view.question);
    let opens = |text: &str| {
        let said = tokens(text);
        let mut said = said.iter().map(|word| word.to_lowercase());
        said.find(|word| !action::is_polite(word))
            .is_some_and(|word| action::opens_order(&word))
    };
    if !opens(&view.question) {
        return None;
    }
    let is_said = |word: &str| {
        let wanted = meaning(word);
        said.iter().any(|own| close(&meaning(own), &wanted))
    };
    let mut best: Option<(usize, &'v str, Option<&'v str>)> = None;
    for area in view.areas {
        for (name, examples) in area.tools.iter().filter(|(name, _)| name != reader) {
            let pack = area.pack.as_deref().filter(|_| view.tool(name).is_none());
            if view.tool(name).is_none() && pack.is_none() {
                continue;
            }
            for example in examples.iter().filter(|it| opens(&it.question)) {
                let own = tokens(&example.question);
                let mut own: Vec<&str> = own.into_iter().filter(|word| tells(word)).collect();
                own.sort_unstable();
                own.dedup();
                let shared = own.into_iter().filter(|word| is_said(word)).count();
                if shared >= LEAST && best.is_none_or(|(most, ..)| shared > most) {
                    best = Some((shared, example.question.as_str(), pack));
                }
            }
        }
    }
    best.map(|(_, example, pack)| (example, pack))
}

/// True if the words have a name of several words that examples have: it is one thing, and one of these
/// tools.
pub(in crate::planner) fn is_named(view: &View<'_>) -> bool {
    let said = view.question.to_lowercase();
    let is_said = |text: &str| {
        let text = text.to_lowercase();
        let mut places = said.match_indices(text.as_str());
        places.any(|(at, _)| {
            let before = said.get(..at).and_then(|it| it.chars().next_back());
            let after = said.get(at + text.len()..).and_then(|it| it.chars().next());
            let ends = |sign: Option<char>| sign.is_none_or(|sign| !sign.is_alphanumeric());
            ends(before) && ends(after)
        })
    };
    let mut found = Vec::new();
    for (_, input) in view.formed.iter().flat_map(Tool::worked) {
        texts(input, &mut found);
    }
    let is_name = |text: &str| {
        text.starts_with(char::is_uppercase) && (2..=NAME_WORDS).contains(&tokens(text).len())
    };
    let mut names = found
        .iter()
        .filter(|(text, is_number)| !is_number && is_name(text));
    names.any(|(text, _)| is_said(text))
}

/// True if these tools or their examples speak of a word.
pub(in crate::planner) fn speak_of(view: &View<'_>, word: &str) -> bool {
    let wanted = meaning(word);
    let says = |text: &str| {
        let mut said = tokens(text).into_iter();
        said.any(|own| close(&meaning(own), &wanted))
    };
    let mut tools = view.formed.iter();
    tools.any(|tool| says(tool.description) || tool.worked().any(|(example, _)| says(example)))
}
