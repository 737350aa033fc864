//! The words, values and numbers that the definitions of the tools use.

use std::collections::HashSet;

use super::{
    super::{
        forms, records,
        schema::kind,
        view::{Tool, View},
        words::{singular, stem, words},
    },
    card::unquoted,
};

/// Words that the definitions use outside of quotes, and their stems.
pub(super) fn vocabulary(view: &View<'_>) -> HashSet<String> {
    let mut found: Vec<String> = Vec::new();
    let mut take = |text: &str| found.extend(words(text));
    for tool in &view.tools {
        found_in(tool, &mut take);
    }
    let stems: Vec<String> = found
        .iter()
        .flat_map(|word| [singular(word), stem(word)])
        .collect();
    found.into_iter().chain(stems).collect()
}

/// Values that inputs can be chosen from, written as names.
pub(super) fn values<'v>(view: &'v View<'v>) -> Vec<&'v str> {
    let properties = view
        .tools
        .iter()
        .flat_map(|tool| tool.schema["properties"].as_object().into_iter().flatten());
    let choices =
        properties.flat_map(|(_, property)| property["enum"].as_array().into_iter().flatten());
    let names = choices
        .filter_map(|choice| choice.as_str())
        .filter(|text| text.len() > 2 && text.chars().all(|c| c.is_ascii_uppercase()));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn found_in(tool: &Tool<'_>, take: &mut dyn FnMut(&str)) {
    take(&tool.name.replace('_', " "));
    if forms::lists(tool) {
        // Of forms only what they tell.
        for line in tool.description.lines() {
            take(line.split_once(": ").map_or(line, |(_, told)| told));
        }
    } else {
        take(&unquoted(tool.description));
    }
    let properties = tool.schema["properties"].as_object();
    for (name, property) in properties.into_iter().flatten() {
        take(&name.replace('_', " "));
        take(&unquoted(
            property["description"].as_str().unwrap_or_default(),
        ));
    }
}

/// The least number that an input takes for that of a thing.
pub(super) fn least_id(view: &View<'_>) -> Option<i64> {
    let properties = view
        .tools
        .iter()
        .flat_map(|tool| tool.schema["properties"].as_object().into_iter().flatten());
    let ids =
        properties.filter(|(name, property)| records::is_id(name) && kind(property) == "integer");
    ids.map(|(_, property)| property["minimum"].as_i64().unwrap_or(100))
        .min()
}
