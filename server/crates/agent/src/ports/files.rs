//! Files that people attach to messages and that tools bring.

use async_trait::async_trait;
use protocol::{Timestamp, UserId};

use super::JournalError;

/// A file as it is kept, under its content: the same bytes are the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// SHA-256 of the content, in hex.
    pub id: String,
    /// The media type, told by the content.
    pub kind: String,
    pub content: Vec<u8>,
}

/// Where files are kept, each person's by themselves. One that no event of a journal names goes a
/// day after it came or was last held; one that events name goes with the last conversation that
/// does.
#[async_trait]
pub trait Files: Send + Sync + 'static {
    /// Keeps a file. The same once more is the same.
    async fn keep_file(
        &self,
        owner: UserId,
        file: StoredFile,
        at: Timestamp,
    ) -> Result<(), JournalError>;

    /// A file, if this person has it; it stays a day more.
    async fn hold_file(
        &self,
        owner: UserId,
        id: &str,
        at: Timestamp,
    ) -> Result<Option<StoredFile>, JournalError>;

    /// A file, if this person has it.
    async fn file(&self, owner: UserId, id: &str) -> Result<Option<StoredFile>, JournalError>;
}
