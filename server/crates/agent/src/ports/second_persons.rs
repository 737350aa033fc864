//! Cards that take two persons.

use async_trait::async_trait;
use protocol::{SecondCall, Timestamp, UserId};

use super::JournalError;

/// The cards that wait for a second person, and who may be one.
#[async_trait]
pub trait SecondPersons: Send + Sync {
    /// All cards that wait for a second person, each with the user who asked, the first to expire
    /// first.
    async fn second_calls(&self) -> Result<Vec<(UserId, SecondCall)>, JournalError>;

    /// Compares two sides of a second approval: true if the approver could be the requester under
    /// another account. A side is an account together with the accounts that created the sign-in
    /// links of its sessions. Two sides match if they share an account, or if one account was
    /// created or re-linked for another within the last 24 hours. Checked before an approval and
    /// again when it is written.
    async fn may_be_one(
        &self,
        askers: &[UserId],
        deciders: &[UserId],
        now: Timestamp,
    ) -> Result<bool, JournalError>;
}
