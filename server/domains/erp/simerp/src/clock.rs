//! Clock of the simulated company: the machine's, or one that a test controls; and dates on the site's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The site's time zone, as `frappe.client.get_time_zone` names it.
pub(crate) const ZONE: &str = "Europe/Berlin";

/// Source of the company's time: posting dates, due dates and the queue depend on this clock alone.
pub trait SimErpClock: Send + Sync + 'static {
    /// Time since the Unix epoch.
    fn now(&self) -> Duration;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemSimErpClock;

impl SimErpClock for SystemSimErpClock {
    fn now(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}

/// A clock that stands still until it is advanced. Clones share their time.
#[derive(Clone, Debug)]
pub struct ManualSimErpClock(Arc<AtomicU64>);

impl ManualSimErpClock {
    /// A clock at `unix_seconds`.
    pub fn at(unix_seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(unix_seconds * 1000)))
    }

    /// Advances the clock, in whole milliseconds.
    pub fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl SimErpClock for ManualSimErpClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// A moment on the site's clock.
#[derive(Clone, Debug)]
pub(crate) struct SiteTime {
    pub date: Date,
    unix: i64,
    /// `YYYY-MM-DD HH:MM:SS`, kept because each change is stamped with it.
    text: Arc<str>,
}

impl SiteTime {
    pub(crate) fn at(now: Duration) -> Self {
        Self::of(i64::try_from(now.as_secs()).unwrap_or(i64::MAX))
    }

    /// Noon of a day, for history that is posted at the start.
    pub(crate) fn noon(date: Date) -> Self {
        let zoned = date.at(12, 0, 0, 0).to_zoned(TimeZone::UTC);
        Self::of(zoned.map_or(0, |zoned| zoned.timestamp().as_second()))
    }

    fn of(unix: i64) -> Self {
        let local = local(unix);
        Self {
            date: local.date(),
            unix,
            text: local.strftime("%Y-%m-%d %H:%M:%S").to_string().into(),
        }
    }

    pub(crate) fn unix(&self) -> i64 {
        self.unix
    }

    /// `HH:MM:SS`.
    pub(crate) fn time(&self) -> String {
        self.text.get(11..).unwrap_or_default().to_owned()
    }

    /// `YYYY-MM-DD HH:MM:SS.ffffff`, with the microseconds given: two changes in one second differ.
    pub(crate) fn stamp(&self, micros: u64) -> String {
        format!("{}.{:06}", self.text, micros % 1_000_000)
    }
}

fn local(seconds: i64) -> jiff::Zoned {
    let at = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    at.to_zoned(TimeZone::get(ZONE).unwrap_or(TimeZone::UTC))
}

/// The date before or after by days; the same date at the ends of the calendar.
pub(crate) fn plus_days(date: Date, days: i64) -> Date {
    let span = jiff::Span::new().try_days(days).unwrap_or_default();
    date.checked_add(span).unwrap_or(date)
}

/// A date in ISO form, as the database accepts it.
pub(crate) fn parse_date(text: &str) -> Option<Date> {
    let day = text.get(..10).unwrap_or(text);
    let rest_is_time = text.len() <= 10 || text.as_bytes().get(10) == Some(&b' ');
    (day.len() == 10 && rest_is_time)
        .then(|| day.parse().ok())
        .flatten()
}

/// Days from the first to the second date.
pub(crate) fn days_between(from: Date, to: Date) -> i64 {
    to.since(from).map_or(0, |span| i64::from(span.get_days()))
}
