//! Instants as records write them, for people.

pub(super) use units::civil::{rfc3339, seconds};

use super::texts;

/// Formats a time for people: `2017-03-10 13:00 UTC`.
pub(super) fn shown(text: &str) -> String {
    match (text.get(..10), text.get(11..16)) {
        (Some(day), Some(time)) => texts::utc(day, time),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_without_seconds() {
        assert_eq!(shown("2017-03-10T13:30:00Z"), "2017-03-10 13:30 UTC");
    }
}
