//! Words for spans of time.

use super::words::singular;

/// Spans of time, each with the words for it.
const SPANS: &[(&str, &[&str])] = &[
    (
        "day",
        &[
            "day",
            "today",
            "24",
            "24h",
            "night",
            "nightly",
            "yesterday",
            "tonight",
            "overnight",
        ],
    ),
    ("hour", &["hour", "60"]),
    ("week", &["week", "7d"]),
    ("month", &["month", "30d"]),
    ("year", &["year"]),
];

/// The span that the words name.
pub(super) fn span(said: &[String]) -> Option<&'static str> {
    SPANS.iter().find_map(|(span, signs)| {
        said.iter()
            .any(|word| signs.contains(&singular(word).as_str()) || signs.contains(&word.as_str()))
            .then_some(*span)
    })
}

/// True if a word is one of a span of time.
pub fn is_span(word: &str) -> bool {
    let singular = singular(word);
    SPANS
        .iter()
        .any(|(_, signs)| signs.contains(&singular.as_str()) || signs.contains(&word))
}
