//! The outage of the database while turns run: known in memory, because it cannot be written down
//! as long as it lasts.
//!
//! Every tab is told, a notice is raised, and the server is not ready. When the last retried write
//! has got through, all of that is undone and the notice is put on record.

use std::sync::{Arc, Mutex};

use protocol::{Acknowledged, ErrorBody, Notice, NoticeId};

use crate::{
    error,
    ports::{JournalError, NoticeChange},
    shared::EngineShared,
    sync::lock,
};

/// The system of the notice: our own.
const SYSTEM: &str = "jarvis";

#[derive(Default)]
pub(crate) struct StorageOutage(Mutex<OutageState>);

#[derive(Default)]
struct OutageState {
    /// Writes that are being retried.
    waiting: usize,
    open: Option<OpenOutage>,
}

#[derive(Clone)]
struct OpenOutage {
    error: ErrorBody,
    notice: Notice,
}

/// A write that is being retried. Dropped when it is done or given up.
pub(crate) struct WaitingWrite(Arc<EngineShared>);

impl Drop for WaitingWrite {
    fn drop(&mut self) {
        self.0.writes_again();
    }
}

impl StorageOutage {
    /// The error for people, while it lasts.
    pub(crate) fn error(&self) -> Option<ErrorBody> {
        lock(&self.0).open.as_ref().map(|open| open.error.clone())
    }

    /// Its notice, while it lasts.
    pub(crate) fn notice(&self) -> Option<Notice> {
        lock(&self.0).open.as_ref().map(|open| open.notice.clone())
    }

    /// Acknowledges the notice for a person. Returns true if there is such a notice.
    pub(crate) fn acknowledge(&self, id: NoticeId, by: Acknowledged) -> bool {
        let mut state = lock(&self.0);
        let open = state.open.as_mut().filter(|open| open.notice.id == id);
        let Some(open) = open else { return false };
        // The first one stays.
        open.notice.acknowledged.get_or_insert(by);
        true
    }
}

impl EngineShared {
    /// Notes a write that has failed more than once and is retried until the value is dropped.
    pub(crate) fn cannot_write(self: &Arc<Self>, why: &JournalError) -> WaitingWrite {
        let waiting = WaitingWrite(Arc::clone(self));
        let now = self.env.now();
        let error = error::not_writable(why);
        // Counted and opened under one lock: an outage begins with the first waiting write and ends
        // with the last, however many conversations meet it.
        let opened = {
            let mut state = lock(&self.outage.0);
            state.waiting += 1;
            state.open.is_none().then(|| {
                let notice = Notice {
                    id: NoticeId::new(now, self.env.random()),
                    system: SYSTEM.to_owned(),
                    key: "jarvis/storage".to_owned(),
                    kind: "storage_failed".to_owned(),
                    grave: true,
                    about: "the server's database".to_owned(),
                    text: error.message.clone(),
                    since: now,
                    seen: now,
                    acknowledged: None,
                    ended: None,
                };
                let error = error.clone();
                state.open = Some(OpenOutage {
                    error,
                    notice: notice.clone(),
                });
                notice
            })
        };
        if let Some(notice) = opened {
            tracing::error!(%why, "the database cannot be written; running turns wait");
            self.lists.storage(Some(error));
            self.tell(&[NoticeChange::Raised(notice)]);
            self.show_notices();
        }
        waiting
    }

    /// Notes that one write less waits; the last one ends the outage.
    fn writes_again(self: &Arc<Self>) {
        let ended = {
            let mut state = lock(&self.outage.0);
            state.waiting = state.waiting.saturating_sub(1);
            match state.waiting {
                // A server that stops has not got through.
                0 if !self.closing.is_cancelled() => state.open.take(),
                _ => None,
            }
        };
        let Some(OpenOutage { notice, .. }) = ended else {
            return;
        };
        tracing::info!("the database can be written again");
        self.lists.storage(None);
        self.tell(&[]);
        self.show_notices();
        let shared = Arc::clone(self);
        self.tasks.spawn(async move {
            let now = shared.env.now();
            let ended = Notice {
                seen: now,
                ended: Some(now),
                ..notice.clone()
            };
            let changes = [NoticeChange::Raised(notice), NoticeChange::Ended(ended)];
            if let Err(error) = shared.journal.change_notices(&changes, now).await {
                tracing::error!(%error, "the notice of the outage cannot be put on record");
            }
        });
    }
}
