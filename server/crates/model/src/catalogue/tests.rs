//! Prices to the last millionth, and unknown ones.

use std::collections::BTreeMap;

use protocol::{Cost, Usage};

use super::{Catalogue, ModelEntry, PriceBand, ThinkingSupport};

fn usage(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Usage {
    Usage {
        input,
        output,
        cache_read,
        cache_write,
        estimated: false,
    }
}

#[test]
fn costs() {
    let catalogue = Catalogue::default();
    let check = |model: &str, usage: Usage, expect: Option<u64>| {
        let cost = catalogue.get(model).and_then(|entry| entry.cost(&usage));
        assert_eq!(cost, expect.map(Cost), "{model} {usage:?}");
    };
    const M: u64 = 1_000_000;
    check("claude-sonnet-5-5", usage(M, 0, 0, 0), Some(2_000_000));
    check("claude-sonnet-5-5", usage(0, M, 1, 0), Some(10_000_000));
    check("claude-sonnet-5-5", usage(0, 0, M, 0), Some(100_000));
    check("claude-sonnet-5-5", usage(0, 0, 0, M), Some(2_500_000));
    check(
        "claude-opus-5-5",
        usage(1200, 345, 20_000, 800),
        Some(4_800 + 6_900 + 4_000 + 4_000),
    );
    check(
        "claude-opus-4-5-20251101",
        usage(M, M, M, M),
        Some(5_000_000 + 25_000_000 + 500_000 + 6_250_000),
    );
    // Rounded once, to the nearest.
    check("claude-haiku-4-5", usage(1, 0, 4, 0), Some(1));
    check("claude-haiku-4-5", usage(1, 0, 5, 0), Some(2));
    // The band is chosen by all input tokens and applies to the whole call.
    check(
        "claude-haiku-5-5",
        usage(50_000, 1000, 40_000, 10_000),
        Some(5_000 + 500 + 400 + 1_250),
    );
    check(
        "claude-haiku-5-5",
        usage(50_001, 1000, 40_000, 10_000),
        Some(25_001 + 2_500 + 2_000 + 6_250),
    );
    // Unknown model, unknown price, unknown usage.
    check("llama-4", usage(1, 1, 0, 0), None);
    check("claude-fable-5-2", usage(10, 0, 0, 0), Some(80));
    check("claude-fable-5-2", usage(10, 0, 1, 0), None);
    check("claude-sonnet-5-5", Usage::default(), None);
}

#[test]
fn configuration_changes_and_adds() {
    let json = serde_json::json!({
        "claude-sonnet-5-5": {"max_output": 1000},
        "my-llama": {"context_window": 8192, "prices": [{"input": 1, "output": 2}]},
    });
    let overrides: BTreeMap<String, ModelEntry> = serde_json::from_value(json).unwrap();
    let catalogue = Catalogue::new(&overrides);
    let sonnet = catalogue.get("claude-sonnet-5-5").unwrap();
    assert_eq!(sonnet.max_output, Some(1000));
    assert_eq!(sonnet.context_window, Some(1_000_000));
    assert_eq!(sonnet.thinking, Some(ThinkingSupport::Adaptive));
    assert_eq!(sonnet.prices.len(), 1);
    let price = PriceBand {
        up_to_input: None,
        input: 1,
        output: 2,
        cache_read: None,
        cache_write: None,
    };
    let llama = ModelEntry {
        context_window: Some(8192),
        prices: vec![price],
        ..ModelEntry::default()
    };
    assert_eq!(catalogue.get("my-llama"), Some(&llama));
    assert!(serde_json::from_str::<ModelEntry>(r#"{"maxoutput": 1}"#).is_err());
}
