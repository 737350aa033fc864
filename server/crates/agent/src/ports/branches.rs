//! Branches of conversations.

use async_trait::async_trait;
use protocol::{ConversationId, ConversationSummary, Timestamp};

use super::{Append, Appended, Branching, JournalError};

/// Conversations that begin as copies of others, and their families.
#[async_trait]
pub trait Branches: Send + Sync {
    /// A conversation and its branches, oldest first. `Closed` if it was imported: it can have
    /// none.
    async fn family(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<ConversationId>, JournalError>;

    /// Creates a conversation with a copy of another one's records and writes the first of its own,
    /// as [`Append`] does, with epoch zero and the last copied number as head expected in `append`;
    /// all of it or nothing. A copied record is no new work: it is not in the audit chain, waits
    /// for nobody, and its usage belongs to the other one alone. The creator owns the branch under
    /// epoch 1. It represents the family in the list. `Conflict` if the other one has moved on,
    /// `Closed` if that was imported.
    async fn branch(&self, branching: Branching, append: Append) -> Result<Appended, JournalError>;

    /// Lets a conversation represent its family in the list, because a person looks at it.
    async fn to_front(
        &self,
        conversation: ConversationId,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError>;
}
