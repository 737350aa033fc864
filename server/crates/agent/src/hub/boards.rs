//! Boards: one watcher for each, however many look at it, and none while nobody does.

use std::{
    collections::{BTreeMap, VecDeque},
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use futures::FutureExt;
use protocol::{BoardPart, ErrorBody, ServerFrame};
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    frame::Frame,
    queue::{Item, Queue, Subscription},
};
use crate::{
    error,
    ports::{Board, Picture, Screen, Toolset},
    sync::lock,
};

/// A board goes on for so long after the last one looked: people come back from another page.
const LINGER: Duration = Duration::from_secs(60);
/// How often it is seen whether somebody looks.
const ROUND: Duration = Duration::from_secs(5);
/// A watcher that ended by a fault rests for so long.
const REST: Duration = Duration::from_secs(5);

/// The boards of all toolsets, by their names.
pub(crate) struct Boards {
    boards: BTreeMap<&'static str, Arc<Live>>,
    closing: CancellationToken,
    tasks: TaskTracker,
}

struct Live {
    name: &'static str,
    board: Arc<dyn Board>,
    state: Mutex<State>,
    /// The first picture has come.
    seen: Notify,
}

#[derive(Default)]
struct State {
    /// None until something was seen.
    picture: Option<Picture>,
    queues: Vec<Weak<Queue>>,
    /// Somebody asked for it since this was last looked at.
    wanted: bool,
    running: bool,
}

impl Boards {
    pub(crate) fn new(
        toolsets: &[Arc<dyn Toolset>],
        closing: &CancellationToken,
        tasks: &TaskTracker,
    ) -> Self {
        let boards = toolsets.iter().filter_map(|toolset| {
            let name = toolset.name();
            let live = Live {
                name,
                board: toolset.board()?,
                state: Mutex::default(),
                seen: Notify::new(),
            };
            Some((name, Arc::new(live)))
        });
        Self {
            boards: boards.collect(),
            closing: closing.clone(),
            tasks: tasks.clone(),
        }
    }

    /// All that is on a board, then what changes on it.
    pub(crate) fn subscribe(&self, name: &str) -> Result<Subscription, ErrorBody> {
        let live = self.wake(name)?;
        let queue = Arc::new(Queue::default());
        let mut state = lock(&live.state);
        // What has been seen is sent at once; else the first picture comes whole.
        let first = state.picture.as_ref().map(|picture| live.whole(picture));
        state.queues.push(Arc::downgrade(&queue));
        drop(state);
        Ok(Subscription::new(VecDeque::from_iter(first), queue, live))
    }

    /// What is on a board, waiting so long for a first look. Empty if nothing was seen.
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
                if let Some(picture) = &lock(&live.state).picture {
                    return parts(picture);
                }
                seen.await;
            }
        };
        Ok(tokio::time::timeout(patience, look)
            .await
            .unwrap_or_default())
    }

    /// A board that is looked at from now on.
    fn wake(&self, name: &str) -> Result<Arc<Live>, ErrorBody> {
        let live = self.boards.get(name).ok_or_else(error::no_board)?;
        let mut state = lock(&live.state);
        state.wanted = true;
        if !state.running && !self.closing.is_cancelled() {
            state.running = true;
            self.tasks.spawn(Arc::clone(live).run(self.closing.clone()));
        }
        Ok(Arc::clone(live))
    }
}

impl Live {
    /// Watches until nobody looks any more.
    async fn run(self: Arc<Self>, closing: CancellationToken) {
        let watched = async {
            loop {
                let shown = Arc::downgrade(&self);
                let screen = Screen::new(move |picture| {
                    if let Some(live) = shown.upgrade() {
                        live.show(picture);
                    }
                });
                let watch = AssertUnwindSafe(self.board.watch(screen)).catch_unwind();
                match watch.await {
                    Ok(()) => tracing::warn!(board = self.name, "a board ended by itself"),
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

    /// Ends when nobody has looked for a while; then it counts as not running.
    async fn deserted(&self) {
        let mut left = LINGER;
        loop {
            tokio::time::sleep(ROUND).await;
            let mut state = lock(&self.state);
            state.queues.retain(|queue| queue.strong_count() > 0);
            if std::mem::take(&mut state.wanted) || !state.queues.is_empty() {
                left = LINGER;
            } else {
                left = left.saturating_sub(ROUND);
            }
            if left.is_zero() {
                state.running = false;
                // It would be shown to the next one as if it were of now.
                state.picture = None;
                return;
            }
        }
    }

    fn show(&self, picture: Picture) {
        let mut state = lock(&self.state);
        if !state.running {
            return;
        }
        let frame = match &state.picture {
            None => Some(self.whole(&picture)),
            Some(before) => self.changes(before, &picture),
        };
        state.picture = Some(picture);
        if let Some(frame) = frame {
            for queue in state.queues.iter().filter_map(Weak::upgrade) {
                queue.push(Item::Frame(frame.clone()));
            }
        }
        drop(state);
        self.seen.notify_waiters();
    }

    fn whole(&self, picture: &Picture) -> Frame {
        Frame::new(&ServerFrame::Board {
            board: self.name.to_owned(),
            whole: true,
            put: parts(picture),
            gone: Vec::new(),
        })
    }

    /// What became of a picture; none if it is the same.
    fn changes(&self, before: &Picture, now: &Picture) -> Option<Frame> {
        let changed = now
            .iter()
            .filter(|(key, value)| before.get(*key) != Some(value));
        let put: Vec<BoardPart> = changed.map(part).collect();
        let gone: Vec<String> = before
            .keys()
            .filter(|key| !now.contains_key(*key))
            .cloned()
            .collect();
        (!put.is_empty() || !gone.is_empty()).then(|| {
            Frame::new(&ServerFrame::Board {
                board: self.name.to_owned(),
                whole: false,
                put,
                gone,
            })
        })
    }
}

fn parts(picture: &Picture) -> Vec<BoardPart> {
    picture.iter().map(part).collect()
}

fn part((key, value): (&String, &serde_json::Value)) -> BoardPart {
    BoardPart {
        key: key.clone(),
        value: value.clone(),
    }
}
