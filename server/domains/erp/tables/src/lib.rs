#![doc = include_str!("../README.md")]

mod made_documents;

use async_trait::async_trait;
use erp::{ErpAccount, PersonKey, PersonKeyChange, PersonKeys, PersonKeysError};
use serde::{Deserialize, Serialize};
use sqlx::{Row, sqlite::SqliteRow};
use store::{DomainDatabase, Error, SealError, Sealing, Tables, TablesVersion};

/// Versions of the tables. A released one is never changed.
const VERSIONS: [TablesVersion; 3] = [
    TablesVersion {
        number: 1,
        name: "person_keys",
        sql: include_str!("../migrations/0001_person_keys.sql"),
    },
    TablesVersion {
        number: 2,
        name: "made_documents",
        sql: include_str!("../migrations/0002_made_documents.sql"),
    },
    TablesVersion {
        number: 3,
        name: "open_drafts",
        sql: include_str!("../migrations/0003_open_drafts.sql"),
    },
];

/// The keys of people and the documents that calls have made, on SQLite. Clones are the same database.
#[derive(Clone)]
pub struct ErpTables {
    tables: Tables,
    sealing: Sealing,
}

/// A key before it is encrypted.
#[derive(Serialize, Deserialize)]
struct PlainKey {
    api_key: String,
    api_secret: String,
    user: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    full_name: Option<String>,
}

impl ErpTables {
    /// Opens them in the database of the server.
    ///
    /// # Errors
    /// See [`DomainDatabase::tables`].
    pub async fn open(database: impl Into<DomainDatabase>) -> Result<Self, Error> {
        let tables = database.into().tables("erp", &VERSIONS).await?;
        Ok(Self {
            sealing: tables.sealing(),
            tables,
        })
    }

    async fn opened(
        &self,
        person: &str,
        site: &str,
        sealed: &[u8],
    ) -> Result<PersonKey, PersonKeysError> {
        let plain = self.sealing.open(&place(person, site), sealed).await;
        let plain = plain.map_err(not_opened)?;
        // What the tag has proved is ours, so it can be read.
        let plain: PlainKey = serde_json::from_slice(&plain).map_err(failed)?;
        let account = ErpAccount {
            user: plain.user,
            full_name: plain.full_name,
        };
        Ok(PersonKey::new(&plain.api_key, &plain.api_secret, account))
    }

    async fn sealed(
        &self,
        person: &str,
        site: &str,
        key: &PersonKey,
    ) -> Result<Vec<u8>, PersonKeysError> {
        let plain = PlainKey {
            api_key: key.api_key.clone(),
            api_secret: key.api_secret.expose().to_owned(),
            user: key.account.user.clone(),
            full_name: key.account.full_name.clone(),
        };
        let plain = serde_json::to_vec(&plain).map_err(failed)?;
        let sealed = self.sealing.seal(&place(person, site), &plain).await;
        sealed.map_err(not_opened)
    }
}

/// The place that a key is encrypted for: moved to another row, it does not open.
fn place<'a>(person: &'a str, site: &'a str) -> [&'a str; 3] {
    ["erp_person_keys", person, site]
}

#[async_trait]
impl PersonKeys for ErpTables {
    async fn find(
        &self,
        person: &str,
        site: &str,
    ) -> Result<Option<PersonKeyChange>, PersonKeysError> {
        let row = sqlx::query(
            "SELECT changed_ms, sealed FROM erp_person_keys WHERE person = ? AND site = ?",
        )
        .bind(person)
        .bind(site)
        .fetch_optional(self.tables.readers())
        .await
        .map_err(failed)?;
        let Some(row) = row else { return Ok(None) };
        let (at_ms, sealed) = columns(&row).map_err(failed)?;
        let key = match sealed {
            Some(sealed) => Some(self.opened(person, site, &sealed).await?),
            None => None,
        };
        Ok(Some(PersonKeyChange { at_ms, key }))
    }

    async fn put(
        &self,
        person: &str,
        site: &str,
        change: &PersonKeyChange,
    ) -> Result<(), PersonKeysError> {
        let sealed = match &change.key {
            Some(key) => Some(self.sealed(person, site, key).await?),
            None => None,
        };
        let mut writer = self.tables.writer().await;
        let mut stored = writer.begin("a person's own key").await.map_err(failed)?;
        sqlx::query(
            "INSERT OR REPLACE INTO erp_person_keys (person, site, changed_ms, sealed) \
             VALUES (?, ?, ?, ?)",
        )
        .bind(person)
        .bind(site)
        .bind(change.at_ms)
        .bind(sealed)
        .execute(stored.connection())
        .await
        .map_err(failed)?;
        stored.commit().await.map_err(failed)
    }
}

fn columns(row: &SqliteRow) -> Result<(i64, Option<Vec<u8>>), sqlx::Error> {
    Ok((row.try_get(0)?, row.try_get(1)?))
}

fn not_opened(error: SealError) -> PersonKeysError {
    match error {
        SealError::Lost(_) => PersonKeysError::Lost,
        other => failed(other),
    }
}

fn failed(error: impl std::fmt::Display) -> PersonKeysError {
    PersonKeysError::Failed(error.to_string())
}
