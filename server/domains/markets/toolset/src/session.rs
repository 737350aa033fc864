//! Market sessions: days and weeks begin at 17:00 in New York, with daylight saving time there. A
//! trading day is the 24 hours that end at 17:00 of its date.

use std::sync::LazyLock;

use jiff::{Timestamp, civil, tz::TimeZone};

use crate::{Time, Timeframe};

const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;
/// From 17:00 to midnight: the offset from the clock's date to the trading date.
const EARLY: i64 = 7 * HOUR;

/// The rules are in the binary: the system's time zone data must not change a candle.
static NEW_YORK: LazyLock<TimeZone> = LazyLock::new(|| {
    let bundled = jiff::tz::TimeZoneDatabase::bundled().get("America/New_York");
    // The rules since 2007, in case the bundle lacks the zone.
    let zone = bundled.or_else(|_| TimeZone::posix("EST5EDT,M3.2.0,M11.1.0"));
    zone.unwrap_or(TimeZone::UTC)
});

/// Error for a time outside all sessions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the market is closed at {time}; the nearest bar opens at {nearest}")]
pub struct Closed {
    pub time: Time,
    /// The opening time of the nearest hourly bar in a session.
    pub nearest: Time,
}

fn offset(time: Time) -> i64 {
    Timestamp::from_second(time.0).map_or(-5 * HOUR, |instant| {
        i64::from(NEW_YORK.to_offset(instant).seconds())
    })
}

/// The trading date, in days since 1970: Sunday evening in New York is Monday.
pub fn trading_date(time: Time) -> i64 {
    (time.0 + offset(time) + EARLY).div_euclid(DAY)
}

/// The start of a trading day.
pub fn day_start(date: i64) -> Time {
    let local = date * DAY - EARLY;
    // Clocks change at 02:00 on Sundays, so an hour more or less does not cross the change.
    let guess = Time(local + 5 * HOUR);
    Time(local - offset(guess))
}

/// The instant of a local time of day in New York.
pub fn new_york(date: i64, hour: i64, minute: i64) -> Time {
    let local = date * DAY + hour * HOUR + minute * 60;
    Time(local - offset(Time(local + 5 * HOUR)))
}

/// The days since 1970 of a date. `None` for an invalid one.
pub fn date(year: i16, month: i8, day: i8) -> Option<i64> {
    let date = civil::Date::new(year, month, day).ok()?;
    let since = date.to_zoned(TimeZone::UTC).ok()?;
    Some(since.timestamp().as_second().div_euclid(DAY))
}

/// The day of the week, from 0 for Monday to 6 for Sunday.
pub fn weekday(date: i64) -> i64 {
    (date + 3).rem_euclid(7)
}

/// Returns whether a session is open: Sunday 17:00 to Friday 17:00 in New York, even on holidays.
pub fn is_open(time: Time) -> bool {
    weekday(trading_date(time)) < 5
}

/// Verifies that an instant is in a session.
///
/// # Errors
/// The market is closed then; names the nearest bar.
pub fn check_open(time: Time) -> Result<(), Closed> {
    if is_open(time) {
        return Ok(());
    }
    let date = trading_date(time);
    let saturday = date - (weekday(date) - 5);
    let last = day_start(saturday).plus(-HOUR);
    let next = day_start(saturday + 2);
    let nearest = if time.0 - last.0 <= next.0 - time.0 {
        last
    } else {
        next
    };
    Err(Closed { time, nearest })
}

/// The opening time of the candle around an instant.
pub fn open_of(frame: Timeframe, time: Time) -> Time {
    let seconds = frame.seconds();
    match frame {
        Timeframe::M1 | Timeframe::M5 | Timeframe::M15 | Timeframe::M30 | Timeframe::H1 => {
            Time(time.0.div_euclid(seconds) * seconds)
        }
        // No clock changes during a session, so its days have 24 hours.
        Timeframe::H4 => {
            let start = day_start(trading_date(time));
            start.plus((time.0 - start.0).div_euclid(seconds) * seconds)
        }
        Timeframe::D1 => day_start(trading_date(time)),
        Timeframe::W1 => {
            let date = trading_date(time);
            day_start(date - weekday(date))
        }
        Timeframe::MN => {
            let date = trading_date(time);
            day_start(first_of_month(date))
        }
    }
}

fn first_of_month(date: i64) -> i64 {
    let instant = Timestamp::from_second(date * DAY).unwrap_or_default();
    let day = TimeZone::UTC.to_datetime(instant).day();
    date - i64::from(day) + 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time(text: &str) -> Time {
        Time::parse(text).unwrap()
    }

    #[test]
    fn days_begin_at_five_in_new_york() {
        let check = |frame, at, expect: &str| {
            assert_eq!(open_of(frame, time(at)).to_string(), expect, "{frame} {at}");
        };
        // Winter and summer.
        check(
            Timeframe::D1,
            "2017-01-02T21:59:59Z",
            "2017-01-01T22:00:00Z",
        );
        check(
            Timeframe::D1,
            "2017-01-02T22:00:00Z",
            "2017-01-02T22:00:00Z",
        );
        check(
            Timeframe::D1,
            "2017-07-03T20:59:59Z",
            "2017-07-02T21:00:00Z",
        );
        check(
            Timeframe::D1,
            "2017-07-03T21:00:00Z",
            "2017-07-03T21:00:00Z",
        );
        // The weekends on which clocks change.
        check(
            Timeframe::D1,
            "2017-03-12T21:00:00Z",
            "2017-03-12T21:00:00Z",
        );
        check(
            Timeframe::D1,
            "2017-11-05T22:00:00Z",
            "2017-11-05T22:00:00Z",
        );
        check(
            Timeframe::H4,
            "2017-03-13T00:59:59Z",
            "2017-03-12T21:00:00Z",
        );
        check(
            Timeframe::H4,
            "2017-03-10T13:30:00Z",
            "2017-03-10T10:00:00Z",
        );
        check(
            Timeframe::W1,
            "2017-11-10T15:00:00Z",
            "2017-11-05T22:00:00Z",
        );
        check(
            Timeframe::W1,
            "2017-11-03T20:59:59Z",
            "2017-10-29T21:00:00Z",
        );
        // Tuesday, 31 January, 17:30 in New York is the first of February.
        check(
            Timeframe::MN,
            "2017-01-31T22:30:00Z",
            "2017-01-31T22:00:00Z",
        );
        check(
            Timeframe::MN,
            "2017-01-31T21:30:00Z",
            "2016-12-31T22:00:00Z",
        );
        check(
            Timeframe::H1,
            "2017-03-10T13:30:00Z",
            "2017-03-10T13:00:00Z",
        );
        // Before 2007 daylight saving time began in April.
        check(
            Timeframe::D1,
            "2005-03-21T21:30:00Z",
            "2005-03-20T22:00:00Z",
        );
    }

    #[test]
    fn weekends_name_the_nearest_bar() {
        let check = |at: &str, expect: Option<&str>| {
            let nearest = check_open(time(at))
                .err()
                .map(|closed| closed.nearest.to_string());
            assert_eq!(nearest.as_deref(), expect, "{at}");
        };
        check("2017-07-07T20:59:59Z", None);
        check("2017-07-07T21:00:00Z", Some("2017-07-07T20:00:00Z"));
        check("2017-07-08T12:00:00Z", Some("2017-07-07T20:00:00Z"));
        check("2017-07-09T12:00:00Z", Some("2017-07-09T21:00:00Z"));
        check("2017-07-09T21:00:00Z", None);
        check("2017-03-12T20:59:59Z", Some("2017-03-12T21:00:00Z"));
    }

    proptest! {
        #[test]
        fn candles_hold_their_instants(at in 631_152_000_i64..4_000_000_000) {
            for frame in Timeframe::ALL {
                let open = open_of(frame, Time(at));
                prop_assert!(open.0 <= at);
                prop_assert_eq!(open_of(frame, open), open);
                let longest = if frame == Timeframe::MN { 31 * DAY } else { frame.seconds() };
                prop_assert!(at < open.0 + longest + HOUR);
            }
        }
    }
}
