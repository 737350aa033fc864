//! The indicators that a person has on the chart, with their values at the newest closed candle.

use markets_wire::Indicator;
use serde_json::{Map, Value, json};

use super::{Found, Market, Trouble, chart};
use crate::{
    Candle, Symbol, Timeframe, bars,
    maths::{
        indicators::{averages, value},
        numbers::{mean, rounded},
    },
    session, texts,
};

/// The chart's words for indicators.
const WORDS: [&str; 7] = ["MA", "EMA", "BOLL", "VOL", "RSI", "MACD", "ATR"];
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
    let closes: Vec<f64> = bars.iter().map(|bar| symbol.number(bar.close)).collect();
    let digits = symbol.digits().cast_signed() + 1;
    let price = |value: Option<f64>| json!(value.map(|value| rounded(value, digits)));
    let of = |indicator, period| value(indicator, &closes, period);
    let mut all = Map::new();
    for word in words {
        let rows = match *word {
            "MA" => vec![
                ("MA 50", price(of(Indicator::Sma, 50))),
                ("MA 200", price(of(Indicator::Sma, 200))),
            ],
            "EMA" => vec![
                ("EMA 20", price(of(Indicator::Ema, 20))),
                ("EMA 50", price(of(Indicator::Ema, 50))),
            ],
            "BOLL" => {
                let band = |sign| price(band(&closes, 20, sign));
                vec![
                    ("BOLL 20 upper", band(2.0)),
                    ("BOLL 20 middle", band(0.0)),
                    ("BOLL 20 lower", band(-2.0)),
                ]
            }
            "VOL" => vec![("volume", json!(bars.last().map(|bar| bar.volume)))],
            "RSI" => {
                let strength = of(Indicator::Rsi, 14);
                vec![("RSI 14", json!(strength.map(|it| rounded(it, DECIMALS))))]
            }
            "MACD" => {
                let (line, signal) = macd(&closes).unzip();
                let histogram = line.zip(signal).map(|(line, signal)| line - signal);
                vec![
                    ("MACD 12 26", price(line)),
                    ("MACD signal 9", price(signal)),
                    ("MACD histogram", price(histogram)),
                ]
            }
            "ATR" => vec![("ATR 14", price(true_range(symbol, bars, 14)))],
            _ => Vec::new(),
        };
        all.extend(
            rows.into_iter()
                .map(|(name, value)| (name.to_owned(), value)),
        );
    }
    all
}

/// The mean of the newest closes and so many deviations of all of them.
fn band(closes: &[f64], period: usize, deviations: f64) -> Option<f64> {
    let part = closes.get(closes.len().checked_sub(period)?..)?;
    let middle = mean(part)?;
    let squares: Vec<f64> = part.iter().map(|close| (close - middle).powi(2)).collect();
    Some(middle + deviations * mean(&squares)?.sqrt())
}

/// The difference of two averages and its own average.
fn macd(closes: &[f64]) -> Option<(f64, f64)> {
    let (quick, steady) = (averages(closes, 12), averages(closes, 26));
    let surplus = quick.len().checked_sub(steady.len())?;
    let pairs = quick.iter().skip(surplus).zip(&steady);
    let lines: Vec<f64> = pairs.map(|(quick, steady)| quick - steady).collect();
    Some((*lines.last()?, *averages(&lines, 9).last()?))
}

/// Wilder's average of the true range, from the second candle on.
fn true_range(symbol: Symbol, bars: &[Candle], period: usize) -> Option<f64> {
    let ranges = bars.windows(2).filter_map(|pair| {
        let [before, bar] = pair else {
            return None;
        };
        let range = bar.high.max(before.close) - bar.low.min(before.close);
        Some(symbol.number(range))
    });
    let ranges: Vec<f64> = ranges.collect();
    let (first, rest) = ranges.split_at_checked(period)?;
    let smooth = |last: f64, range: &f64| (last * (period - 1) as f64 + range) / period as f64;
    Some(rest.iter().fold(mean(first)?, smooth))
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
