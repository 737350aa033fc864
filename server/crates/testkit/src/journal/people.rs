//! What users may do, and what they were refused.

use agent::ports::JournalError;
use protocol::{Role, UserId};

use super::MemoryJournal;

/// Who was refused, which tool, and how many refusals before it were not recorded.
pub(super) type Refused = (UserId, String, u32);

impl MemoryJournal {
    /// Gives a user another role, or none. Everybody is an admin at first.
    pub fn set_role(&self, user: UserId, role: Option<Role>) {
        self.inner.lock().unwrap().roles.insert(user, role);
    }

    /// The refusals on record: who, which tool, and how many before it were left out.
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
