//! Boards: one watcher for each, however many people look. While nobody does there is none, or a
//! slow one if the board is guarded.

use std::{
    collections::{BTreeMap, VecDeque},
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use futures::FutureExt;
use protocol::{BoardPart, ErrorBody, ServerFrame};
use tokio::{
    sync::{Notify, watch},
    time::Instant,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    frame::SharedFrame,
    queue::{Queue, QueuedItem, Subscription},
};
use crate::{
    ports,
    ports::{Board, Picture, Screen, Toolset},
    sync::lock,
};

/// Time for which a board continues after the last look: people come back from another page.
const LINGER: Duration = Duration::from_secs(60);
/// Interval of the check whether anybody looks.
const ROUND: Duration = Duration::from_secs(5);
/// Pause after the fault of a watcher.
const REST: Duration = Duration::from_secs(5);

/// The boards of all toolsets, by their names.
pub(crate) struct Boards {
    boards: BTreeMap<&'static str, Arc<LiveBoards>>,
    closing: CancellationToken,
    tasks: TaskTracker,
}

/// One board.
pub(crate) struct LiveBoards {
    name: &'static str,
    board: Arc<dyn Board>,
    state: Mutex<BoardsState>,
    /// The first picture has come.
    seen: Notify,
    looked_at: watch::Sender<bool>,
    pictures: watch::Sender<Option<Arc<Picture>>>,
}

#[derive(Default)]
struct BoardsState {
    /// None until something was seen.
    picture: Option<Arc<Picture>>,
    /// Parts beside the board's own: the notices.
    posted: Picture,
    queues: Vec<Weak<Queue>>,
    /// Set when somebody asks for the board, cleared by each check.
    wanted: bool,
    running: bool,
    /// True if it continues while nobody looks.
    guarded: bool,
}

impl Boards {
    pub(crate) fn new(
        toolsets: &[Arc<dyn Toolset>],
        closing: &CancellationToken,
        tasks: &TaskTracker,
    ) -> Self {
        let boards = toolsets.iter().filter_map(|toolset| {
            let name = toolset.name();
            let live = LiveBoards {
                name,
                board: toolset.board()?,
                state: Mutex::default(),
                seen: Notify::new(),
                looked_at: watch::Sender::new(false),
                pictures: watch::Sender::new(None),
            };
            Some((name, Arc::new(live)))
        });
        Self {
            boards: boards.collect(),
            closing: closing.clone(),
            tasks: tasks.clone(),
        }
    }

    /// Subscribes to a board: all its parts, then changes.
    pub(crate) fn subscribe(&self, name: &str) -> Result<Subscription, ErrorBody> {
        let live = self.wake(name)?;
        let queue = Arc::new(Queue::default());
        let mut state = lock(&live.state);
        // What has been seen is sent at once; else the first picture comes whole.
        let first = state.whole(live.name);
        state.queues.push(Arc::downgrade(&queue));
        drop(state);
        Ok(Subscription::new(VecDeque::from_iter(first), queue, live))
    }

    /// The parts of a board; waits up to `patience` for a first picture, and is empty if there is
    /// none.
    pub(crate) async fn picture(
        &self,
        name: &str,
        patience: Duration,
    ) -> Result<Vec<BoardPart>, ErrorBody> {
        let live = self.wake(name)?;
        let look = async {
            loop {
                // Made before the look, so that nothing comes in between unnoticed.
                let seen = live.seen.notified();
                if let Some(parts) = lock(&live.state).parts() {
                    return parts;
                }
                seen.await;
            }
        };
        Ok(tokio::time::timeout(patience, look)
            .await
            .unwrap_or_default())
    }

    /// Wakes a board: it counts as looked at from now on.
    fn wake(&self, name: &str) -> Result<Arc<LiveBoards>, ErrorBody> {
        let live = self.boards.get(name).ok_or_else(ports::no_board)?;
        let mut state = lock(&live.state);
        state.wanted = true;
        live.set_looked_at(true);
        self.run(live, &mut state);
        Ok(Arc::clone(live))
    }

    /// The boards that want to be watched also while nobody looks.
    pub(crate) fn guarded(&self) -> Vec<Arc<LiveBoards>> {
        let boards = self.boards.values();
        boards
            .filter(|live| live.board.is_guarded())
            .cloned()
            .collect()
    }

    /// Each board, with whether its system answers; none while there is no picture.
    pub(crate) fn answering(&self) -> Vec<(&'static str, Option<bool>)> {
        let boards = self.boards.values().map(|live| {
            let picture = lock(&live.state).picture.clone();
            let answers = picture.and_then(|picture| live.board.answers(&picture));
            (live.name, answers)
        });
        boards.collect()
    }

    /// Watches a board from now on, also while nobody looks.
    pub(crate) fn guard(&self, live: &Arc<LiveBoards>) {
        let mut state = lock(&live.state);
        state.guarded = true;
        self.run(live, &mut state);
    }

    fn run(&self, live: &Arc<LiveBoards>, state: &mut BoardsState) {
        if !state.running && !self.closing.is_cancelled() {
            state.running = true;
            self.tasks.spawn(Arc::clone(live).run(self.closing.clone()));
        }
    }
}

impl BoardsState {
    /// All its parts; none until there is a picture.
    fn parts(&self) -> Option<Vec<BoardPart>> {
        let picture = self.picture.as_deref()?;
        let parts = picture.iter().chain(&self.posted);
        let parts = parts.map(|(key, value)| BoardPart {
            key: key.clone(),
            value: value.clone(),
        });
        Some(parts.collect())
    }

    fn whole(&self, name: &str) -> Option<SharedFrame> {
        Some(SharedFrame::new(&ServerFrame::Board {
            board: name.to_owned(),
            whole: true,
            put: self.parts()?,
            gone: Vec::new(),
        }))
    }

    fn send(&self, frame: Option<SharedFrame>) {
        let Some(frame) = frame else { return };
        for queue in self.queues.iter().filter_map(Weak::upgrade) {
            queue.push(QueuedItem::Frame(frame.clone()));
        }
    }
}

impl LiveBoards {
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// The newest picture of the board itself, as it changes.
    pub(crate) fn pictures(&self) -> watch::Receiver<Option<Arc<Picture>>> {
        self.pictures.subscribe()
    }

    /// Puts parts beside those of the board itself; they replace those of before.
    pub(crate) fn post(&self, parts: Picture) {
        let mut state = lock(&self.state);
        let before = std::mem::replace(&mut state.posted, parts);
        if state.picture.is_some() {
            state.send(changes(self.name, &before, &state.posted));
        }
    }

    fn set_looked_at(&self, now: bool) {
        self.looked_at
            .send_if_modified(|looked_at| std::mem::replace(looked_at, now) != now);
    }

    /// Watches until nobody has looked for a while.
    async fn run(self: Arc<Self>, closing: CancellationToken) {
        let watched = async {
            loop {
                let shown = Arc::downgrade(&self);
                let screen = Screen::seen_by(self.looked_at.subscribe(), move |picture| {
                    if let Some(live) = shown.upgrade() {
                        live.show(picture);
                    }
                });
                let watch = AssertUnwindSafe(self.board.watch(screen)).catch_unwind();
                match watch.await {
                    Ok(()) => tracing::warn!(
                        board = self.name,
                        "a board ended although it was not stopped"
                    ),
                    Err(_panic) => tracing::error!(board = self.name, "a board panicked"),
                }
                tokio::time::sleep(REST).await;
            }
        };
        tokio::select! {
            biased;
            () = closing.cancelled() => {}
            () = self.deserted() => {}
            () = watched => {}
        }
    }

    /// Ends when nobody has looked for a while; then it counts as not running. A guarded board
    /// continues at its own pace.
    async fn deserted(&self) {
        let mut left = if *self.looked_at.borrow() {
            LINGER
        } else {
            Duration::ZERO
        };
        loop {
            tokio::time::sleep(ROUND).await;
            let mut state = lock(&self.state);
            state.queues.retain(|queue| queue.strong_count() > 0);
            if std::mem::take(&mut state.wanted) || !state.queues.is_empty() {
                left = LINGER;
            } else {
                left = left.saturating_sub(ROUND);
            }
            self.set_looked_at(!left.is_zero());
            if left.is_zero() && !state.guarded {
                state.running = false;
                // The next visitor would take an old picture for the present.
                state.picture = None;
                return;
            }
        }
    }

    fn show(&self, picture: Picture) {
        let picture = Arc::new(picture);
        let mut state = lock(&self.state);
        if !state.running {
            return;
        }
        let clock = Instant::now();
        let before = state.picture.replace(Arc::clone(&picture));
        let frame = match before {
            None => state.whole(self.name),
            Some(before) => changes(self.name, &before, &picture),
        };
        state.send(frame);
        let micros = clock.elapsed().as_micros();
        tracing::debug!(target: "agent::board", micros, "compared and serialised");
        drop(state);
        self.seen.notify_waiters();
        self.pictures.send_replace(Some(picture));
    }
}

/// The changes from one picture to the next; none if they are the same.
fn changes(name: &str, before: &Picture, now: &Picture) -> Option<SharedFrame> {
    let changed = now
        .iter()
        .filter(|(key, value)| before.get(*key) != Some(value));
    let put = changed.map(|(key, value)| BoardPart {
        key: key.clone(),
        value: value.clone(),
    });
    let put: Vec<BoardPart> = put.collect();
    let gone: Vec<String> = before
        .keys()
        .filter(|key| !now.contains_key(*key))
        .cloned()
        .collect();
    (!put.is_empty() || !gone.is_empty()).then(|| {
        SharedFrame::new(&ServerFrame::Board {
            board: name.to_owned(),
            whole: false,
            put,
            gone,
        })
    })
}
