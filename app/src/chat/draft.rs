//! Text that was typed and not sent, kept in the tab over a reload.

use protocol::{Reference, from_json_text};

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

/// What the text for `place` is about.
pub(crate) fn recall_about(place: &str) -> Vec<Reference> {
    let kept = browser::recall(&key_of_about(place));
    kept.and_then(|kept| from_json_text(&kept))
        .unwrap_or_default()
}

/// Keeps what the text for `place` is about.
pub(crate) fn keep_about(place: &str, about: &[Reference]) {
    let kept = match about {
        [] => String::new(),
        about => serde_json::to_string(about).unwrap_or_default(),
    };
    browser::remember(&key_of_about(place), &kept);
}

fn key_of_about(place: &str) -> String {
    format!("jarvis.about.{place}")
}

fn key(place: &str) -> String {
    format!("jarvis.draft.{place}")
}
