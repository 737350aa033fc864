//! The tools on offer, by what their names, descriptions and example questions say.

mod card;
mod score;
mod vocabulary;

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use super::{
    records::{self, Record},
    view::View,
    words::{alike, close, is_plain, meaning, parts, stem},
};
pub(super) use card::{Card, reads_by_name};
use vocabulary::{least_id, values, vocabulary};

/// All tools.
#[derive(Debug)]
pub(super) struct Toolbox<'v> {
    pub(super) cards: Vec<Card<'v>>,
    /// Tools that no words but those of their examples lead to.
    formed: Vec<Card<'v>>,
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

impl<'v> Toolbox<'v> {
    pub(super) fn of(view: &'v View<'v>) -> Self {
        let vocabulary = vocabulary(view);
        let knows = |word: &str| {
            is_plain(word) || vocabulary.contains(word) || vocabulary.contains(&stem(word))
        };
        let names = view.tools.iter().flat_map(|tool| parts(tool.name));
        let names: Vec<String> = names.map(|part| meaning(&part)).collect();
        let knows =
            |word: &str| knows(word) || names.iter().any(|name| close(name, &meaning(word)));
        let cards = view
            .tools
            .iter()
            .map(|tool| card::of(tool, &knows))
            .collect();
        let formed = view.formed.iter().map(|tool| card::of(tool, &knows));
        Self {
            formed: formed.collect(),
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
        let mut all = self.cards.iter().chain(&self.formed);
        all.find(|card| card.tool.name == name)
    }

    pub(super) fn readers(&self) -> impl Iterator<Item = &Card<'v>> {
        self.cards.iter().filter(|card| card.reads)
    }
}
