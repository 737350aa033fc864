//! Text that was typed and not sent, kept in the tab over a reload.

use crate::browser;

/// What was typed for `place`: a conversation, or the next one.
pub(super) fn recall(place: &str) -> Option<String> {
    browser::recall(&key(place))
}

/// Keeps what was typed; empty text forgets it.
pub(super) fn keep(place: &str, text: &str) {
    browser::remember(&key(place), text);
}

fn key(place: &str) -> String {
    format!("jarvis.draft.{place}")
}
