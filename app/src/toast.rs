//! Toasts: short messages about errors and results, at the edge of the page.

use std::time::Duration;

use leptos::prelude::*;
use protocol::{ConversationId, ErrorBody};

/// Time in which a deletion can be undone; the server waits a little longer.
const UNDO_FOR: Duration = Duration::from_secs(10);
/// The most toasts on view; the newest win.
const MOST: usize = 4;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Toast {
    pub(crate) n: u64,
    pub(crate) content: ToastContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ToastContent {
    Error(ErrorBody),
    /// A conversation was deleted, which can be undone.
    Deleted {
        id: ConversationId,
        title: String,
        /// True if it was on the page, and should come back there.
        here: bool,
    },
}

/// The toasts of this tab.
#[derive(Clone, Copy)]
pub(crate) struct Toasts {
    pub(crate) shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
}

impl Toasts {
    pub(crate) fn new() -> Self {
        Self {
            shown: RwSignal::new(Vec::new()),
            next: StoredValue::new(0),
        }
    }

    pub(crate) fn error(self, error: ErrorBody) {
        self.add(ToastContent::Error(error));
    }

    pub(crate) fn deleted(self, id: ConversationId, title: String, here: bool) {
        let n = self.add(ToastContent::Deleted { id, title, here });
        set_timeout(move || self.dismiss(n), UNDO_FOR);
    }

    pub(crate) fn dismiss(self, n: u64) {
        self.shown
            .try_update(|shown| shown.retain(|toast| toast.n != n));
    }

    fn add(self, content: ToastContent) -> u64 {
        let n = self.next.get_value();
        self.next.set_value(n + 1);
        self.shown.try_update(|shown| {
            shown.retain(|toast| toast.content != content);
            shown.push(Toast { n, content });
            let over = shown.len().saturating_sub(MOST);
            shown.drain(..over);
        });
        n
    }
}
