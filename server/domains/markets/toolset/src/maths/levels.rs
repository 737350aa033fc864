//! Swings, support and resistance, and checks of a price against candles.

use serde::Serialize;

use crate::{Candle, Points, Symbol, Time};

/// A high or a low that exceeds its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Swing {
    pub time: Time,
    pub price: Points,
    pub is_high: bool,
}

/// Check of a price against candles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelCheck {
    /// Number of touches; touches in adjacent bars count once.
    pub touches: usize,
    pub last_touch: Option<Time>,
    /// Distance from the last close, positive if the level is higher.
    pub distance_pips: f64,
    /// True if these bars never reached the price: it is a projection, not an observation.
    pub prospective: bool,
    pub bars: usize,
}

/// A zone in which prices turned more than once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Level {
    pub price: Points,
    pub is_support: bool,
    /// The swings in it, oldest first.
    pub swings: Vec<Swing>,
}

/// The swings: bars whose high (or low) is the extreme of `reach` bars on either side. The first of
/// equal ones counts. The last `reach` bars are never swings, because their neighbours are unknown.
pub fn swings(bars: &[Candle], reach: usize) -> Vec<Swing> {
    let reach = reach.max(1);
    let mut out = Vec::new();
    for (index, window) in bars.windows(2 * reach + 1).enumerate() {
        let Some(bar) = bars.get(index + reach) else {
            continue;
        };
        let (before, after) = window.split_at(reach);
        let after = after.get(1..).unwrap_or_default();
        let is_high = before.iter().all(|other| other.high < bar.high)
            && after.iter().all(|other| other.high <= bar.high);
        let is_low = before.iter().all(|other| other.low > bar.low)
            && after.iter().all(|other| other.low >= bar.low);
        let swing = |price, is_high| Swing {
            time: bar.time,
            price,
            is_high,
        };
        if is_high {
            out.push(swing(bar.high, true));
        }
        if is_low {
            out.push(swing(bar.low, false));
        }
    }
    out
}

/// The last swing from a low to a high or the reverse: the anchors of a fibonacci.
pub fn last_leg(swings: &[Swing]) -> Option<(Swing, Swing)> {
    let last = swings.last()?;
    let from = swings
        .iter()
        .rev()
        .position(|swing| swing.is_high != last.is_high)?;
    let from = swings.get(swings.len().checked_sub(from + 1)?)?;
    // The furthest of several of the same kind since then.
    let since = swings
        .iter()
        .filter(|swing| swing.time >= from.time && swing.is_high == last.is_high);
    let to = if last.is_high {
        since.max_by_key(|swing| swing.price)
    } else {
        since.min_by_key(|swing| swing.price)
    };
    Some((*from, *to?))
}

/// Touches of a price, a zone or a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touches {
    /// Touches in adjacent bars count once.
    pub count: usize,
    pub last: Option<Time>,
}

/// Counts the bars within a tolerance of a zone between two prices, where there is one; for a
/// sloping line both are its price at the bar.
pub fn touches(
    bars: &[Candle],
    tolerance: Points,
    between: impl Fn(&Candle) -> Option<(Points, Points)>,
) -> Touches {
    let (mut count, mut was, mut last) = (0, false, None);
    for bar in bars {
        let is = between(bar)
            .is_some_and(|(low, high)| bar.low <= high + tolerance && bar.high >= low - tolerance);
        count += usize::from(is && !was);
        if is {
            last = Some(bar.time);
        }
        was = is;
    }
    Touches { count, last }
}

/// Checks a price against bars, with a tolerance for touches.
pub fn check_level(
    bars: &[Candle],
    price: Points,
    tolerance: Points,
    symbol: Symbol,
) -> LevelCheck {
    let touches = touches(bars, tolerance, |_| Some((price, price)));
    let close = bars.last().map_or(price, |bar| bar.close);
    LevelCheck {
        touches: touches.count,
        last_touch: touches.last,
        distance_pips: symbol.pips(price - close),
        prospective: touches.count == 0,
        bars: bars.len(),
    }
}

/// The levels near most swings, strongest first: support below the last close, resistance above it.
/// `width` is the largest distance between the swings of a level.
pub fn levels(bars: &[Candle], reach: usize, width: Points, most: usize) -> Vec<Level> {
    let Some(close) = bars.last().map(|bar| bar.close) else {
        return Vec::new();
    };
    let mut open = swings(bars, reach);
    open.sort_by_key(|swing| (swing.price, swing.time));
    let mut out: Vec<Level> = Vec::new();
    // The densest range of prices becomes a level, then the densest of the rest.
    while out.len() < most {
        let ends = |start: usize| {
            let first = open
                .get(start)
                .map(|swing| swing.price.0)
                .unwrap_or_default();
            open.partition_point(|swing| swing.price.0 <= first + width.0)
        };
        let best = (0..open.len()).map(|start| (ends(start) - start, start, ends(start)));
        let best = best.max_by_key(|(count, start, _)| (*count, usize::MAX - start));
        let Some((count, start, end)) = best else {
            break;
        };
        if count < 2 {
            break;
        }
        let mut swings: Vec<Swing> = open.drain(start..end).collect();
        let sum: i64 = swings.iter().map(|swing| swing.price.0).sum();
        let price = Points((sum as f64 / swings.len() as f64).round() as i64);
        swings.sort_by_key(|swing| swing.time);
        out.push(Level {
            price,
            is_support: price < close,
            swings,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sample;

    fn bars(prices: &[i64]) -> Vec<Candle> {
        let bars = prices.iter().enumerate().map(|(index, price)| Candle {
            time: Time(index as i64 * 3_600),
            open: Points(*price),
            high: Points(price + 5),
            low: Points(price - 5),
            close: Points(*price),
            volume: 0,
        });
        bars.collect()
    }

    #[test]
    fn swings_touches_and_levels() {
        let path = [100, 150, 200, 150, 100, 152, 203, 150, 101, 140, 160, 155];
        let bars = bars(&path);
        let found = swings(&bars, 2);
        let shown: Vec<_> = found
            .iter()
            .map(|s| (s.time.0 / 3_600, s.price.0, s.is_high))
            .collect();
        // The last bars may still become a swing.
        assert_eq!(
            shown,
            [
                (2, 205, true),
                (4, 95, false),
                (6, 208, true),
                (8, 96, false)
            ]
        );
        let (from, to) = last_leg(&found).unwrap();
        assert_eq!((from.price, to.price), (Points(208), Points(96)));

        let levels = levels(&bars, 2, Points(10), 5);
        let shown: Vec<_> = levels
            .iter()
            .map(|l| (l.price.0, l.is_support, l.swings.len()))
            .collect();
        assert_eq!(shown, [(96, true, 2), (207, false, 2)]);

        let check = check_level(&bars, Points(205), Points(2), Symbol::EurUsd);
        assert_eq!(
            (check.touches, check.last_touch),
            (2, Some(Time(6 * 3_600)))
        );
        assert_eq!((check.distance_pips, check.prospective), (5.0, false));
        let above = check_level(&bars, Points(300), Points(2), Symbol::EurUsd);
        assert!(above.prospective && above.last_touch.is_none());
    }

    #[test]
    fn of_real_candles() {
        let candles = sample::candles();
        let newest = &candles[candles.len() - 500..];
        let levels = levels(newest, 5, Points(100), 6);
        assert!(levels.len() >= 4, "{levels:?}");
        for level in &levels {
            let check = check_level(newest, level.price, Points(50), Symbol::EurUsd);
            assert!(
                check.touches >= level.swings.len().min(2),
                "{level:?} {check:?}"
            );
        }
        assert!(levels.is_sorted_by(|a, b| a.swings.len() >= b.swings.len()));
        let (from, to) = last_leg(&swings(newest, 5)).unwrap();
        assert!(from.is_high != to.is_high);
    }

    proptest! {
        #[test]
        fn every_swing_is_the_extreme_of_its_surroundings(
            path in prop::collection::vec(50_i64..500, 0..80),
            reach in 1_usize..6,
        ) {
            let bars = bars(&path);
            for swing in swings(&bars, reach) {
                let at = (swing.time.0 / 3_600) as usize;
                prop_assert!(at >= reach && at + reach < bars.len());
                for bar in &bars[at - reach..=at + reach] {
                    let beyond = if swing.is_high {
                        bar.high > swing.price
                    } else {
                        bar.low < swing.price
                    };
                    prop_assert!(!beyond);
                }
            }
            let found = levels(&bars, reach, Points(7), 4);
            let count: usize = found.iter().map(|level| level.swings.len()).sum();
            prop_assert!(count <= swings(&bars, reach).len());
            for level in found {
                let prices: Vec<_> = level.swings.iter().map(|swing| swing.price).collect();
                let (low, high) = (prices.iter().min().unwrap(), prices.iter().max().unwrap());
                prop_assert!(high.0 - low.0 <= 7 && *low <= level.price && level.price <= *high);
            }
        }
    }
}
