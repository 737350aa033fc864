//! Indicators of closed candles, oldest first. Another one is a word of [`Indicator`] and an entry of
//! [`kind`].

use markets_wire::Indicator;

use super::numbers::mean;
use crate::{Candle, Symbol, Timeframe, texts, texts::alerts::indicators as names};

/// Candles before the value that it depends on, in periods: what is before them has no weight left
/// that a person could see. With half of them, an RSI of 200 candles is off by a tenth.
const PERIODS: usize = 10;

/// Values that are above zero.
const ABOVE_ZERO: ValueRange = ValueRange {
    least: 0.0,
    most: f64::INFINITY,
};
const ANY: ValueRange = ValueRange {
    least: f64::NEG_INFINITY,
    most: f64::INFINITY,
};

/// The quick and the steady average of the MACD, and that of their difference.
const MACD: (usize, usize, usize) = (12, 26, 9);
/// Deviations from the middle to a Bollinger band.
const DEVIATIONS: f64 = 2.0;

/// Candles as the indicators read them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriceSeries {
    pub closes: Vec<f64>,
    /// The true ranges, from the second candle on.
    pub ranges: Vec<f64>,
    /// That of the newest candle.
    pub volume: Option<f64>,
}

impl PriceSeries {
    pub fn of(symbol: Symbol, bars: &[Candle]) -> Self {
        let ranges = bars.windows(2).filter_map(|pair| {
            let [before, bar] = pair else {
                return None;
            };
            let range = bar.high.max(before.close) - bar.low.min(before.close);
            Some(symbol.number(range))
        });
        Self {
            closes: bars.iter().map(|bar| symbol.number(bar.close)).collect(),
            ranges: ranges.collect(),
            volume: bars.last().map(|bar| bar.volume as f64),
        }
    }
}

/// The properties of an indicator.
pub struct IndicatorKind {
    /// Name for people.
    pub name: &'static str,
    /// The usual number of candles.
    pub period: u32,
    /// True if that number cannot be chosen.
    pub is_fixed: bool,
    /// Its values are between these.
    pub between: ValueRange,
    value: SeriesValue,
}

/// The open range of an indicator's values.
#[derive(Clone, Copy)]
pub struct ValueRange {
    pub least: f64,
    pub most: f64,
}

/// The newest value, from so many candles.
type SeriesValue = fn(&PriceSeries, usize) -> Option<f64>;

fn chosen(
    name: &'static str,
    period: u32,
    between: ValueRange,
    value: SeriesValue,
) -> IndicatorKind {
    IndicatorKind {
        name,
        period,
        is_fixed: false,
        between,
        value,
    }
}

/// One whose number of candles is the same always.
fn fixed(
    name: &'static str,
    period: u32,
    between: ValueRange,
    value: SeriesValue,
) -> IndicatorKind {
    IndicatorKind {
        is_fixed: true,
        ..chosen(name, period, between, value)
    }
}

pub fn kind(indicator: Indicator) -> IndicatorKind {
    match indicator {
        Indicator::Rsi => chosen(
            names::RSI,
            14,
            ValueRange {
                least: 0.0,
                most: 100.0,
            },
            |all, period| rsi(&all.closes, period),
        ),
        Indicator::Sma => chosen(names::SMA, 20, ABOVE_ZERO, |all, period| {
            sma(&all.closes, period)
        }),
        Indicator::Ema => chosen(names::EMA, 20, ABOVE_ZERO, |all, period| {
            ema(&all.closes, period)
        }),
        Indicator::BollUpper => chosen(names::BOLL_UPPER, 20, ABOVE_ZERO, |all, period| {
            band(&all.closes, period, DEVIATIONS)
        }),
        Indicator::BollLower => chosen(names::BOLL_LOWER, 20, ABOVE_ZERO, |all, period| {
            band(&all.closes, period, -DEVIATIONS)
        }),
        Indicator::Macd => fixed(names::MACD, 26, ANY, |all, _| {
            macd(&all.closes).map(|(line, _)| line)
        }),
        Indicator::MacdSignal => fixed(names::MACD_SIGNAL, 26, ANY, |all, _| {
            macd(&all.closes).map(|(_, signal)| signal)
        }),
        Indicator::MacdHistogram => fixed(names::MACD_HISTOGRAM, 26, ANY, |all, _| {
            macd(&all.closes).map(|(line, signal)| line - signal)
        }),
        Indicator::Atr => chosen(names::ATR, 14, ABOVE_ZERO, |all, period| {
            wilder(&all.ranges, period)
        }),
        Indicator::Volume => fixed(names::VOLUME, 1, ABOVE_ZERO, |all, _| all.volume),
    }
}

/// An indicator in words, such as `the RSI of 14 H1 candles`.
pub(crate) fn in_words(indicator: Indicator, period: u32, timeframe: Timeframe) -> String {
    let kind = kind(indicator);
    let period = (!kind.is_fixed).then_some(period);
    texts::alerts::indicator_of(kind.name, period, &timeframe)
}

/// The number of candles that a value is computed from.
pub fn candles(period: u32) -> usize {
    period as usize * PERIODS + 1
}

/// The newest value. `None` if there are too few candles, or it is not defined for them.
pub fn value(indicator: Indicator, series: &PriceSeries, period: u32) -> Option<f64> {
    (kind(indicator).value)(series, period as usize)
}

/// Wilder's relative strength index, from 0 to 100. `None` if the price never moved.
fn rsi(closes: &[f64], period: usize) -> Option<f64> {
    let moves: Vec<f64> = closes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let gains: Vec<f64> = moves.iter().map(|it| it.max(0.0)).collect();
    let losses: Vec<f64> = moves.iter().map(|it| (-it).max(0.0)).collect();
    let (gain, loss) = (wilder(&gains, period)?, wilder(&losses, period)?);
    let all = gain + loss;
    (all > 0.0).then(|| 100.0 * gain / all)
}

/// Wilder's average, in which a value weighs 1 / period, begun with a mean of the first ones.
fn wilder(values: &[f64], period: usize) -> Option<f64> {
    let (first, rest) = values.split_at_checked(period)?;
    let smooth = |before: f64, now: &f64| (before * (period - 1) as f64 + now) / period as f64;
    Some(rest.iter().fold(mean(first)?, smooth))
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
    let (quick, steady, smooth) = MACD;
    let (quick, steady) = (averages(closes, quick), averages(closes, steady));
    let surplus = quick.len().checked_sub(steady.len())?;
    let pairs = quick.iter().skip(surplus).zip(&steady);
    let lines: Vec<f64> = pairs.map(|(quick, steady)| quick - steady).collect();
    Some((*lines.last()?, *averages(&lines, smooth).last()?))
}

/// The mean of the newest closes.
fn sma(closes: &[f64], period: usize) -> Option<f64> {
    let since = closes.len().checked_sub(period)?;
    mean(closes.get(since..)?)
}

/// The average in which a close weighs 2 / (period + 1), begun with a mean of the first ones.
fn ema(closes: &[f64], period: usize) -> Option<f64> {
    averages(closes, period).last().copied()
}

/// The averages of [`Indicator::Ema`] at each value, from the first that has enough before it.
fn averages(values: &[f64], period: usize) -> Vec<f64> {
    let Some((first, rest)) = values.split_at_checked(period) else {
        return Vec::new();
    };
    let weight = 2.0 / (period as f64 + 1.0);
    let next = |before: &mut f64, value: &f64| {
        *before += weight * (value - *before);
        Some(*before)
    };
    let Some(begun) = mean(first) else {
        return Vec::new();
    };
    std::iter::once(begun)
        .chain(rest.iter().scan(begun, next))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Points, Time, maths::numbers::rounded};

    /// The closes that ChartSchool (StockCharts.com) computes its relative strength index from.
    const CLOSES: [f64; 33] = [
        44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826,
        45.8931, 46.0328, 45.6140, 46.2820, 46.2820, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439,
        46.2122, 46.2521, 45.7137, 46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672,
        43.4205, 42.6628, 43.1314,
    ];

    fn of(indicator: Indicator, closes: &[f64], period: u32) -> Option<f64> {
        let series = PriceSeries {
            closes: closes.to_vec(),
            ..PriceSeries::default()
        };
        value(indicator, &series, period)
    }

    #[test]
    fn relative_strength_is_as_published() {
        let published = [
            70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42,
            39.99, 41.46, 41.87, 45.46, 37.30, 33.08, 37.77,
        ];
        for (count, expect) in (15..).zip(published) {
            let found = of(Indicator::Rsi, &CLOSES[..count], 14);
            assert_eq!(found.map(|it| rounded(it, 2)), Some(expect), "{count}");
        }
        assert_eq!(of(Indicator::Rsi, &CLOSES[..14], 14), None);
        assert_eq!(of(Indicator::Rsi, &[1.0; 30], 14), None);
        assert_eq!(of(Indicator::Rsi, &[1.0, 2.0, 3.0], 2), Some(100.0));
    }

    #[test]
    fn averages() {
        let closes = [1.0, 2.0, 3.0, 5.0];
        assert_eq!(of(Indicator::Sma, &closes, 2), Some(4.0));
        assert_eq!(of(Indicator::Sma, &closes, 5), None);
        // 2 is the mean of the first three, and 5 weighs a half.
        assert_eq!(of(Indicator::Ema, &closes, 3), Some(3.5));
        assert_eq!(of(Indicator::Ema, &closes[..2], 3), None);
        assert_eq!((candles(14), candles(200)), (141, 2_001));
    }

    /// A usual number of candles is one that can be chosen, and a value within its bounds is one.
    #[test]
    fn each_kind_has_a_value_within_its_bounds() {
        let candle = |hour: i64| {
            let close = Points(100_000 + hour + 50 * (hour % 7));
            Candle {
                time: Time(hour * 3_600),
                open: close,
                high: close + Points(30),
                low: close,
                close,
                volume: 1,
            }
        };
        let bars: Vec<Candle> = (0..300).map(candle).collect();
        let series = PriceSeries::of(Symbol::EurUsd, &bars);
        for indicator in Indicator::ALL {
            let IndicatorKind {
                name,
                period,
                is_fixed,
                between: ValueRange { least, most },
                ..
            } = kind(indicator);
            assert!(is_fixed || (2..=200).contains(&period), "{name}");
            let found = value(indicator, &series, period).unwrap();
            assert!(least < found && found < most, "{name}: {found}");
            assert_eq!(value(indicator, &PriceSeries::default(), period), None);
        }
    }
}
