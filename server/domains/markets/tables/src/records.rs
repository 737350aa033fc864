//! Events, headlines, reports and trades.

use async_trait::async_trait;
use markets::{RecordKind, RecordRow, RecordStore, StoreError, Time, Upserted};
use serde_json::json;
use sqlx::{Row, sqlite::SqliteRow};

use crate::{MarketsTables, count, failed, refused};

/// Rows of one statement.
const PART: usize = 500;

#[async_trait]
impl RecordStore for MarketsTables {
    async fn put(&self, kind: RecordKind, rows: &[RecordRow]) -> Result<Upserted, StoreError> {
        let mut writer = self.0.writer().await;
        let begun = writer.begin_import("records of markets").await;
        let mut change = begun.map_err(refused)?;
        let mut written = 0;
        for part in rows.chunks(PART) {
            let rows: Vec<_> = part
                .iter()
                .map(|row| json!([row.id, row.about, row.time.0, row.body]))
                .collect();
            let done = sqlx::query(
                "INSERT INTO market_records (kind, id, about, time, body) \
                 SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 \
                 FROM json_each(?2) WHERE true \
                 ON CONFLICT (kind, id) DO UPDATE SET about = excluded.about, \
                     time = excluded.time, body = excluded.body \
                 WHERE (about, time, body) IS NOT (excluded.about, excluded.time, excluded.body)",
            )
            .bind(kind.name())
            .bind(serde_json::Value::Array(rows).to_string())
            .execute(change.connection())
            .await
            .map_err(failed)?;
            written += done.rows_affected();
        }
        change.commit().await.map_err(refused)?;
        Ok(Upserted {
            written,
            unchanged: (rows.len() as u64).saturating_sub(written),
        })
    }

    async fn between(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        from: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<RecordRow>, StoreError> {
        let sql = match about {
            Some(_) => {
                "SELECT id, about, time, body FROM market_records WHERE kind = ?1 AND sample <= ?5 \
                 AND about = ?6 AND time >= ?2 AND time < ?3 ORDER BY time, id LIMIT ?4"
            }
            None => {
                "SELECT id, about, time, body FROM market_records WHERE kind = ?1 AND sample <= ?5 \
                 AND time >= ?2 AND time < ?3 ORDER BY time, id LIMIT ?4"
            }
        };
        let mut query = sqlx::query(sql)
            .bind(kind.name())
            .bind(from.0)
            .bind(until.0)
            .bind(count(most))
            .bind(self.has_samples_only(kind).await?);
        if let Some(about) = about {
            query = query.bind(about);
        }
        let rows = query.fetch_all(self.0.readers()).await.map_err(failed)?;
        rows.iter().map(record).collect()
    }

    async fn newest(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        until: Time,
        wanted: usize,
    ) -> Result<Vec<RecordRow>, StoreError> {
        let sql = match about {
            Some(_) => {
                "SELECT id, about, time, body FROM market_records WHERE kind = ?1 AND sample <= ?4 \
                 AND about = ?5 AND time <= ?2 ORDER BY time DESC, id DESC LIMIT ?3"
            }
            None => {
                "SELECT id, about, time, body FROM market_records WHERE kind = ?1 AND sample <= ?4 \
                 AND time <= ?2 ORDER BY time DESC, id DESC LIMIT ?3"
            }
        };
        let mut query = sqlx::query(sql)
            .bind(kind.name())
            .bind(until.0)
            .bind(count(wanted))
            .bind(self.has_samples_only(kind).await?);
        if let Some(about) = about {
            query = query.bind(about);
        }
        let rows = query.fetch_all(self.0.readers()).await.map_err(failed)?;
        rows.iter().rev().map(record).collect()
    }

    async fn forget_samples(&self) -> Result<u64, StoreError> {
        let mut writer = self.0.writer().await;
        let begun = writer.begin("samples of markets").await;
        let mut change = begun.map_err(refused)?;
        let done = sqlx::query("DELETE FROM market_records WHERE sample = 1")
            .execute(change.connection())
            .await
            .map_err(failed)?;
        change.commit().await.map_err(refused)?;
        Ok(done.rows_affected())
    }
}

impl MarketsTables {
    /// Returns whether a kind has no rows but samples; otherwise they are in no answer.
    async fn has_samples_only(&self, kind: RecordKind) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT NOT EXISTS (SELECT 1 FROM market_records WHERE kind = ? AND sample = 0)",
        )
        .bind(kind.name())
        .fetch_one(self.0.readers())
        .await
        .map_err(failed)?;
        row.try_get(0).map_err(failed)
    }
}

fn record(row: &SqliteRow) -> Result<RecordRow, StoreError> {
    Ok(RecordRow {
        id: row.try_get(0).map_err(failed)?,
        about: row.try_get(1).map_err(failed)?,
        time: Time(row.try_get(2).map_err(failed)?),
        body: row.try_get(3).map_err(failed)?,
    })
}
