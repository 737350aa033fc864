//! The fold of the journals into messages.

use agent::{Unseen, ports::Durability};
use protocol::Timestamp;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{OwnCallEnd, WebhookEvent, WebhookFact, WebhookFold, WebhookMessage};
use crate::{
    Error, Store,
    columns::{event, parse},
};

/// The most messages that wait for one endpoint. One that is away for long must not fill the disk.
const MOST_WAITING: i64 = 10_000;

/// The events that can be messages, found by the beginning of their JSON: their type comes first. The copies
/// in a branch and the events of an imported conversation happened elsewhere.
const EVENTS: &str = "SELECT events.key AS key, events.seq AS seq, events.at AS at, \
    events.body AS body, conversations.id AS conversation, conversations.action IS NOT NULL \
    AND events.body GLOB '{\"type\":\"turn_finished\"*' AS ends_own_call \
    FROM events JOIN conversations ON conversations.key = events.conversation \
    WHERE events.key > ?1 AND events.key <= ?2 AND conversations.imported IS NULL \
    AND events.seq >= coalesce(conversations.leaves, 0) \
    AND (events.body GLOB '{\"type\":\"confirmation_requested\"*' \
    OR events.body GLOB '{\"type\":\"confirmation_decided\"*' \
    OR events.body GLOB '{\"type\":\"turn_finished\"*') ORDER BY events.key";

/// The last event of the call whose turn ends with an event.
const OWN_CALL_END: &str = "SELECT events.seq AS seq, events.at AS at, events.body AS body, \
    (SELECT begun.correlation FROM events AS begun \
    WHERE begun.conversation = events.conversation AND begun.correlation IS NOT NULL \
    ORDER BY begun.seq LIMIT 1) AS request \
    FROM events JOIN events AS ended ON ended.conversation = events.conversation \
    WHERE ended.key = ? AND events.seq < ended.seq \
    AND (events.body GLOB '{\"type\":\"tool_finished\"*' \
    OR events.body GLOB '{\"type\":\"tool_blocked\"*' \
    OR events.body GLOB '{\"type\":\"confirmation_decided\"*') \
    ORDER BY events.seq DESC LIMIT 1";

const SYSTEM_EVENTS: &str = "SELECT seq, at, body FROM system_events \
    WHERE seq > ?1 AND seq <= ?2 AND (body GLOB '{\"type\":\"notice_raised\"*' \
    OR body GLOB '{\"type\":\"notice_ended\"*') ORDER BY seq";

/// The number of an event in its journal.
#[derive(Clone, Copy)]
enum FoldedEvent {
    Conversation(i64),
    System(i64),
}

/// The position of the fold, or the end of what it can read.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FoldPlace {
    event: i64,
    system: i64,
}

impl Store {
    /// Folds at most `limit` more events of each journal. `message` makes the message of an event; none if
    /// no endpoint wants it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn fold_webhooks(
        &self,
        limit: u32,
        now: Timestamp,
        message: impl Fn(WebhookFact) -> Option<WebhookMessage>,
    ) -> Result<WebhookFold, Error> {
        let limit = i64::from(limit);
        let mut reader = self.readers().acquire().await?;
        let portion = FoldPortion::next(&mut reader, limit).await?;
        drop(reader);
        let mut fold = WebhookFold {
            complete: portion.complete,
            queued: 0,
            lost: 0,
        };
        if portion.to == portion.from {
            return Ok(fold);
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin_beside(Durability::Process).await?;
        // Read anew where nobody else writes: another task may have folded these just now, or their numbers
        // are those of other events, after a deletion.
        let portion = FoldPortion::next(&mut transaction, limit).await?;
        fold.complete = portion.complete;
        let messages = portion.messages(&mut transaction, &message).await?;
        for (event, made) in messages {
            queue(&mut transaction, event, &made, now, &mut fold).await?;
        }
        sqlx::query("UPDATE webhook_fold SET event = ?, system = ?")
            .bind(portion.to.event)
            .bind(portion.to.system)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(fold)
    }
}

/// Events that are folded in one transaction.
struct FoldPortion {
    /// All up to here were folded before.
    from: FoldPlace,
    to: FoldPlace,
    /// True if it has the newest events.
    complete: bool,
}

impl FoldPortion {
    /// The next portion, of at most `limit` events of each journal.
    async fn next(connection: &mut SqliteConnection, limit: i64) -> Result<Self, Error> {
        let row = sqlx::query(
            "SELECT event, system, (SELECT coalesce(max(key), 0) FROM events) AS newest_event, \
             (SELECT coalesce(max(seq), 0) FROM system_events) AS newest_system FROM webhook_fold",
        )
        .fetch_one(connection)
        .await?;
        let from = FoldPlace {
            event: row.try_get("event")?,
            system: row.try_get("system")?,
        };
        let newest = FoldPlace {
            event: row.try_get("newest_event")?,
            system: row.try_get("newest_system")?,
        };
        let to = FoldPlace {
            event: newest.event.min(from.event.saturating_add(limit)),
            system: newest.system.min(from.system.saturating_add(limit)),
        };
        Ok(Self {
            from,
            to,
            complete: to == newest,
        })
    }

    /// The messages of its events.
    async fn messages(
        &self,
        connection: &mut SqliteConnection,
        message: &impl Fn(WebhookFact) -> Option<WebhookMessage>,
    ) -> Result<Vec<(FoldedEvent, WebhookMessage)>, Error> {
        let mut messages = Vec::new();
        let events = sqlx::query(EVENTS)
            .bind(self.from.event)
            .bind(self.to.event)
            .fetch_all(&mut *connection)
            .await?;
        for row in &events {
            let key: i64 = row.try_get("key")?;
            let ends_own_call: bool = row.try_get("ends_own_call")?;
            let end = if ends_own_call {
                own_call_end(connection, key).await?
            } else {
                None
            };
            match of_conversation(row, end) {
                Ok(fact) => {
                    let made = message(fact).into_iter();
                    messages.extend(made.map(|it| (FoldedEvent::Conversation(key), it)));
                }
                Err(error) => tracing::warn!(key, %error, "an unreadable event"),
            }
        }
        let system = sqlx::query(SYSTEM_EVENTS)
            .bind(self.from.system)
            .bind(self.to.system)
            .fetch_all(&mut *connection)
            .await?;
        for row in &system {
            let seq: i64 = row.try_get("seq")?;
            match of_system(row) {
                Ok(fact) => {
                    let made = message(fact).into_iter();
                    messages.extend(made.map(|it| (FoldedEvent::System(seq), it)));
                }
                Err(error) => tracing::warn!(seq, %error, "an unreadable system event"),
            }
        }
        Ok(messages)
    }
}

/// The end of the call whose turn ends with this event.
async fn own_call_end(
    connection: &mut SqliteConnection,
    key: i64,
) -> Result<Option<OwnCallEnd>, Error> {
    let row = sqlx::query(OWN_CALL_END).bind(key);
    let Some(row) = row.fetch_optional(connection).await? else {
        return Ok(None);
    };
    match event(&row) {
        Ok(event) => Ok(Some(OwnCallEnd {
            event: Box::new(Unseen::new(event)),
            request: row.try_get("request")?,
        })),
        Err(error) => {
            tracing::warn!(key, %error, "an unreadable end of a call");
            Ok(None)
        }
    }
}

fn of_conversation(row: &SqliteRow, end: Option<OwnCallEnd>) -> Result<WebhookFact, Error> {
    let event = event(row)?;
    Ok(WebhookFact {
        at: event.at,
        event: WebhookEvent::Conversation {
            conversation: parse(row.try_get("conversation")?)?,
            event: Box::new(Unseen::new(event)),
            end,
        },
    })
}

fn of_system(row: &SqliteRow) -> Result<WebhookFact, Error> {
    let event = serde_json::from_str(row.try_get("body")?);
    let event = event.map_err(|error| Error::Damaged(error.to_string()))?;
    Ok(WebhookFact {
        at: Timestamp(row.try_get("at")?),
        event: WebhookEvent::System(Box::new(event)),
    })
}

/// Queues a message for each endpoint that wants it, is not disabled, and was there before the event.
async fn queue(
    connection: &mut SqliteConnection,
    event: FoldedEvent,
    message: &WebhookMessage,
    now: Timestamp,
    fold: &mut WebhookFold,
) -> Result<(), Error> {
    let (key, seq) = match event {
        FoldedEvent::Conversation(key) => (key, i64::MAX),
        FoldedEvent::System(seq) => (i64::MAX, seq),
    };
    for endpoint in &message.endpoints {
        let waiting: Option<i64> = sqlx::query_scalar(
            "SELECT (SELECT count(*) FROM webhook_deliveries WHERE endpoint = ?1) \
             FROM webhook_endpoints WHERE name = ?1 AND disabled IS NULL \
             AND since_event < ?2 AND since_system < ?3",
        )
        .bind(endpoint)
        .bind(key)
        .bind(seq)
        .fetch_optional(&mut *connection)
        .await?;
        match waiting {
            None => {}
            Some(waiting) if waiting >= MOST_WAITING => fold.lost += 1,
            Some(_) => {
                let queued = sqlx::query(
                    "INSERT INTO webhook_deliveries (endpoint, message, body, failed, due) \
                     VALUES (?, ?, ?, 0, ?) ON CONFLICT (endpoint, message) DO NOTHING",
                )
                .bind(endpoint)
                .bind(&message.id)
                .bind(&message.body)
                .bind(now.0)
                .execute(&mut *connection)
                .await?;
                fold.queued += queued.rows_affected();
            }
        }
    }
    Ok(())
}
