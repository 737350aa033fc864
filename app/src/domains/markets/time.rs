//! Instants as records write them, for people, in the time zone of the chart.

pub(super) use units::civil::{rfc3339, seconds};

use super::{glue, texts};

/// A time zone: an IANA name, or empty for that of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChartClock(pub(super) &'static str);

impl ChartClock {
    pub(super) const UTC: Self = Self("UTC");
    pub(super) const BROWSER: Self = Self("");

    /// Minutes ahead of UTC at an instant. The server knows no zone but UTC, like the first tree.
    fn offset(self, unix: i64) -> i32 {
        if self == Self::UTC {
            0
        } else {
            glue::zone_offset(self.0, unix as f64)
        }
    }

    /// Names its offset at an instant: `UTC`, `UTC-5`, `UTC+5:30`.
    pub(super) fn name_at(self, unix: i64) -> String {
        name_of(self.offset(unix))
    }
}

fn name_of(minutes: i32) -> String {
    let (hours, rest) = (minutes / 60, minutes.abs() % 60);
    match (minutes, rest) {
        (0, _) => texts::axes::UTC.to_owned(),
        (_, 0) => format!("{}{hours:+}", texts::axes::UTC),
        _ => {
            let sign = if minutes < 0 { '-' } else { '+' };
            format!("{}{sign}{}:{rest:02}", texts::axes::UTC, hours.abs())
        }
    }
}

/// Formats a time for people: `2017-03-10 13:00 UTC`.
pub(super) fn shown(text: &str, clock: ChartClock) -> String {
    match seconds(text) {
        Some(unix) => with_offset(unix, clock.offset(unix)),
        None => text.to_owned(),
    }
}

fn with_offset(unix: i64, minutes: i32) -> String {
    let text = rfc3339(unix + i64::from(minutes) * 60);
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => texts::axes::moment(day, time, &name_of(minutes)),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_without_seconds() {
        let text = shown("2017-03-10T13:30:00Z", ChartClock::UTC);
        assert_eq!(text, "2017-03-10 13:30 UTC");
        assert_eq!(shown("soon", ChartClock::UTC), "soon");
    }

    #[test]
    fn times_have_the_name_of_their_offset() {
        let at = seconds("2017-03-10T02:30:00Z").unwrap();
        assert_eq!(with_offset(at, -300), "2017-03-09 21:30 UTC-5");
        assert_eq!(with_offset(at, 330), "2017-03-10 08:00 UTC+5:30");
        assert_eq!(with_offset(at, -210), "2017-03-09 23:00 UTC-3:30");
        assert_eq!(with_offset(at, -30), "2017-03-10 02:00 UTC-0:30");
    }
}
