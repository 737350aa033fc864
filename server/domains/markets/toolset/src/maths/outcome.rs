//! Outcome of a plan over the bars that followed.

use serde::Serialize;

use crate::{Candle, Points, Side, Time};

/// The three prices of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    pub side: Side,
    pub entry: Points,
    pub stop: Points,
    pub target: Points,
}

/// Outcome of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Outcome {
    /// The entry was never reached.
    Pending,
    /// Neither stop nor target was reached.
    Open { since: Time, last: Points },
    Stopped {
        since: Time,
        at: Time,
        price: Points,
        /// True if the same bar reached the target too, and the order is unknown.
        ambiguous: bool,
    },
    Won {
        since: Time,
        at: Time,
        price: Points,
    },
}

/// Follows a plan over bars, oldest first. It waits for a bar that reaches the entry; from that bar
/// on the stop takes precedence. A bar that opens beyond a level fills at its open.
pub fn outcome(lines: &Lines, bars: &[Candle]) -> Outcome {
    let sign = lines.side.sign();
    // Tells whether a price has reached a level from the expected side.
    let at_stop = |price: Points| sign * (lines.stop - price).0 >= 0;
    let at_target = |price: Points| sign * (price - lines.target).0 >= 0;
    let Some(first) = bars.iter().position(|bar| bar.holds(lines.entry)) else {
        return Outcome::Pending;
    };
    let held = bars.get(first..).unwrap_or_default();
    let since = held.first().map(|bar| bar.time).unwrap_or_default();
    for (index, bar) in held.iter().enumerate() {
        let at = bar.time;
        // Within the entry's bar the order is unknown, but its open was before the entry.
        if index > 0 && at_stop(bar.open) {
            let (price, ambiguous) = (bar.open, false);
            return Outcome::Stopped {
                since,
                at,
                price,
                ambiguous,
            };
        }
        if index > 0 && at_target(bar.open) {
            let price = bar.open;
            return Outcome::Won { since, at, price };
        }
        let (worst, best) = match lines.side {
            Side::Long => (bar.low, bar.high),
            Side::Short => (bar.high, bar.low),
        };
        if at_stop(worst) {
            let (price, ambiguous) = (lines.stop, at_target(best));
            return Outcome::Stopped {
                since,
                at,
                price,
                ambiguous,
            };
        }
        if at_target(best) {
            let price = lines.target;
            return Outcome::Won { since, at, price };
        }
    }
    let last = held.last().map(|bar| bar.close).unwrap_or_default();
    Outcome::Open { since, last }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600;

    fn bars(values: &[[i64; 4]]) -> Vec<Candle> {
        let bars = values
            .iter()
            .enumerate()
            .map(|(index, [open, high, low, close])| Candle {
                time: Time(index as i64 * HOUR),
                open: Points(*open),
                high: Points(*high),
                low: Points(*low),
                close: Points(*close),
                volume: 0,
            });
        bars.collect()
    }

    #[test]
    fn the_stop_counts_first() {
        let long = Lines {
            side: Side::Long,
            entry: Points(100),
            stop: Points(90),
            target: Points(120),
        };
        let short = Lines {
            side: Side::Short,
            entry: Points(100),
            stop: Points(110),
            target: Points(80),
        };
        let check = |lines: &Lines, values: &[[i64; 4]], expect: Outcome| {
            assert_eq!(outcome(lines, &bars(values)), expect, "{values:?}");
        };
        let since = Time(0);
        let (one, price) = (Time(HOUR), Points);
        check(&long, &[], Outcome::Pending);
        check(&long, &[[105, 130, 101, 125]], Outcome::Pending);
        check(
            &long,
            &[[105, 108, 99, 107]],
            Outcome::Open {
                since,
                last: price(107),
            },
        );
        check(
            &long,
            &[[105, 108, 99, 107], [107, 121, 100, 119]],
            Outcome::Won {
                since,
                at: one,
                price: price(120),
            },
        );
        check(
            &long,
            &[[105, 108, 99, 107], [107, 121, 90, 119]],
            Outcome::Stopped {
                since,
                at: one,
                price: price(90),
                ambiguous: true,
            },
        );
        check(
            &long,
            &[[105, 121, 89, 107]],
            Outcome::Stopped {
                since,
                at: since,
                price: price(90),
                ambiguous: true,
            },
        );
        // Gaps fill at the open, without ambiguity.
        check(
            &long,
            &[[105, 108, 99, 107], [80, 130, 79, 119]],
            Outcome::Stopped {
                since,
                at: one,
                price: price(80),
                ambiguous: false,
            },
        );
        check(
            &long,
            &[[105, 108, 99, 107], [125, 126, 85, 119]],
            Outcome::Won {
                since,
                at: one,
                price: price(125),
            },
        );
        check(
            &short,
            &[[95, 101, 94, 96], [96, 97, 79, 90]],
            Outcome::Won {
                since,
                at: one,
                price: price(80),
            },
        );
        check(
            &short,
            &[[95, 101, 94, 96], [96, 110, 79, 90]],
            Outcome::Stopped {
                since,
                at: one,
                price: price(110),
                ambiguous: true,
            },
        );
    }
}
