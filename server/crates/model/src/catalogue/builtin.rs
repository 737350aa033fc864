//! The built-in table. Prices and limits are public; [`Catalogue::AS_OF`] is their date.
//!
//! [`Catalogue::AS_OF`]: super::Catalogue::AS_OF

use std::collections::BTreeMap;

use protocol::ModelClass;

use super::{ModelEntry, PriceBand, ThinkingSupport};

/// US cents for a million tokens.
#[derive(Clone, Copy)]
struct Cents(u64);

impl Cents {
    fn micros(self) -> u64 {
        self.0 * 10_000
    }
}

pub(super) fn models() -> BTreeMap<String, ModelEntry> {
    let mut models = BTreeMap::new();
    let mut add = |id: &str, entry: ModelEntry| {
        models.insert(id.to_owned(), entry);
    };

    // The price of a cache read is not published yet.
    for id in ["claude-fable-5-2", "claude-mythos-5-2"] {
        add(id, large(price(Cents(800), Cents(4000), None)));
    }
    add(
        "claude-fable-5-1",
        large(price(Cents(1000), Cents(5000), Some(Cents(25)))),
    );
    let mut opus = large(price(Cents(400), Cents(2000), Some(Cents(20))));
    opus.class = Some(ModelClass::Smart);
    add("claude-opus-5-5", opus);
    add(
        "claude-sonnet-5-5",
        large(price(Cents(200), Cents(1000), Some(Cents(10)))),
    );
    let mut haiku = large(PriceBand {
        up_to_input: Some(100_000),
        ..price(Cents(10), Cents(50), Some(Cents(1)))
    });
    haiku
        .prices
        .push(price(Cents(50), Cents(250), Some(Cents(5))));
    haiku.class = Some(ModelClass::Fast);
    add("claude-haiku-5-5", haiku);

    for (ids, input, output) in [
        (&["claude-fable-5"][..], 1000, 5000),
        (
            &[
                "claude-opus-5",
                "claude-opus-4-8",
                "claude-opus-4-7",
                "claude-opus-4-6",
            ],
            500,
            2500,
        ),
        (&["claude-sonnet-5"], 200, 1000),
        (&["claude-sonnet-4-6"], 300, 1500),
    ] {
        for id in ids {
            add(id, large(tenth(input, output)));
        }
    }
    add("claude-opus-4-5", small(tenth(500, 2500), true));
    add("claude-haiku-4-5", small(tenth(100, 500), false));
    add("claude-sonnet-4-5", small(tenth(300, 1500), false));
    models
}

fn large(price: PriceBand) -> ModelEntry {
    ModelEntry {
        context_window: Some(1_000_000),
        max_output: Some(128_000),
        prices: vec![price],
        thinking: Some(ThinkingSupport::Adaptive),
        effort: Some(true),
        images: Some(true),
        class: None,
    }
}

/// Models that refuse adaptive thinking and take a number of tokens.
fn small(price: PriceBand, effort: bool) -> ModelEntry {
    ModelEntry {
        context_window: Some(200_000),
        max_output: Some(64_000),
        prices: vec![price],
        thinking: Some(ThinkingSupport::Budget),
        effort: Some(effort),
        images: Some(true),
        class: None,
    }
}

/// Cents, with the cache read at a tenth of the input.
fn tenth(input: u64, output: u64) -> PriceBand {
    price(Cents(input), Cents(output), Some(Cents(input / 10)))
}

fn price(input: Cents, output: Cents, cache_read: Option<Cents>) -> PriceBand {
    PriceBand {
        up_to_input: None,
        input: input.micros(),
        output: output.micros(),
        cache_read: cache_read.map(Cents::micros),
        cache_write: None,
    }
}
