//! The tools on offer, by what their names, descriptions and example questions say.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use super::{
    ask::Ask,
    forms,
    records::{self, Record},
    view::{Tool, View},
    words::{alike, close, is_filler, is_plain, meaning, original, parts, singular, stem, words},
};

/// Below this nothing fits.
const LEAST: f64 = 0.75;
/// The same for a tool that plainly lists what "which" asks for.
const LEAST_LISTED: f64 = 0.6;

/// Meanings of words for the states of things.
const STATES: &[&str] = &["run", "stop", "paus", "suspend", "onlin", "offlin"];

/// Verbs that open the names and descriptions of tools that only read.
const READS: &[&str] = &[
    "get", "list", "read", "show", "find", "search", "fetch", "query", "look", "count", "describe",
    "check", "compute", "report", "view", "watch",
];

/// A tool and what is said of it.
#[derive(Debug)]
pub(super) struct Card<'v> {
    pub(super) tool: &'v Tool<'v>,
    pub(super) reads: bool,
    /// Meanings of the parts of its name.
    pub(super) name: Vec<String>,
    /// Meanings of the first sentence of its description.
    first: Vec<String>,
    /// Meanings of the rest of it.
    rest: Vec<String>,
    examples: Vec<Example>,
}

/// An example question.
#[derive(Debug)]
struct Example {
    content: Vec<String>,
    /// In lower case.
    names: Vec<String>,
    has_number: bool,
    has_span: bool,
}

/// All tools.
#[derive(Debug)]
pub(super) struct Shelf<'v> {
    pub(super) cards: Vec<Card<'v>>,
    /// Words that the definitions use outside of quotes, and their stems.
    vocabulary: HashSet<String>,
    /// See [`records::places`].
    pub(super) places: Vec<String>,
    /// All things that the data names.
    pub(super) known: Vec<Record>,
    /// Values that inputs can be chosen from, written as names.
    values: Vec<&'v str>,
    weights: RefCell<HashMap<String, f64>>,
    /// The least number that an input takes for that of a thing.
    pub(super) least_id: Option<i64>,
}

impl<'v> Shelf<'v> {
    pub(super) fn of(view: &'v View<'v>) -> Self {
        let vocabulary = vocabulary(view);
        let knows = |word: &str| {
            is_plain(word) || vocabulary.contains(word) || vocabulary.contains(&stem(word))
        };
        let names = view.tools.iter().flat_map(|tool| parts(tool.name));
        let names: Vec<String> = names.map(|part| meaning(&part)).collect();
        let knows =
            |word: &str| knows(word) || names.iter().any(|name| close(name, &meaning(word)));
        let cards = view.tools.iter().map(|tool| card(tool, &knows)).collect();
        Self {
            cards,
            places: records::places(view),
            known: records::known(view),
            values: values(view),
            weights: RefCell::default(),
            least_id: least_id(view),
            vocabulary,
        }
    }

    /// True if a definition uses a word.
    pub(super) fn knows(&self, word: &str) -> bool {
        let meaning = meaning(word);
        self.vocabulary.contains(word)
            || self.vocabulary.contains(&stem(word))
            || self
                .cards
                .iter()
                .any(|card| card.name.iter().any(|part| close(part, &meaning)))
            || word.len() >= 6 && self.vocabulary.iter().any(|known| alike(known, word))
    }

    /// True if a word is a value that inputs can be chosen from, and written as a name.
    pub(super) fn is_value(&self, word: &str) -> bool {
        self.values
            .iter()
            .any(|value| value.eq_ignore_ascii_case(word))
    }

    /// True if a tool's name has a word of this meaning that is not its verb.
    pub(super) fn is_noun(&self, meaning: &str) -> bool {
        let mut names = self.cards.iter().flat_map(|card| card.name.iter().skip(1));
        names.any(|part| close(part, meaning)) || self.places.iter().any(|place| place == meaning)
    }

    /// True if a word is a kind of thing that an input can be chosen from, such as `guest`.
    pub(super) fn is_kind(&self, word: &str) -> bool {
        self.cards.iter().any(|card| {
            let properties = card.tool.schema["properties"].as_object();
            properties.into_iter().flatten().any(|(name, property)| {
                let choices = property["enum"].as_array().into_iter().flatten();
                matches!(name.as_str(), "type" | "kind")
                    && choices
                        .filter_map(|choice| choice.as_str())
                        .any(|choice| choice == word)
            })
        })
    }

    /// True if tools or their inputs are about things that are called so.
    pub(super) fn is_noun_or_kind(&self, meaning: &str) -> bool {
        self.is_noun(meaning) || self.is_kind(meaning)
    }

    pub(super) fn is_place(&self, word: &str) -> bool {
        self.places.iter().any(|place| place == word)
    }

    /// True if so many tools ask for a field that it says where, not what.
    pub(super) fn is_common(&self, property: &str) -> bool {
        self.cards
            .iter()
            .filter(|card| card.takes(property))
            .count()
            >= 3
    }

    pub(super) fn card(&self, name: &str) -> Option<&Card<'v>> {
        self.cards.iter().find(|card| card.tool.name == name)
    }

    pub(super) fn readers(&self) -> impl Iterator<Item = &Card<'v>> {
        self.cards.iter().filter(|card| card.reads)
    }

    /// The weight of a meaning: it is high where it tells one tool from the others.
    fn weight(&self, meaning: &str) -> f64 {
        if let Some(weight) = self.weights.borrow().get(meaning) {
            return *weight;
        }
        // In which state things are wanted says little about which things.
        let share = if STATES.contains(&meaning) { 0.3 } else { 1.0 };
        let weight = share * self.measured(meaning);
        self.weights.borrow_mut().insert(meaning.to_owned(), weight);
        weight
    }

    fn measured(&self, meaning: &str) -> f64 {
        let all = self.cards.len() as f64;
        let mut with = 0.0;
        for card in &self.cards {
            if card.mentions(meaning) > 0.0 {
                with += 1.0;
            }
        }
        match with {
            0.0 => 0.5 * (1.0 + all).ln(),
            with => (1.0 + all / with).ln(),
        }
    }

    /// The score of a tool for the words; from 0 to about 2.
    pub(super) fn score(&self, card: &Card<'_>, ask: &Ask) -> f64 {
        let content = &ask.content;
        let weights: Vec<f64> = content.iter().map(|word| self.weight(word)).collect();
        let all: f64 = weights.iter().sum();
        let covered: f64 = content
            .iter()
            .zip(&weights)
            .map(|(word, weight)| weight * card.mentions(word))
            .sum();
        let coverage = if all > 0.0 { covered / all } else { 0.0 };
        let alike = card
            .examples
            .iter()
            .map(|example| self.alike(example, ask, &weights))
            .fold(0.0, f64::max);
        coverage + alike
    }

    /// The likeness of an example and the words; 1 for the same.
    fn alike(&self, example: &Example, ask: &Ask, weights: &[f64]) -> f64 {
        let (mut shared, mut all) = (0.0, 0.0);
        for (word, weight) in ask.content.iter().zip(weights) {
            all += weight;
            if example.content.iter().any(|own| close(own, word)) {
                shared += weight;
            }
        }
        for own in &example.content {
            if !ask.content.iter().any(|word| close(own, word)) {
                all += self.weight(own);
            }
        }
        let names = ask.named.len() + ask.strangers.len() + ask.values;
        let numbers = !ask.ids.is_empty() || ask.count.is_some();
        for (own, asked) in [
            (!example.names.is_empty(), names > 0),
            (example.names.len() > 1, names > 1),
            (example.has_number, numbers),
            (example.has_span, ask.span.is_some()),
        ] {
            let weight = 0.7;
            if own || asked {
                all += weight;
            }
            if own && asked {
                shared += weight;
            }
        }
        // The very same name says a little more.
        let mut said = ask.strangers.iter().map(|it| it.word.to_lowercase());
        let same = said.any(|word| example.names.contains(&word));
        let more = if same { 0.1 } else { 0.0 };
        if all > 0.0 { shared / all + more } else { 0.0 }
    }

    /// The tool that reads what the words ask for.
    pub(super) fn best(&self, ask: &Ask) -> Option<&Card<'v>> {
        let told = self.happenings().map(|card| card.tool.name);
        let mut best: Option<(&Card<'v>, f64)> = None;
        for card in self.readers() {
            let score = self.fitness(card, ask, told);
            let tells = ask.which.as_ref().map(|noun| card.mentions(noun));
            // What a tool plainly lists may have more columns than its words say.
            let least = match tells {
                Some(plainly) if plainly >= 0.7 && card.required().next().is_none() => LEAST_LISTED,
                _ => LEAST,
            };
            if score >= least && best.as_ref().is_none_or(|(_, most)| score > *most + 1e-9) {
                best = Some((card, score));
            }
        }
        best.map(|(card, _)| card)
    }

    /// The score of a tool, with what it is told and what it needs taken into account.
    fn fitness(&self, card: &Card<'_>, ask: &Ask, told: Option<&str>) -> f64 {
        let lists = forms::lists(card.tool);
        let form = lists.then(|| forms::fitting(card.tool, ask)).flatten();
        // Forms speak for a tool where the words name what only a form can tell, of one place.
        let is_placed = ask.strangers.iter().any(|it| it.is_place)
            || ask
                .named
                .iter()
                .any(|record| record.kinds.iter().any(|kind| self.is_common(kind)));
        let by_form = form.as_ref().map_or(0.0, |(_, score)| *score);
        let by_form = by_form * if is_placed { 0.8 } else { 0.5 };
        let mut score = self.score(card, ask).max(by_form);
        let strange = ask.strangers.iter().find(|it| !it.is_place);
        let numbered = ask.named.iter().find(|record| !record.ids.is_empty());
        let names = [
            strange.map(|it| it.word.as_str()),
            numbered.and_then(|record| record.name.as_deref()),
        ];
        let name = names.into_iter().flatten().next();
        // A thing that a tool cannot be told of is not what it is for.
        let is_told = match (name, form) {
            (None, _) => true,
            (Some(name), Some((text, _))) => text.contains(name),
            (Some(_), None) => !lists && (card.finds() || card.takes_a_name(self)),
        };
        if !is_told {
            let is_loose = numbered.is_none() && !lists || told == Some(card.tool.name);
            score = match is_loose && score >= LEAST {
                true => (score * 0.6).max(LEAST),
                false => score * 0.6,
            };
        }
        // How it went is asked over some time.
        if card.takes_a_span() && ask.span.is_none() && !ask.wants("history") {
            score *= 0.5;
        }
        // In passing is not told of.
        if ask
            .which
            .as_ref()
            .is_some_and(|noun| card.mentions(noun) < 0.7)
        {
            score *= 0.6;
        }
        // What a tool asks for is what it is about.
        let needs = |record: &Record| card.required().any(|name| record.is(name));
        score
            + if ask.named.iter().any(needs) {
                0.1
            } else {
                0.0
            }
    }

    /// The tool that tells what happened.
    pub(super) fn happenings(&self) -> Option<&Card<'v>> {
        let what = Ask {
            content: vec!["happen".to_owned()],
            ..Ask::default()
        };
        let free = self
            .readers()
            .filter(|card| card.required().next().is_none());
        let scored = free.map(|card| (card, self.score(card, &what)));
        let best = scored.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 > 0.5).then_some(best.0)
    }

    /// The tool with an example that has the same shape as words without any content, such as "Show
    /// the last 24 hours of X".
    pub(super) fn of_shape(&self, ask: &Ask) -> Option<&Card<'v>> {
        if ask.span.is_none() && ask.count.is_none() {
            return None;
        }
        let alike = |card: &&Card<'v>| {
            let mut examples = card.examples.iter();
            examples.any(|example| self.alike(example, ask, &[]) > 0.99)
        };
        self.readers().find(alike)
    }
}

impl Card<'_> {
    /// A measure for how plainly a tool speaks of something; 1 in its name.
    pub(super) fn mentions(&self, meaning: &str) -> f64 {
        let has = |list: &[String]| list.iter().any(|own| close(own, meaning));
        if has(&self.name) {
            1.0
        } else if self.examples.iter().any(|example| has(&example.content)) {
            0.9
        } else if has(&self.first) {
            0.7
        } else if has(&self.rest) {
            0.45
        } else {
            0.0
        }
    }

    /// True if it can be told a name or a number that is no place.
    fn takes_a_name(&self, shelf: &Shelf<'_>) -> bool {
        let properties = self.tool.schema["properties"].as_object();
        properties.into_iter().flatten().any(|(name, property)| {
            records::is_id(name)
                || shelf.is_place(name) && !shelf.is_common(name)
                || !property["enum"].is_null()
                    && shelf.values.iter().any(|value| {
                        property["enum"]
                            .as_array()
                            .is_some_and(|all| all.iter().any(|one| one == value))
                    })
        })
    }

    pub(super) fn requires(&self, property: &str) -> bool {
        self.required().any(|name| name == property)
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.tool.schema["required"].as_array();
        required
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str())
    }

    pub(super) fn takes(&self, property: &str) -> bool {
        self.tool.schema["properties"].get(property).is_some()
    }

    /// True if it needs one of several spans of time.
    pub(super) fn takes_a_span(&self) -> bool {
        self.required().any(|name| {
            let choices = self.tool.schema["properties"][name]["enum"].as_array();
            choices.is_some_and(|all| {
                all.iter()
                    .all(|one| one.as_str().is_some_and(super::ask::is_span))
            })
        })
    }

    /// True if its description says that it finds things by their names.
    pub(super) fn finds(&self) -> bool {
        self.required().next().is_none()
            && (self.tool.description.contains("by its name")
                || self.tool.description.contains("by name"))
    }
}

fn card<'v>(tool: &'v Tool<'v>, knows: &dyn Fn(&str) -> bool) -> Card<'v> {
    let plain = unquoted(tool.description);
    // What it does not do is nothing that it is for.
    let sentences = plain
        .split(". ")
        .filter(|sentence| !sentence.contains(" does not "));
    let plain = without_negations(&sentences.collect::<Vec<_>>().join(". "));
    let (first, rest) = plain.split_once(". ").unwrap_or((&plain, ""));
    // Forms are lines for machines.
    let rest = match forms::lists(tool) {
        true => "",
        false => rest,
    };
    let mut examples: Vec<Example> = tool
        .examples
        .iter()
        .map(|text| example(text, knows))
        .collect();
    let quoted = tool.description.split('"').skip(1).step_by(2);
    let questions = quoted.filter(|text| text.ends_with('?'));
    examples.extend(questions.map(|text| example(text, knows)));
    let name = parts(tool.name);
    let opening = words(first);
    let only_looks = ["only looks", "only reads", "read-only"];
    let reads = name
        .first()
        .is_some_and(|verb| READS.contains(&verb.as_str()))
        || only_looks.iter().any(|sign| first.contains(sign))
        || opening.first().is_some_and(|verb| {
            !super::action::is_verb(name.first().map_or("", String::as_str))
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
        let is_span = super::ask::is_span(&lower);
        let is_capital = word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase());
        if is_span {
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
fn unquoted(text: &str) -> String {
    text.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}

fn vocabulary(view: &View<'_>) -> HashSet<String> {
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

fn values<'v>(view: &'v View<'v>) -> Vec<&'v str> {
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
    match forms::lists(tool) {
        // Of forms only what they tell.
        true => {
            for line in tool.description.lines() {
                take(line.split_once(": ").map_or(line, |(_, told)| told));
            }
        }
        false => take(&unquoted(tool.description)),
    }
    let properties = tool.schema["properties"].as_object();
    for (name, property) in properties.into_iter().flatten() {
        take(&name.replace('_', " "));
        take(&unquoted(
            property["description"].as_str().unwrap_or_default(),
        ));
    }
}

fn least_id(view: &View<'_>) -> Option<i64> {
    let properties = view
        .tools
        .iter()
        .flat_map(|tool| tool.schema["properties"].as_object().into_iter().flatten());
    let ids = properties.filter(|(name, property)| {
        records::is_id(name) && super::fill::kind(property) == "integer"
    });
    ids.map(|(_, property)| property["minimum"].as_i64().unwrap_or(100))
        .min()
}
