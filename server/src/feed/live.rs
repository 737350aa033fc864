//! The watchers of the feed, and how far each of them is.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use agent::{Post, SharedFrame, Subscription};
use protocol::{Role, ServerFrame, UserId};
use store::{FeedRow, Store};
use tokio::sync::Notify;

use super::FeedReader;

/// The most changes sent one by one; a watcher that missed more must reload.
const MAX_MISSED: usize = 200;

#[derive(Default)]
pub(super) struct Live {
    watchers: Mutex<Vec<Watcher>>,
    /// Notified for a new watcher.
    wanted: Notify,
}

struct Watcher {
    user: UserId,
    role: Role,
    /// Revision up to which it has the feed; nothing was sent before the first frame.
    has: u64,
    greeted: bool,
    post: Post,
}

impl Live {
    pub(super) fn subscribe(&self, reader: FeedReader, after: u64) -> Subscription {
        // Its queue counts in the total of all subscriptions.
        let (post, subscription) = Subscription::posted(Arc::new(()));
        self.watchers().push(Watcher {
            user: reader.user,
            role: reader.role,
            has: after,
            greeted: false,
            post,
        });
        self.wanted.notify_one();
        subscription
    }

    /// Waits for a new watcher.
    pub(super) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    pub(super) fn is_watched(&self) -> bool {
        let mut watchers = self.watchers();
        watchers.retain(|watcher| !watcher.post.is_closed());
        !watchers.is_empty()
    }

    /// Sends every watcher its missing entries. Only one task calls this at a time.
    pub(super) async fn push(&self, store: &Store) -> Result<(), store::Error> {
        if !self.is_watched() {
            return Ok(());
        }
        let newest = store.feed_rev().await?;
        let from = {
            let watchers = self.watchers();
            let behind = watchers
                .iter()
                .filter(|watcher| watcher.has != newest || !watcher.greeted);
            let behind = behind.map(|watcher| watcher.has.min(newest));
            match behind.min() {
                Some(from) => from,
                None => return Ok(()),
            }
        };
        // A watcher further behind than this gets a gap.
        let near = from.max(newest.saturating_sub(MAX_MISSED as u64));
        let rows = store.feed_after(near, MAX_MISSED * 2).await?;
        let newest = rows.last().map_or(newest, |row| row.entry.rev.max(newest));
        let mut made: HashMap<(UserId, Role, u64, bool), SharedFrame> = HashMap::new();
        self.watchers().retain_mut(|watcher| {
            if watcher.has == newest && watcher.greeted {
                return true;
            }
            // A revision from the future belongs to another database.
            let gap = watcher.has < near || watcher.has > newest;
            let key = (watcher.user, watcher.role, watcher.has, gap);
            let frame = made
                .entry(key)
                .or_insert_with(|| frame(&rows, watcher, newest, gap));
            watcher.has = newest;
            watcher.greeted = true;
            // A reader that is too slow is dropped, and subscribes again.
            watcher.post.send(frame.clone());
            !watcher.post.is_closed()
        });
        Ok(())
    }

    fn watchers(&self) -> MutexGuard<'_, Vec<Watcher>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn frame(rows: &[FeedRow], watcher: &Watcher, newest: u64, gap: bool) -> SharedFrame {
    let missed = rows
        .iter()
        .filter(|row| !gap && row.entry.rev > watcher.has);
    SharedFrame::new(&ServerFrame::Feed {
        rev: newest,
        entries: missed
            .map(|row| row.seen_by(watcher.user, watcher.role))
            .collect(),
        gap,
    })
}

#[cfg(test)]
mod tests {
    use agent::ports::Happening;
    use futures::{FutureExt, StreamExt};
    use protocol::{FeedKind, Timestamp};
    use serde_json::json;

    use super::*;

    const ROUNDS: i64 = 8;
    const ENTRIES: i64 = 150;
    const SILENT: usize = 32;

    /// Many sockets that do not read, each within its own bound.
    #[tokio::test]
    async fn what_waits_of_the_feed_is_bounded_over_all_and_who_reads_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).await.unwrap();
        let live = Live::default();
        let user = |n| FeedReader {
            user: UserId::new(Timestamp(1_700_000_000_000), n),
            role: Role::Admin,
        };
        // What they share counts for each, as in all queues.
        let silent: Vec<_> = (0..SILENT).map(|_| live.subscribe(user(1), 0)).collect();
        let mut reading = live.subscribe(user(2), 0);
        let mut most = 0;
        live.push(&store).await.unwrap();
        let details = json!({ "text": "x".repeat(4000) });
        for round in 0..ROUNDS {
            let happenings = (0..ENTRIES).map(|n| {
                let key = format!("task/{round}/{n}");
                let at = Timestamp(1_700_000_000_000 + round * ENTRIES + n);
                Happening {
                    details: details.clone(),
                    ..Happening::new(key, at, FeedKind::Task, "A backup")
                }
            });
            let happenings: Vec<_> = happenings.collect();
            store.append_feed(&happenings).await.unwrap();
            live.push(&store).await.unwrap();
            while let Some(frame) = reading.next().now_or_never() {
                assert!(matches!(frame, Some(Ok(_))), "a reader is never to blame");
            }
            let waiting = silent.iter().map(Subscription::waiting);
            most = most.max(waiting.sum());
        }
        assert!((60 << 20..80 << 20).contains(&most), "{most}");
        assert!(
            live.watchers().len() < silent.len(),
            "the others were dropped"
        );
        store.close().await.unwrap();
    }
}
