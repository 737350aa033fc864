//! Webhooks: the messages that wait for delivery, and a fold over the journals that queues them.
//!
//! The fold runs beside the writes, as that of the feed does. It moves its place and queues the messages in
//! one transaction, so that an event becomes a message once, whoever is killed when; a message leaves the
//! queue when its delivery is settled, so that it is sent at least once. The words of a message are the
//! caller's.

mod fold;
mod settle;

use agent::{Unseen, ports::Durability};
use protocol::{ConversationId, Event, Timestamp};
use sqlx::{Row, SqliteConnection};

use crate::{Error, Store, SystemEvent, notices};

pub use settle::{DeliveryEnd, EndpointChange, EndpointTrouble};

/// The system of notices about endpoints: our own.
const SYSTEM: &str = "jarvis";

/// An event that can be a message.
#[derive(Debug, Clone, PartialEq)]
pub struct WebhookFact {
    pub at: Timestamp,
    pub event: WebhookEvent,
}

#[derive(Debug, Clone, PartialEq)]
pub enum WebhookEvent {
    Conversation {
        conversation: ConversationId,
        event: Box<Unseen<Event>>,
        /// The end of the call, with that of an own call's turn.
        end: Option<OwnCallEnd>,
    },
    System(Box<SystemEvent>),
}

/// The end of an own call. That of its turn does not tell it.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnCallEnd {
    /// The result of the call, its refusal, or the decision on it.
    pub event: Box<Unseen<Event>>,
    /// The id of what began the call.
    pub request: Option<String>,
}

/// A message for some endpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookMessage {
    /// Made of the event, so that the same event always has the same id.
    pub id: String,
    pub body: String,
    /// The names of the endpoints that want it.
    pub endpoints: Vec<String>,
}

/// The result of one batch of the fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookFold {
    /// True if no more events wait for the fold.
    pub complete: bool,
    /// Messages that were queued, counted for each endpoint.
    pub queued: u64,
    /// Messages that found the queue of their endpoint full, and are lost.
    pub lost: u64,
}

/// A message that waits for its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDelivery {
    pub message: String,
    pub body: String,
    /// Attempts that failed.
    pub failed: u32,
}

/// The messages of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueWebhooks {
    /// Those that are due, by the time at which they became it.
    pub deliveries: Vec<StoredDelivery>,
    /// The time at which the next one is due.
    pub next: Option<Timestamp>,
}

impl Store {
    /// Takes over the endpoints of the configuration. A new one gets messages about what happens from now
    /// on; one that is gone loses those that wait. One that was disabled gets another chance.
    ///
    /// # Errors
    /// The database failed.
    pub async fn configure_webhooks(&self, names: &[&str], at: Timestamp) -> Result<(), Error> {
        let known: Vec<String> = sqlx::query_scalar("SELECT name FROM webhook_endpoints")
            .fetch_all(self.readers())
            .await?;
        if names.is_empty() && known.is_empty() {
            return Ok(());
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin_beside(Durability::Process).await?;
        let mut stay = false;
        for name in &known {
            if names.contains(&name.as_str()) {
                stay = true;
                continue;
            }
            notices::resolve(&mut transaction, SYSTEM, &notice_key(name), at).await?;
            sqlx::query("DELETE FROM webhook_endpoints WHERE name = ?")
                .bind(name)
                .execute(&mut *transaction)
                .await?;
        }
        // Nobody has followed the journals, and nobody waits for what happened meanwhile.
        if !stay {
            sqlx::query(
                "UPDATE webhook_fold SET event = (SELECT coalesce(max(key), 0) FROM events), \
                 system = (SELECT coalesce(max(seq), 0) FROM system_events)",
            )
            .execute(&mut *transaction)
            .await?;
        }
        for name in names {
            sqlx::query(
                "INSERT INTO webhook_endpoints (name, since_event, since_system) VALUES (?, \
                 (SELECT coalesce(max(key), 0) FROM events), \
                 (SELECT coalesce(max(seq), 0) FROM system_events)) \
                 ON CONFLICT (name) DO UPDATE SET disabled = NULL",
            )
            .bind(*name)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// At most `limit` messages of an endpoint that are due, with the time of the next one after that.
    ///
    /// # Errors
    /// The database failed.
    pub async fn due_webhooks(
        &self,
        endpoint: &str,
        now: Timestamp,
        limit: usize,
    ) -> Result<DueWebhooks, Error> {
        let mut snapshot = self.readers().begin().await?;
        let rows = sqlx::query(
            "SELECT message, body, failed FROM webhook_deliveries \
             WHERE endpoint = ? AND due <= ? ORDER BY due, key LIMIT ?",
        )
        .bind(endpoint)
        .bind(now.0)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *snapshot)
        .await?;
        let deliveries = rows.iter().map(|row| -> Result<_, Error> {
            let failed: i64 = row.try_get("failed")?;
            Ok(StoredDelivery {
                message: row.try_get("message")?,
                body: row.try_get("body")?,
                failed: u32::try_from(failed).unwrap_or(u32::MAX),
            })
        });
        let deliveries = deliveries.collect::<Result<_, Error>>()?;
        let next: Option<i64> = sqlx::query_scalar(
            "SELECT min(due) FROM webhook_deliveries WHERE endpoint = ? AND due > ?",
        )
        .bind(endpoint)
        .bind(now.0)
        .fetch_one(&mut *snapshot)
        .await?;
        snapshot.commit().await?;
        Ok(DueWebhooks {
            deliveries,
            next: next.map(Timestamp),
        })
    }
}

/// Moves the places of the fold back to the newest event that is left. SQLite gives the numbers of the newest
/// rows again once these are deleted, and the fold must not pass over the events that get them.
pub(crate) async fn note_deleted_events(connection: &mut SqliteConnection) -> Result<(), Error> {
    for sql in [
        "UPDATE webhook_fold SET event = newest FROM \
         (SELECT coalesce(max(key), 0) AS newest FROM events) WHERE event > newest",
        "UPDATE webhook_endpoints SET since_event = newest FROM \
         (SELECT coalesce(max(key), 0) AS newest FROM events) WHERE since_event > newest",
    ] {
        sqlx::query(sql).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The key of the notice about an endpoint.
fn notice_key(endpoint: &str) -> String {
    format!("webhook/{endpoint}")
}
