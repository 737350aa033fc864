//! Short messages about what went wrong or was done, shown at the edge of the page.

use std::time::Duration;

use leptos::prelude::*;
use protocol::ErrorBody;

/// A message is taken away after this time, unless it is an error.
const SHOWN_FOR: Duration = Duration::from_secs(8);
/// The newest so many are shown.
const MOST: usize = 4;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Toast {
    pub(crate) n: u64,
    pub(crate) content: ToastContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ToastContent {
    Done(String),
    Error(ErrorBody),
}

/// The messages of this tab.
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

    pub(crate) fn done(self, text: impl Into<String>) {
        let n = self.add(ToastContent::Done(text.into()));
        set_timeout(move || self.dismiss(n), SHOWN_FOR);
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
