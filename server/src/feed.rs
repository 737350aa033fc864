//! The feed at work: folds Jarvis's own records, follows the events of systems, sends both to the
//! tabs, and deletes entries after the retention period.
//!
//! All of this runs beside the writes of calls, in small portions, so that they do not wait for it.

mod export;
mod live;
mod wording;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use agent::{
    Subscription,
    ports::{Env, Happening, Teller, Toolset},
};
use futures::FutureExt;
use protocol::{FeedEntry, FeedFilter, FeedId, FeedPage, FeedPlace, Role, Timestamp, UserId};
use store::Store;
use tokio::time::sleep;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use export::{Format, export, moment};
use live::Live;

/// Rows of the audit chain folded in one transaction: a call that needs to write waits for no more
/// than these.
const FOLD: usize = 4;
/// Rows folded in one transaction while a person waits for their latest action to appear.
const FOLD_FOR_PAGE: usize = 32;
/// The most portions that a page waits for; older ones are folded in the background.
const MAX_PORTIONS: usize = 16;
/// Pause between two portions, in which others can write.
const BREATH: Duration = Duration::from_millis(5);
/// Debounce of writes: short while somebody watches…
const GATHER: Duration = Duration::from_millis(100);
/// …and longer otherwise.
const GATHER_ALONE: Duration = Duration::from_secs(2);
/// Interval between deletions of old entries.
const FORGET: Duration = Duration::from_secs(60 * 60);
/// Pause before a failed follower is restarted.
const REST: Duration = Duration::from_secs(5);
/// The most entries in one answer.
pub(crate) const MAX_PAGE: usize = 100;
const DAY: i64 = 24 * 60 * 60 * 1000;

/// A handle on the feed. Clones refer to the same feed.
#[derive(Clone)]
pub(crate) struct Feed(Arc<FeedState>);

/// A person who reads the feed, with the role that decides what they see.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeedReader {
    pub(crate) user: UserId,
    pub(crate) role: Role,
}

struct FeedState {
    store: Store,
    env: Arc<dyn Env>,
    days: u32,
    live: Live,
}

impl Feed {
    /// Creates a feed with a retention period in days. It is idle until [`Feed::run`].
    pub(crate) fn new(store: Store, env: Arc<dyn Env>, days: u32) -> Self {
        Self(Arc::new(FeedState {
            live: Live::default(),
            store,
            env,
            days,
        }))
    }

    /// Runs until `stopping`.
    pub(crate) fn run(
        &self,
        toolsets: &[Arc<dyn Toolset>],
        stopping: &CancellationToken,
        tasks: &TaskTracker,
    ) {
        let spawn = |work: futures::future::BoxFuture<'static, ()>| {
            let stopping = stopping.clone();
            tasks.spawn(async move {
                stopping.run_until_cancelled(work).await;
            });
        };
        spawn(Box::pin(self.clone().take_in()));
        spawn(Box::pin(self.clone().forget()));
        for toolset in toolsets {
            spawn(Box::pin(self.clone().follow(Arc::clone(toolset))));
        }
    }

    /// Returns a page of the feed as a user may see it.
    pub(crate) async fn page(
        &self,
        user: UserId,
        role: Role,
        filter: &FeedFilter,
        place: FeedPlace,
        limit: usize,
    ) -> Result<FeedPage, store::Error> {
        self.fold(FOLD_FOR_PAGE, MAX_PORTIONS).await?;
        let limit = limit.clamp(1, MAX_PAGE);
        let rows = self.0.store.feed(role, filter, place, limit).await?;
        let entries = rows.rows.iter().map(|row| row.seen_by(user, role));
        Ok(FeedPage {
            entries: entries.collect(),
            older: rows.older,
            newer: rows.newer,
            rev: rows.rev,
            days: self.0.days,
            now: self.0.env.now(),
        })
    }

    /// Returns one entry as a user may see it.
    pub(crate) async fn entry(
        &self,
        user: UserId,
        role: Role,
        id: FeedId,
    ) -> Result<FeedEntry, store::Error> {
        let row = self.0.store.feed_entry(id).await?;
        Ok(row.seen_by(user, role))
    }

    /// Subscribes to entries after a revision, then to live ones.
    pub(crate) fn subscribe(&self, reader: FeedReader, after: u64) -> Subscription {
        self.0.live.subscribe(reader, after)
    }

    /// Returns the start of the retention period.
    fn oldest(&self) -> Timestamp {
        Timestamp(self.0.env.now().0 - i64::from(self.0.days) * DAY)
    }

    /// Folds at most this many portions. Returns whether that was everything.
    async fn fold(&self, size: usize, portions: usize) -> Result<bool, store::Error> {
        for _ in 0..portions {
            let oldest = self.oldest();
            let folded = self.0.store.fold_feed(oldest, size, wording::happening);
            if folded.await? < size {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Folds new records and publishes them.
    async fn take_in(self) {
        let mut moved = self.0.store.moved();
        loop {
            let complete = match self.fold(FOLD, 1).await {
                Ok(complete) => complete,
                Err(error) => {
                    tracing::error!(%error, "the feed cannot be folded");
                    sleep(REST).await;
                    continue;
                }
            };
            if let Err(error) = self.0.live.push(&self.0.store).await {
                tracing::error!(%error, "the feed cannot be shown");
            }
            if !complete {
                sleep(BREATH).await;
                continue;
            }
            tokio::select! {
                changed = moved.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    let gather = if self.0.live.is_watched() { GATHER } else { GATHER_ALONE };
                    tokio::select! {
                        () = sleep(gather) => {}
                        () = self.0.live.wanted() => {}
                    }
                }
                () = self.0.live.wanted() => {}
            }
            // Before the fold, so that no write in between is missed.
            moved.mark_unchanged();
        }
    }

    /// Deletes old entries, from time to time.
    async fn forget(self) {
        loop {
            loop {
                match self.0.store.prune_feed(self.oldest()).await {
                    Ok(true) => sleep(BREATH * 10).await,
                    Ok(false) => break,
                    Err(error) => {
                        tracing::error!(%error, "the feed cannot be shortened");
                        break;
                    }
                }
            }
            sleep(FORGET).await;
        }
    }

    /// Records the events of a system.
    async fn follow(self, toolset: Arc<dyn Toolset>) {
        let Some(happenings) = toolset.happenings() else {
            return;
        };
        let name = toolset.name();
        loop {
            let feed = self.clone();
            let teller = Teller::new(move |happenings| {
                let feed = feed.clone();
                Box::pin(async move { feed.take(happenings).await })
            });
            let follow = AssertUnwindSafe(happenings.follow(teller)).catch_unwind();
            match follow.await {
                Ok(()) => tracing::warn!(
                    toolset = name,
                    "a follower ended although it was not stopped"
                ),
                Err(_panic) => tracing::error!(toolset = name, "a follower panicked"),
            }
            sleep(REST).await;
        }
    }

    async fn take(&self, mut happenings: Vec<Happening>) -> bool {
        // A system may remember events from before the retention period.
        let oldest = self.oldest();
        happenings.retain(|happening| happening.at >= oldest);
        match self.0.store.append_feed(&happenings).await {
            Ok(()) => true,
            Err(error) => {
                tracing::error!(%error, "what a system told cannot be kept");
                false
            }
        }
    }
}
