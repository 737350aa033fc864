//! Drafts: unsent text, kept in the tab across a reload.

use kit::browser;
use leptos::prelude::*;
use protocol::{Reference, from_json_text};

/// The place of the next conversation.
pub(crate) const NEXT: &str = "new";

/// Returns the draft for `place`: a conversation, or the next one.
pub(crate) fn recall(place: &str) -> Option<String> {
    browser::recall(&key(place))
}

/// Stores a draft; empty text removes it.
pub(crate) fn keep(place: &str, text: &str) {
    browser::remember(&key(place), text);
}

/// Returns the references of the draft for `place`. Without words they are its files only: a thing
/// that a person began to ask about, and left, goes with no other question.
pub(crate) fn recall_about(place: &str) -> Vec<Reference> {
    let kept = browser::recall(&key_of_about(place));
    let mut about: Vec<Reference> = kept
        .and_then(|kept| from_json_text(&kept))
        .unwrap_or_default();
    if recall(place).is_none() {
        about.retain(|it| it.file.is_some());
    }
    about
}

/// Stores the references of the draft for `place`.
pub(crate) fn keep_about(place: &str, about: &[Reference]) {
    let kept = match about {
        [] => String::new(),
        about => serde_json::to_string(about).unwrap_or_default(),
    };
    browser::remember(&key_of_about(place), &kept);
}

/// Leaves the next conversation for another one: of what it is about, its draft keeps a part.
pub(super) fn leave_next(about: RwSignal<Vec<Reference>>) {
    let kept = recall_about(NEXT);
    keep_about(NEXT, &kept);
    about.set(kept);
}

fn key_of_about(place: &str) -> String {
    format!("jarvis.about.{place}")
}

fn key(place: &str) -> String {
    format!("jarvis.draft.{place}")
}
