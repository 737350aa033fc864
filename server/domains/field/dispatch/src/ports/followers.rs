//! Followers of a run's output. Those at the same place share what one of them read: a line that many watch
//! is read and covered once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use field::ports::FieldFault;
use tokio::time::Instant;

use super::FieldBackend;
use super::follow::{OutputPlace, OutputSince};
use crate::changes::ChangeWait;

/// The longest time for which a read is shared: what others write to the database is counted by nobody.
const FRESH: Duration = Duration::from_millis(500);

/// A follower of one run.
pub struct RunFollower {
    run: String,
    // Dropped before the changes: their count begins anew when nobody follows a run.
    last: Arc<LastRead>,
    changes: ChangeWait,
}

/// The last read of a run. Who reads holds the lock, so that the others wait for it.
type LastRead = tokio::sync::Mutex<Option<SharedRead>>;

struct SharedRead {
    /// Number of changes before it.
    changes: u64,
    at: Instant,
    place: OutputPlace,
    since: Arc<OutputSince>,
}

/// The last reads of all runs that somebody follows.
#[derive(Default)]
pub(super) struct SharedReads(Mutex<HashMap<String, Weak<LastRead>>>);

impl SharedReads {
    fn of(&self, run: &str) -> Arc<LastRead> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = all.get(run).and_then(Weak::upgrade) {
            return last;
        }
        all.retain(|_, last| last.strong_count() > 0);
        let last = Arc::default();
        all.insert(run.to_owned(), Arc::downgrade(&last));
        last
    }
}

impl FieldBackend {
    /// Begins to follow a run: no change from now on is missed.
    pub fn follower(&self, run: &str) -> RunFollower {
        let changes = self.dispatch.0.changes.follow_of(run);
        RunFollower {
            run: run.to_owned(),
            last: self.reads.of(run),
            changes,
        }
    }

    /// The run as it is now, with the next pieces of its output, as [`Self::output_since`] reads it, or as
    /// another follower at this place has just read it.
    ///
    /// # Errors
    /// There is no such run, or the database fails.
    pub async fn output_for(
        &self,
        follower: &mut RunFollower,
        place: OutputPlace,
    ) -> Result<Arc<OutputSince>, FieldFault> {
        let seen = follower.changes.seen();
        let mut last = follower.last.lock().await;
        let shared = last.as_ref().filter(|read| {
            read.changes >= seen && read.place == place && read.at.elapsed() < FRESH
        });
        if let Some(read) = shared {
            return Ok(Arc::clone(&read.since));
        }
        // What changes while it is read is a change after it.
        let (changes, at) = (follower.changes.seen(), Instant::now());
        let since = Arc::new(self.output_since(&follower.run, place).await?);
        *last = Some(SharedRead {
            changes,
            at,
            place,
            since: Arc::clone(&since),
        });
        Ok(since)
    }
}

impl RunFollower {
    /// Returns after a change of the run, or after some seconds: time changes things, too.
    pub async fn changed(&mut self) {
        self.changes.next().await;
    }
}
