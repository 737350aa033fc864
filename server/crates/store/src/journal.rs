//! The journal of conversations.

mod write;

use agent::{
    crash,
    ports::{
        Append, Appended, Correlation, Durability, Epoch, Journal, JournalError, Record,
        StoredConversation, Trace,
    },
};
use async_trait::async_trait;
use protocol::{CommandId, ConversationId, Event, EventBody, Seq, UserId};
use serde_json::value::RawValue;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    Error, Store,
    columns::{event, parse, to_seq},
    commands::remember_command,
    conversations::{from_word, to_word},
    database::commit,
    import::refuse_closed,
    projection::own_call,
};
pub(crate) use write::write;

#[async_trait]
impl Journal for Store {
    async fn create(
        &self,
        conversation: StoredConversation,
        append: Append,
    ) -> Result<Appended, JournalError> {
        if append.epoch != Epoch(0) || append.head != Seq(0) {
            return Err(JournalError::Conflict { head: Seq(0) });
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(append.durability).await?;
        remember_command(&mut transaction, &append).await?;
        let origin = append.records.iter().find_map(|record| match record.body {
            EventBody::ConversationStarted { from, .. } => from,
            _ => None,
        });
        if let Some(from) = origin {
            refuse_closed(&mut transaction, from).await?;
        }
        let inserted = sqlx::query(
            "INSERT INTO conversations (id, owner, mode, model, title, created, updated, head, epoch, \
             messages, input, output, cache_read, cache_write, cost, running, origin, \
             action) VALUES (?1, ?2, ?3, ?4, '', ?5, ?5, 0, 1, 0, 0, 0, 0, 0, 0, 0, ?6, ?7) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(conversation.id.to_string())
        .bind(conversation.owner.to_string())
        .bind(to_word(&conversation.mode)?)
        .bind(&conversation.model)
        .bind(append.at.0)
        .bind(origin.map(|from| from.to_string()))
        .bind(own_call(&append.records)?)
        .execute(&mut *transaction)
        .await
        .map_err(Error::from)?;
        if inserted.rows_affected() == 0 {
            return Err(JournalError::Exists);
        }
        let appended = write(
            &mut transaction,
            Append {
                epoch: Epoch(1),
                ..append
            },
        )
        .await?;
        commit(transaction, || events(&appended)).await?;
        Ok(appended)
    }

    async fn append(&self, append: Append) -> Result<Appended, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(append.durability).await?;
        remember_command(&mut transaction, &append).await?;
        let appended = write(&mut transaction, append).await?;
        commit(transaction, || events(&appended)).await?;
        Ok(appended)
    }

    async fn claim(&self, conversation: ConversationId) -> Result<Epoch, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        refuse_closed(&mut transaction, conversation).await?;
        let epoch: i64 = sqlx::query_scalar(
            "UPDATE conversations SET epoch = epoch + 1 WHERE id = ? AND deleted IS NULL \
             RETURNING epoch",
        )
        .bind(conversation.to_string())
        .fetch_one(&mut *transaction)
        .await
        .map_err(Error::from)?;
        commit(transaction, || "a claim".to_owned()).await?;
        Ok(Epoch(epoch))
    }

    async fn conversation(
        &self,
        conversation: ConversationId,
    ) -> Result<StoredConversation, JournalError> {
        let row = sqlx::query(
            "SELECT owner, mode, model FROM conversations WHERE id = ? AND deleted IS NULL",
        )
        .bind(conversation.to_string())
        .fetch_one(self.readers())
        .await
        .map_err(Error::from)?;
        let stored = || -> Result<_, Error> {
            Ok(StoredConversation {
                id: conversation,
                owner: parse(&row.try_get::<String, _>(0)?)?,
                mode: from_word(&row.try_get::<String, _>(1)?)?,
                model: row.try_get(2)?,
            })
        };
        Ok(stored()?)
    }

    async fn records(&self, conversation: ConversationId) -> Result<Vec<Record>, JournalError> {
        let rows = sqlx::query(
            "SELECT seq, at, body, raw FROM events \
             WHERE conversation = (SELECT key FROM conversations WHERE id = ? AND deleted IS NULL) \
             ORDER BY seq",
        )
        .bind(conversation.to_string())
        .fetch_all(self.readers())
        .await
        .map_err(Error::from)?;
        if rows.is_empty() {
            return Err(JournalError::NotFound);
        }
        Ok(rows.iter().map(record).collect::<Result<_, Error>>()?)
    }

    async fn traces(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<(Seq, Trace)>, JournalError> {
        let rows = sqlx::query(
            "SELECT seq, correlation, model_request FROM events \
             WHERE conversation = (SELECT key FROM conversations WHERE id = ? AND deleted IS NULL) \
             AND (correlation IS NOT NULL OR model_request IS NOT NULL) ORDER BY seq",
        )
        .bind(conversation.to_string())
        .fetch_all(self.readers())
        .await
        .map_err(Error::from)?;
        let trace = |row: &SqliteRow| -> Result<_, Error> {
            let correlation: Option<String> = row.try_get(1)?;
            let trace = Trace {
                correlation: correlation.and_then(|id| Correlation::parse(&id)),
                model_request: row.try_get(2)?,
            };
            Ok((to_seq(row.try_get(0)?)?, trace))
        };
        Ok(rows.iter().map(trace).collect::<Result<_, Error>>()?)
    }

    async fn events_after(
        &self,
        conversation: ConversationId,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Event>, JournalError> {
        let mut reader = self.readers().acquire().await.map_err(Error::from)?;
        Ok(read_events(&mut reader, conversation, after, limit).await?)
    }

    async fn head(&self, conversation: ConversationId) -> Result<Seq, JournalError> {
        let head: i64 =
            sqlx::query_scalar("SELECT head FROM conversations WHERE id = ? AND deleted IS NULL")
                .bind(conversation.to_string())
                .fetch_one(self.readers())
                .await
                .map_err(Error::from)?;
        Ok(to_seq(head)?)
    }

    async fn has_command(&self, user: UserId, command: CommandId) -> Result<bool, JournalError> {
        let found = sqlx::query("SELECT 1 FROM commands WHERE user = ? AND id = ?")
            .bind(user.to_string())
            .bind(command.to_string())
            .fetch_optional(self.readers())
            .await
            .map_err(Error::from)?;
        Ok(found.is_some())
    }

    async fn unfinished(&self) -> Result<Vec<ConversationId>, JournalError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM conversations WHERE running = 1 AND deleted IS NULL \
             UNION SELECT id FROM conversations \
             WHERE key IN (SELECT conversation FROM queued_messages) AND deleted IS NULL \
             ORDER BY id",
        )
        .fetch_all(self.readers())
        .await
        .map_err(Error::from)?;
        Ok(ids
            .iter()
            .map(|id| parse(id))
            .collect::<Result<_, Error>>()?)
    }
}

pub(crate) fn events(appended: &Appended) -> String {
    crash::names(appended.records.iter().map(|record| &record.event))
}

pub(crate) async fn read_events(
    connection: &mut SqliteConnection,
    conversation: ConversationId,
    after: Seq,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    let rows = sqlx::query(
        "SELECT seq, at, body FROM events \
         WHERE conversation = (SELECT key FROM conversations WHERE id = ? AND deleted IS NULL) \
         AND seq > ? ORDER BY seq LIMIT ?",
    )
    .bind(conversation.to_string())
    .bind(i64::try_from(after.0).unwrap_or(i64::MAX))
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    rows.iter().map(event).collect()
}

fn record(row: &SqliteRow) -> Result<Record, Error> {
    let raw: Option<String> = row.try_get("raw")?;
    let raw = raw.map(RawValue::from_string).transpose();
    let raw = raw.map_err(|error| Error::Damaged(error.to_string()))?;
    Ok(Record {
        event: event(row)?,
        raw,
    })
}
