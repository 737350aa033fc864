//! Dates and times as Frappe writes them: ISO days, and times of the site without a zone.

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};

/// A day as `2026-11-23`.
pub(crate) fn day(text: &str) -> Option<Date> {
    // The parser takes more forms than Frappe does.
    let digits = |range: std::ops::Range<usize>| {
        let part = text.as_bytes().get(range);
        part.is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let fits = text.len() == 10 && digits(0..4) && digits(5..7) && digits(8..10);
    fits.then(|| text.parse().ok()).flatten()
}

/// A time of the site as `2026-11-23 14:05:00`, with or without microseconds; or a day.
pub(crate) fn time(text: &str) -> Option<DateTime> {
    if let Some(day) = day(text) {
        return Some(day.to_datetime(jiff::civil::Time::midnight()));
    }
    let (first, rest) = text.split_once(' ')?;
    day(first)?;
    let plain = rest
        .bytes()
        .all(|b| b.is_ascii_digit() || b":.".contains(&b));
    (plain && rest.len() >= 8).then(|| format!("{first}T{rest}").parse().ok())?
}

/// A time of the site without a part of a second; any other text as it is.
pub(crate) fn to_the_second(text: &str) -> String {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    match time(text) {
        Some(_) => whole.to_owned(),
        None => text.to_owned(),
    }
}

/// A time of the site, which has no zone, in UTC as `2026-11-23T13:05:00Z`: pages show it in the reader's
/// zone, and whoever reads the text itself is not misled. Any other text as it is.
pub(crate) fn moment(text: &str, zone: &TimeZone) -> String {
    let zoned = time(text).and_then(|time| time.to_zoned(zone.clone()).ok());
    zoned.map_or_else(
        || text.to_owned(),
        |zoned| utc(zoned.timestamp().as_millisecond()),
    )
}

/// A time of the day as `14:05:00`.
pub(crate) fn is_clock(text: &str) -> bool {
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b":.".contains(&b));
    plain && text.len() >= 8 && text.parse::<jiff::civil::Time>().is_ok()
}

/// Milliseconds since 1970 as an instant.
pub(crate) fn instant(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or_default()
}

/// The day at a place.
pub(crate) fn today(milliseconds: i64, zone: &TimeZone) -> Date {
    instant(milliseconds).to_zoned(zone.clone()).date()
}

/// An instant as Frappe writes it at a place, to the second.
pub(crate) fn local(milliseconds: i64, zone: &TimeZone) -> String {
    let zoned = instant(milliseconds).to_zoned(zone.clone());
    zoned.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A day as sentences for people say it, `23 Nov 2026`; any other text as it is.
pub(crate) fn in_words(text: &str) -> String {
    match day(text) {
        Some(day) => day.strftime("%-d %b %Y").to_string(),
        None => text.to_owned(),
    }
}

/// An instant in UTC to the second, for `as_of`.
pub(crate) fn utc(milliseconds: i64) -> String {
    let seconds = milliseconds.div_euclid(1000);
    Timestamp::from_second(seconds)
        .unwrap_or_default()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_forms_that_frappe_reads_are_dates() {
        assert!(day("2026-11-23").is_some());
        for bad in [
            "23.11.2026",
            "2026-1-3",
            "2026-13-01",
            "20261123",
            "2026-02-30",
            "+026-11-23",
            "",
        ] {
            assert!(day(bad).is_none(), "{bad}");
        }
        for good in [
            "2026-11-23 14:05:00",
            "2026-11-23 14:05:00.123456",
            "2026-11-23",
        ] {
            assert!(time(good).is_some(), "{good}");
        }
        for bad in [
            "2026-11-23T14:05:00Z",
            "2026-11-23 14:05:00+01:00",
            "2026-11-23 25:00:00",
            "2026-11-23 14",
        ] {
            assert!(time(bad).is_none(), "{bad}");
        }
        assert_eq!(
            to_the_second("2026-11-23 14:05:00.123456"),
            "2026-11-23 14:05:00"
        );
        assert_eq!(to_the_second("v1.2"), "v1.2");
        assert_eq!(in_words("2026-11-03"), "3 Nov 2026");
        assert_eq!(in_words("2026-02-30"), "2026-02-30");
        assert!(is_clock("14:05:00") && !is_clock("14.05") && !is_clock("25:00:00"));
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        // Half past eleven in the evening of UTC is the next day in Berlin.
        assert_eq!(today(1_795_476_600_000, &zone).to_string(), "2026-11-24");
        assert_eq!(utc(1_795_476_600_999), "2026-11-23T23:30:00Z");
        for (text, expect) in [
            ("2026-11-23 14:05:00.123456", "2026-11-23T13:05:00Z"),
            ("2026-07-01 00:30:00", "2026-06-30T22:30:00Z"),
            ("yesterday", "yesterday"),
        ] {
            assert_eq!(moment(text, &zone), expect);
        }
    }
}
