//! Usage.

use async_trait::async_trait;
use protocol::UserId;

use super::JournalError;
use crate::DaySpent;

/// The usage of people's conversations.
#[async_trait]
pub trait Spending: Send + Sync {
    /// The usage of a user's conversations on a day, counted from 1970 in UTC, deleted ones
    /// included; up to date with the answers in the journal.
    async fn spent_on(&self, user: UserId, day: i64) -> Result<DaySpent, JournalError>;
}
