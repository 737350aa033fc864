//! The feed at work: folds what Jarvis did, follows what systems tell, hands both to the tabs, and
//! forgets what is old.
//!
//! All of it goes on beside the writes of calls, in small portions, so that they do not wait for it.

mod export;
mod live;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use agent::ports::{Env, Happening, Teller, Toolset};
use futures::FutureExt;
use protocol::{FeedEntry, FeedFilter, FeedId, FeedPage, FeedPlace, Role, Timestamp, UserId};
use store::Store;
use tokio::time::sleep;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use export::{Format, export, moment};
pub(crate) use live::FeedSubscription;

use live::Live;

/// Rows of the audit chain that are folded in one transaction: a call that wants to write meanwhile
/// waits for no more than these.
const FOLD: usize = 4;
/// The same when a person waits for what was just done.
const FOLD_FOR_PAGE: usize = 32;
/// Portions that a page waits for; what is older than that comes in beside it.
const MAX_PORTIONS: usize = 16;
/// Between two portions others write.
const BREATH: Duration = Duration::from_millis(5);
/// What was written meanwhile is taken in together: soon if somebody looks…
const GATHER: Duration = Duration::from_millis(100);
/// …else with less haste.
const GATHER_ALONE: Duration = Duration::from_secs(2);
/// How often what is old is forgotten.
const FORGET: Duration = Duration::from_secs(60 * 60);
/// A follower that ended by a fault rests for so long.
const REST: Duration = Duration::from_secs(5);
/// Entries of one answer.
pub(crate) const MAX_PAGE: usize = 100;
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Clones are the same feed.
#[derive(Clone)]
pub(crate) struct Feed(Arc<Inner>);

struct Inner {
    store: Store,
    env: Arc<dyn Env>,
    days: u32,
    live: Live,
}

impl Feed {
    /// A feed that is kept for so many days. It is at rest until [`Feed::run`].
    pub(crate) fn new(store: Store, env: Arc<dyn Env>, days: u32) -> Self {
        Self(Arc::new(Inner {
            live: Live::default(),
            store,
            env,
            days,
        }))
    }

    /// Works until `stopping`.
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

    /// Some of the feed as a user may see it.
    pub(crate) async fn page(
        &self,
        (user, role): (UserId, Role),
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

    /// One entry as a user may see it.
    pub(crate) async fn entry(
        &self,
        (user, role): (UserId, Role),
        id: FeedId,
    ) -> Result<FeedEntry, store::Error> {
        let row = self.0.store.feed_entry(id).await?;
        Ok(row.seen_by(user, role))
    }

    /// What came after a change, then what comes.
    pub(crate) fn subscribe(&self, who: (UserId, Role), after: u64) -> FeedSubscription {
        self.0.live.subscribe(who, after)
    }

    /// What is older is not kept.
    fn oldest(&self) -> Timestamp {
        Timestamp(self.0.env.now().0 - i64::from(self.0.days) * DAY)
    }

    /// Folds at most so many portions. Gives whether that is all there is.
    async fn fold(&self, size: usize, portions: usize) -> Result<bool, store::Error> {
        for _ in 0..portions {
            if self.0.store.fold_feed(self.oldest(), size).await? < size {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes in what was written and shows it.
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
                    let gather = match self.0.live.is_watched() {
                        true => GATHER,
                        false => GATHER_ALONE,
                    };
                    tokio::select! {
                        () = sleep(gather) => {}
                        () = self.0.live.wanted() => {}
                    }
                }
                () = self.0.live.wanted() => {}
            }
            // Before the look, so that nothing is written in between unseen.
            moved.mark_unchanged();
        }
    }

    /// Forgets what is old, now and then.
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

    /// Takes in what a system tells.
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
                Ok(()) => tracing::warn!(toolset = name, "a follower ended by itself"),
                Err(_panic) => tracing::error!(toolset = name, "a follower panicked"),
            }
            sleep(REST).await;
        }
    }

    async fn take(&self, mut happenings: Vec<Happening>) -> bool {
        // A system may remember more than is kept here.
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
