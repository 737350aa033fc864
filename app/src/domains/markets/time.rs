//! Instants as records write them: RFC 3339 in UTC, whole seconds.

/// Returns the days from 1970-01-01 to a date.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March: the leap day is then the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Parses `2017-03-10T13:00:00Z` to seconds since 1970; fractions of a second are dropped.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let part = text.get(from..to)?;
        part.bytes()
            .all(|sign| sign.is_ascii_digit())
            .then_some(())?;
        part.parse().ok()
    };
    let signs = text.as_bytes();
    let shape = signs.get(4) == Some(&b'-')
        && signs.get(7) == Some(&b'-')
        && signs.get(10) == Some(&b'T')
        && text.ends_with('Z');
    let (month, day) = (number(5, 7)?, number(8, 10)?);
    if !shape || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let day = days(number(0, 4)?, month, day);
    Some(day * 86_400 + number(11, 13)? * 3_600 + number(14, 16)? * 60 + number(17, 19)?)
}

/// Formats seconds since 1970 as `2017-03-10T13:00:00Z`.
pub(super) fn rfc3339(at: i64) -> String {
    let days = at.div_euclid(86_400) + 719_468;
    let second = at.rem_euclid(86_400);
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Formats a time for people: `2017-03-10 13:00 UTC`.
pub(super) fn shown(text: &str) -> String {
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_go_there_and_back() {
        for (text, at) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2016-02-29T23:59:59Z", 1_456_790_399),
            ("2017-03-10T13:30:00Z", 1_489_152_600),
            ("2017-12-31T00:00:00Z", 1_514_678_400),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
        ] {
            assert_eq!(seconds(text), Some(at), "{text}");
            assert_eq!(rfc3339(at), text);
        }
        assert_eq!(seconds("2017-03-10T13:30:00.250Z"), Some(1_489_152_600));
        for bad in [
            "",
            "2017-03-10",
            "2017-13-10T13:30:00Z",
            "2017-03-10T13:30:00+01:00",
        ] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
        assert_eq!(shown("2017-03-10T13:30:00Z"), "2017-03-10 13:30 UTC");
    }
}
