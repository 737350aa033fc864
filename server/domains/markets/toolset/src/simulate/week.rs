//! The hours in which a symbol is traded, counted over the weeks.

use crate::{Symbol, Time, session};

const HOUR: i64 = 3_600;
/// An instant after the end of every simulation.
const LATEST: i64 = 20_000_000_000;

/// The hours of a symbol's sessions after an instant. They are those of the week of that instant: no
/// clock changes during a session.
#[derive(Debug, Clone)]
pub(super) struct SimulatedWeek {
    symbol: Symbol,
    /// Hours of each session from Monday.
    days: [i64; 7],
    /// All of them.
    hours: i64,
    /// The Monday of the week in which the stored candles end.
    monday: i64,
    /// Hours of that week before their end.
    before: i64,
}

impl SimulatedWeek {
    /// The hours after `end`, at which an hour ends.
    pub(super) fn new(symbol: Symbol, end: Time) -> Self {
        let date = session::trading_date(symbol, end);
        let monday = date - session::weekday(date);
        let days = [0, 1, 2, 3, 4, 5, 6].map(|day| session::hours_of(symbol, monday + day));
        let week = Self {
            symbol,
            days,
            // No symbol is declared without a session.
            hours: days.iter().sum::<i64>().max(1),
            monday,
            before: 0,
        };
        let before = week.passed(monday, end);
        Self { before, ..week }
    }

    /// The hours of a week's sessions that open before an instant.
    fn passed(&self, monday: i64, time: Time) -> i64 {
        let of_day = |(date, hours): (i64, &i64)| {
            let seconds = time.0 - session::day_start(self.symbol, date).0;
            (seconds + HOUR - 1).div_euclid(HOUR).clamp(0, *hours)
        };
        (monday..).zip(&self.days).map(of_day).sum()
    }

    /// The number of its hours.
    pub(super) fn length(&self) -> usize {
        usize::try_from(self.hours).unwrap_or(usize::MAX)
    }

    /// The opening times of the hours of so many weeks before the end, oldest first.
    pub(super) fn past(&self, weeks: usize) -> Vec<Time> {
        let count = weeks * self.length();
        let weeks = i64::try_from(weeks).unwrap_or_default();
        let days = (-weeks..=0).flat_map(|week| (self.monday + 7 * week..).zip(self.days));
        let hours = days.flat_map(|(date, hours)| {
            let start = session::day_start(self.symbol, date);
            (0..hours).map(move |hour| start.plus(hour * HOUR))
        });
        // The first week is whole, and ends as late as the last one.
        let before = usize::try_from(self.before).unwrap_or_default();
        hours.skip(before).take(count).collect()
    }

    /// The opening time of an hour after the end. Times without a session are skipped.
    pub(super) fn opening(&self, number: i64) -> Time {
        let hours = self.before + number;
        let monday = self.monday + 7 * hours.div_euclid(self.hours);
        let mut left = hours.rem_euclid(self.hours);
        for (date, hours) in (monday..).zip(&self.days) {
            if left < *hours {
                return session::day_start(self.symbol, date).plus(left * HOUR);
            }
            left -= hours;
        }
        session::day_start(self.symbol, monday)
    }

    /// The number of hours after the end that open before an instant.
    pub(super) fn count_before(&self, time: Time) -> i64 {
        // No simulation runs longer.
        let time = Time(time.0.clamp(0, LATEST));
        let date = session::trading_date(self.symbol, time);
        let monday = date - session::weekday(date);
        let weeks = (monday - self.monday) / 7;
        (weeks * self.hours + self.passed(monday, time) - self.before).max(0)
    }
}
