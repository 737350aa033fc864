//! The documents that calls have made.

use async_trait::async_trait;
use erp::{MadeDocument, MadeDocuments, MadeDocumentsError};
use sqlx::Row;

use crate::ErpTables;

/// A server that was off for longer looks for no document among these.
const KEPT_MS: i64 = 30 * 24 * 3_600_000;

#[async_trait]
impl MadeDocuments for ErpTables {
    async fn keep(
        &self,
        made: &MadeDocument,
        call: &str,
        at_ms: i64,
    ) -> Result<(), MadeDocumentsError> {
        let mut writer = self.tables.writer().await;
        let begun = writer.begin("the maker of a document").await;
        let mut stored = begun.map_err(failed)?;
        sqlx::query(
            "INSERT OR REPLACE INTO erp_made_documents (site, doctype, name, creation, call, at_ms) \
             VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&made.site)
        .bind(&made.doctype)
        .bind(&made.name)
        .bind(&made.creation)
        .bind(call)
        .bind(at_ms)
        .execute(stored.connection())
        .await
        .map_err(failed)?;
        sqlx::query("DELETE FROM erp_made_documents WHERE at_ms < ?")
            .bind(at_ms - KEPT_MS)
            .execute(stored.connection())
            .await
            .map_err(failed)?;
        stored.commit().await.map_err(failed)
    }

    async fn maker(&self, made: &MadeDocument) -> Result<Option<String>, MadeDocumentsError> {
        let row = sqlx::query(
            "SELECT call FROM erp_made_documents \
             WHERE site = ? AND doctype = ? AND name = ? AND creation = ?",
        )
        .bind(&made.site)
        .bind(&made.doctype)
        .bind(&made.name)
        .bind(&made.creation)
        .fetch_optional(self.tables.readers())
        .await
        .map_err(failed)?;
        let call = row.map(|row| row.try_get(0)).transpose();
        call.map_err(failed)
    }
}

fn failed(error: impl std::fmt::Display) -> MadeDocumentsError {
    MadeDocumentsError(error.to_string())
}
