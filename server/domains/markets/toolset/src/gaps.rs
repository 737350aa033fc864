//! Gaps: stretches of a session without candles, by the rule of the chart (`frontend/chart/src/gaps.ts`).
//! Hours in which no session is open are none, on any timeframe.

use serde::Serialize;

use crate::{Candle, Symbol, Time, Timeframe, session};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
/// Least distance of the times that are checked between two candles, in seconds.
const STRIDE: i64 = 900;

/// A gap between two candles that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct CandleGap {
    /// Opening time of the candle before it.
    pub(crate) from: Time,
    /// Opening time of the candle behind it.
    pub(crate) to: Time,
    pub(crate) length_s: i64,
}

/// The gaps within candles of a symbol, oldest first.
pub(crate) fn gaps(symbol: Symbol, frame: Timeframe, candles: &[Candle]) -> Vec<CandleGap> {
    let step = frame.seconds();
    let pairs = candles.iter().zip(candles.iter().skip(1));
    let gap = |(before, behind): (&Candle, &Candle)| {
        let (from, to) = (before.time, behind.time);
        let is_gap = to.0 - from.0 > step && is_missing(symbol, step, from.0, to.0);
        is_gap.then(|| CandleGap {
            from,
            to,
            length_s: to.0 - from.0 - step,
        })
    };
    pairs.filter_map(gap).collect()
}

/// True if a session was open after the candle at `from` and before that at `to`.
fn is_missing(symbol: Symbol, step: i64, from: i64, to: i64) -> bool {
    let hour = step.min(HOUR);
    let stride = usize::try_from(hour.max(STRIDE)).unwrap_or(1);
    let mut times = (from + covered(step)..to).step_by(stride);
    // A candle is missing also where a session opens within it.
    times.any(|at| {
        let opens = |at| session::is_in_hours(symbol, Time(at));
        opens(at) || opens(at + hour - 60)
    })
}

/// Seconds that a candle can cover: a day is an hour longer when clocks go back, and a month has up to 31.
fn covered(step: i64) -> i64 {
    match step {
        step if step < DAY => step,
        step if step > WEEK => 31 * DAY + HOUR,
        step => step + HOUR,
    }
}

#[cfg(test)]
mod tests {
    use markets_wire::{Instrument, SessionHours};

    use super::*;
    use crate::Points;

    fn candles(times: impl IntoIterator<Item = i64>) -> Vec<Candle> {
        let candle = |time| Candle {
            time: Time(time),
            open: Points(1),
            high: Points(1),
            low: Points(1),
            close: Points(1),
            volume: 1,
        };
        times.into_iter().map(candle).collect()
    }

    fn at(text: &str) -> i64 {
        Time::parse(text).unwrap().0
    }

    /// The gaps of candles from a time on, some of which are missing.
    fn found(symbol: Symbol, frame: Timeframe, from: &str, places: &[i64]) -> Vec<(i64, i64)> {
        let step = frame.seconds();
        let from = at(from);
        let all = candles(places.iter().map(|place| from + place * step));
        let gaps = gaps(symbol, frame, &all);
        let place = |gap: &CandleGap| ((gap.from.0 - from) / step, gap.length_s / step);
        gaps.iter().map(place).collect()
    }

    #[test]
    fn a_gap_is_where_a_session_was_open() {
        let euro = Symbol::EurUsd;
        let friday = "2017-01-06T18:00:00Z";
        // From Friday, 22:00, to Sunday, 22:00, nothing is missing; of an hour on Monday it is.
        assert_eq!(found(euro, Timeframe::H1, friday, &[2, 3, 52, 53]), []);
        assert_eq!(
            found(euro, Timeframe::H1, friday, &[2, 3, 52, 54]),
            [(52, 1)]
        );
        assert_eq!(
            found(euro, Timeframe::H1, friday, &[1, 3, 53]),
            [(1, 1), (3, 49)]
        );
        let minutes = "2017-01-09T10:00:00Z";
        assert_eq!(found(euro, Timeframe::M1, minutes, &[0, 1, 4, 5]), [(1, 2)]);
        // The days of Saturday and Sunday are none, that of a Wednesday is one.
        let days = "2017-01-02T22:00:00Z";
        assert_eq!(found(euro, Timeframe::D1, days, &[0, 1, 2, 3, 6]), []);
        assert_eq!(found(euro, Timeframe::D1, days, &[0, 2]), [(0, 1)]);
        let weeks = "2017-01-01T22:00:00Z";
        assert_eq!(found(euro, Timeframe::W1, weeks, &[0, 1, 3]), [(1, 1)]);
        // Where clocks change, a day opens an hour later in UTC.
        let autumn = [at("2017-11-02T21:00:00Z"), at("2017-11-05T22:00:00Z")];
        assert_eq!(gaps(euro, Timeframe::D1, &candles(autumn)), []);
        let months = [at("2016-12-31T22:00:00Z"), at("2017-01-31T22:00:00Z")];
        assert_eq!(gaps(euro, Timeframe::MN, &candles(months)), []);
    }

    /// A session that opens at half past an hour: its minutes begin then, its hours half an hour before.
    #[test]
    fn an_opening_within_an_hour_is_no_gap() {
        Symbol::learn(Instrument {
            name: "GAPPED".to_owned(),
            session: Some(SessionHours {
                zone: "America/New_York".to_owned(),
                opens: 570,
                closes: 960,
                days: vec![0, 1, 2, 3, 4],
            }),
            ..Symbol::EurUsd.instrument().clone()
        });
        let stock = Symbol::named("GAPPED").unwrap();
        let check = |frame, from, to, count: usize| {
            let pair = candles([at(from), at(to)]);
            assert_eq!(gaps(stock, frame, &pair).len(), count, "{frame} {to}");
        };
        let last = "2017-01-09T20:55:00Z";
        check(Timeframe::M5, last, "2017-01-10T14:30:00Z", 0);
        check(Timeframe::M5, last, "2017-01-10T14:50:00Z", 1);
        let last = "2017-01-09T20:00:00Z";
        check(Timeframe::H1, last, "2017-01-10T14:00:00Z", 0);
        check(Timeframe::H1, last, "2017-01-10T15:00:00Z", 1);
    }
}
