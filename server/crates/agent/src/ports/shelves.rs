//! Shelves of conversations, and deletion.

use async_trait::async_trait;
use protocol::{ConversationId, ConversationSummary, Seq, Shelf, Timestamp};

use super::{JournalError, Person};

/// The places of conversations in their users' lists, and deletion.
#[async_trait]
pub trait Shelves: Send + Sync {
    /// Deletes a conversation with all its branches, with an audit record of who did it. From now
    /// on they exist only for [`Self::restore`] and [`Self::remove_deleted`]. Returns all of
    /// them.
    async fn delete(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationId>, JournalError>;

    /// Undoes the deletion of a conversation of this person, and of its branches, with an audit
    /// record. `NotFound` if there is nothing to undo: nothing was deleted, or it is removed
    /// already.
    async fn restore(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationSummary>, JournalError>;

    /// Removes for good the conversations that were deleted at `until` or earlier, with everything
    /// that belongs to them. Returns the time at which the oldest of the rest was deleted.
    async fn remove_deleted(&self, until: Timestamp) -> Result<Option<Timestamp>, JournalError>;

    /// Moves a conversation, with its branches, to another shelf of its user's list; returns the
    /// line that represents them. It is no event: the history stays, and so does the time of the
    /// newest. A new message takes it off [`Shelf::Archived`].
    async fn shelve(
        &self,
        conversation: ConversationId,
        shelf: Shelf,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError>;

    /// Puts a conversation, with its branches, into a folder of its user's list, or out of its
    /// folder; returns the line that represents them. It is no event, as [`Self::shelve`].
    async fn put_in_folder(
        &self,
        conversation: ConversationId,
        folder: Option<&str>,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError>;

    /// Notes that its user has seen a conversation up to an event; returns its line if that has
    /// changed. It is no event, and never goes back.
    async fn see(
        &self,
        conversation: ConversationId,
        seq: Seq,
        at: Timestamp,
    ) -> Result<Option<ConversationSummary>, JournalError>;
}
