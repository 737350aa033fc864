//! The indicators that a person has on the chart, with their values at the newest closed candle.

use markets_wire::Indicator;
use serde_json::{Map, Value, json};

use super::{Found, Market, Trouble, chart};
use crate::{
    Candle, Symbol, Timeframe, bars,
    maths::{
        indicators::{PriceSeries, value},
        numbers::rounded,
    },
    session, texts,
};

/// The chart's words for indicators.
pub const WORDS: [&str; 7] = ["MA", "EMA", "BOLL", "VOL", "RSI", "MACD", "ATR"];
/// The lines of each on the chart: its word, the line's name in the legend, and what it shows.
const LEGEND: [(&str, &str, Indicator, u32); 13] = [
    ("MA", "MA 50", Indicator::Sma, 50),
    ("MA", "MA 200", Indicator::Sma, 200),
    ("EMA", "EMA 20", Indicator::Ema, 20),
    ("EMA", "EMA 50", Indicator::Ema, 50),
    ("BOLL", "BOLL 20 upper", Indicator::BollUpper, 20),
    ("BOLL", "BOLL 20 middle", Indicator::Sma, 20),
    ("BOLL", "BOLL 20 lower", Indicator::BollLower, 20),
    ("VOL", "volume", Indicator::Volume, 1),
    ("RSI", "RSI 14", Indicator::Rsi, 14),
    ("MACD", "MACD 12 26", Indicator::Macd, 26),
    ("MACD", "MACD signal 9", Indicator::MacdSignal, 26),
    ("MACD", "MACD histogram", Indicator::MacdHistogram, 26),
    ("ATR", "ATR 14", Indicator::Atr, 14),
];
/// Candles that the values are computed from: in an average of 50, earlier ones have no weight left.
const CANDLES: usize = 300;
/// Decimals of a value that is no price.
const DECIMALS: i32 = 1;

/// Parses the identifier of a chart with the indicators on it, such as `EURUSD/H1/+MA+RSI`.
pub(crate) fn shown_chart(id: &str) -> Option<(Symbol, Timeframe, Vec<&'static str>)> {
    let (id, words) = match id.split_once("/+") {
        Some((id, words)) => (id, Some(words)),
        None => (id, None),
    };
    let (symbol, frame) = chart(id)?;
    let mut found = Vec::new();
    for word in words.into_iter().flat_map(|words| words.split('+')) {
        let known = WORDS.into_iter().find(|known| *known == word)?;
        if found.contains(&known) {
            return None;
        }
        found.push(known);
    }
    Some((symbol, frame, found))
}

pub(super) async fn found(market: &Market<'_>, words: &[&str]) -> Result<Found, Trouble> {
    let (symbol, frame) = (market.symbol, market.frame);
    let open = session::open_of(symbol, frame, market.now);
    let closed = bars(&market.sources.live, symbol, frame, CANDLES, Some(open)).await?;
    let missing = || Trouble::None(texts::no_candles_of_frame(&frame, &symbol));
    let last = closed.last().ok_or_else(missing)?;
    Ok(Found {
        as_of: Some(last.time.plus(frame.seconds()).min(market.now)),
        is_stale: false,
        data: json!({
            "timeframe": frame,
            "candle": last.time,
            "values": values(symbol, &closed, words),
        }),
    })
}

/// The values of indicators by their names, as the chart's legend has them; null where the candles are
/// too few.
fn values(symbol: Symbol, bars: &[Candle], words: &[&str]) -> Map<String, Value> {
    let series = PriceSeries::of(symbol, bars);
    let digits = symbol.digits().cast_signed() + 1;
    let mut all = Map::new();
    for word in words {
        for (_, name, indicator, period) in LEGEND.iter().filter(|(of, ..)| of == word) {
            let found = value(*indicator, &series, *period);
            let shown = match indicator {
                Indicator::Volume => json!(found.map(|it| it as i64)),
                Indicator::Rsi => json!(found.map(|it| rounded(it, DECIMALS))),
                _ => json!(found.map(|it| rounded(it, digits))),
            };
            all.insert((*name).to_owned(), shown);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Points, Time};

    fn candles(closes: impl Iterator<Item = i64>) -> Vec<Candle> {
        let candle = |(hour, close): (i64, i64)| Candle {
            time: Time(hour * 3_600),
            open: Points(close),
            high: Points(close + 30),
            low: Points(close - 10),
            close: Points(close),
            volume: hour,
        };
        (0..).zip(closes).map(candle).collect()
    }

    #[test]
    fn values_are_those_of_the_legend() {
        // A price that never moves: each average is the price, and the range that of a candle.
        let flat = candles(std::iter::repeat_n(110_000, 300));
        let found = values(Symbol::EurUsd, &flat, &WORDS);
        for name in [
            "MA 50",
            "MA 200",
            "EMA 20",
            "BOLL 20 upper",
            "BOLL 20 lower",
        ] {
            assert_eq!(found[name], 1.1, "{name}");
        }
        assert_eq!(
            (&found["RSI 14"], &found["volume"]),
            (&Value::Null, &json!(299))
        );
        assert_eq!(
            (&found["MACD 12 26"], &found["ATR 14"]),
            (&json!(0.0), &json!(0.0004))
        );
        // It rises by a pip a candle: an average of n lags by (n - 1) / 2 pips, also once settled, so
        // those of 12 and 26 differ by 7.
        let rising = candles((0..300).map(|at| 100_000 + 10 * at));
        let found = values(Symbol::EurUsd, &rising, &WORDS);
        assert_eq!(found["MA 50"], 1.02745);
        assert_eq!(found["MACD 12 26"], 0.0007);
        assert_eq!(
            (&found["MACD histogram"], &found["RSI 14"]),
            (&json!(0.0), &json!(100.0))
        );
        // The deviation of 0 to 19 is the root of 33.25, in pips.
        assert_eq!(found["BOLL 20 upper"], 1.030103);
        let few = values(Symbol::EurUsd, &rising[..5], &WORDS);
        assert!(
            few.iter()
                .all(|(name, value)| value.is_null() == (name != "volume"))
        );
    }

    #[test]
    fn indicators_of_a_chart_are_known_words() {
        let plain = Some((Symbol::EurUsd, Timeframe::H1, vec![]));
        assert_eq!(shown_chart("EURUSD/H1"), plain);
        let both = Some((Symbol::EurUsd, Timeframe::H4, vec!["RSI", "MA"]));
        assert_eq!(shown_chart("EURUSD/H4/+RSI+MA"), both);
        for id in [
            "EURUSD/H1/+",
            "EURUSD/H1/+MA+MA",
            "EURUSD/H1/+MA ",
            "EURUSD/H1/+ma",
            "EURUSD/H1/+<b>",
            "EURUSD/+MA",
            "EURUSD/H1/MA",
            "DOGE/H1/+MA",
        ] {
            assert_eq!(shown_chart(id), None, "{id}");
        }
    }
}
