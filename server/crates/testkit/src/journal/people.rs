//! The roles of users, and their refusals.

use agent::ports::JournalError;
use protocol::{Role, UserId};

use super::MemoryJournal;

/// A user who was refused, the tool, and the number of unrecorded refusals before.
pub(super) type Refused = (UserId, String, u32);

impl MemoryJournal {
    /// Gives a user another role, or none. Everybody is an admin at first.
    pub fn set_role(&self, user: UserId, role: Option<Role>) {
        self.inner.lock().unwrap().roles.insert(user, role);
    }

    /// The recorded refusals: the user, the tool, and the number left out before.
    pub fn refusals(&self) -> Vec<(UserId, String, u32)> {
        self.inner.lock().unwrap().refusals.clone()
    }

    pub(super) async fn refuse(&self, refused: Refused) -> Result<(), JournalError> {
        self.written(|inner| {
            inner.refusals.push(refused);
            Ok(())
        })
        .await
    }
}
