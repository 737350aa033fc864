//! Indicators of closed candles, each from the closes, oldest first.

use markets_wire::Indicator;

use super::numbers::mean;

/// Candles before the value that it depends on, in periods: what is before them has no weight left
/// that a person could see. With half of them, an RSI of 200 candles is off by a tenth.
const PERIODS: usize = 10;

/// The number of candles that a value is computed from.
pub fn candles(period: u32) -> usize {
    period as usize * PERIODS + 1
}

/// The newest value. `None` if there are too few closes, or it is not defined for them.
pub fn value(indicator: Indicator, closes: &[f64], period: u32) -> Option<f64> {
    let period = period as usize;
    match indicator {
        Indicator::Rsi => rsi(closes, period),
        Indicator::Sma => sma(closes, period),
        Indicator::Ema => ema(closes, period),
    }
}

/// Wilder's relative strength index, from 0 to 100. `None` if the price never moved.
fn rsi(closes: &[f64], period: usize) -> Option<f64> {
    let moves: Vec<f64> = closes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (first, rest) = moves.split_at_checked(period)?;
    let gains = |part: &[f64]| part.iter().map(|it| it.max(0.0)).collect::<Vec<_>>();
    let losses = |part: &[f64]| part.iter().map(|it| (-it).max(0.0)).collect::<Vec<_>>();
    let smooth = |before: f64, now: &f64| (before * (period - 1) as f64 + now) / period as f64;
    let gain = gains(rest).iter().fold(mean(&gains(first))?, smooth);
    let loss = losses(rest).iter().fold(mean(&losses(first))?, smooth);
    let all = gain + loss;
    (all > 0.0).then(|| 100.0 * gain / all)
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
pub fn averages(values: &[f64], period: usize) -> Vec<f64> {
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
    use crate::maths::numbers::rounded;

    /// The closes that ChartSchool (StockCharts.com) computes its relative strength index from.
    const CLOSES: [f64; 33] = [
        44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826,
        45.8931, 46.0328, 45.6140, 46.2820, 46.2820, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439,
        46.2122, 46.2521, 45.7137, 46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672,
        43.4205, 42.6628, 43.1314,
    ];

    #[test]
    fn relative_strength_is_as_published() {
        let published = [
            70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42,
            39.99, 41.46, 41.87, 45.46, 37.30, 33.08, 37.77,
        ];
        for (count, expect) in (15..).zip(published) {
            let found = value(Indicator::Rsi, &CLOSES[..count], 14);
            assert_eq!(found.map(|it| rounded(it, 2)), Some(expect), "{count}");
        }
        assert_eq!(value(Indicator::Rsi, &CLOSES[..14], 14), None);
        assert_eq!(value(Indicator::Rsi, &[1.0; 30], 14), None);
        assert_eq!(value(Indicator::Rsi, &[1.0, 2.0, 3.0], 2), Some(100.0));
    }

    #[test]
    fn averages() {
        let closes = [1.0, 2.0, 3.0, 5.0];
        assert_eq!(value(Indicator::Sma, &closes, 2), Some(4.0));
        assert_eq!(value(Indicator::Sma, &closes, 5), None);
        // 2 is the mean of the first three, and 5 weighs a half.
        assert_eq!(value(Indicator::Ema, &closes, 3), Some(3.5));
        assert_eq!(value(Indicator::Ema, &closes[..2], 3), None);
        assert_eq!((candles(14), candles(200)), (141, 2_001));
    }
}
