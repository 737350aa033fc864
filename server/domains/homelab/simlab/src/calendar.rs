//! Dates from Unix seconds, in Proxmox VE's formats for backup names and logs (UTC here).

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

pub(crate) const MINUTE: i64 = 60;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

fn date(unix: i64) -> DateTime {
    let at = Timestamp::from_second(unix).unwrap_or_default();
    TimeZone::UTC.to_datetime(at)
}

/// The day of the month.
pub(crate) fn day(unix: i64) -> i64 {
    date(unix).day().into()
}

/// The time in the name of a snapshot on Proxmox Backup Server: `2026-11-21T02:00:05Z`.
pub(crate) fn iso(unix: i64) -> String {
    date(unix).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The time in the name of a vzdump archive: `2026_11_21-02_00_05`.
pub(crate) fn underscored(unix: i64) -> String {
    date(unix).strftime("%Y_%m_%d-%H_%M_%S").to_string()
}

/// The time in task logs: `2026-11-21 02:00:05`.
pub(crate) fn spaced(unix: i64) -> String {
    date(unix).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The time in the journal: `Nov 21 02:00:05`.
pub(crate) fn syslog(unix: i64) -> String {
    date(unix).strftime("%b %d %H:%M:%S").to_string()
}

/// The time in the C library's format: `Sat Nov 21 02:00:05 2026`.
pub(crate) fn ctime(unix: i64) -> String {
    date(unix).strftime("%a %b %e %H:%M:%S %Y").to_string()
}

/// A duration in task logs: `01:02:03`.
pub(crate) fn duration(seconds: i64) -> String {
    format!(
        "{:02}:{:02}:{:02}",
        seconds / HOUR,
        seconds % HOUR / MINUTE,
        seconds % MINUTE
    )
}

/// The weekday of a time: 0 is Sunday.
pub(crate) fn weekday(unix: i64) -> i64 {
    date(unix).weekday().to_sunday_zero_offset().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (unix, expect) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_795_226_523, "2026-11-21T02:02:03Z"),
        ] {
            assert_eq!(iso(unix), expect);
        }
        assert_eq!(ctime(1_795_226_523), "Sat Nov 21 02:02:03 2026");
        assert_eq!(syslog(951_782_400), "Feb 29 00:00:00");
        assert_eq!(underscored(1_795_226_523), "2026_11_21-02_02_03");
        assert_eq!(weekday(0), 4);
        assert_eq!(weekday(1_795_226_523), 6);
        assert_eq!(duration(3_723), "01:02:03");
    }
}
