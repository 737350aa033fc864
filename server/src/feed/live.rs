//! The watchers of the feed, and how far each of them is.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use agent::Frame;
use futures::channel::mpsc;
use protocol::{Role, ServerFrame, UserId};
use store::{FeedRow, Store};
use tokio::sync::Notify;

/// The most changes sent one by one; a watcher that missed more must reload.
const MAX_MISSED: usize = 200;
/// The most frames queued for one subscriber.
const WAITING: usize = 64;

/// A stream of the feed's frames. It ends if its reader is too slow.
pub(crate) type FeedSubscription = mpsc::Receiver<Frame>;

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
    sender: mpsc::Sender<Frame>,
}

impl Live {
    pub(super) fn subscribe(&self, (user, role): (UserId, Role), after: u64) -> FeedSubscription {
        let (sender, receiver) = mpsc::channel(WAITING);
        self.watchers().push(Watcher {
            user,
            role,
            has: after,
            greeted: false,
            sender,
        });
        self.wanted.notify_one();
        receiver
    }

    /// Waits for a new watcher.
    pub(super) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    pub(super) fn is_watched(&self) -> bool {
        let mut watchers = self.watchers();
        watchers.retain(|watcher| !watcher.sender.is_closed());
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
        let mut made: HashMap<(UserId, Role, u64, bool), Frame> = HashMap::new();
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
            watcher.sender.try_send(frame.clone()).is_ok()
        });
        Ok(())
    }

    fn watchers(&self) -> MutexGuard<'_, Vec<Watcher>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn frame(rows: &[FeedRow], watcher: &Watcher, newest: u64, gap: bool) -> Frame {
    let missed = rows
        .iter()
        .filter(|row| !gap && row.entry.rev > watcher.has);
    Frame::new(&ServerFrame::Feed {
        rev: newest,
        entries: missed
            .map(|row| row.seen_by(watcher.user, watcher.role))
            .collect(),
        gap,
    })
}
