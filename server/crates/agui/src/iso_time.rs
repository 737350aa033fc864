//! Times as ISO 8601 in UTC.

use protocol::Timestamp;

/// Writes a time such as `2026-11-28T05:53:11.000Z`.
pub(crate) fn iso_time(at: Timestamp) -> String {
    let whole = units::civil::rfc3339(at.0.div_euclid(1000));
    let ms = at.0.rem_euclid(1000);
    format!("{}.{ms:03}Z", whole.trim_end_matches('Z'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (at, expect) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(iso_time(Timestamp(at)), expect);
        }
    }
}
