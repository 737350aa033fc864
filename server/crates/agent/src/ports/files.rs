//! Files that people attach to messages and that tools bring.

use async_trait::async_trait;
use protocol::{Timestamp, UserId};

use super::JournalError;

/// A stored file, addressed by its content: the same bytes are the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// SHA-256 of the content, in hex.
    pub id: String,
    /// The media type, detected from the content.
    pub kind: String,
    pub content: Vec<u8>,
}

/// The store of files, separate for each person. A file that no event of a journal names is removed
/// a day after it came or was last held; one that events name is removed with the last conversation
/// that names it.
#[async_trait]
pub trait Files: Send + Sync + 'static {
    /// Stores a file. Repeating it changes nothing.
    async fn keep_file(
        &self,
        owner: UserId,
        file: StoredFile,
        at: Timestamp,
    ) -> Result<(), JournalError>;

    /// A file, if this person has it; it is kept for another day.
    async fn hold_file(
        &self,
        owner: UserId,
        id: &str,
        at: Timestamp,
    ) -> Result<Option<StoredFile>, JournalError>;

    /// A file, if this person has it.
    async fn file(&self, owner: UserId, id: &str) -> Result<Option<StoredFile>, JournalError>;
}
