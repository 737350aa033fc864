//! Files in memory: nothing is removed.

use agent::ports::{Files, JournalError, StoredFile};
use async_trait::async_trait;
use protocol::{Timestamp, UserId};

use super::MemoryJournal;

#[async_trait]
impl Files for MemoryJournal {
    async fn keep_file(
        &self,
        owner: UserId,
        file: StoredFile,
        _at: Timestamp,
    ) -> Result<(), JournalError> {
        self.unless_frozen().await;
        let mut inner = self.inner.lock().unwrap();
        inner.files.insert((owner, file.id.clone()), file);
        Ok(())
    }

    async fn hold_file(
        &self,
        owner: UserId,
        id: &str,
        _at: Timestamp,
    ) -> Result<Option<StoredFile>, JournalError> {
        self.file(owner, id).await
    }

    async fn file(&self, owner: UserId, id: &str) -> Result<Option<StoredFile>, JournalError> {
        self.unless_frozen().await;
        let inner = self.inner.lock().unwrap();
        Ok(inner.files.get(&(owner, id.to_owned())).cloned())
    }
}
