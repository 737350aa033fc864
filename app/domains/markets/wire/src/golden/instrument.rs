//! Instruments.

use super::check;
use crate::{Instrument, InstrumentKind, Symbol, Timeframe, is_name};

fn coin(name: &str, digits: u32) -> Instrument {
    Instrument {
        name: name.to_owned(),
        label: "Bitcoin".to_owned(),
        kind: InstrumentKind::Crypto,
        digits,
        pip: 10,
        base: None,
        quote: "USDT".to_owned(),
        contract: None,
        session: None,
        timeframes: vec![Timeframe::H1, Timeframe::D1],
    }
}

#[test]
fn instruments() {
    check("instrument", Symbol::EurUsd.instrument());
    check("instrument_always_traded", &coin("BTCUSDT", 1));
}

#[test]
fn a_page_learns_what_a_server_declares() {
    assert!(Symbol::named("BTCUSDT").is_none() && Symbol::EurUsd.is_built_in());
    let symbol = Symbol::declare(coin("BTCUSDT", 1)).unwrap();
    assert_eq!(Symbol::declare(coin("BTCUSDT", 1)), Ok(symbol));
    assert!(Symbol::declare(coin("BTCUSDT", 2)).is_err());
    assert!(Symbol::declare(coin("EURUSD", 1)).is_err());
    // A symbol on view keeps its place when the server tells of it again.
    Symbol::learn(coin("BTCUSDT", 3));
    assert_eq!(
        (symbol.digits(), Symbol::named("BTCUSDT")),
        (3, Some(symbol))
    );
    assert_eq!((symbol.lot(), symbol.lot_step()), (1.0, 0.01));
    assert_eq!(Symbol::EurUsd.lot(), 100_000.0);
    Symbol::learn(coin("ADAUSDT", 4));
    let names: Vec<_> = Symbol::all().into_iter().map(Symbol::name).collect();
    assert_eq!(names, ["EURUSD", "GBPUSD", "USDJPY", "ADAUSDT", "BTCUSDT"]);
    assert!(symbol.is_declared() && !Symbol::UsdJpy.is_declared());
    // A built-in one that is told otherwise stays in its place.
    Symbol::learn(Instrument {
        label: "Yen".to_owned(),
        ..Symbol::UsdJpy.instrument().clone()
    });
    assert!(Symbol::UsdJpy.is_declared() && Symbol::UsdJpy.is_built_in());
    assert_eq!(Symbol::UsdJpy.label(), "Yen");
}

#[test]
fn names_are_capitals_and_digits() {
    for (text, fits) in [
        ("XAUUSD", true),
        ("BRK.B", true),
        ("GER40", true),
        ("A", false),
        (".A", false),
        ("A.", false),
        ("A/B", false),
        ("Ä1", false),
        ("ABCDEFGHIJKLMNOPQ", false),
    ] {
        assert_eq!(is_name(text), fits, "{text}");
    }
}
