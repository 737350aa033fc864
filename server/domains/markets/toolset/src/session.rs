//! Market sessions, each symbol's own, in the local time of its zone with daylight saving time. A
//! trading day is named by the date on which it closes, and goes on until the next one begins. A
//! symbol without hours is always traded, with days in UTC.
//!
//! A day begins with the hourly candle that contains the opening, so every candle of it is in it.

use std::sync::LazyLock;

use jiff::{
    Timestamp, civil,
    tz::{TimeZone, TimeZoneDatabase},
};
use markets_wire::SessionHours;

use crate::{Symbol, Time, Timeframe};

const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;
/// The zone of the built-in symbols.
const NEW_YORK: &str = "America/New_York";

/// The rules are in the binary: the system's time zone data must not change a candle.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

static IN_NEW_YORK: LazyLock<TimeZone> = LazyLock::new(|| {
    let bundled = ZONES.get(NEW_YORK);
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

fn zone(name: &str) -> TimeZone {
    if name == NEW_YORK {
        return IN_NEW_YORK.clone();
    }
    // A declared zone was found before.
    ZONES.get(name).unwrap_or(TimeZone::UTC)
}

fn offset(zone: &TimeZone, seconds: i64) -> i64 {
    Timestamp::from_second(seconds)
        .map_or(0, |instant| i64::from(zone.to_offset(instant).seconds()))
}

/// The instant of a local time, in seconds after midnight of a date.
fn instant(zone: &TimeZone, date: i64, seconds: i64) -> i64 {
    let local = date * DAY + seconds;
    let near = local - offset(zone, local);
    local - offset(zone, near)
}

fn hours(symbol: Symbol) -> Option<&'static SessionHours> {
    symbol.instrument().session.as_ref()
}

/// The trading date, in days since 1970: of currencies, Sunday evening in New York is Monday.
pub fn trading_date(symbol: Symbol, time: Time) -> i64 {
    let Some(hours) = hours(symbol) else {
        return time.0.div_euclid(DAY);
    };
    let zone = zone(&hours.zone);
    let mut date = (time.0 + offset(&zone, time.0)).div_euclid(DAY) + 1;
    // A day begins at most a day before its date.
    for _ in 0..2 {
        if start(hours, &zone, date) <= time.0 {
            break;
        }
        date -= 1;
    }
    date
}

fn start(hours: &SessionHours, zone: &TimeZone, date: i64) -> i64 {
    let before = i64::from(hours.is_over_midnight());
    let opens = instant(zone, date - before, i64::from(hours.opens) * 60);
    opens.div_euclid(HOUR) * HOUR
}

/// The start of a trading day: of the hourly candle in which its session opens.
pub fn day_start(symbol: Symbol, date: i64) -> Time {
    match hours(symbol) {
        None => Time(date * DAY),
        Some(hours) => Time(start(hours, &zone(&hours.zone), date)),
    }
}

/// The end of a trading day's session, also on days without one.
fn day_end(symbol: Symbol, date: i64) -> Time {
    match hours(symbol) {
        None => Time((date + 1) * DAY),
        Some(hours) => {
            let closes = i64::from(hours.closes) * 60;
            Time(instant(&zone(&hours.zone), date, closes))
        }
    }
}

/// The hourly candles of a trading day's session; 0 on a day without one.
pub(crate) fn hours_of(symbol: Symbol, date: i64) -> i64 {
    if !is_day(symbol, date) {
        return 0;
    }
    let seconds = day_end(symbol, date).0 - day_start(symbol, date).0;
    (seconds + HOUR - 1).div_euclid(HOUR).max(0)
}

/// Returns whether there is a session on a trading date, even on holidays.
fn is_day(symbol: Symbol, date: i64) -> bool {
    let is_named = |hours: &SessionHours| {
        let mut days = hours.days.iter();
        days.any(|day| i64::from(*day) == weekday(date))
    };
    hours(symbol).is_none_or(is_named)
}

/// The instant of a local time of day in New York.
pub fn new_york(date: i64, hour: i64, minute: i64) -> Time {
    Time(instant(&IN_NEW_YORK, date, hour * HOUR + minute * 60))
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

/// Returns whether a session is open, from the hourly candle in which it opens, even on holidays.
pub fn is_open(symbol: Symbol, time: Time) -> bool {
    let date = trading_date(symbol, time);
    is_day(symbol, date) && time < day_end(symbol, date)
}

/// Returns whether an instant is in the hours of a session, to the minute, even on holidays.
pub(crate) fn is_in_hours(symbol: Symbol, time: Time) -> bool {
    let Some(hours) = hours(symbol) else {
        return true;
    };
    let date = trading_date(symbol, time);
    let before = i64::from(hours.is_over_midnight());
    let opens = instant(
        &zone(&hours.zone),
        date - before,
        i64::from(hours.opens) * 60,
    );
    is_day(symbol, date) && (opens..day_end(symbol, date).0).contains(&time.0)
}

/// Verifies that an instant is in a session.
///
/// # Errors
/// The market is closed then; names the nearest bar.
pub fn check_open(symbol: Symbol, time: Time) -> Result<(), Closed> {
    if is_open(symbol, time) {
        return Ok(());
    }
    let date = trading_date(symbol, time);
    // A week has a session.
    let last = (date - 7..=date).rev().find(|date| is_day(symbol, *date));
    let last = day_end(symbol, last.unwrap_or(date)).0 - 1;
    let last = Time(last.div_euclid(HOUR) * HOUR);
    let next = (date + 1..=date + 7).find(|date| is_day(symbol, *date));
    let next = day_start(symbol, next.unwrap_or(date + 1));
    let nearest = if time.0 - last.0 <= next.0 - time.0 {
        last
    } else {
        next
    };
    Err(Closed { time, nearest })
}

/// The opening time of the candle around an instant.
pub fn open_of(symbol: Symbol, frame: Timeframe, time: Time) -> Time {
    let seconds = frame.seconds();
    match frame {
        Timeframe::M1 | Timeframe::M5 | Timeframe::M15 | Timeframe::M30 | Timeframe::H1 => {
            Time(time.0.div_euclid(seconds) * seconds)
        }
        // Counted in hours that pass: where clocks change during a session, as on a declared Sunday over
        // midnight, its later candles are an hour off in local time and the day's last one is cut or added.
        Timeframe::H4 => {
            let start = day_start(symbol, trading_date(symbol, time));
            start.plus((time.0 - start.0).div_euclid(seconds) * seconds)
        }
        Timeframe::D1 => day_start(symbol, trading_date(symbol, time)),
        Timeframe::W1 => {
            let date = trading_date(symbol, time);
            day_start(symbol, date - weekday(date))
        }
        Timeframe::MN => {
            let date = trading_date(symbol, time);
            day_start(symbol, first_of_month(date))
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
            let open = open_of(Symbol::EurUsd, frame, time(at));
            assert_eq!(open.to_string(), expect, "{frame} {at}");
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
            let nearest = check_open(Symbol::EurUsd, time(at))
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
                let open = open_of(Symbol::EurUsd, frame, Time(at));
                prop_assert!(open.0 <= at);
                prop_assert_eq!(open_of(Symbol::EurUsd, frame, open), open);
                let longest = if frame == Timeframe::MN { 31 * DAY } else { frame.seconds() };
                prop_assert!(at < open.0 + longest + HOUR);
            }
        }
    }
}
