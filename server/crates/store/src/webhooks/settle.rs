//! The end of attempts, and of endpoints that fail for too long.

use agent::ports::Durability;
use protocol::{Notice, NoticeId, Timestamp};
use sqlx::{Row, SqliteConnection};

use super::{SYSTEM, notice_key};
use crate::{Error, Store, notices};

/// Time of failures without a delivery in between after which an endpoint is disabled when a message is given
/// up, in milliseconds.
const PATIENCE: i64 = 5 * 24 * 60 * 60 * 1000;
/// The kind of the notice about a disabled endpoint.
const KIND: &str = "webhook_disabled";

/// The end of an attempt to deliver a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryEnd {
    Delivered,
    /// It failed, and is due again at this time.
    Retry {
        due: Timestamp,
    },
    /// It failed for the last time.
    GivenUp,
    /// The endpoint wants no more messages.
    Gone,
}

/// The words for a notice that an endpoint is disabled, and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointTrouble {
    pub id: NoticeId,
    pub about: String,
    pub text: String,
}

/// A change of an endpoint by the end of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointChange {
    None,
    /// The first failure since the last delivery.
    Failing,
    /// The first delivery after failures.
    Recovered,
    /// Nothing is sent to it before the next start of the server.
    Disabled,
}

impl Store {
    /// Records the end of an attempt. An endpoint that has failed for days, or that is gone, is disabled with
    /// a notice, and its messages go; the next delivery resolves the notice.
    ///
    /// # Errors
    /// The database failed.
    pub async fn settle_webhook(
        &self,
        endpoint: &str,
        message: &str,
        end: DeliveryEnd,
        at: Timestamp,
        trouble: EndpointTrouble,
    ) -> Result<EndpointChange, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin_beside(Durability::Process).await?;
        let settle = match end {
            DeliveryEnd::Retry { due } => sqlx::query(
                "UPDATE webhook_deliveries SET failed = failed + 1, due = ?3 \
                 WHERE endpoint = ?1 AND message = ?2",
            )
            .bind(endpoint)
            .bind(message)
            .bind(due.0),
            DeliveryEnd::Delivered | DeliveryEnd::GivenUp | DeliveryEnd::Gone => {
                sqlx::query("DELETE FROM webhook_deliveries WHERE endpoint = ?1 AND message = ?2")
                    .bind(endpoint)
                    .bind(message)
            }
        };
        settle.execute(&mut *transaction).await?;
        let change = match end {
            DeliveryEnd::Delivered => delivered(&mut transaction, endpoint, at).await?,
            // The message has attempts left, whatever failed some day before it.
            DeliveryEnd::Retry { .. } => {
                failed(&mut transaction, endpoint, at, None, trouble).await?
            }
            DeliveryEnd::GivenUp => {
                failed(&mut transaction, endpoint, at, Some(PATIENCE), trouble).await?
            }
            DeliveryEnd::Gone => failed(&mut transaction, endpoint, at, Some(0), trouble).await?,
        };
        transaction.commit().await?;
        Ok(change)
    }
}

async fn delivered(
    connection: &mut SqliteConnection,
    endpoint: &str,
    at: Timestamp,
) -> Result<EndpointChange, Error> {
    let recovered = sqlx::query(
        "UPDATE webhook_endpoints SET failing = NULL \
         WHERE name = ? AND failing IS NOT NULL AND disabled IS NULL",
    )
    .bind(endpoint)
    .execute(&mut *connection)
    .await?;
    if recovered.rows_affected() == 0 {
        return Ok(EndpointChange::None);
    }
    notices::resolve(connection, SYSTEM, &notice_key(endpoint), at).await?;
    Ok(EndpointChange::Recovered)
}

/// Notes a failure. An endpoint that has failed for as long as `patience` is disabled; none without one.
async fn failed(
    connection: &mut SqliteConnection,
    endpoint: &str,
    at: Timestamp,
    patience: Option<i64>,
    trouble: EndpointTrouble,
) -> Result<EndpointChange, Error> {
    let before =
        sqlx::query("SELECT failing FROM webhook_endpoints WHERE name = ? AND disabled IS NULL")
            .bind(endpoint)
            .fetch_optional(&mut *connection)
            .await?;
    // It is disabled already, by an attempt that was under way at the same time.
    let Some(before) = before else {
        return Ok(EndpointChange::None);
    };
    let before: Option<i64> = before.try_get("failing")?;
    let since = before.unwrap_or(at.0);
    let failing = at.0.saturating_sub(since);
    let disabled = patience
        .filter(|patience| failing >= *patience)
        .map(|_| at.0);
    sqlx::query("UPDATE webhook_endpoints SET failing = ?, disabled = ? WHERE name = ?")
        .bind(since)
        .bind(disabled)
        .bind(endpoint)
        .execute(&mut *connection)
        .await?;
    if disabled.is_none() {
        return Ok(match before {
            None => EndpointChange::Failing,
            Some(_) => EndpointChange::None,
        });
    }
    sqlx::query("DELETE FROM webhook_deliveries WHERE endpoint = ?")
        .bind(endpoint)
        .execute(&mut *connection)
        .await?;
    let notice = Notice {
        id: trouble.id,
        system: SYSTEM.to_owned(),
        key: notice_key(endpoint),
        kind: KIND.to_owned(),
        grave: true,
        about: trouble.about,
        text: trouble.text,
        since: at,
        seen: at,
        acknowledged: None,
        ended: None,
    };
    notices::raise_once(connection, notice, at).await?;
    Ok(EndpointChange::Disabled)
}
