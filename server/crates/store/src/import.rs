//! Conversations as files: reading their stored events, and keeping those of a file as closed
//! history.
//!
//! Imported events never act: they have no epoch that anybody owns, no running turn, no queue, no
//! open card and no row of the audit chain but the one that says who imported them.

use agent::{
    CoverEvents, Unseen,
    ports::{Durability, JournalError, StoredConversation},
};
use protocol::{ConversationId, ConversationSummary, EventBody, Seq, Timestamp};
use sqlx::{Row, SqliteConnection};

use crate::{
    Error, Store, SystemEvent,
    batch::WriteBatch,
    columns::to_seq,
    conversations::{SUMMARY, summary, to_word},
    database::commit,
    pages,
    projection::Projection,
    search, system,
};

/// Events that go to the database in one trip.
const CHUNK: usize = 200;

/// The body of an event that this build cannot read.
const UNREADABLE: &str = r#"{"type":"unknown"}"#;

/// An event as the journal keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainEvent {
    pub seq: Seq,
    pub at: Timestamp,
    /// An [`EventBody`] as JSON.
    pub body: String,
}

impl CoverEvents for PlainEvent {
    fn cover(&mut self) {
        let body = serde_json::from_str::<EventBody>(&self.body);
        let covered = body.and_then(|mut body| {
            body.cover();
            serde_json::to_string(&body)
        });
        // What cannot be read cannot be covered.
        self.body = covered.unwrap_or_else(|_| UNREADABLE.to_owned());
    }
}

impl Store {
    /// Stored events after one and up to another, in order, at most `limit`.
    pub async fn plain_events(
        &self,
        conversation: ConversationId,
        after: Seq,
        until: Seq,
        limit: usize,
    ) -> Result<Unseen<Vec<PlainEvent>>, Error> {
        let number = |seq: Seq| i64::try_from(seq.0).unwrap_or(i64::MAX);
        let rows = sqlx::query(
            "SELECT seq, at, body FROM events \
             WHERE conversation = (SELECT key FROM conversations WHERE id = ?) \
             AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        )
        .bind(conversation.to_string())
        .bind(number(after))
        .bind(number(until))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(self.readers())
        .await?;
        let event = |row: &sqlx::sqlite::SqliteRow| {
            Ok(PlainEvent {
                seq: to_seq(row.try_get("seq")?)?,
                at: Timestamp(row.try_get("at")?),
                body: row.try_get("body")?,
            })
        };
        let events = rows.iter().map(event).collect::<Result<Vec<_>, Error>>()?;
        Ok(Unseen::new(events))
    }

    /// Stores an imported conversation, all of it or nothing, as closed history of its owner. The
    /// events are numbered anew in their order; `by` is the owner's name. The caller has checked
    /// them.
    ///
    /// # Errors
    /// An invalid event, or a failure of the database.
    pub async fn import(
        &self,
        conversation: &StoredConversation,
        by: &str,
        at: Timestamp,
        events: &[PlainEvent],
    ) -> Result<ConversationSummary, Error> {
        let id = conversation.id.to_string();
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let created = events.first().map_or(at, |event| event.at);
        let key: i64 = sqlx::query_scalar(
            "INSERT INTO conversations (id, owner, mode, model, title, created, updated, head, \
             epoch, messages, input, output, cache_read, cache_write, cost, running, imported) \
             VALUES (?1, ?2, ?3, ?4, '', ?5, ?6, ?7, 0, 0, 0, 0, 0, 0, 0, 0, ?6) RETURNING key",
        )
        .bind(&id)
        .bind(conversation.owner.to_string())
        .bind(to_word(&conversation.mode)?)
        .bind(&conversation.model)
        .bind(created.0)
        .bind(at.0)
        .bind(i64::try_from(events.len()).unwrap_or(i64::MAX))
        .fetch_one(&mut *transaction)
        .await?;
        let mut sum = Projection::of(&[]);
        let mut seq = Seq::default();
        for chunk in events.chunks(CHUNK) {
            let mut batch = WriteBatch::default();
            for event in chunk {
                let body: EventBody = serde_json::from_str(&event.body)
                    .map_err(|error| Error::Damaged(error.to_string()))?;
                sum.add(&body);
                seq = seq.next();
                batch
                    .add("INSERT INTO events (conversation, seq, at, body) VALUES (?, ?, ?, ?)")
                    .bind(key)?
                    .bind(i64::try_from(seq.0).unwrap_or(i64::MAX))?
                    .bind(event.at.0)?
                    .bind(event.body.clone())?;
                search::index_text(&mut batch, key, seq, &body)?;
                pages::note_lasting(&mut batch, key, seq, &body)?;
            }
            batch.run(&mut transaction).await?;
        }
        let title = sum.title.unwrap_or_default();
        let mut batch = WriteBatch::default();
        search::index_title(&mut batch, key, &title)?;
        batch.run(&mut transaction).await?;
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let row = sqlx::query(concat!(
            "UPDATE conversations SET title = ?1, messages = ?2, input = ?3, output = ?4, \
             cache_read = ?5, cache_write = ?6, cost = ?7 WHERE key = ?8 RETURNING ",
            SUMMARY!()
        ))
        .bind(title)
        .bind(sum.messages)
        .bind(number(sum.usage.input))
        .bind(number(sum.usage.output))
        .bind(number(sum.usage.cache_read))
        .bind(number(sum.usage.cache_write))
        .bind(sum.cost.map(|cost| number(cost.0)))
        .bind(key)
        .fetch_one(&mut *transaction)
        .await?;
        let summary = summary(&row)?;
        let event = SystemEvent::ConversationImported {
            conversation: conversation.id,
            events: seq.0,
            user: conversation.owner,
            by: by.to_owned(),
        };
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "an import".to_owned()).await?;
        Ok(summary)
    }
}

/// Refuses to write in an imported conversation, or to continue from it.
pub(crate) async fn refuse_closed(
    connection: &mut SqliteConnection,
    conversation: ConversationId,
) -> Result<(), JournalError> {
    let imported: Option<Option<i64>> =
        sqlx::query_scalar("SELECT imported FROM conversations WHERE id = ?")
            .bind(conversation.to_string())
            .fetch_optional(connection)
            .await
            .map_err(Error::from)?;
    match imported.flatten() {
        Some(_) => Err(JournalError::Closed),
        None => Ok(()),
    }
}
