//! Alerts: a write counts only if the stored version is the one that it was made from.

use async_trait::async_trait;
use markets::{
    StoreError, Time, TrailRow,
    alert::{Alert, AlertState, AlertStore},
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{MarketsTables, failed, refused, trail};

#[async_trait]
impl AlertStore for MarketsTables {
    async fn insert(&self, alert: &Alert, told: &TrailRow) -> Result<Alert, StoreError> {
        let body = body(alert)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("an alert").await.map_err(refused)?;
        let done = sqlx::query(
            "INSERT INTO market_alerts (id, version, waits, since, body) VALUES (?, ?, ?, ?, ?) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(&alert.id)
        .bind(version(alert))
        .bind(waits(alert))
        .bind(alert.since.0)
        .bind(&body)
        .execute(change.connection())
        .await
        .map_err(failed)?;
        if done.rows_affected() > 0 {
            trail::write(change.connection(), told).await?;
        }
        let stored = stored(change.connection(), &alert.id).await?;
        change.commit().await.map_err(refused)?;
        stored.ok_or(StoreError::NotFound)
    }

    async fn replace(&self, next: &Alert, told: Option<&TrailRow>) -> Result<bool, StoreError> {
        let mut writer = self.0.writer().await;
        let mut change = writer
            .begin("a change of an alert")
            .await
            .map_err(refused)?;
        let done = sqlx::query(
            "UPDATE market_alerts SET version = ?, waits = ?, since = ?, body = ? \
             WHERE id = ? AND version = ?",
        )
        .bind(version(next))
        .bind(waits(next))
        .bind(next.since.0)
        .bind(body(next)?)
        .bind(&next.id)
        .bind(version(next) - 1)
        .execute(change.connection())
        .await
        .map_err(failed)?;
        let is_stored = if done.rows_affected() == 0 {
            // A write that changed nothing is fine if it was made before.
            stored(change.connection(), &next.id).await?.as_ref() == Some(next)
        } else {
            if let Some(told) = told {
                trail::write(change.connection(), told).await?;
            }
            true
        };
        change.commit().await.map_err(refused)?;
        Ok(is_stored)
    }

    async fn get(&self, id: &str) -> Result<Option<Alert>, StoreError> {
        let row = sqlx::query("SELECT body FROM market_alerts WHERE id = ?")
            .bind(id)
            .fetch_optional(self.0.readers())
            .await
            .map_err(failed)?;
        row.as_ref().map(read).transpose()
    }

    async fn list(&self, since: Time) -> Result<Vec<Alert>, StoreError> {
        let rows =
            sqlx::query("SELECT body FROM market_alerts WHERE waits = 1 OR since >= ? ORDER BY id")
                .bind(since.0)
                .fetch_all(self.0.readers())
                .await
                .map_err(failed)?;
        rows.iter().map(read).collect()
    }
}

async fn stored(connection: &mut SqliteConnection, id: &str) -> Result<Option<Alert>, StoreError> {
    let row = sqlx::query("SELECT body FROM market_alerts WHERE id = ?")
        .bind(id)
        .fetch_optional(connection)
        .await
        .map_err(failed)?;
    row.as_ref().map(read).transpose()
}

fn body(alert: &Alert) -> Result<String, StoreError> {
    serde_json::to_string(alert).map_err(|error| StoreError::Damaged(error.to_string()))
}

fn read(row: &SqliteRow) -> Result<Alert, StoreError> {
    let body: String = row.try_get(0).map_err(failed)?;
    serde_json::from_str(&body).map_err(|error| StoreError::Damaged(error.to_string()))
}

fn version(alert: &Alert) -> i64 {
    i64::try_from(alert.version).unwrap_or(i64::MAX)
}

fn waits(alert: &Alert) -> bool {
    alert.state == AlertState::Waiting
}
