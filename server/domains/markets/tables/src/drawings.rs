//! Drawings on charts: a write counts only if the stored version is the one that it was made from.

use async_trait::async_trait;
use markets::{
    Coded, StoreError, Symbol, TrailFilter, TrailRow, TrailWay,
    drawing::{Drawing, DrawingStore, ReplaceError},
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{MarketsTables, failed, refused, trail};

#[async_trait]
impl DrawingStore for MarketsTables {
    async fn insert(&self, drawing: &Drawing) -> Result<(), ReplaceError> {
        let body = body(drawing)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a drawing").await.map_err(other)?;
        let done = sqlx::query(
            "INSERT INTO drawings (owner, id, symbol, version, removed, body) \
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (owner, id) DO NOTHING",
        )
        .bind(&drawing.owner)
        .bind(&drawing.id)
        .bind(drawing.symbol.code())
        .bind(version(drawing.version))
        .bind(drawing.removed)
        .bind(&body)
        .execute(change.connection())
        .await
        .map_err(failed)?;
        if done.rows_affected() == 0 {
            is_this(change.connection(), drawing).await?;
        }
        change.commit().await.map_err(other)
    }

    async fn replace(&self, drawings: &[Drawing]) -> Result<(), ReplaceError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("changes of drawings").await.map_err(other)?;
        for drawing in drawings {
            let done = sqlx::query(
                "UPDATE drawings SET symbol = ?, version = ?, removed = ?, body = ? \
                 WHERE owner = ? AND id = ? AND version = ?",
            )
            .bind(drawing.symbol.code())
            .bind(version(drawing.version))
            .bind(drawing.removed)
            .bind(body(drawing)?)
            .bind(&drawing.owner)
            .bind(&drawing.id)
            .bind(version(drawing.version) - 1)
            .execute(change.connection())
            .await
            .map_err(failed)?;
            if done.rows_affected() == 0 {
                // Dropping the transaction rolls it back.
                is_this(change.connection(), drawing).await?;
            }
        }
        change.commit().await.map_err(other)
    }

    async fn get(&self, owner: &str, id: &str) -> Result<Option<Drawing>, StoreError> {
        let row = sqlx::query("SELECT body FROM drawings WHERE owner = ? AND id = ?")
            .bind(owner)
            .bind(id)
            .fetch_optional(self.0.readers())
            .await
            .map_err(failed)?;
        row.as_ref().map(read).transpose()
    }

    async fn list(
        &self,
        owner: &str,
        symbol: Symbol,
        removed: bool,
    ) -> Result<Vec<Drawing>, StoreError> {
        let rows = sqlx::query(
            "SELECT body FROM drawings WHERE owner = ? AND symbol = ? AND removed <= ? ORDER BY id",
        )
        .bind(owner)
        .bind(symbol.code())
        .bind(removed)
        .fetch_all(self.0.readers())
        .await
        .map_err(failed)?;
        rows.iter().map(read).collect()
    }

    async fn of_all_owners(&self, symbol: Symbol) -> Result<Vec<Drawing>, StoreError> {
        let rows = sqlx::query(
            "SELECT body FROM drawings WHERE symbol = ? AND removed = 0 ORDER BY owner, id",
        )
        .bind(symbol.code())
        .fetch_all(self.0.readers())
        .await
        .map_err(failed)?;
        rows.iter().map(read).collect()
    }

    async fn trail(
        &self,
        owners: &[String],
        filter: &TrailFilter,
        way: &TrailWay,
        most: usize,
    ) -> Result<Vec<TrailRow>, StoreError> {
        trail::read(&self.0, owners, filter, way, most).await
    }
}

/// A write that changed nothing is fine if it was made before.
async fn is_this(connection: &mut SqliteConnection, drawing: &Drawing) -> Result<(), ReplaceError> {
    let row = sqlx::query("SELECT body FROM drawings WHERE owner = ? AND id = ?")
        .bind(&drawing.owner)
        .bind(&drawing.id)
        .fetch_optional(connection)
        .await
        .map_err(failed)?;
    let now = read(row.as_ref().ok_or(StoreError::NotFound)?)?;
    if now == *drawing {
        Ok(())
    } else {
        Err(ReplaceError::Conflict(Box::new(now)))
    }
}

fn body(drawing: &Drawing) -> Result<String, StoreError> {
    serde_json::to_string(drawing).map_err(|error| StoreError::Damaged(error.to_string()))
}

fn read(row: &SqliteRow) -> Result<Drawing, StoreError> {
    let body: String = row.try_get(0).map_err(failed)?;
    serde_json::from_str(&body).map_err(|error| StoreError::Damaged(error.to_string()))
}

fn version(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn other(error: store::Error) -> ReplaceError {
    ReplaceError::Store(refused(error))
}
