//! The choice of a phrase.

use crate::texts::manner;

/// One of some phrases; the same words get the same one.
pub(super) fn pick(question: &str, phrases: &[&'static str]) -> &'static str {
    let sum: usize = question.bytes().map(usize::from).sum();
    phrases
        .get(sum % phrases.len().max(1))
        .copied()
        .unwrap_or_default()
}

/// The last sentence, where there is something to say: that all is well no result says.
pub(super) fn closing(question: &str, troubles: usize, unknown: bool) -> Option<&'static str> {
    let phrases = match (troubles, unknown) {
        (0, false) => return None,
        (0, true) => manner::UNKNOWN,
        _ => manner::TROUBLED,
    };
    Some(pick(question, phrases))
}
