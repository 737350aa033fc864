//! Files, addressed by their content, and the conversations that use them.
//!
//! The use of a file is noted in the transaction of the event. A file that no event names is
//! removed after a day; one that only a deleted conversation named is removed with it.

use agent::ports::{Durability, Files, JournalError, StoredFile};
use async_trait::async_trait;
use protocol::{EventBody, Timestamp, UserId};
use sqlx::{Row, SqliteConnection};

use crate::{Error, Store, batch::WriteBatch, database::commit};

/// Time for which a file is kept that no event names, in milliseconds: a message that waits to be
/// sent may need it.
const KEPT_UNUSED: i64 = 24 * 60 * 60 * 1000;
/// The most bytes of one person's files that no event names, all together.
const MAX_UNUSED: i64 = 200 << 20;

/// No event of a journal names a file of `files`.
macro_rules! UNUSED {
    () => {
        "NOT EXISTS (SELECT 1 FROM file_uses \
         JOIN conversations ON conversations.key = file_uses.conversation \
         WHERE file_uses.file = files.id AND conversations.owner = files.owner)"
    };
}

impl Store {
    /// See [`Files::keep_file`].
    ///
    /// # Errors
    /// [`Error::TooMany`] if the person's unused files are too large together.
    pub async fn keep(&self, owner: UserId, file: &StoredFile, at: Timestamp) -> Result<(), Error> {
        let size = i64::try_from(file.content.len()).unwrap_or(i64::MAX);
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        remove_unused(&mut transaction, at.0 - KEPT_UNUSED).await?;
        let kept = sqlx::query(concat!(
            "INSERT INTO files (owner, id, kind, size, at, content) SELECT ?1, ?2, ?3, ?4, ?5, ?6 \
             WHERE (SELECT coalesce(sum(size), 0) FROM files WHERE owner = ?1 AND id <> ?2 AND ",
            UNUSED!(),
            ") + ?4 <= ?7 ON CONFLICT (owner, id) DO UPDATE SET at = max(at, excluded.at)"
        ))
        .bind(owner.to_string())
        .bind(&file.id)
        .bind(&file.kind)
        .bind(size)
        .bind(at.0)
        .bind(&file.content)
        .bind(MAX_UNUSED)
        .execute(&mut *transaction)
        .await?;
        if kept.rows_affected() == 0 {
            return Err(Error::TooMany);
        }
        commit(transaction, || "a file".to_owned()).await
    }

    /// A person's file.
    pub async fn kept(&self, owner: UserId, id: &str) -> Result<Option<StoredFile>, Error> {
        let row = sqlx::query("SELECT kind, content FROM files WHERE owner = ? AND id = ?")
            .bind(owner.to_string())
            .bind(id)
            .fetch_optional(self.readers())
            .await?;
        let file = |row: sqlx::sqlite::SqliteRow| {
            Ok(StoredFile {
                id: id.to_owned(),
                kind: row.try_get("kind")?,
                content: row.try_get("content")?,
            })
        };
        row.map(file).transpose()
    }

    async fn hold(&self, owner: UserId, id: &str, at: Timestamp) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query("UPDATE files SET at = max(at, ?) WHERE owner = ? AND id = ?")
            .bind(at.0)
            .bind(owner.to_string())
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        commit(transaction, || "a hold of a file".to_owned()).await
    }
}

#[async_trait]
impl Files for Store {
    async fn keep_file(
        &self,
        owner: UserId,
        file: StoredFile,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        Ok(self.keep(owner, &file, at).await?)
    }

    async fn hold_file(
        &self,
        owner: UserId,
        id: &str,
        at: Timestamp,
    ) -> Result<Option<StoredFile>, JournalError> {
        // First held, then read: the file that is read stays for a day.
        self.hold(owner, id, at).await?;
        Ok(self.kept(owner, id).await?)
    }

    async fn file(&self, owner: UserId, id: &str) -> Result<Option<StoredFile>, JournalError> {
        Ok(self.kept(owner, id).await?)
    }
}

/// Notes the files that an event names.
pub(crate) fn note_uses(
    batch: &mut WriteBatch,
    conversation: i64,
    body: &EventBody,
) -> Result<(), Error> {
    for file in body.files() {
        batch
            .add("INSERT OR IGNORE INTO file_uses (file, conversation) VALUES (?, ?)")
            .bind(file.id.clone())?
            .bind(conversation)?;
    }
    Ok(())
}

/// A branch uses the files of the other conversation.
pub(crate) async fn copy_uses(
    connection: &mut SqliteConnection,
    from: i64,
    to: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT OR IGNORE INTO file_uses (file, conversation) \
         SELECT file, ?2 FROM file_uses WHERE conversation = ?1",
    )
    .bind(from)
    .bind(to)
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends the extra day of the files of a conversation that is about to be removed.
pub(crate) async fn let_go(
    connection: &mut SqliteConnection,
    conversation: i64,
) -> Result<(), Error> {
    sqlx::query(
        "UPDATE files SET at = 0 \
         WHERE owner = (SELECT owner FROM conversations WHERE key = ?1) \
         AND id IN (SELECT file FROM file_uses WHERE conversation = ?1)",
    )
    .bind(conversation)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes files that nothing uses and nobody has held since `until`.
pub(crate) async fn remove_unused(
    connection: &mut SqliteConnection,
    until: i64,
) -> Result<(), Error> {
    sqlx::query(concat!("DELETE FROM files WHERE at <= ? AND ", UNUSED!()))
        .bind(until)
        .execute(connection)
        .await?;
    Ok(())
}
