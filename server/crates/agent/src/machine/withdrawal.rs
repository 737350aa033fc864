//! Words that take back what waits for a decision, such as "cancel that".

/// Openings that say nothing by themselves.
const BEFORE: [&str; 13] = [
    "ok", "okay", "no", "oh", "please", "wait", "actually", "sorry", "jarvis", "sir", "hm", "hmm",
    "then",
];

/// Whole messages that withdraw, after such openings.
const WITHDRAWALS: [&str; 22] = [
    "cancel",
    "cancel it",
    "cancel that",
    "cancel this",
    "never mind",
    "nevermind",
    "never mind that",
    "forget it",
    "forget that",
    "forget about it",
    "leave it",
    "leave it alone",
    "leave it be",
    "leave it running",
    "leave it as it is",
    "scrap that",
    "don't",
    "don't do it",
    "don't do that",
    "do not",
    "do not do it",
    "i changed my mind",
];

/// True if a message says nothing but that. Taking back is always safe, so few words suffice; a message with
/// more in it waits for its turn.
pub(super) fn is_one(text: &str) -> bool {
    let plain = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> = plain
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!' | ';'))
        .filter(|word| !word.is_empty())
        .collect();
    let opening = words
        .iter()
        .take_while(|word| BEFORE.contains(word))
        .count();
    let rest = words.get(opening..).unwrap_or_default();
    // "Cancel that, leave it running": each half would do.
    let whole = rest.join(" ");
    WITHDRAWALS.contains(&whole.as_str())
        || WITHDRAWALS.iter().any(|first| {
            let more = whole
                .strip_prefix(first)
                .and_then(|more| more.strip_prefix(' '));
            more.is_some_and(|more| WITHDRAWALS.contains(&more))
        })
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn only_plain_words_withdraw() {
        for text in [
            "cancel that",
            "Never mind.",
            "ok, cancel that, leave it running",
            "No, don’t!",
            "Wait, I changed my mind.",
        ] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "",
            "no",
            "ok",
            "cancel the backup job of tonight",
            "don't forget the other one",
            "never mind the warnings, go on",
            "leave it running until it is done and then stop it",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }
}
