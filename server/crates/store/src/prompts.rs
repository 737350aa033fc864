//! Messages that people keep for reuse, each person their own.

use agent::ports::Durability;
use protocol::{MAX_PROMPTS, Prompt, Timestamp, UserId};
use sqlx::Row;

use crate::{Error, Store, database::commit};

impl Store {
    /// The prompts of a person, by name.
    pub async fn prompts(&self, owner: UserId) -> Result<Vec<Prompt>, Error> {
        let rows = sqlx::query("SELECT name, text FROM prompts WHERE user = ? ORDER BY name")
            .bind(owner.to_string())
            .fetch_all(self.readers())
            .await?;
        let prompt = |row: &sqlx::sqlite::SqliteRow| {
            Ok(Prompt {
                name: row.try_get("name")?,
                text: row.try_get("text")?,
            })
        };
        rows.iter().map(prompt).collect()
    }

    /// Stores a prompt, replacing the one with its name if there is one.
    ///
    /// # Errors
    /// The person keeps too many.
    pub async fn keep_prompt(
        &self,
        owner: UserId,
        prompt: &Prompt,
        at: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        let kept = sqlx::query(
            "INSERT INTO prompts (user, name, text, changed) SELECT ?1, ?2, ?3, ?4 \
             WHERE (SELECT count(*) FROM prompts WHERE user = ?1 AND name <> ?2) < ?5 \
             ON CONFLICT (user, name) DO UPDATE SET text = excluded.text, changed = excluded.changed",
        )
        .bind(owner.to_string())
        .bind(&prompt.name)
        .bind(&prompt.text)
        .bind(at.0)
        .bind(i64::try_from(MAX_PROMPTS).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await?;
        if kept.rows_affected() == 0 {
            return Err(Error::TooMany);
        }
        commit(transaction, || "a prompt".to_owned()).await
    }

    /// Deletes a prompt.
    ///
    /// # Errors
    /// The person has no such prompt.
    pub async fn forget_prompt(&self, owner: UserId, name: &str) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        let gone = sqlx::query("DELETE FROM prompts WHERE user = ? AND name = ?")
            .bind(owner.to_string())
            .bind(name)
            .execute(&mut *transaction)
            .await?;
        if gone.rows_affected() == 0 {
            return Err(Error::NotFound);
        }
        commit(transaction, || "a prompt's end".to_owned()).await
    }
}
