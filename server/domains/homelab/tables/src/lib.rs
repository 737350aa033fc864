#![doc = include_str!("../README.md")]

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use homelab::{
    KEPT_STEPS, MAX_METRICS, MeasuredQuantity, MeasuredSubject, Measurement, MeasurementError,
    MeasurementStore, STEP_SECONDS, StepMean,
};
use serde_json::{Value, json};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use store::{DomainDatabase, Error, Tables, TablesVersion};

/// Versions of the tables. A released one is never changed.
const VERSIONS: [TablesVersion; 1] = [TablesVersion {
    number: 1,
    name: "measurements",
    sql: include_str!("../migrations/0001_measurements.sql"),
}];

/// Metrics deleted in one write: each has a row in every part of the ring.
const DELETED: i64 = 20;

/// The store of measurements on SQLite. Clones are the same database.
#[derive(Clone)]
pub struct HomelabTables {
    tables: Tables,
    simulated: bool,
    /// True once a log line said that there are too many metrics.
    logged: Arc<AtomicBool>,
}

impl HomelabTables {
    /// Opens it in the database of the server.
    ///
    /// # Errors
    /// See [`DomainDatabase::tables`].
    pub async fn open(database: impl Into<DomainDatabase>) -> Result<Self, Error> {
        Ok(Self {
            tables: database.into().tables("homelab", &VERSIONS).await?,
            simulated: false,
            logged: Arc::default(),
        })
    }

    /// The measurements of the simulated cluster, which has nodes of the same names as a real one.
    #[must_use]
    pub fn simulated(self) -> Self {
        Self {
            simulated: true,
            ..self
        }
    }

    async fn write(&self, at: i64, means: &[Measurement]) -> Result<(), Error> {
        let mut writer = self.tables.writer().await;
        let mut change = writer.begin_import("measurements").await?;
        let step = at.div_euclid(STEP_SECONDS);
        let rows = means.iter().filter(|mean| mean.value.is_finite());
        let rows = rows.map(|mean| {
            let subject = mean.subject.as_str();
            json!([subject, mean.quantity.word(), mean.value])
        });
        let rows = Value::from_iter(rows).to_string();
        self.note_metrics(change.connection(), step, &rows).await?;
        let written = sqlx::query(
            "INSERT OR REPLACE INTO homelab_means (slot, metric, step, value) \
             SELECT ?1, metrics.id, ?2, value ->> 2 \
             FROM json_each(?3) CROSS JOIN homelab_metrics AS metrics \
             ON simulated = ?4 AND subject = value ->> 0 AND quantity = value ->> 1",
        )
        .bind(step.rem_euclid(KEPT_STEPS))
        .bind(step)
        .bind(&rows)
        .bind(self.simulated)
        .execute(change.connection())
        .await?;
        change.commit().await?;
        let left = (means.len() as u64).saturating_sub(written.rows_affected());
        // The names come from outside: once is enough.
        if left > 0 && !self.logged.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                left,
                most = MAX_METRICS,
                "measurements not kept, there are too many metrics"
            );
        }
        Ok(())
    }

    /// Adds the metrics that are new and have room, after the old ones are gone.
    async fn note_metrics(
        &self,
        connection: &mut SqliteConnection,
        step: i64,
        rows: &str,
    ) -> Result<(), Error> {
        // A clock that was set back makes no metric older.
        sqlx::query(
            "UPDATE homelab_metrics SET newest = max(newest, ?1) WHERE simulated = ?2 AND \
             (subject, quantity) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?3))",
        )
        .bind(step)
        .bind(self.simulated)
        .bind(rows)
        .execute(&mut *connection)
        .await?;
        let old: Vec<i64> =
            sqlx::query_scalar("SELECT id FROM homelab_metrics WHERE newest <= ? LIMIT ?")
                .bind(step.saturating_sub(KEPT_STEPS))
                .bind(DELETED)
                .fetch_all(&mut *connection)
                .await?;
        for metric in old {
            // By each slot, because a search by metric alone would read the whole table.
            sqlx::query(
                "WITH RECURSIVE slots (slot) AS \
                 (SELECT 0 UNION ALL SELECT slot + 1 FROM slots WHERE slot + 1 < ?1) \
                 DELETE FROM homelab_means WHERE metric = ?2 AND slot IN (SELECT slot FROM slots)",
            )
            .bind(KEPT_STEPS)
            .bind(metric)
            .execute(&mut *connection)
            .await?;
            sqlx::query("DELETE FROM homelab_metrics WHERE id = ?")
                .bind(metric)
                .execute(&mut *connection)
                .await?;
        }
        sqlx::query(
            "INSERT OR IGNORE INTO homelab_metrics (simulated, subject, quantity, newest) \
             SELECT ?1, value ->> 0, value ->> 1, ?2 FROM json_each(?3) WHERE NOT EXISTS \
             (SELECT 1 FROM homelab_metrics WHERE simulated = ?1 AND subject = value ->> 0 \
             AND quantity = value ->> 1) \
             LIMIT max(0, ?4 - (SELECT count(*) FROM homelab_metrics))",
        )
        .bind(self.simulated)
        .bind(step)
        .bind(rows)
        .bind(MAX_METRICS as i64)
        .execute(connection)
        .await?;
        Ok(())
    }
}

#[async_trait]
impl MeasurementStore for HomelabTables {
    async fn put(&self, at: i64, means: &[Measurement]) -> Result<(), MeasurementError> {
        self.write(at, means).await.map_err(refused)
    }

    async fn series(
        &self,
        subject: &MeasuredSubject,
        quantity: MeasuredQuantity,
        from: i64,
        until: i64,
    ) -> Result<Vec<StepMean>, MeasurementError> {
        // The steps that begin in the range.
        let until = until.div_euclid(STEP_SECONDS) + i64::from(until.rem_euclid(STEP_SECONDS) > 0);
        let from = from.div_euclid(STEP_SECONDS) + i64::from(from.rem_euclid(STEP_SECONDS) > 0);
        let from = from.max(until.saturating_sub(KEPT_STEPS));
        let rows = sqlx::query(
            "WITH RECURSIVE steps (step) AS \
             (SELECT ?1 WHERE ?1 < ?2 UNION ALL SELECT step + 1 FROM steps WHERE step + 1 < ?2) \
             SELECT steps.step, means.value FROM homelab_metrics AS metrics \
             CROSS JOIN steps CROSS JOIN homelab_means AS means \
             ON means.slot = ((steps.step % ?3) + ?3) % ?3 AND means.metric = metrics.id \
             WHERE metrics.simulated = ?4 AND metrics.subject = ?5 AND metrics.quantity = ?6 \
             AND means.step = steps.step ORDER BY steps.step",
        )
        .bind(from)
        .bind(until)
        .bind(KEPT_STEPS)
        .bind(self.simulated)
        .bind(subject.as_str())
        .bind(quantity.word())
        .fetch_all(self.tables.readers())
        .await
        .map_err(failed)?;
        let mean = |row: &SqliteRow| {
            let step: i64 = row.try_get(0)?;
            Ok(StepMean {
                at: step.saturating_mul(STEP_SECONDS),
                value: row.try_get(1)?,
            })
        };
        rows.iter()
            .map(mean)
            .collect::<Result<_, _>>()
            .map_err(failed)
    }
}

fn refused(error: Error) -> MeasurementError {
    MeasurementError(error.to_string())
}

fn failed(error: sqlx::Error) -> MeasurementError {
    refused(error.into())
}
