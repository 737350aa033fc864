//! A few facts that survive a restart.

use async_trait::async_trait;
use markets::{FactStore, StoreError};
use sqlx::Row;

use crate::{MarketsTables, failed, refused};

#[async_trait]
impl FactStore for MarketsTables {
    async fn fact(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT value FROM market_state WHERE name = ?")
            .bind(name)
            .fetch_optional(self.0.readers())
            .await
            .map_err(failed)?;
        row.map(|row| row.try_get(0).map_err(failed)).transpose()
    }

    async fn put_fact(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a fact of markets").await.map_err(refused)?;
        sqlx::query(
            "INSERT INTO market_state (name, value) VALUES (?, ?) \
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(name)
        .bind(value)
        .execute(change.connection())
        .await
        .map_err(failed)?;
        change.commit().await.map_err(refused)
    }
}
