//! A span of time that the words name, such as "in the last day".

use crate::{clock, planner::view::View, texts::findings};

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
        Self::until_now(words, hours, view)
    }

    /// The last day.
    pub(super) fn day(view: &View<'_>) -> Option<Self> {
        Self::until_now("day", 24, view)
    }

    fn until_now(words: &str, hours: u64, view: &View<'_>) -> Option<Self> {
        let mut data = view.context.iter().rev();
        let now = data.find_map(|data| clock::seconds(data["utc"].as_str()?))?;
        let cutoff = now.checked_sub(hours * 3_600)?;
        Some(Self {
            words: findings::in_the_last(words),
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
        ("nightly", "day", 24),
        ("overnight", "day", 24),
        ("yesterday", "two days", 48),
        ("week", "week", 7 * 24),
        ("month", "month", 30 * 24),
    ];
    said.iter().find_map(|word| {
        let span = SPANS.iter().find(|(sign, ..)| sign == word)?;
        Some((span.1, span.2))
    })
}
