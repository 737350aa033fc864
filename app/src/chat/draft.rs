//! Text that was typed and not sent, kept in the tab over a reload.

use crate::browser;

/// The place of the next conversation.
pub(crate) const NEXT: &str = "new";

/// What was typed for `place`: a conversation, or the next one.
pub(crate) fn recall(place: &str) -> Option<String> {
    browser::recall(&key(place))
}

/// Keeps what was typed; empty text forgets it.
pub(crate) fn keep(place: &str, text: &str) {
    browser::remember(&key(place), text);
}

fn key(place: &str) -> String {
    format!("jarvis.draft.{place}")
}
