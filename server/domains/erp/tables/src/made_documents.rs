//! The documents that calls have made, and those that they were about to send.

use async_trait::async_trait;
use erp::{MadeDocument, MadeDocuments, MadeDocumentsError, OpenDraft};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::ErpTables;

/// A server that was off for longer looks for no document among these.
const KEPT_MS: i64 = 30 * 24 * 3_600_000;

#[async_trait]
impl MadeDocuments for ErpTables {
    async fn open(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError> {
        let mut writer = self.tables.writer().await;
        let begun = writer.begin("a document that is about to be sent").await;
        let mut stored = begun.map_err(failed)?;
        sqlx::query(
            "INSERT OR REPLACE INTO erp_open_drafts (site, doctype, call, owner, since_ms, content) \
             VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&draft.site)
        .bind(&draft.doctype)
        .bind(&draft.call)
        .bind(&draft.owner)
        .bind(draft.since_ms)
        .bind(&draft.content)
        .execute(stored.connection())
        .await
        .map_err(failed)?;
        sqlx::query("DELETE FROM erp_open_drafts WHERE since_ms < ?")
            .bind(draft.since_ms - KEPT_MS)
            .execute(stored.connection())
            .await
            .map_err(failed)?;
        stored.commit().await.map_err(failed)
    }

    async fn close(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError> {
        let mut writer = self.tables.writer().await;
        let begun = writer.begin("a document that was refused").await;
        let mut stored = begun.map_err(failed)?;
        let OpenDraft {
            site,
            doctype,
            call,
            ..
        } = draft;
        forget(stored.connection(), [site, doctype, call]).await?;
        stored.commit().await.map_err(failed)
    }

    async fn opened(
        &self,
        site: &str,
        doctype: &str,
    ) -> Result<Vec<OpenDraft>, MadeDocumentsError> {
        let rows = sqlx::query(
            "SELECT call, owner, since_ms, content FROM erp_open_drafts \
             WHERE site = ? AND doctype = ? ORDER BY call",
        )
        .bind(site)
        .bind(doctype)
        .fetch_all(self.tables.readers())
        .await
        .map_err(failed)?;
        let read = |row: SqliteRow| -> Result<OpenDraft, sqlx::Error> {
            Ok(OpenDraft {
                site: site.to_owned(),
                doctype: doctype.to_owned(),
                call: row.try_get(0)?,
                owner: row.try_get(1)?,
                since_ms: row.try_get(2)?,
                content: row.try_get(3)?,
            })
        };
        let all: Result<Vec<_>, _> = rows.into_iter().map(read).collect();
        all.map_err(failed)
    }

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
        forget(stored.connection(), [&made.site, &made.doctype, call]).await?;
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

/// Removes what a call had open of a type.
async fn forget(
    connection: &mut SqliteConnection,
    [site, doctype, call]: [&str; 3],
) -> Result<(), MadeDocumentsError> {
    let sql = "DELETE FROM erp_open_drafts WHERE site = ? AND doctype = ? AND call = ?";
    let forgotten = sqlx::query(sql).bind(site).bind(doctype).bind(call);
    let done = forgotten.execute(connection).await;
    done.map(drop).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> MadeDocumentsError {
    MadeDocumentsError(error.to_string())
}
