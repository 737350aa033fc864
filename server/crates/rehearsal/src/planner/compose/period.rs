//! A span of time that the words name, such as "in the last day".

use crate::{clock, planner::view::View};

/// A span of time up to now.
#[derive(Debug, PartialEq)]
pub(super) struct Period {
    /// ` in the last day`.
    pub(super) words: String,
    /// The moment when it began, as results write moments.
    pub(super) cutoff: String,
}

impl Period {
    /// Reads it off the words; nothing where nobody says what time it is.
    pub(super) fn read(said: &[String], view: &View<'_>) -> Option<Self> {
        let (words, hours) = named(said)?;
        let mut data = view.context.iter().rev();
        let now = data.find_map(|data| seconds(data["utc"].as_str()?))?;
        let cutoff = now.checked_sub(hours * 3_600)?;
        Some(Self {
            words: format!(" in the last {words}"),
            cutoff: clock::rfc3339(std::time::Duration::from_secs(cutoff)),
        })
    }
}

fn named(said: &[String]) -> Option<(&'static str, u64)> {
    const SPANS: &[(&str, &str, u64)] = &[
        ("hour", "hour", 1),
        ("day", "day", 24),
        ("today", "day", 24),
        ("24", "day", 24),
        ("night", "day", 24),
        ("week", "week", 7 * 24),
        ("month", "month", 30 * 24),
    ];
    said.iter().find_map(|word| {
        let span = SPANS.iter().find(|(sign, ..)| sign == word)?;
        Some((span.1, span.2))
    })
}

/// `2026-11-22T01:02:03Z` in seconds since 1970; what follows is not read.
fn seconds(text: &str) -> Option<u64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // Howard Hinnant's algorithm, with years that begin in March.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    u64::try_from(days * 86_400 + hour * 3_600 + minute * 60 + second).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
