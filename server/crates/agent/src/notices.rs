//! Notices: the boards are watched for conditions that a person should know of.
//!
//! Each guarded board has a desk. It surveys every picture, writes changes of notices to the
//! journal, and shows only what is there.

mod book;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use protocol::{
    Acknowledged, CommandId, ErrorBody, Notice, NoticeCount, NoticeId, RaisedNotice, Timestamp,
};

use tokio::time::Instant;

use crate::{
    error,
    hub::LiveBoards,
    ports::{JournalError, NoticeChange, Person, Picture},
    shared::EngineShared,
    sync::lock,
};
use book::NoticeBook;

/// Pause before the first survey, which would be one more load on the start.
const FIRST_LOOK: Duration = Duration::from_secs(5);
/// Time for which resolved notices are shown, in milliseconds…
const SHOWN_AFTER: i64 = 24 * 60 * 60 * 1000;
/// …and the most that are.
const SHOWN_ENDED: usize = 20;

/// All desks.
#[derive(Default)]
pub(crate) struct Notices(Mutex<Vec<Arc<NoticeKeeper>>>);

/// The writer and display of one system's notices.
struct NoticeKeeper {
    live: Arc<LiveBoards>,
    /// Locked over a write, so that writes are in order.
    state: tokio::sync::Mutex<NoticeState>,
    /// The numbers, for those who cannot wait for a write.
    count: Mutex<NoticeCount>,
}

struct NoticeState {
    book: NoticeBook,
    /// Not written yet, such as while the disk is full.
    unsaved: Vec<NoticeChange>,
    /// Notices as the journal has them.
    shown: BTreeMap<NoticeId, Notice>,
}

impl EngineShared {
    /// Guards the boards that want it, starting from the notices in the journal.
    pub(crate) async fn guard(self: &Arc<Self>) -> Result<(), JournalError> {
        for live in self.boards.guarded() {
            let since = Timestamp(self.env.now().0 - SHOWN_AFTER);
            let notices = self.journal.notices(live.name(), since).await?;
            let open = notices.iter().filter(|notice| notice.ended.is_none());
            let desk = NoticeKeeper {
                state: tokio::sync::Mutex::new(NoticeState {
                    book: NoticeBook::new(
                        live.name(),
                        self.live().config.notices,
                        open.cloned().collect(),
                    ),
                    unsaved: Vec::new(),
                    shown: notices
                        .into_iter()
                        .map(|notice| (notice.id, notice))
                        .collect(),
                }),
                live,
                count: Mutex::default(),
            };
            // Shown before anything is surveyed: after a restart the open notices are there at
            // once.
            desk.show(&*desk.state.lock().await, self.outage.notice());
            let desk = Arc::new(desk);
            lock(&self.notices.0).push(Arc::clone(&desk));
            let shared = Arc::clone(self);
            self.tasks.spawn(async move {
                let closing = shared.closing.clone();
                tokio::select! {
                    biased;
                    () = closing.cancelled() => {}
                    () = shared.keep(&desk) => {}
                }
            });
        }
        Ok(())
    }

    /// The number of open notices that nobody has acknowledged.
    pub(crate) fn notice_count(&self) -> NoticeCount {
        let mut all = NoticeCount::default();
        for desk in &*lock(&self.notices.0) {
            let count = lock(&desk.count);
            all.open += count.open;
            all.grave += count.grave;
        }
        if self.outage.notice().is_some_and(|notice| notice.is_loud()) {
            all.open += 1;
            all.grave += 1;
        }
        all
    }

    /// Surveys every picture of a board.
    async fn keep(&self, desk: &NoticeKeeper) {
        tokio::time::sleep(FIRST_LOOK).await;
        let mut pictures = desk.live.pictures();
        self.boards.guard(&desk.live);
        loop {
            let picture = pictures.borrow_and_update().clone();
            if let Some(picture) = picture {
                self.look(desk, &picture).await;
            }
            if pictures.changed().await.is_err() {
                return;
            }
        }
    }

    async fn look(&self, desk: &NoticeKeeper, picture: &Picture) {
        let now = self.env.now();
        let mut state = desk.state.lock().await;
        let clock = Instant::now();
        let survey = desk.live.board().survey(picture, &state.book.keys(), now);
        let micros = clock.elapsed().as_micros();
        tracing::debug!(target: "agent::board", micros, "surveyed");
        let new_id = || NoticeId::new(now, self.env.random());
        let changes = state.book.look(survey, now, new_id);
        state.unsaved.extend(changes);
        let forgotten = state.forget(now);
        if state.unsaved.is_empty() {
            if forgotten {
                desk.show(&state, self.outage.notice());
            }
            return;
        }
        // A fact is written before anybody sees it.
        if let Err(error) = self.journal.change_notices(&state.unsaved, now).await {
            tracing::error!(%error, board = desk.live.name(), "notices cannot be written");
            return;
        }
        let changes = std::mem::take(&mut state.unsaved);
        for change in &changes {
            let mut notice = change.notice().clone();
            // Somebody may have acknowledged it while it could not be written.
            if let Some(before) = state.shown.get(&notice.id) {
                notice.acknowledged.clone_from(&before.acknowledged);
            }
            state.shown.insert(notice.id, notice);
        }
        desk.show(&state, self.outage.notice());
        self.tell(&changes);
    }

    /// Tells the tabs how many there are, and what is new.
    pub(crate) fn tell(&self, changes: &[NoticeChange]) {
        let raised = changes.iter().filter_map(|change| match change {
            NoticeChange::Raised(notice) => Some(notice),
            NoticeChange::Changed(_) | NoticeChange::Ended(_) => None,
        });
        let raised = raised.max_by_key(|notice| notice.grave);
        let raised = raised.map(|notice| RaisedNotice {
            grave: notice.grave,
            text: notice.text.clone(),
        });
        self.lists.notices(self.notice_count(), raised);
    }

    /// Shows all notices anew, in the background.
    pub(crate) fn show_notices(self: &Arc<Self>) {
        let shared = Arc::clone(self);
        self.tasks.spawn(async move {
            let desks: Vec<Arc<NoticeKeeper>> = lock(&shared.notices.0).clone();
            for desk in desks {
                let state = desk.state.lock().await;
                desk.show(&state, shared.outage.notice());
            }
        });
    }

    /// Acknowledges a notice for a person.
    pub(crate) async fn acknowledge(
        self: &Arc<Self>,
        id: NoticeId,
        person: &Person,
        command: CommandId,
    ) -> Result<(), ErrorBody> {
        let known = Acknowledged {
            by: person.name.clone(),
            at: self.env.now(),
        };
        // The notice of a storage outage is in memory alone, so it needs no write.
        if self.outage.acknowledge(id, known) {
            self.tell(&[]);
            self.show_notices();
            return Ok(());
        }
        let desks: Vec<Arc<NoticeKeeper>> = lock(&self.notices.0).clone();
        for desk in desks {
            let mut state = desk.state.lock().await;
            let Some(notice) = state.shown.get(&id).filter(|it| it.ended.is_none()) else {
                continue;
            };
            // The first acknowledgement stays.
            if notice.acknowledged.is_some() {
                return Ok(());
            }
            let at = self.env.now();
            let journal = &self.journal;
            // Written before it is shown, under the lock that orders all writes of this board. A
            // repeat of the command changes nothing.
            match journal.acknowledge_notice(id, person, at, command).await {
                Ok(()) => {}
                Err(JournalError::Duplicate) => return Ok(()),
                Err(JournalError::NotFound) => break,
                Err(error) => return Err(error::of_journal(&error)),
            }
            let notice = Notice {
                acknowledged: Some(Acknowledged {
                    by: person.name.clone(),
                    at,
                }),
                ..notice.clone()
            };
            state.book.acknowledge(&notice);
            state.shown.insert(id, notice);
            desk.show(&state, self.outage.notice());
            drop(state);
            self.tell(&[]);
            return Ok(());
        }
        Err(error::notice_not_found())
    }
}

impl NoticeKeeper {
    /// Puts the notices of the journal on the board, and the one that cannot be written there.
    fn show(&self, state: &NoticeState, outage: Option<Notice>) {
        let mut count = NoticeCount::default();
        let mut parts = Picture::new();
        for notice in state.shown.values() {
            if notice.is_loud() {
                count.open += 1;
                count.grave += u32::from(notice.grave);
            }
        }
        for notice in state.shown.values().chain(&outage) {
            match serde_json::to_value(notice) {
                Ok(part) => {
                    parts.insert(format!("notice/{}", notice.id), part);
                }
                // Only maps with keys that are no strings fail here, and it has none.
                Err(error) => tracing::error!(%error, "a notice cannot be written"),
            }
        }
        *lock(&self.count) = count;
        self.live.post(parts);
    }
}

impl NoticeState {
    /// Drops notices that were resolved long ago. Returns true if there were any.
    fn forget(&mut self, now: Timestamp) -> bool {
        let before = self.shown.len();
        let mut ended: Vec<(Timestamp, NoticeId)> = self
            .shown
            .values()
            .filter_map(|notice| Some((notice.ended?, notice.id)))
            .collect();
        ended.sort();
        let over = ended.len().saturating_sub(SHOWN_ENDED);
        for (index, (at, id)) in ended.into_iter().enumerate() {
            if index < over || now.0.saturating_sub(at.0) > SHOWN_AFTER {
                self.shown.remove(&id);
            }
        }
        self.shown.len() != before
    }
}
