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
pub(crate) struct Notice {
    pub(crate) n: u64,
    pub(crate) content: NoticeContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoticeContent {
    Done(String),
    Error(ErrorBody),
}

/// The messages of this tab.
#[derive(Clone, Copy)]
pub(crate) struct Notices {
    pub(crate) shown: RwSignal<Vec<Notice>>,
    next: StoredValue<u64>,
}

impl Notices {
    pub(crate) fn new() -> Self {
        Self {
            shown: RwSignal::new(Vec::new()),
            next: StoredValue::new(0),
        }
    }

    pub(crate) fn error(self, error: ErrorBody) {
        self.add(NoticeContent::Error(error));
    }

    pub(crate) fn done(self, text: impl Into<String>) {
        let n = self.add(NoticeContent::Done(text.into()));
        set_timeout(move || self.dismiss(n), SHOWN_FOR);
    }

    pub(crate) fn dismiss(self, n: u64) {
        self.shown
            .try_update(|shown| shown.retain(|notice| notice.n != n));
    }

    fn add(self, content: NoticeContent) -> u64 {
        let n = self.next.get_value();
        self.next.set_value(n + 1);
        self.shown.try_update(|shown| {
            shown.retain(|notice| notice.content != content);
            shown.push(Notice { n, content });
            let over = shown.len().saturating_sub(MOST);
            shown.drain(..over);
        });
        n
    }
}
