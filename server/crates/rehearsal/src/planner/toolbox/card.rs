//! One tool, by what is said of it.

use super::{
    super::{
        action, forms, records,
        span::is_span,
        view::Tool,
        words::{close, is_filler, meaning, original, parts, singular, words},
    },
    Toolbox,
};

/// Verbs that open the names and descriptions of tools that only read.
const READS: &[&str] = &[
    "get", "list", "read", "show", "find", "search", "fetch", "query", "look", "count", "describe",
    "check", "compute", "report", "view", "watch",
];

/// A tool and what is said of it.
#[derive(Debug)]
pub(in crate::planner) struct Card<'v> {
    pub(in crate::planner) tool: &'v Tool<'v>,
    pub(in crate::planner) reads: bool,
    /// Meanings of the parts of its name.
    pub(in crate::planner) name: Vec<String>,
    /// Meanings of the first sentence of its description.
    first: Vec<String>,
    /// Meanings of the rest of it.
    rest: Vec<String>,
    pub(super) examples: Vec<Example>,
}

/// An example question.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) content: Vec<String>,
    /// In lower case.
    pub(super) names: Vec<String>,
    pub(super) has_number: bool,
    pub(super) has_span: bool,
}

impl Example {
    /// True if it has a word of this meaning.
    pub(super) fn has(&self, meaning: &str) -> bool {
        self.content.iter().any(|own| close(own, meaning))
    }
}

impl Card<'_> {
    /// A measure for how plainly a tool speaks of something; 1 in its name.
    pub(in crate::planner) fn mentions(&self, meaning: &str) -> f64 {
        let in_example = self.examples.iter().any(|example| example.has(meaning));
        self.says(meaning).max(if in_example { 0.9 } else { 0.0 })
    }

    /// The same without the examples.
    pub(super) fn says(&self, meaning: &str) -> f64 {
        let has = |list: &[String]| list.iter().any(|own| close(own, meaning));
        if has(&self.name) {
            1.0
        } else if has(&self.first) {
            0.7
        } else if has(&self.rest) {
            0.45
        } else {
            0.0
        }
    }

    /// True if it can be told a name or a number that is no place.
    pub(super) fn takes_a_name(&self, toolbox: &Toolbox<'_>) -> bool {
        let properties = self.tool.schema["properties"].as_object();
        properties.into_iter().flatten().any(|(name, property)| {
            records::is_id(name)
                || toolbox.is_place(name) && !toolbox.is_common(name)
                || !property["enum"].is_null()
                    && toolbox.values.iter().any(|value| {
                        property["enum"]
                            .as_array()
                            .is_some_and(|all| all.iter().any(|one| one == value))
                    })
        })
    }

    pub(in crate::planner) fn requires(&self, property: &str) -> bool {
        self.required().any(|name| name == property)
    }

    pub(in crate::planner) fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.tool.schema["required"].as_array();
        required
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str())
    }

    pub(in crate::planner) fn takes(&self, property: &str) -> bool {
        self.tool.schema["properties"].get(property).is_some()
    }

    /// True if it needs one of several spans of time.
    pub(in crate::planner) fn takes_a_span(&self) -> bool {
        self.required().any(|name| {
            let choices = self.tool.schema["properties"][name]["enum"].as_array();
            choices.is_some_and(|all| all.iter().all(|one| one.as_str().is_some_and(is_span)))
        })
    }

    /// True if its description says that it finds things by their names.
    pub(in crate::planner) fn finds(&self) -> bool {
        self.required().next().is_none()
            && (self.tool.description.contains("by its name")
                || self.tool.description.contains("by name"))
    }
}

/// True if the name of a tool opens with a verb for reading.
pub(in crate::planner) fn reads_by_name(name: &str) -> bool {
    let first = parts(name).into_iter().next();
    first.is_some_and(|verb| READS.contains(&verb.as_str()))
}

/// Reads a definition; `knows` is true for words that definitions use.
pub(super) fn of<'v>(tool: &'v Tool<'v>, knows: &dyn Fn(&str) -> bool) -> Card<'v> {
    let plain = unquoted(tool.description);
    // What it does not do is nothing that it is for.
    let sentences = plain
        .split(". ")
        .filter(|sentence| !sentence.contains(" does not "));
    let plain = without_negations(&sentences.collect::<Vec<_>>().join(". "));
    let (first, rest) = plain.split_once(". ").unwrap_or((&plain, ""));
    // Forms are lines for machines.
    let rest = if forms::lists(tool) { "" } else { rest };
    let mut examples: Vec<Example> = tool
        .examples
        .iter()
        .map(|it| example(&it.question, knows))
        .collect();
    let quoted = tool.description.split('"').skip(1).step_by(2);
    let questions = quoted.filter(|text| text.ends_with('?'));
    examples.extend(questions.map(|text| example(text, knows)));
    let name = parts(tool.name);
    let opening = words(first);
    let only_looks = ["only looks", "only reads", "read-only"];
    let reads = reads_by_name(tool.name)
        || only_looks.iter().any(|sign| first.contains(sign))
        || opening.first().is_some_and(|verb| {
            !action::is_verb(name.first().map_or("", String::as_str))
                && READS.contains(&singular(verb).as_str())
        });
    Card {
        tool,
        reads,
        name: name.iter().map(|part| meaning(part)).collect(),
        first: content(first),
        rest: content(rest),
        examples,
    }
}

fn content(text: &str) -> Vec<String> {
    let said = words(text);
    let content = said.iter().filter(|word| !is_filler(word));
    content.map(|word| meaning(word)).collect()
}

fn example(text: &str, knows: &dyn Fn(&str) -> bool) -> Example {
    let mut example = Example {
        content: Vec::new(),
        names: Vec::new(),
        has_number: false,
        has_span: false,
    };
    for word in original(text) {
        let lower = word.to_lowercase();
        let has_span = is_span(&lower);
        let is_capital = word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase());
        if has_span {
            example.has_span = true;
        } else if lower.parse::<f64>().is_ok() {
            example.has_number = true;
        } else if is_filler(&lower) {
        } else if knows(&lower) && !is_capital {
            example.content.push(meaning(&lower));
        } else {
            example.names.push(lower);
        }
    }
    example
}

/// A text without what stands behind `not`, up to the next sign.
fn without_negations(text: &str) -> String {
    let mut parts = text.split(" not ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part
            .find(['(', ')', ',', ';', '.', ':'])
            .unwrap_or(part.len());
        out.push_str(&part[end..]);
    }
    out
}

/// A text without what stands in double quotes.
pub(super) fn unquoted(text: &str) -> String {
    text.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}
