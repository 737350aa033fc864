#![doc = include_str!("../README.md")]

use async_trait::async_trait;
use lamps::{Reading, ReadingStore, StoreError, Switch, SwitchStore};
use sqlx::Row;
use store::{DomainDatabase, Error, Tables, TablesVersion};

/// Versions of the tables. A released one is never changed.
const VERSIONS: [TablesVersion; 2] = [
    TablesVersion {
        number: 1,
        name: "switches",
        sql: include_str!("../migrations/0001_switches.sql"),
    },
    TablesVersion {
        number: 2,
        name: "readings",
        sql: include_str!("../migrations/0002_readings.sql"),
    },
];

/// The stores of switches and readings on SQLite. Clones are the same database.
#[derive(Clone)]
pub struct LampsTables(Tables);

impl LampsTables {
    /// Opens them in the database of the server.
    ///
    /// # Errors
    /// See [`DomainDatabase::tables`].
    pub async fn open(database: impl Into<DomainDatabase>) -> Result<Self, Error> {
        database.into().tables("lamps", &VERSIONS).await.map(Self)
    }
}

#[async_trait]
impl SwitchStore for LampsTables {
    async fn last(&self) -> Result<Vec<Switch>, StoreError> {
        let rows = sqlx::query("SELECT lamp, is_on, at_ms FROM lamp_switches ORDER BY lamp")
            .fetch_all(self.0.readers())
            .await
            .map_err(failed)?;
        let switch = |row: &sqlx::sqlite::SqliteRow| {
            Ok(Switch {
                lamp: row.try_get(0)?,
                is_on: row.try_get(1)?,
                at_ms: row.try_get(2)?,
            })
        };
        rows.iter()
            .map(switch)
            .collect::<Result<_, _>>()
            .map_err(failed)
    }

    async fn put(&self, switch: &Switch) -> Result<(), StoreError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("a lamp's switch").await.map_err(refused)?;
        sqlx::query("INSERT OR REPLACE INTO lamp_switches (lamp, is_on, at_ms) VALUES (?, ?, ?)")
            .bind(&switch.lamp)
            .bind(switch.is_on)
            .bind(switch.at_ms)
            .execute(change.connection())
            .await
            .map_err(failed)?;
        change.commit().await.map_err(refused)
    }
}

#[async_trait]
impl ReadingStore for LampsTables {
    async fn readings(&self) -> Result<Vec<Reading>, StoreError> {
        let rows = sqlx::query("SELECT at_ms, lit FROM lamp_readings ORDER BY id")
            .fetch_all(self.0.readers())
            .await
            .map_err(failed)?;
        let reading = |row: &sqlx::sqlite::SqliteRow| {
            Ok(Reading {
                at_ms: row.try_get(0)?,
                on: row.try_get(1)?,
            })
        };
        rows.iter()
            .map(reading)
            .collect::<Result<_, _>>()
            .map_err(failed)
    }

    async fn add(&self, reading: Reading) -> Result<(), StoreError> {
        let mut writer = self.0.writer().await;
        let mut change = writer
            .begin("a reading of the lamps")
            .await
            .map_err(refused)?;
        sqlx::query("INSERT INTO lamp_readings (at_ms, lit) VALUES (?, ?)")
            .bind(reading.at_ms)
            .bind(reading.on)
            .execute(change.connection())
            .await
            .map_err(failed)?;
        change.commit().await.map_err(refused)
    }
}

fn refused(error: Error) -> StoreError {
    StoreError(error.to_string())
}

fn failed(error: sqlx::Error) -> StoreError {
    refused(error.into())
}
