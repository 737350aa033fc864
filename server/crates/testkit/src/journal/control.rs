//! What tests do to a journal: stop it, break it, give its users roles.

use std::sync::atomic::Ordering;

use protocol::{Role, UserId};

use super::{FreezePoint, MemoryJournal};

impl MemoryJournal {
    /// Stands still at a point, for ever, as for a process that is killed there.
    pub fn freeze_at(&self, point: FreezePoint) {
        *self.freeze.lock().unwrap() = Some(point);
    }

    /// Gives a user another role, or none. Everybody is an admin at first.
    pub fn set_role(&self, user: UserId, role: Option<Role>) {
        self.inner.lock().unwrap().roles.insert(user, role);
    }

    /// Lets the second of two users count as the first, as an account that was just made.
    pub fn set_close(&self, asker: UserId, decider: UserId) {
        self.inner.lock().unwrap().close.insert((asker, decider));
    }

    /// Whether the point was reached.
    pub fn is_frozen(&self) -> bool {
        *self.frozen.lock().unwrap()
    }

    /// Is there again for the next process.
    pub fn thaw(&self) {
        *self.freeze.lock().unwrap() = None;
        *self.frozen.lock().unwrap() = false;
    }

    /// Refuses the next writes as a broken disk would.
    pub fn fail_next(&self, writes: usize) {
        self.failing.store(writes, Ordering::SeqCst);
    }
}
