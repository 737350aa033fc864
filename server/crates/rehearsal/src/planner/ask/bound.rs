//! A bound of a quantity that the words name: "more than 30 days", "under 2 GiB", "over 80 %".

/// A bound, in the unit of the fields that it is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::planner) struct Bound {
    /// More than this, else less.
    pub(in crate::planner) is_over: bool,
    /// True if the number itself is within it: "at least", "no more than".
    pub(in crate::planner) is_inclusive: bool,
    pub(in crate::planner) number: f64,
    pub(in crate::planner) unit: BoundUnit,
}

/// The end of the names of the fields that a bound is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::planner) enum BoundUnit {
    Seconds,
    Bytes,
    Percent,
    Celsius,
}

const OVER: &[&str] = &[
    "more",
    "over",
    "above",
    "longer",
    "least",
    "exceeds",
    "exceeding",
    "older",
    "beyond",
];
const UNDER: &[&str] = &[
    "less", "under", "below", "fewer", "shorter", "younger", "most",
];
/// Before one of these they turn it round: "no more than".
const NEGATIONS: &[&str] = &["no", "not"];

const UNITS: &[(&str, f64, BoundUnit)] = &[
    ("second", 1.0, BoundUnit::Seconds),
    ("minute", 60.0, BoundUnit::Seconds),
    ("hour", 3_600.0, BoundUnit::Seconds),
    ("day", 86_400.0, BoundUnit::Seconds),
    ("week", 604_800.0, BoundUnit::Seconds),
    ("month", 2_592_000.0, BoundUnit::Seconds),
    ("year", 31_536_000.0, BoundUnit::Seconds),
    ("mib", 1_048_576.0, BoundUnit::Bytes),
    ("mb", 1_048_576.0, BoundUnit::Bytes),
    ("gib", 1_073_741_824.0, BoundUnit::Bytes),
    ("gb", 1_073_741_824.0, BoundUnit::Bytes),
    ("tib", 1_099_511_627_776.0, BoundUnit::Bytes),
    ("tb", 1_099_511_627_776.0, BoundUnit::Bytes),
    ("percent", 1.0, BoundUnit::Percent),
    ("degree", 1.0, BoundUnit::Celsius),
];

impl Bound {
    /// Reads it off the words.
    pub(super) fn read(question: &str, said: &[String]) -> Option<Self> {
        let bounds = said.iter().enumerate().filter_map(|(at, word)| {
            let number: f64 = word.parse().ok()?;
            let before = said.get(at.saturating_sub(3)..at)?;
            let is = |signs: &[&str]| before.iter().any(|word| signs.contains(&word.as_str()));
            let is_over = is(OVER);
            let is_turned = is(NEGATIONS);
            let is_inclusive = is_turned || is(&["least", "most"]);
            (is_over || is(UNDER)).then_some((at, number, is_over != is_turned, is_inclusive))
        });
        // Other numbers count things: "which of the 4 nodes".
        let (at, number, is_over, is_inclusive) = bounds.into_iter().next()?;
        if question.contains('%') {
            return Some(Self {
                is_over,
                is_inclusive,
                number,
                unit: BoundUnit::Percent,
            });
        }
        let unit = said.get(at + 1)?;
        let unit = unit.strip_suffix('s').unwrap_or(unit);
        let (_, factor, unit) = UNITS.iter().find(|(name, ..)| *name == unit)?;
        Some(Self {
            is_over,
            is_inclusive,
            number: number * factor,
            unit: *unit,
        })
    }

    /// True if a number is within it.
    pub(in crate::planner) fn holds(self, number: f64) -> bool {
        match (self.is_over, self.is_inclusive) {
            (true, false) => number > self.number,
            (true, true) => number >= self.number,
            (false, false) => number < self.number,
            (false, true) => number <= self.number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::words::words;

    #[test]
    fn bounds_are_read_with_their_units() {
        let read =
            |text: &str| Bound::read(text, &words(text)).map(|it| (it.is_over, it.number, it.unit));
        for (text, expect) in [
            (
                "up for more than 30 days",
                Some((true, 2_592_000.0, BoundUnit::Seconds)),
            ),
            (
                "using less than 2 GiB",
                Some((false, 2_147_483_648.0, BoundUnit::Bytes)),
            ),
            (
                "which are over 80 % full",
                Some((true, 80.0, BoundUnit::Percent)),
            ),
            (
                "no more than 30 days old",
                Some((false, 2_592_000.0, BoundUnit::Seconds)),
            ),
            (
                "which of the 4 nodes use at least 50 %",
                Some((true, 50.0, BoundUnit::Percent)),
            ),
            ("the last 30 days", None),
            ("restart 101", None),
        ] {
            assert_eq!(read(text), expect, "{text}");
        }
    }

    #[test]
    fn at_least_includes_the_number() {
        for (text, holds) in [
            ("at least 50 %", true),
            ("no more than 50 %", true),
            ("more than 50 %", false),
            ("under 50 %", false),
        ] {
            let bound = Bound::read(text, &words(text)).unwrap();
            assert_eq!(bound.holds(50.0), holds, "{text}");
        }
    }
}
