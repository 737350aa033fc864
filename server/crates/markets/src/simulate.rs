//! A price that goes on where the stored candles end. It replays their moves, so it looks like that
//! market and is none: whoever shows it says so. Pure: the same candles, speed and instant are the
//! same price, and nothing of it is stored.

use serde_json::{Value, json};

use crate::{Candle, Points, Symbol, Time, session};

/// Between bid and ask: a pip, assumed. The candles are asked prices of one vendor, so no spread can
/// be taken from them.
pub const SPREAD: Points = Points(10);

/// Stored candles whose moves are replayed: four weeks of hours.
pub const REPLAYED: usize = 480;

const HOUR: i64 = 3_600;
/// Hours of a week's session, from Sunday to Friday. No clock changes while there is one.
const WEEK: i64 = 120;
/// Steps of the path within an hour. The extremes lie at a third and at two thirds.
const STEPS: i64 = 60;
const THIRD: i64 = STEPS / 3;
const STEP: i64 = HOUR / STEPS;
/// Seconds of a market that are simulated at most: sixty years.
const END: f64 = 1.9e9;
/// After every instant of a simulation.
const LATEST: i64 = 20_000_000_000;
/// Market seconds in a real one at most.
pub const FASTEST: f64 = 3_600.0;

/// What a stored candle did, from the close before it on.
#[derive(Debug, Clone, Copy)]
struct Move {
    gap: i64,
    body: i64,
    above: i64,
    below: i64,
    volume: i64,
}

/// The price of a symbol after its stored candles.
#[derive(Debug, Clone)]
pub struct Simulated {
    symbol: Symbol,
    last: Candle,
    moves: Vec<Move>,
    /// By how much the price has moved before each move, and after all.
    sums: Vec<i64>,
    started: f64,
    speed: f64,
}

/// Where a price comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Market seconds in a real one, in thousandths.
    Simulated { millispeed: u64 },
    /// A configured source told it, perhaps long ago.
    Told { is_old: bool },
}

/// A price at an instant of the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    pub symbol: Symbol,
    /// The market's own time, which runs on with the speed of the simulation.
    pub time: Time,
    pub bid: Points,
    pub ask: Points,
    /// The hour that is being formed; the last stored one while the price stands still.
    pub bar: Candle,
    pub(crate) origin: Origin,
}

impl Simulated {
    /// Goes on from stored hours, oldest first, of which the newest [`REPLAYED`] are used. `started`
    /// is the instant, in seconds, at which the last of them has just ended; `speed` how many seconds
    /// of the market pass in a real one, 0 for a price that stands still. None without candles.
    pub fn new(symbol: Symbol, hours: &[Candle], started: f64, speed: f64) -> Option<Self> {
        let last = *hours.last()?;
        let first = hours.len().saturating_sub(REPLAYED);
        let mut close = match first.checked_sub(1) {
            Some(before) => hours.get(before)?.close,
            None => hours.first()?.open,
        };
        let mut moves = Vec::new();
        let mut sums = vec![0];
        let mut sum = 0;
        for hour in hours.get(first..)? {
            let one = Move {
                gap: hour.open.0 - close.0,
                body: hour.close.0 - hour.open.0,
                above: hour.high.0 - hour.open.0,
                below: hour.open.0 - hour.low.0,
                volume: hour.volume,
            };
            sum += one.gap + one.body;
            sums.push(sum);
            moves.push(one);
            close = hour.close;
        }
        Some(Self {
            symbol,
            last,
            moves,
            sums,
            started,
            speed: usable(speed),
        })
    }

    /// When the stored candles end: before it nothing is simulated.
    pub fn end(&self) -> Time {
        self.last.time.plus(HOUR)
    }

    /// The price at an instant of the real clock, in seconds.
    pub fn at(&self, now: f64) -> Quote {
        let open = self.elapsed(now);
        let (time, ask, bar) = match open {
            0 => (self.end(), self.last.close, self.last),
            open => self.forming(open.div_euclid(HOUR), open.rem_euclid(HOUR)),
        };
        Quote {
            symbol: self.symbol,
            time,
            bid: Points((ask.0 - SPREAD.0).max(0)),
            ask,
            bar,
            origin: Origin::Simulated {
                millispeed: (self.speed * 1_000.0).round() as u64,
            },
        }
    }

    /// The newest `most` of the hours that have ended since the last stored one, oldest first.
    pub fn closed(&self, now: f64, most: usize) -> Vec<Candle> {
        let ended = self.elapsed(now).div_euclid(HOUR);
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let first = ended.saturating_sub(most).max(0);
        (first..ended).map(|number| self.hour(number)).collect()
    }

    /// As of [`Self::closed`], with the hour that is being formed, and only those that open before
    /// `before`.
    pub fn hours(&self, now: f64, before: Option<Time>, most: usize) -> Vec<Candle> {
        let open = self.elapsed(now);
        if open == 0 || most == 0 {
            return Vec::new();
        }
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let until = match before {
            Some(before) => self.count_before(before).min(open.div_euclid(HOUR) + 1),
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

    /// Seconds of open market since the stored candles end.
    fn elapsed(&self, now: f64) -> i64 {
        let market = (now - self.started).max(0.0) * self.speed;
        // Not a number is none.
        market.clamp(0.0, END) as i64
    }

    /// Monday of the week in which the first simulated hour is, and the hours of its session before.
    fn origin(&self) -> (i64, i64) {
        let end = self.end();
        let date = session::trading_date(end);
        let monday = date - session::weekday(date);
        match session::is_open(end) {
            true => (monday, (end.0 - session::day_start(monday).0) / HOUR),
            false => (monday + 7, 0),
        }
    }

    /// When a simulated hour opens. Weekends are skipped.
    fn opening(&self, number: i64) -> Time {
        let (monday, before) = self.origin();
        let hours = before + number;
        session::day_start(monday + 7 * hours.div_euclid(WEEK)).plus(hours.rem_euclid(WEEK) * HOUR)
    }

    /// How many simulated hours open before an instant.
    fn count_before(&self, time: Time) -> i64 {
        let (monday, before) = self.origin();
        // No simulation goes on for so long.
        let time = Time(time.0.clamp(0, LATEST));
        let date = session::trading_date(time);
        let of = date - session::weekday(date);
        let seconds = (time.0 - session::day_start(of).0).max(0);
        let hours = ((seconds + HOUR - 1) / HOUR).min(WEEK);
        ((of - monday) / 7 * WEEK + hours - before).max(0)
    }

    /// A whole simulated hour. Every second round of the moves is the mirror image of the one before:
    /// so the price comes back, however long it runs.
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
        let (sign, before, above, below) = match is_mirrored {
            false => (1, moved, replayed.above, replayed.below),
            true => (-1, total - moved, replayed.below, replayed.above),
        };
        let open = self.last.close.0 + before + sign * replayed.gap;
        // A price stays above zero, whatever was replayed.
        let price = |points: i64| Points(points.max(1));
        Candle {
            time: self.opening(number),
            open: price(open),
            high: price(open + above),
            low: price(open - below),
            close: price(open + sign * replayed.body),
            volume: replayed.volume,
        }
    }

    /// An hour so many seconds after its opening: the instant, the price and the candle so far.
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

/// A speed that can be used: none that is no number, is below zero or is too fast to follow.
fn usable(speed: f64) -> f64 {
    if speed.is_finite() {
        speed.clamp(0.0, FASTEST)
    } else {
        0.0
    }
}

/// The price at a step of an hour's path: from the open to the extreme against the way it goes, to the
/// other, and to the close, unsteadily between.
fn place(hour: &Candle, number: i64, step: i64) -> i64 {
    let [open, high, low, close] = [hour.open, hour.high, hour.low, hour.close].map(|p| p.0);
    let rises = close >= open;
    let stops = match rises {
        true => [open, low, high, close],
        false => [open, high, low, close],
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

/// A number from `-most` to `most` that looks like chance and is the same for the same step.
fn sway(number: i64, step: i64, most: i64) -> i64 {
    let mut mixed = (number * STEPS + step).unsigned_abs();
    mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let span = most.max(0).unsigned_abs() * 2 + 1;
    let at = i64::try_from((mixed >> 33) % span).unwrap_or_default();
    at - most.max(0)
}

impl Quote {
    /// Whether it is no price of a market.
    pub fn is_simulated(&self) -> bool {
        matches!(self.origin, Origin::Simulated { .. })
    }

    /// Whether its source has said nothing new for minutes.
    pub fn is_old(&self) -> bool {
        self.origin == Origin::Told { is_old: true }
    }

    /// Where it comes from, for whoever reads it.
    pub fn why(&self) -> String {
        let millispeed = match self.origin {
            Origin::Simulated { millispeed } => millispeed,
            Origin::Told { is_old: false } => return "The configured source told it.".to_owned(),
            Origin::Told { is_old: true } => {
                return "The configured source has told nothing new for minutes.".to_owned();
            }
        };
        let speed = millispeed as f64 / 1_000.0;
        let spread = self.symbol.pips(SPREAD);
        match millispeed {
            0 => format!(
                "There is no live source: the ask is the close of the last stored hour, and the \
                 spread of {spread} pip is assumed."
            ),
            _ => format!(
                "There is no live source: after the last stored hour the moves of the stored candles \
                 are replayed, {speed} times as fast as real time; the spread of {spread} pip is \
                 assumed."
            ),
        }
    }

    /// As the board shows it.
    pub fn part(&self) -> Value {
        let number = |points| self.symbol.number(points);
        json!({
            "symbol": self.symbol,
            "bid": number(self.bid),
            "ask": number(self.ask),
            "spread_pips": self.symbol.pips(self.ask - self.bid),
            "at": self.time,
            "simulated": self.is_simulated(),
            "why": self.why(),
            "bar": {
                "time": self.bar.time,
                "open": number(self.bar.open),
                "high": number(self.bar.high),
                "low": number(self.bar.low),
                "close": number(self.bar.close),
                "volume": self.bar.volume,
            },
        })
    }
}

#[cfg(test)]
mod tests;
