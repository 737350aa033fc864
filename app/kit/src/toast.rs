//! Toasts: short messages about errors and results, at the edge of the page.

use std::time::Duration;

use leptos::prelude::*;
use protocol::{ConversationId, ErrorBody};

/// Time in which a deletion can be undone; the server waits a little longer.
const UNDO_FOR: Duration = Duration::from_secs(10);
/// The most errors on view; the newest win.
const MOST: usize = 2;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// Counts up within the tab.
    pub n: u64,
    pub content: ToastContent,
}

/// The subject of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToastContent {
    /// Something failed.
    Error(ErrorBody),
    /// A conversation was deleted, which can be undone.
    Deleted {
        id: ConversationId,
        title: String,
        /// True if it was on the page, and should come back there.
        here: bool,
    },
}

impl ToastContent {
    /// Returns whether a newer message takes the place of this one.
    fn gives_way_to(&self, newer: &Self) -> bool {
        match (self, newer) {
            (Self::Error(old), Self::Error(new)) => old.code == new.code,
            (Self::Deleted { id: old, .. }, Self::Deleted { id: new, .. }) => old == new,
            _ => false,
        }
    }
}

/// The toasts of this tab.
#[derive(Clone, Copy)]
pub struct Toasts {
    /// Those on view, the newest last.
    pub shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
}

impl Default for Toasts {
    fn default() -> Self {
        Self {
            shown: RwSignal::new(Vec::new()),
            next: StoredValue::new(0),
        }
    }
}

impl Toasts {
    /// Shows an error until it is dismissed, or a newer one takes its place: nobody knows how long
    /// somebody needs to read it.
    pub fn error(self, error: ErrorBody) {
        self.add(ToastContent::Error(error));
    }

    /// Offers to undo a deletion, for as long as that is possible.
    pub fn deleted(self, id: ConversationId, title: String, here: bool) {
        let n = self.add(ToastContent::Deleted { id, title, here });
        set_timeout(move || self.dismiss(n), UNDO_FOR);
    }

    /// Removes the toast with a number, if it is on view.
    pub fn dismiss(self, n: u64) {
        self.shown
            .try_update(|shown| shown.retain(|toast| toast.n != n));
    }

    fn add(self, content: ToastContent) -> u64 {
        let n = self.next.get_value();
        self.next.set_value(n + 1);
        self.shown.try_update(|shown| {
            shown.retain(|toast| !toast.content.gives_way_to(&content));
            shown.push(Toast { n, content });
            // A deletion can be undone for as long as was said, whatever fails meanwhile.
            let is_error = |toast: &Toast| matches!(toast.content, ToastContent::Error(_));
            let errors = shown.iter().filter(|toast| is_error(toast)).count();
            if errors > MOST
                && let Some(oldest) = shown.iter().position(is_error)
            {
                shown.remove(oldest);
            }
        });
        n
    }
}
