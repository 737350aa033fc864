//! Faults that tests inject into a journal: stops, failures, accounts that belong together.

use std::sync::atomic::Ordering;

use protocol::UserId;

use super::{FreezePoint, MemoryJournal};

impl MemoryJournal {
    /// Stops at a point, forever, as for a process that is killed there.
    pub fn freeze_at(&self, point: FreezePoint) {
        *self.freeze.lock().unwrap() = Some(point);
    }

    /// Lets the second of two users count as the first, as an account that was just made.
    pub fn set_close(&self, asker: UserId, decider: UserId) {
        self.inner.lock().unwrap().close.insert((asker, decider));
    }

    /// Set once the point is reached.
    pub fn is_frozen(&self) -> bool {
        *self.frozen.lock().unwrap()
    }

    /// Works again, for the next process.
    pub fn thaw(&self) {
        *self.freeze.lock().unwrap() = None;
        *self.frozen.lock().unwrap() = false;
    }

    /// Refuses the next writes like a broken disk.
    pub fn fail_next(&self, writes: usize) {
        self.failing.store(writes, Ordering::SeqCst);
    }

    /// Writes so far.
    pub fn writes(&self) -> usize {
        self.writes.load(Ordering::SeqCst)
    }
}
