//! Values of indicators, against those of TA-Lib on the same candles.

use std::{
    io::Write as _,
    ops::Range,
    path::Path,
    process::{Command, Stdio},
};

use markets::{
    Candle, Points, Symbol, Time,
    maths::indicators::{self, PriceSeries},
    sample,
};
use markets_wire::Indicator;
use serde_json::json;

/// Those whose number of candles is chosen: TA-Lib's name, its other parameters, and its line.
const INDICATORS: [(Indicator, &str, &[u32], usize); 6] = [
    (Indicator::Rsi, "RSI", &[], 0),
    (Indicator::Sma, "SMA", &[], 0),
    (Indicator::Ema, "EMA", &[], 0),
    (Indicator::Atr, "ATR", &[], 0),
    (Indicator::BollUpper, "BBANDS", &[2], 0),
    (Indicator::BollLower, "BBANDS", &[2], 2),
];
/// The lines of the MACD, in TA-Lib's order.
const MACD: [Indicator; 3] = [
    Indicator::Macd,
    Indicator::MacdSignal,
    Indicator::MacdHistogram,
];
/// From the shortest to the longest that an alert may have.
const PERIODS: [u32; 6] = [2, 3, 14, 50, 120, 200];

/// The same sums in another order: what rounding leaves of a number of at most a hundred.
const SAME: f64 = 1e-9;

/// A value of ours, and one of TA-Lib's, each of the candles in a range.
struct Pair {
    indicator: Indicator,
    name: &'static str,
    period: u32,
    /// Of TA-Lib.
    params: Vec<u32>,
    /// That of several.
    line: usize,
    ours: Range<usize>,
    theirs: Range<usize>,
    tolerance: f64,
}

/// The difference that TA-Lib's rounding makes: it takes a deviation as a difference of squares.
fn same(indicator: Indicator) -> f64 {
    match indicator {
        Indicator::BollUpper | Indicator::BollLower => 1e-7,
        _ => SAME,
    }
}

/// The tolerance where TA-Lib has all candles since the year's start, and we the last ten periods.
/// Earlier candles have a weight of e^-9 in Wilder's averages, which moves an RSI by less than
/// a tenth of the last digit on the chart, and of e^-18 in an EMA: below a hundredth of a tick.
fn near(indicator: Indicator) -> f64 {
    match indicator {
        Indicator::Rsi => 0.01,
        Indicator::Atr => 1e-6,
        _ => 1e-7,
    }
}

/// They differ in one case, which `maths/indicators.rs` tests: of a price that never moved, TA-Lib's
/// RSI is 0, the lowest that there is, and ours is unknown.
#[test]
fn indicators_have_the_values_of_ta_lib() {
    let mut candles = sample::candles();
    let year = candles.len();
    // What no year has: a price that only rises, and one that only falls. Each candle is beyond the close
    // before it, which its true range reaches back to.
    candles.extend((0..30).map(|n| narrow(n, 100_000 + 100 * n)));
    candles.extend((0..30).map(|n| narrow(n, 110_000 - 100 * n)));

    let mut pairs = Vec::new();
    for (indicator, name, others, line) in INDICATORS {
        for period in PERIODS {
            let mut compare = |ours, theirs, tolerance| {
                pairs.push(Pair {
                    indicator,
                    name,
                    period,
                    params: [&[period][..], others].concat(),
                    line,
                    ours,
                    theirs,
                    tolerance,
                });
            };
            let same = same(indicator);
            let count = indicators::candles(period);
            for end in (count..=year).step_by(97) {
                compare(end - count..end, end - count..end, same);
                compare(end - count..end, 0..end, near(indicator));
            }
            // None while there are too few candles, and then the first value.
            let first = period as usize;
            for end in first - 1..=first + 2 {
                compare(0..end, 0..end, same);
            }
            compare(year..year + 30, year..year + 30, same);
            compare(year + 30..year + 60, year + 30..year + 60, same);
        }
    }
    // TA-Lib begins the quick average where the steady one begins, so the first values differ.
    for (line, indicator) in MACD.into_iter().enumerate() {
        let period = indicators::kind(indicator).period;
        let count = indicators::candles(period);
        for end in (count..=year).step_by(97) {
            for (theirs, tolerance) in [(end - count..end, SAME), (0..end, near(indicator))] {
                pairs.push(Pair {
                    indicator,
                    name: "MACD",
                    period,
                    params: vec![12, 26, 9],
                    line,
                    ours: end - count..end,
                    theirs,
                    tolerance,
                });
            }
        }
    }

    let theirs = ta_lib(&candles, &pairs);
    assert_eq!(theirs.len(), pairs.len());
    let differs = |(pair, theirs): (&Pair, Option<f64>)| {
        let series = PriceSeries::of(Symbol::EurUsd, &candles[pair.ours.clone()]);
        let ours = indicators::value(pair.indicator, &series, pair.period);
        let same = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() <= pair.tolerance,
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        let what = format!("{} {} of {:?}", pair.name, pair.period, pair.ours);
        (!same).then(|| format!("{what}: {ours:?}; TA-Lib, of {:?}: {theirs:?}", pair.theirs))
    };
    let wrong: Vec<_> = pairs.iter().zip(theirs).filter_map(differs).collect();
    let all = pairs.len();
    assert!(wrong.is_empty(), "{} of {all}: {wrong:#?}", wrong.len());
}

/// A candle with a close, and with a range of its own.
fn narrow(n: i64, close: i64) -> Candle {
    Candle {
        time: Time(n * 3_600),
        open: Points(close - 5),
        high: Points(close + 10 + n),
        low: Points(close - 20),
        close: Points(close),
        volume: 1,
    }
}

/// The newest value that TA-Lib has for each pair.
fn ta_lib(candles: &[Candle], pairs: &[Pair]) -> Vec<Option<f64>> {
    let number = |points| Symbol::EurUsd.number(points);
    let candles = candles.iter().map(|it| {
        json!([
            it.time.0,
            number(it.open),
            number(it.high),
            number(it.low),
            number(it.close),
            it.volume,
        ])
    });
    let wanted = pairs.iter().map(|pair| {
        json!({
            "name": pair.name,
            "params": pair.params,
            "since": pair.theirs.start,
            "until": pair.theirs.end,
        })
    });
    let question = json!({
        "candles": candles.collect::<Vec<_>>(),
        "wanted": wanted.collect::<Vec<_>>(),
    });

    let python = std::env::var("JARVIS_PYTHON")
        .unwrap_or_else(|_| panic!("JARVIS_PYTHON is missing: run through `cargo xtask test`"));
    let mut child = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/indicators.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let written = stdin.write_all(question.to_string().as_bytes());
    drop(stdin);
    // A script that ended before it had read everything says why here.
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    written.unwrap();
    let answer: Vec<Vec<Option<f64>>> = serde_json::from_slice(&output.stdout).unwrap();
    let newest = answer
        .iter()
        .zip(pairs)
        .map(|(lines, pair)| lines[pair.line]);
    newest.collect()
}
