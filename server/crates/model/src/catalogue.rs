//! The known facts about each model: its limits, its price, and its options.

use std::collections::BTreeMap;

use protocol::{Cost, ModelClass, Usage};
use serde::{Deserialize, Serialize};

mod builtin;

/// The known models. Facts about a model that are not known stay unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    models: BTreeMap<String, ModelEntry>,
}

/// One model. Every field may be absent: in an override that keeps the known value, otherwise it is
/// unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelEntry {
    /// Tokens that the model can read and write in one call.
    pub context_window: Option<u64>,
    /// Tokens that it can write in one call.
    pub max_output: Option<u32>,
    /// Prices, the cheapest band first. Empty means unknown.
    pub prices: Vec<PriceBand>,
    pub thinking: Option<ThinkingSupport>,
    /// True if it takes a level of effort.
    pub effort: Option<bool>,
    /// True if it reads images.
    pub images: Option<bool>,
    /// The class of tasks that it suits.
    pub class: Option<ModelClass>,
}

/// The request to the model about thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingSupport {
    /// It decides itself, and is asked to show a summary.
    Adaptive,
    /// It thinks if it is given a number of tokens for that.
    Budget,
    /// Nothing is asked.
    Unasked,
}

/// Prices in millionths of a US dollar for a million tokens: 3 USD is `3_000_000`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceBand {
    /// The band applies to calls with at most this many input tokens, cached ones included, and
    /// then to the whole call. None: any number.
    #[serde(default)]
    pub up_to_input: Option<u64>,
    pub input: u64,
    pub output: u64,
    /// Unknown if absent: a call that reads from the cache then has no known cost.
    #[serde(default)]
    pub cache_read: Option<u64>,
    /// If absent, 1.25 times the input: the price of a cache that lives five minutes.
    #[serde(default)]
    pub cache_write: Option<u64>,
}

impl Catalogue {
    /// The month of the built-in table.
    pub const AS_OF: &'static str = "2026-11";

    /// The built-in table with changes and additions from the configuration.
    pub fn new(overrides: &BTreeMap<String, ModelEntry>) -> Self {
        let mut models = builtin::models();
        for (id, entry) in overrides {
            let known = models.entry(id.clone()).or_default();
            *known = entry.clone().or(known);
        }
        Self { models }
    }

    /// A model by its id. An id with a date finds the entry without one.
    pub fn get(&self, model: &str) -> Option<&ModelEntry> {
        self.models
            .get(model)
            .or_else(|| self.models.get(without_date(model)?))
    }

    /// All models by id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ModelEntry)> {
        self.models.iter().map(|(id, entry)| (id.as_str(), entry))
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::new(&BTreeMap::new())
    }
}

impl ModelEntry {
    /// This entry, with gaps filled from the other.
    #[must_use]
    pub fn or(self, other: &Self) -> Self {
        Self {
            context_window: self.context_window.or(other.context_window),
            max_output: self.max_output.or(other.max_output),
            prices: if self.prices.is_empty() {
                other.prices.clone()
            } else {
                self.prices
            },
            thinking: self.thinking.or(other.thinking),
            effort: self.effort.or(other.effort),
            images: self.images.or(other.images),
            class: self.class.or(other.class),
        }
    }

    /// The cost of one call, rounded to a millionth of a dollar. None if a price is unknown, or the
    /// usage: every call that happened reads something.
    pub fn cost(&self, usage: &Usage) -> Option<Cost> {
        let total = usage.total_input();
        if total == 0 {
            return None;
        }
        let band = self
            .prices
            .iter()
            .find(|band| band.up_to_input.is_none_or(|limit| total <= limit))?;
        let cache_read = match (usage.cache_read, band.cache_read) {
            (0, _) => 0,
            (_, price) => price?,
        };
        let cache_write = band
            .cache_write
            .unwrap_or_else(|| band.input.saturating_mul(5) / 4);
        let sum: u128 = [
            (usage.input, band.input),
            (usage.output, band.output),
            (usage.cache_read, cache_read),
            (usage.cache_write, cache_write),
        ]
        .into_iter()
        .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
        .sum();
        u64::try_from((sum + 500_000) / 1_000_000).ok().map(Cost)
    }
}

fn without_date(model: &str) -> Option<&str> {
    let (id, date) = model.rsplit_once('-')?;
    (date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
}

#[cfg(test)]
mod tests;
