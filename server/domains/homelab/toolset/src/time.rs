//! Times in RFC 3339 and durations in words.

pub(crate) use units::civil::rfc3339;

/// Formats how long something took: `4 s`, `3 min`, `1 h 5 min`.
pub(crate) fn span(seconds: i64) -> String {
    units::span(u64::try_from(seconds).unwrap_or_default())
}

/// Formats a duration for people, such as `12 d` or `3 h`.
pub(crate) fn rough(seconds: i64) -> String {
    match seconds.max(0) {
        s if s >= 2 * 86_400 => format!("{} d", s / 86_400),
        s if s >= 2 * 3_600 => format!("{} h", s / 3_600),
        s if s >= 120 => format!("{} min", s / 60),
        s => format!("{s} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_lengths() {
        for (seconds, expect) in [
            (-5, "0 s"),
            (119, "119 s"),
            (7_199, "119 min"),
            (7_200, "2 h"),
            (172_800, "2 d"),
        ] {
            assert_eq!(rough(seconds), expect);
        }
    }
}
