//! Clock of the prompt cache and the headers, which tests can control.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use units::civil;

/// Source of the time of day. Pacing does not use it: that is the runtime's timer.
pub trait Clock: Send + Sync + 'static {
    /// Time since the Unix epoch.
    fn now(&self) -> Duration;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}

/// A clock that stands still until it is advanced.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    /// A clock at this many seconds since the Unix epoch.
    pub fn at(seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seconds)))
    }

    /// Advances the clock.
    pub fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

fn since_1970(now: Duration) -> i64 {
    i64::try_from(now.as_secs()).unwrap_or(i64::MAX)
}

/// Formats the time as `2026-11-22T01:02:03Z`.
pub(crate) fn rfc3339(now: Duration) -> String {
    civil::rfc3339(since_1970(now))
}

/// Formats the time as `Sun, 22 Nov 2026 01:02:03 GMT`.
pub(crate) fn http_date(now: Duration) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let named = |names: &[&'static str], at: i64| -> &'static str {
        let at = usize::try_from(at).ok();
        at.and_then(|at| names.get(at).copied()).unwrap_or_default()
    };
    let days = since_1970(now).div_euclid(86_400);
    let (year, month, day) = civil::date(days);
    let (weekday, month) = (named(&DAYS, days.rem_euclid(7)), named(&MONTHS, month - 1));
    let time = rfc3339(now);
    let time = time.get(11..19).unwrap_or_default();
    format!("{weekday}, {day:02} {month} {year:04} {time} GMT")
}

/// Parses `2026-11-22T01:02:03Z` to seconds since 1970; what follows is not read.
pub fn seconds(text: &str) -> Option<u64> {
    u64::try_from(civil::seconds(text)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, rfc, http) in [
            (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (
                951_782_400,
                "2000-02-29T00:00:00Z",
                "Tue, 29 Feb 2000 00:00:00 GMT",
            ),
            (
                1_795_309_323,
                "2026-11-22T01:02:03Z",
                "Sun, 22 Nov 2026 01:02:03 GMT",
            ),
        ] {
            let now = Duration::from_secs(seconds);
            assert_eq!(
                (rfc3339(now).as_str(), http_date(now).as_str()),
                (rfc, http)
            );
        }
    }

    #[test]
    fn moments_are_read() {
        for (text, expect) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T00:00:00Z", Some(951_782_400)),
            ("2026-11-07T09:30:00Z (Sat)", Some(1_794_043_800)),
            ("yesterday", None),
        ] {
            assert_eq!(seconds(text), expect, "{text}");
        }
    }
}
