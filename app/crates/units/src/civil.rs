//! Days and moments in UTC, of the Gregorian calendar, and their form in RFC 3339.
//!
//! Howard Hinnant's algorithms (<https://howardhinnant.github.io/date_algorithms.html>): years that
//! begin in March end with the leap day. A library for dates would be a good part of the module.

/// Returns year, month and day of a number of days since 1970-01-01.
pub fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Returns the number of days from 1970-01-01 to a date.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}

/// Formats seconds since 1970 as `2017-03-10T13:00:00Z`.
pub fn rfc3339(seconds: i64) -> String {
    let (year, month, day) = date(seconds.div_euclid(86_400));
    let second = seconds.rem_euclid(86_400);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

/// Parses `2017-03-10T13:00:00Z` to seconds since 1970. A fraction of a second is dropped, and so
/// is what follows the `Z`.
pub fn seconds(text: &str) -> Option<i64> {
    let (moment, _) = text.split_once('Z')?;
    let number = |from: usize, to: usize| -> Option<i64> {
        let part = moment.get(from..to)?;
        let digits = part.bytes().all(|sign| sign.is_ascii_digit());
        digits.then(|| part.parse().ok()).flatten()
    };
    let signs = moment.as_bytes();
    let has_shape =
        signs.get(4) == Some(&b'-') && signs.get(7) == Some(&b'-') && signs.get(10) == Some(&b'T');
    let (month, day) = (number(5, 7)?, number(8, 10)?);
    if !has_shape || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let days = days(number(0, 4)?, month, day);
    Some(days * 86_400 + number(11, 13)? * 3_600 + number(14, 16)? * 60 + number(17, 19)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_go_there_and_back() {
        for (text, at) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400),
            ("2016-02-29T23:59:59Z", 1_456_790_399),
            ("2017-12-31T00:00:00Z", 1_514_678_400),
            ("2026-11-07T09:30:00Z", 1_794_043_800),
        ] {
            assert_eq!(seconds(text), Some(at), "{text}");
            assert_eq!(rfc3339(at), text);
        }
        for day in (-800_000..800_000).step_by(97) {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), day);
        }
        assert_eq!(seconds("2026-11-07T09:30:00.5Z (Sat)"), Some(1_794_043_800));
        for text in [
            "",
            "yesterday",
            "2017-13-10T13:00:00Z",
            "2017-03-10 13:00:00Z",
            "2017-03-10T13:00:00",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
