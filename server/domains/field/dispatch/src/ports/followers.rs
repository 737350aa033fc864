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
    last: Option<Arc<LastRead>>,
    changes: ChangeWait,
}

/// The last read at one place of a run. Who reads holds the lock, so that the others at this place wait for it.
type LastRead = tokio::sync::Mutex<Option<SharedRead>>;

struct SharedRead {
    /// Number of changes before it.
    changes: u64,
    at: Instant,
    since: Arc<OutputSince>,
}

/// The last reads at all places at which somebody follows a run.
#[derive(Default)]
pub(super) struct SharedReads(Mutex<HashMap<(String, OutputPlace), Weak<LastRead>>>);

impl SharedReads {
    fn of(&self, run: &str, place: OutputPlace) -> Arc<LastRead> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (run.to_owned(), place);
        if let Some(last) = all.get(&key).and_then(Weak::upgrade) {
            return last;
        }
        all.retain(|_, last| last.strong_count() > 0);
        let last = Arc::default();
        all.insert(key, Arc::downgrade(&last));
        last
    }
}

impl FieldBackend {
    /// Begins to follow a run: no change from now on is missed.
    pub fn follower(&self, run: &str) -> RunFollower {
        let changes = self.dispatch.0.changes.follow_of(run);
        RunFollower {
            run: run.to_owned(),
            last: None,
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
        let here = self.reads.of(&follower.run, place);
        // Kept until the next look: whoever comes to this place meanwhile finds it.
        follower.last = Some(Arc::clone(&here));
        let mut last = here.lock().await;
        let shared = last.as_ref();
        let shared = shared.filter(|read| read.changes >= seen && read.at.elapsed() < FRESH);
        if let Some(read) = shared {
            return Ok(Arc::clone(&read.since));
        }
        // What changes while it is read is a change after it.
        let (changes, at) = (follower.changes.seen(), Instant::now());
        let since = Arc::new(self.output_since(&follower.run, place).await?);
        *last = Some(SharedRead {
            changes,
            at,
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
