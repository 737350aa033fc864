//! Simulated price after the stored candles. It replays their moves, each at its time of the week, so it
//! resembles that market but is not one, and must be labelled as simulated. Pure: the same candles,
//! speed and instant give the same price, and nothing of it is stored.

mod week;

use markets_wire::{HourPart, Quoted};

use self::week::SimulatedWeek;
use crate::{Candle, Points, Symbol, Time, texts};

/// Difference between bid and ask: one pip, an assumption. The candles are ask prices of one
/// vendor, so they do not show a spread.
pub fn spread(symbol: Symbol) -> Points {
    Points(symbol.pip())
}

/// Stored candles whose moves are replayed: four weeks of hours.
pub const REPLAYED: usize = 480;

const HOUR: i64 = 3_600;
/// Steps of the path within an hour. The extremes are at a third and at two thirds.
const STEPS: i64 = 60;
const THIRD: i64 = STEPS / 3;
const STEP: i64 = HOUR / STEPS;
/// Longest simulation in seconds of the market: sixty years.
const END: f64 = 1.9e9;
/// Highest speed, in market seconds per real second.
pub const FASTEST: f64 = 3_600.0;

/// The move of a stored candle, relative to the close before it.
#[derive(Debug, Clone, Copy)]
struct Move {
    gap: i64,
    body: i64,
    above: i64,
    below: i64,
    volume: i64,
}

/// The simulated price of a symbol after its stored candles.
#[derive(Debug, Clone)]
pub struct Simulated {
    symbol: Symbol,
    last: Candle,
    moves: Vec<Move>,
    /// Sum of the price changes before each move, and after all of them.
    sums: Vec<i64>,
    started: f64,
    speed: f64,
    /// Seconds of the market that had passed when it started.
    already: f64,
    week: SimulatedWeek,
}

/// Origin of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Market seconds per real second, in thousandths.
    Simulated { millispeed: u64 },
    /// From a configured source.
    Told,
}

/// A price at an instant of the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    pub symbol: Symbol,
    /// The market's time, which advances with the speed of the simulation.
    pub time: Time,
    pub bid: Points,
    pub ask: Points,
    /// The forming hour; the last stored one if the price stands still.
    pub bar: Candle,
    pub(crate) origin: Origin,
}

impl Simulated {
    /// Continues from stored hours, oldest first, of which the newest [`REPLAYED`] are used.
    /// `started` is the instant, in seconds, at which the last of them ended; `speed` is the market
    /// seconds per real second, 0 for a price that stands still. `None` without candles.
    pub fn new(symbol: Symbol, hours: &[Candle], started: f64, speed: f64) -> Option<Self> {
        let last = *hours.last()?;
        let week = SimulatedWeek::new(symbol, last.time.plus(HOUR));
        let newest = || (hours.len().saturating_sub(REPLAYED)..hours.len()).collect();
        let mut moves = Vec::new();
        let mut sums = vec![0];
        let mut sum = 0;
        for at in aligned(hours, &week).unwrap_or_else(newest) {
            let hour = hours.get(at)?;
            let before = at.checked_sub(1).and_then(|before| hours.get(before));
            // The replay has other weekends: in the middle of a day, the step over one would be a jump.
            let before = before.filter(|before| before.time.plus(HOUR) == hour.time);
            let one = Move {
                gap: before.map_or(0, |before| hour.open.0 - before.close.0),
                body: hour.close.0 - hour.open.0,
                above: hour.high.0 - hour.open.0,
                below: hour.open.0 - hour.low.0,
                volume: hour.volume,
            };
            sum += one.gap + one.body;
            sums.push(sum);
            moves.push(one);
        }
        Some(Self {
            symbol,
            last,
            moves,
            sums,
            started,
            speed: usable(speed),
            already: 0.0,
            week,
        })
    }

    /// The same, when so many seconds of the market had passed before it started.
    #[must_use]
    pub fn after(self, already: f64) -> Self {
        Self { already, ..self }
    }

    /// The end of the stored candles, before which nothing is simulated.
    pub fn end(&self) -> Time {
        self.last.time.plus(HOUR)
    }

    /// The price at a real time, in seconds.
    pub fn at(&self, now: f64) -> Quote {
        let open = self.elapsed(now);
        let (time, ask, bar) = match open {
            0 => (self.end(), self.last.close, self.last),
            open => self.forming(open.div_euclid(HOUR), open.rem_euclid(HOUR)),
        };
        Quote {
            symbol: self.symbol,
            time,
            bid: Points((ask.0 - spread(self.symbol).0).max(0)),
            ask,
            bar,
            origin: Origin::Simulated {
                millispeed: (self.speed * 1_000.0).round() as u64,
            },
        }
    }

    /// The newest `most` hours that have ended since the last stored one, oldest first.
    pub fn closed(&self, now: f64, most: usize) -> Vec<Candle> {
        let ended = self.elapsed(now).div_euclid(HOUR);
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let first = ended.saturating_sub(most).max(0);
        (first..ended).map(|number| self.hour(number)).collect()
    }

    /// Like [`Self::closed`], with the forming hour, and only those that open before `before`.
    pub fn hours(&self, now: f64, before: Option<Time>, most: usize) -> Vec<Candle> {
        let open = self.elapsed(now);
        if open == 0 || most == 0 {
            return Vec::new();
        }
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let until = match before {
            Some(before) => self
                .week
                .count_before(before)
                .min(open.div_euclid(HOUR) + 1),
            None => open.div_euclid(HOUR) + 1,
        };
        let first = until.saturating_sub(most).max(0);
        let hour = |number: i64| {
            if number < open.div_euclid(HOUR) {
                self.hour(number)
            } else {
                self.forming(number, open.rem_euclid(HOUR)).2
            }
        };
        (first..until).map(hour).collect()
    }

    /// Seconds of open market since the end of the stored candles.
    fn elapsed(&self, now: f64) -> i64 {
        let market = self.already + (now - self.started).max(0.0) * self.speed;
        // NaN counts as zero.
        market.clamp(0.0, END) as i64
    }

    /// A complete simulated hour. Every second round of the moves mirrors the one before, so that
    /// the price comes back, however long it runs.
    fn hour(&self, number: i64) -> Candle {
        let count = i64::try_from(self.moves.len()).unwrap_or(i64::MAX).max(1);
        let at = usize::try_from(number.rem_euclid(count)).unwrap_or_default();
        let is_mirrored = number.div_euclid(count) % 2 == 1;
        let replayed = self.moves.get(at).copied().unwrap_or(Move {
            gap: 0,
            body: 0,
            above: 0,
            below: 0,
            volume: 0,
        });
        let moved = self.sums.get(at).copied().unwrap_or_default();
        let total = self.sums.last().copied().unwrap_or_default();
        let (sign, before, above, below) = if is_mirrored {
            (-1, total - moved, replayed.below, replayed.above)
        } else {
            (1, moved, replayed.above, replayed.below)
        };
        let open = self.last.close.0 + before + sign * replayed.gap;
        // Prices stay positive, whatever is replayed.
        let price = |points: i64| Points(points.max(1));
        Candle {
            time: self.week.opening(number),
            open: price(open),
            high: price(open + above),
            low: price(open - below),
            close: price(open + sign * replayed.body),
            volume: replayed.volume,
        }
    }

    /// A forming hour some seconds after its opening: the instant, the price and the candle so far.
    fn forming(&self, number: i64, seconds: i64) -> (Time, Points, Candle) {
        let whole = self.hour(number);
        let step = seconds.div_euclid(STEP);
        let (here, next) = (place(&whole, number, step), place(&whole, number, step + 1));
        let price = Points(here + (next - here) * seconds.rem_euclid(STEP) / STEP);
        let (mut high, mut low) = (price.max(whole.open), price.min(whole.open));
        for step in 0..=step {
            let seen = Points(place(&whole, number, step));
            (high, low) = (high.max(seen), low.min(seen));
        }
        let bar = Candle {
            high,
            low,
            close: price,
            volume: (whole.volume as f64 * seconds as f64 / HOUR as f64) as i64,
            ..whole
        };
        (whole.time.plus(seconds), price, bar)
    }
}

/// The places of the stored hours to be replayed, so that each has its time of the week: a night would
/// be as restless as a morning otherwise. One that is missing, on a holiday, is that of another week.
/// `None` where there are none for a whole week.
fn aligned(hours: &[Candle], week: &SimulatedWeek) -> Option<Vec<usize>> {
    let length = week.length();
    let weeks = hours.len().min(REPLAYED) / length;
    let find = |time: &Time| hours.binary_search_by_key(time, |hour| hour.time).ok();
    let found: Vec<_> = week.past(weeks).iter().map(find).collect();
    let of_week = |number: usize, at: usize| found.get(number * length + at).copied().flatten();
    let one = |at: usize| {
        let own = found.get(at).copied().flatten();
        own.or_else(|| (0..weeks).find_map(|number| of_week(number, at % length)))
    };
    let all: Option<Vec<usize>> = (0..found.len()).map(one).collect();
    all.filter(|all| !all.is_empty())
}

/// A valid speed: NaN, negative and excessive values are corrected.
fn usable(speed: f64) -> f64 {
    if speed.is_finite() {
        speed.clamp(0.0, FASTEST)
    } else {
        0.0
    }
}

/// The price at a step of an hour's path: from the open to the extreme against its direction, to
/// the other extreme, and to the close, with noise in between.
fn place(hour: &Candle, number: i64, step: i64) -> i64 {
    let [open, high, low, close] = [hour.open, hour.high, hour.low, hour.close].map(|p| p.0);
    let rises = close >= open;
    let stops = if rises {
        [open, low, high, close]
    } else {
        [open, high, low, close]
    };
    let step = step.clamp(0, STEPS);
    let leg = usize::try_from(step / THIRD).unwrap_or_default().min(2);
    let from = stops.get(leg).copied().unwrap_or(open);
    let to = stops.get(leg + 1).copied().unwrap_or(close);
    let along = step - i64::try_from(leg).unwrap_or_default() * THIRD;
    let straight = from + (to - from) * along / THIRD;
    if step % THIRD == 0 {
        return straight;
    }
    let most = (high - low) / 10;
    let unsteady = straight + sway(number, step, most);
    unsteady.clamp(low, high)
}

/// A pseudo-random number from `-most` to `most`, the same for the same step.
fn sway(number: i64, step: i64, most: i64) -> i64 {
    let mut mixed = (number * STEPS + step).unsigned_abs();
    mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let span = most.max(0).unsigned_abs() * 2 + 1;
    let at = i64::try_from((mixed >> 33) % span).unwrap_or_default();
    at - most.max(0)
}

impl Quote {
    /// Returns whether the price is simulated.
    pub fn is_simulated(&self) -> bool {
        matches!(self.origin, Origin::Simulated { .. })
    }

    /// The origin of the price, for its readers.
    pub fn why(&self) -> String {
        let millispeed = match self.origin {
            Origin::Simulated { millispeed } => millispeed,
            Origin::Told => return texts::TOLD_BY_SOURCE.to_owned(),
        };
        let speed = millispeed as f64 / 1_000.0;
        let spread = self.symbol.pips(spread(self.symbol));
        match millispeed {
            0 => texts::assumed_spread(spread),
            _ => texts::replayed(speed, spread),
        }
    }

    /// The price as a part of the board.
    pub(crate) fn part(&self) -> Quoted<Time> {
        let number = |points| self.symbol.number(points);
        Quoted {
            symbol: self.symbol,
            bid: number(self.bid),
            ask: number(self.ask),
            spread_pips: self.symbol.pips(self.ask - self.bid),
            at: self.time,
            simulated: self.is_simulated(),
            why: self.why(),
            bar: HourPart {
                time: self.bar.time,
                open: number(self.bar.open),
                high: number(self.bar.high),
                low: number(self.bar.low),
                close: number(self.bar.close),
                volume: self.bar.volume,
            },
            minutes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
