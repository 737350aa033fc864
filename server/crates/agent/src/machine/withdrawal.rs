//! Messages that withdraw the pending request, such as "cancel that".

/// Words around a withdrawal that say nothing by themselves.
const FILLERS: [&str; 16] = [
    "ok", "okay", "no", "oh", "please", "wait", "actually", "sorry", "jarvis", "sir", "hm", "hmm",
    "then", "thanks", "thank", "you",
];

/// Clauses that withdraw, without such words around them.
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

/// True if every clause of a message withdraws or says nothing. Withdrawing is always safe, so this needs
/// no model; a message with anything else in it waits for its turn. Clauses count one by one: "don't,
/// cancel it" withdraws, and "don't cancel it" asks for the opposite.
pub(super) fn is_withdrawal(text: &str) -> bool {
    let plain = text.to_lowercase().replace('’', "'");
    let clauses = plain.split([',', '.', '!', ';']).map(clause);
    let said: Vec<String> = clauses.filter(|clause| !clause.is_empty()).collect();
    !said.is_empty()
        && said
            .iter()
            .all(|clause| WITHDRAWALS.contains(&clause.as_str()))
}

/// The words of a clause without the fillers at both ends.
fn clause(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_filler = |word: &&&str| FILLERS.contains(*word);
    let before = words.iter().take_while(is_filler).count();
    let rest = words.get(before..).unwrap_or_default();
    let after = rest.iter().rev().take_while(is_filler).count();
    rest.get(..rest.len() - after).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::is_withdrawal;

    #[test]
    fn only_plain_words_withdraw() {
        for text in [
            "cancel that",
            "Never mind.",
            "never mind, thanks",
            "ok, cancel that, leave it running",
            "Cancel that please!",
            "cancel it, sir",
            "No, don’t!",
            "Don't, cancel it.",
            "Wait, I changed my mind.",
        ] {
            assert!(is_withdrawal(text), "{text}");
        }
        for text in [
            "",
            "no",
            "ok",
            "thank you",
            "don't cancel it",
            "do not cancel",
            "no, don't cancel that",
            "Don’t leave it running!",
            "don't forget it",
            "cancel that? no",
            "cancel the backup job of tonight",
            "don't forget the other one",
            "never mind the warnings, go on",
            "never mind, go on",
            "leave it running until it is done and then stop it",
        ] {
            assert!(!is_withdrawal(text), "{text}");
        }
    }
}
