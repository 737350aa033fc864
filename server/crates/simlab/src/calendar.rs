//! Dates from Unix seconds, in Proxmox VE's formats for backup names and logs (UTC here).

pub(crate) const MINUTE: i64 = 60;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

/// A time broken down into its parts, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
}

/// Converts Unix seconds to a date of the proleptic Gregorian calendar.
pub(crate) fn date(unix: i64) -> Date {
    let days = unix.div_euclid(DAY);
    let rest = unix.rem_euclid(DAY);
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    Date {
        year: year_of_era + era * 400 + i64::from(month <= 2),
        month,
        day: of_year - (153 * shifted_month + 2) / 5 + 1,
        hour: rest / HOUR,
        minute: rest % HOUR / MINUTE,
        second: rest % MINUTE,
    }
}

/// The time in the name of a snapshot on Proxmox Backup Server: `2026-11-21T02:00:05Z`.
pub(crate) fn iso(unix: i64) -> String {
    let Date {
        year,
        month,
        day,
        hour,
        minute,
        second,
    } = date(unix);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The time in the name of a vzdump archive: `2026_11_21-02_00_05`.
pub(crate) fn underscored(unix: i64) -> String {
    let Date {
        year,
        month,
        day,
        hour,
        minute,
        second,
    } = date(unix);
    format!("{year:04}_{month:02}_{day:02}-{hour:02}_{minute:02}_{second:02}")
}

/// The time in task logs: `2026-11-21 02:00:05`.
pub(crate) fn spaced(unix: i64) -> String {
    let Date {
        year,
        month,
        day,
        hour,
        minute,
        second,
    } = date(unix);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

fn named(names: &[&'static str], at: i64) -> &'static str {
    usize::try_from(at)
        .ok()
        .and_then(|at| names.get(at))
        .copied()
        .unwrap_or("")
}

/// The time in the journal: `Nov 21 02:00:05`.
pub(crate) fn syslog(unix: i64) -> String {
    let at = date(unix);
    format!(
        "{} {:02} {:02}:{:02}:{:02}",
        named(&MONTHS, at.month - 1),
        at.day,
        at.hour,
        at.minute,
        at.second
    )
}

/// The time in the C library's format: `Sat Nov 21 02:00:05 2026`.
pub(crate) fn ctime(unix: i64) -> String {
    let at = date(unix);
    format!(
        "{} {} {:>2} {:02}:{:02}:{:02} {}",
        named(&DAYS, weekday(unix)),
        named(&MONTHS, at.month - 1),
        at.day,
        at.hour,
        at.minute,
        at.second,
        at.year
    )
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
    (unix.div_euclid(DAY) + 4).rem_euclid(7)
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
