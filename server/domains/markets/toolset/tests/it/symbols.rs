//! What a configuration may say of symbols, and what becomes of it.

use std::sync::Arc;

use agent::ports::Toolset;
use markets::{
    Candle, Coded, FactStore, Instrument, Live, Markets, Points, Symbol, Time, Timeframe,
    aggregate,
    intake::{self, IntakeError},
    session,
    simulate::Simulated,
    symbols::{MOST_SYMBOLS, SymbolFault, SymbolsError, instruments, settle},
};
use markets_testkit::{MemoryAlerts, MemoryCandles, MemoryDrawings, MemoryFacts, MemoryRecords};
use serde_json::{Value, json};
use testkit::FixedEnv;

use crate::desk::{board, line, markets, model, refusal, tool};

/// The fact that has the declared instruments.
const KEPT: &str = "symbols";

fn stock() -> Value {
    json!({
        "name": "ACME",
        "kind": "stock",
        "digits": 2,
        "pip": 0.01,
        "quote": "USD",
        "session": { "zone": "America/New_York", "opens": "09:30", "closes": "16:00" },
    })
}

fn coin(name: &str) -> Value {
    json!({ "name": name, "kind": "crypto", "digits": 1, "base": "BTC", "quote": "USDT" })
}

fn read(entries: Vec<Value>) -> Result<Vec<Instrument>, Vec<(usize, &'static str)>> {
    let entries = entries
        .into_iter()
        .map(|it| serde_json::from_value(it).unwrap());
    let coded = |faults: Vec<(usize, SymbolFault)>| {
        let codes = faults.iter().map(|(place, fault)| (*place, fault.code()));
        codes.collect()
    };
    instruments(entries.collect()).map_err(coded)
}

#[test]
fn an_entry_says_what_is_traded_and_when() {
    let mut gold = coin("XAUUSD");
    gold["session"] = json!({
        "zone": "America/New_York", "opens": "18:00", "closes": "17:00", "days": ["fri", "mon"],
    });
    gold["timeframes"] = json!(["D1", "H1"]);
    gold["pip"] = json!(10);
    let found = read(vec![stock(), coin("BTCUSDT"), gold]).unwrap();
    let hours = found[0].session.as_ref().unwrap();
    assert_eq!((hours.opens, hours.closes), (570, 960));
    assert_eq!(
        (hours.days.as_slice(), found[0].pip),
        ([0, 1, 2, 3, 4].as_slice(), 1)
    );
    assert!(!hours.is_over_midnight() && found[0].timeframes == Timeframe::ALL);
    assert_eq!(
        (&found[1].session, found[1].label.as_str()),
        (&None, "BTCUSDT")
    );
    assert!(found[2].session.as_ref().unwrap().is_over_midnight());
    assert_eq!(found[2].session.as_ref().unwrap().days, [0, 4]);
    assert_eq!(
        (found[2].pip, &found[2].timeframes),
        (100, &vec![Timeframe::H1, Timeframe::D1])
    );
}

#[test]
fn each_mistake_has_its_code_and_its_place() {
    for (path, value, code) in [
        ("/name", json!("acme"), "symbol_name"),
        ("/name", json!("../etc"), "symbol_name"),
        ("/name", json!(""), "symbol_name"),
        ("/name", json!("ABCDEFGHIJKLMNOPQ"), "symbol_name"),
        ("/name", json!("EURUSD"), "symbol_digits_changed"),
        ("/label", json!("a\u{7}b"), "symbol_label"),
        ("/label", json!(" "), "symbol_label"),
        ("/digits", json!(0), "symbol_digits"),
        ("/digits", json!(7), "symbol_digits"),
        ("/digits", json!(u32::MAX), "symbol_digits"),
        ("/pip", json!(0), "symbol_pip"),
        ("/pip", json!(-0.01), "symbol_pip"),
        ("/pip", json!(0.001), "symbol_pip"),
        ("/pip", json!(0.015), "symbol_pip"),
        ("/pip", json!(1e300), "symbol_pip"),
        ("/quote", json!("us$"), "symbol_currency"),
        ("/contract", json!("09 9741"), "symbol_contract"),
        ("/session/zone", json!("Mars/Olympus"), "symbol_zone"),
        ("/session/zone", json!("../../etc/passwd"), "symbol_zone"),
        ("/session/opens", json!("24:00"), "symbol_hours"),
        ("/session/closes", json!("9:30"), "symbol_hours"),
        ("/session/closes", json!("+9:30"), "symbol_hours"),
        ("/session/days", json!([]), "symbol_days"),
        ("/session/days", json!(["mon", "mon"]), "symbol_days"),
        ("/session/days", json!(["Monday"]), "symbol_days"),
        ("/timeframes", json!([]), "symbol_timeframes"),
        ("/timeframes", json!(["H1", "H1"]), "symbol_timeframes"),
    ] {
        let mut bad = stock();
        let (above, field) = path.rsplit_once('/').unwrap();
        bad.pointer_mut(above).unwrap()[field] = value;
        let found = read(vec![coin("BTCUSDT"), bad.clone()]);
        assert_eq!(found, Err(vec![(1, code)]), "{bad}");
    }
    let twice = read(vec![stock(), stock()]);
    assert_eq!(twice, Err(vec![(1, "symbol_duplicate")]));
    let many = (0..10_000)
        .map(|number| coin(&format!("C{number}")))
        .collect();
    assert_eq!(read(many), Err(vec![(MOST_SYMBOLS, "symbols_too_many")]));
}

#[tokio::test]
async fn what_was_declared_once_stays_readable_and_keeps_its_digits() {
    let facts = MemoryFacts::default();
    let found = read(vec![coin("KEPTUSDT")]).unwrap();
    assert_eq!(Symbol::named("KEPTUSDT"), None);
    settle(&facts, &found).await.unwrap();
    let symbol = Symbol::named("KEPTUSDT").unwrap();
    assert_eq!((symbol.digits(), symbol.zone()), (1, None));
    assert_eq!(symbol.show(symbol.round(97_000.25)), "97000.3");
    assert!(Symbol::all().contains(&symbol) && symbol.code() > 255);
    // The configuration lacks it now, and it is declared again.
    settle(&facts, &[]).await.unwrap();
    let kept = facts.fact(KEPT).await.unwrap().unwrap();
    assert_eq!(
        serde_json::from_str::<Vec<Instrument>>(&kept).unwrap(),
        found
    );
    let mut other = found;
    other[0].digits = 2;
    let refused = settle(&facts, &other).await.unwrap_err();
    let SymbolsError::Refused(name, fault) = refused else {
        panic!("{refused}");
    };
    assert_eq!(
        (name.as_str(), fault.code()),
        ("KEPTUSDT", "symbol_digits_changed")
    );
    assert_eq!(facts.fact(KEPT).await.unwrap(), Some(kept));
}

/// A built-in pair is a default: all of it can be declared otherwise, but for the digits.
#[tokio::test]
async fn a_built_in_pair_is_replaced_by_its_declaration() {
    let pound = json!({
        "name": "GBPUSD",
        "label": "Cable",
        "kind": "forex",
        "digits": 5,
        "base": "GBP",
        "quote": "USD",
        "session": { "zone": "Europe/London", "opens": "22:00", "closes": "22:00" },
        "timeframes": ["H1", "D1"],
    });
    let facts = MemoryFacts::default();
    settle(&facts, &read(vec![pound]).unwrap()).await.unwrap();
    let symbol = Symbol::GbpUsd;
    assert_eq!(
        (symbol.label(), symbol.pip(), symbol.code()),
        ("Cable", 1, 2)
    );
    let day = opens(symbol, Timeframe::D1, "2017-07-06T21:30:00Z");
    assert_eq!(day, "2017-07-06T21:00:00Z");
    // It is not kept: without a declaration the next start has it as it was built in.
    assert_eq!(facts.fact(KEPT).await.unwrap(), None);
    assert_eq!(Symbol::all()[..3], [Symbol::EurUsd, symbol, Symbol::UsdJpy]);

    // Pages are told of it, and of no other pair.
    let all = board(&markets().await).await;
    assert_eq!(all["symbol/GBPUSD"]["timeframes"], json!(["H1", "D1"]));
    assert!(!all.contains_key("symbol/EURUSD"));
    let file = || Ok("2017-07-06T14:05:00Z,1.3,1.3,1.3,1.3\n".as_bytes());
    let store = MemoryCandles::default();
    let refused = intake::candles(file, symbol, Timeframe::M5, &store).await;
    assert!(
        matches!(refused, Err(IntakeError::Import(_))),
        "{refused:?}"
    );
}

fn declared(entry: Value) -> Symbol {
    let instrument = read(vec![entry]).unwrap().remove(0);
    Symbol::declare(instrument).unwrap()
}

fn time(text: &str) -> Time {
    Time::parse(text).unwrap()
}

/// The candle around an instant, by its opening.
fn opens(symbol: Symbol, frame: Timeframe, at: &str) -> String {
    session::open_of(symbol, frame, time(at)).to_string()
}

#[test]
fn a_share_has_gaps_between_its_sessions() {
    let share = declared(stock());
    let nearest = |at: &str| {
        let closed = session::check_open(share, time(at)).err();
        closed.map(|closed| closed.nearest.to_string())
    };
    for (at, expect) in [
        // 09:30 in New York is in the hour from 09:00.
        ("2017-07-06T12:59:59Z", Some("2017-07-06T13:00:00Z")),
        ("2017-07-06T13:00:00Z", None),
        ("2017-07-06T19:59:59Z", None),
        ("2017-07-06T22:00:00Z", Some("2017-07-06T19:00:00Z")),
        ("2017-07-08T12:00:00Z", Some("2017-07-07T19:00:00Z")),
        ("2017-07-10T12:00:00Z", Some("2017-07-10T13:00:00Z")),
        // In winter an hour later.
        ("2017-01-03T13:59:59Z", Some("2017-01-03T14:00:00Z")),
    ] {
        assert_eq!(nearest(at).as_deref(), expect, "{at}");
    }
    let day = opens(share, Timeframe::D1, "2017-07-07T02:00:00Z");
    assert_eq!(day, "2017-07-06T13:00:00Z");
    let part = opens(share, Timeframe::H4, "2017-07-06T18:00:00Z");
    assert_eq!(part, "2017-07-06T17:00:00Z");
    let week = opens(share, Timeframe::W1, "2017-07-09T18:00:00Z");
    assert_eq!(week, "2017-07-03T13:00:00Z");

    let last = Candle {
        time: time("2017-07-06T19:00:00Z"),
        open: Points(10_000),
        high: Points(10_020),
        low: Points(9_990),
        close: Points(10_010),
        volume: 1,
    };
    assert_eq!(last.check(share, Timeframe::H1), Ok(()));
    let simulated = Simulated::new(share, &[last], 0.0, 3_600.0).unwrap();
    let hours = simulated.closed(10.0, 99);
    let days = aggregate(share, hours.iter().copied(), Timeframe::H1, Timeframe::D1).unwrap();
    let days: Vec<String> = days.iter().map(|day| day.time.to_string()).collect();
    assert_eq!(days, ["2017-07-07T13:00:00Z", "2017-07-10T13:00:00Z"]);
    assert_eq!(
        (hours.len(), hours[6].time),
        (10, time("2017-07-07T19:00:00Z"))
    );
    let before = simulated.hours(10.0, Some(time("2017-07-10T13:00:00Z")), 99);
    assert_eq!(before, hours[..7]);
}

#[test]
fn a_coin_is_always_traded_and_a_future_over_midnight() {
    let btc = declared(coin("BTCUSDT"));
    for at in ["2017-07-08T12:00:00Z", "2017-12-25T00:00:00Z"] {
        assert!(session::is_open(btc, time(at)), "{at}");
    }
    let at = "2017-07-08T23:59:59Z";
    for (frame, expect) in [
        (Timeframe::H4, "2017-07-08T20:00:00Z"),
        (Timeframe::D1, "2017-07-08T00:00:00Z"),
        (Timeframe::W1, "2017-07-03T00:00:00Z"),
        (Timeframe::MN, "2017-07-01T00:00:00Z"),
    ] {
        assert_eq!(opens(btc, frame, at), expect, "{frame}");
    }
    let mut future = coin("FUT");
    future["session"] = json!({
        "zone": "America/New_York", "opens": "18:00", "closes": "17:00",
    });
    let future = declared(future);
    for (at, is_open) in [
        ("2017-07-06T20:59:59Z", true),
        ("2017-07-06T21:00:00Z", false),
        ("2017-07-06T22:00:00Z", true),
        ("2017-07-07T21:00:00Z", false),
        ("2017-07-09T21:59:59Z", false),
        ("2017-07-09T22:00:00Z", true),
    ] {
        assert_eq!(session::is_open(future, time(at)), is_open, "{at}");
    }
    let day = opens(future, Timeframe::D1, "2017-07-06T21:30:00Z");
    assert_eq!(day, "2017-07-05T22:00:00Z");
}

#[tokio::test]
async fn candles_come_in_the_timeframes_of_their_symbol() {
    let mut share = stock();
    share["timeframes"] = json!(["H1"]);
    let share = declared(share);
    let file = "2017-07-06T14:00:00Z,90.5,91.25,90.01,91\n";
    let store = MemoryCandles::default();
    let open = || Ok(file.as_bytes());
    let refused = intake::candles(open, share, Timeframe::M1, &store).await;
    assert!(
        matches!(refused, Err(IntakeError::Import(_))),
        "{refused:?}"
    );
    let done = intake::candles(open, share, Timeframe::H1, &store).await;
    assert_eq!(done.unwrap().written, 1);
    // A share has two decimals.
    let third = || Ok("2017-07-06T15:00:00Z,90.505,91,90,91\n".as_bytes());
    let refused = intake::candles(third, share, Timeframe::H1, &store).await;
    assert!(
        matches!(refused, Err(IntakeError::Import(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_declared_symbol_is_on_the_board_and_in_the_tools() {
    declared(stock());
    let markets = markets().await;
    let all = board(&markets).await;
    assert_eq!(all["symbol/ACME"]["session"]["zone"], "America/New_York");
    assert!(!all.contains_key("symbol/EURUSD"));
    for name in ["get_candles", "draw_horizontal_line"] {
        let schema = tool(&markets, name).spec().input_schema;
        let known = &schema["properties"]["symbol"]["enum"];
        assert_eq!(
            known,
            &json!(["EURUSD", "GBPUSD", "USDJPY", "ACME"]),
            "{name}"
        );
    }
    let mut third = line(90.505);
    third["symbol"] = json!("ACME");
    let (_, message) = refusal(&markets, model(1, 1, "draw_horizontal_line", third)).await;
    assert!(message.contains("ACME quotes 2 decimals"), "{message}");
}

/// In an installation that trades none of the built-in pairs.
#[tokio::test]
async fn a_message_about_no_chart_is_about_what_has_candles() {
    let only = declared(coin("ONLYUSDT"));
    let store = MemoryCandles::default();
    let file = || Ok("2017-07-06T14:00:00Z,9.5,9.5,9.5,9.5\n".as_bytes());
    let done = intake::candles(file, only, Timeframe::H1, &store).await;
    assert_eq!(done.unwrap().written, 1);
    let markets = Markets::new(
        Live::still(Arc::new(store)),
        Arc::new(MemoryRecords::default()),
        Arc::new(MemoryDrawings::default()),
        Arc::new(MemoryAlerts::default()),
        Arc::new(FixedEnv::default()),
    );
    let parts = markets.context(&[]).await;
    let price = parts.iter().find(|part| part.source == "price").unwrap();
    let price = price.data.as_ref().unwrap();
    assert_eq!(price["data"]["symbol"], "ONLYUSDT");
}
