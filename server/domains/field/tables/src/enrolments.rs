//! Enrolments: a token that lets one device ask to be adopted. Only its hash is stored.

use serde_json::json;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::columns::to_count;
use crate::devices::{self, FieldDevice};
use crate::error::fits;
use crate::history::HistoryAct;
use crate::limits::{MOST_DEVICES, MOST_ENROLMENTS, MOST_NAME};
use crate::{FieldTables, FieldTablesError, HistoryAction};

/// An enrolment to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEnrolment {
    /// Public: with it people see and withdraw the enrolment.
    pub id: String,
    /// Hash of the token.
    pub hash: Vec<u8>,
    pub site: String,
    /// The name that the device gets.
    pub name: String,
    pub expires_ms: i64,
}

/// An enrolment as people see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrolment {
    pub id: String,
    pub site: String,
    pub name: String,
    pub created_ms: i64,
    pub created_by: String,
    pub expires_ms: i64,
    pub withdrawn_ms: Option<i64>,
    pub used_ms: Option<i64>,
    /// The device that used it.
    pub device: Option<String>,
}

/// A device that enrols. That it has the private key, the caller has checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDevice {
    pub id: String,
    pub public_key: Vec<u8>,
    /// Of the public key.
    pub fingerprint: String,
}

/// Outcome of the use of an enrolment.
#[derive(Debug, Clone, PartialEq)]
pub enum Enrolled {
    /// The device waits to be adopted.
    Waiting(FieldDevice),
    /// The same key used this enrolment before: the same device, in its state now.
    Repeated(FieldDevice),
    /// There is no such enrolment, or it was withdrawn. Strangers learn no more.
    Unknown,
    Expired,
    /// Another key used it.
    Used,
    /// Another device has this key, or had it: a device that was set up anew makes a new one.
    KeyTaken,
}

impl FieldTables {
    /// Makes an enrolment.
    ///
    /// # Errors
    /// There is no such site, it has too many open enrolments, the name is too long, or the database
    /// fails.
    pub async fn make_enrolment(
        &self,
        new: &NewEnrolment,
        by: &str,
        at_ms: i64,
    ) -> Result<(), FieldTablesError> {
        fits("the name of a device", new.name.len(), MOST_NAME)?;
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("an enrolment").await?;
        let connection = change.connection();
        let site = crate::sites::find(connection, &new.site).await?;
        site.ok_or(FieldTablesError::NotFound)?;
        let open = sqlx::query_scalar(
            "SELECT count(*) FROM field_enrolments WHERE site = ? AND expires_ms > ? \
             AND used_ms IS NULL AND withdrawn_ms IS NULL",
        )
        .bind(&new.site)
        .bind(at_ms)
        .fetch_one(&mut *connection)
        .await?;
        if to_count(open)? >= MOST_ENROLMENTS {
            return Err(FieldTablesError::TooMany {
                what: "open enrolments of the site",
                most: MOST_ENROLMENTS,
            });
        }
        sqlx::query(
            "INSERT INTO field_enrolments (hash, id, site, name, created_ms, created_by, expires_ms) \
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&new.hash)
        .bind(&new.id)
        .bind(&new.site)
        .bind(&new.name)
        .bind(at_ms)
        .bind(by)
        .bind(new.expires_ms)
        .execute(&mut *connection)
        .await?;
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::EnrolmentMade,
            subject: &new.id,
            detail: json!({ "site": new.site, "expires_ms": new.expires_ms }),
        };
        act.record(connection).await?;
        change.commit().await?;
        Ok(())
    }

    /// Withdraws an enrolment that nobody has used. False if there is none.
    ///
    /// # Errors
    /// The database fails.
    pub async fn withdraw_enrolment(
        &self,
        id: &str,
        by: &str,
        at_ms: i64,
    ) -> Result<bool, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a withdrawn enrolment").await?;
        let connection = change.connection();
        let done = sqlx::query(
            "UPDATE field_enrolments SET withdrawn_ms = ? \
             WHERE id = ? AND used_ms IS NULL AND withdrawn_ms IS NULL",
        )
        .bind(at_ms)
        .bind(id)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        let act = HistoryAct {
            at_ms,
            actor: by,
            action: HistoryAction::EnrolmentWithdrawn,
            subject: id,
            detail: json!({}),
        };
        act.record(connection).await?;
        change.commit().await?;
        Ok(true)
    }

    /// Uses an enrolment: the device is there and waits, and the token is worth nothing more, but to
    /// the same key, whose answer may have been lost.
    ///
    /// # Errors
    /// The site has too many devices, or the database fails.
    pub async fn enrol(
        &self,
        hash: &[u8],
        device: &NewDevice,
        at_ms: i64,
    ) -> Result<Enrolled, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("an enrolled device").await?;
        let connection = change.connection();
        let used = sqlx::query(
            "UPDATE field_enrolments SET used_ms = ?2, device = ?3 WHERE hash = ?1 \
             AND used_ms IS NULL AND withdrawn_ms IS NULL AND expires_ms > ?2 \
             AND NOT EXISTS (SELECT 1 FROM field_devices WHERE fingerprint = ?4) \
             RETURNING site, name",
        )
        .bind(hash)
        .bind(at_ms)
        .bind(&device.id)
        .bind(&device.fingerprint)
        .fetch_optional(&mut *connection)
        .await?;
        let Some(used) = used else {
            return not_used(connection, hash, device, at_ms).await;
        };
        let site: String = used.try_get("site")?;
        let others = sqlx::query_scalar(
            "SELECT count(*) FROM field_devices WHERE site = ? AND state <> 'retired'",
        )
        .bind(&site)
        .fetch_one(&mut *connection)
        .await?;
        if to_count(others)? >= MOST_DEVICES {
            return Err(FieldTablesError::TooMany {
                what: "devices at the site",
                most: MOST_DEVICES,
            });
        }
        sqlx::query(
            "INSERT INTO field_devices \
             (id, site, name, public_key, fingerprint, state, enrolled_ms, last_seen_ms) \
             VALUES (?1, ?2, ?3, ?4, ?5, 'waiting', ?6, ?6)",
        )
        .bind(&device.id)
        .bind(&site)
        .bind(used.try_get::<String, _>("name")?)
        .bind(&device.public_key)
        .bind(&device.fingerprint)
        .bind(at_ms)
        .execute(&mut *connection)
        .await?;
        let act = HistoryAct {
            at_ms,
            actor: &device.id,
            action: HistoryAction::DeviceEnrolled,
            subject: &device.id,
            detail: json!({ "site": site, "fingerprint": device.fingerprint }),
        };
        act.record(connection).await?;
        let made = devices::find(connection, &device.id).await?;
        let made = made.ok_or(FieldTablesError::NotFound)?;
        change.commit().await?;
        Ok(Enrolled::Waiting(made))
    }

    /// The enrolments of a site, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn enrolments(&self, site: &str) -> Result<Vec<Enrolment>, FieldTablesError> {
        let rows = sqlx::query(
            "SELECT * FROM field_enrolments WHERE site = ? ORDER BY created_ms DESC, id LIMIT 500",
        )
        .bind(site)
        .fetch_all(self.0.readers())
        .await?;
        rows.iter().map(read).collect()
    }

    /// An enrolment.
    ///
    /// # Errors
    /// The database fails.
    pub async fn enrolment(&self, id: &str) -> Result<Option<Enrolment>, FieldTablesError> {
        let row = sqlx::query("SELECT * FROM field_enrolments WHERE id = ?")
            .bind(id)
            .fetch_optional(self.0.readers())
            .await?;
        row.as_ref().map(read).transpose()
    }

    /// Removes enrolments that expired before a time; the history keeps that they were made. Their
    /// number is the answer.
    ///
    /// # Errors
    /// The database fails.
    pub async fn prune_enrolments(&self, expired_before_ms: i64) -> Result<u64, FieldTablesError> {
        let mut writer = self.0.writer().await;
        let mut change = writer.begin("enrolments that expired").await?;
        let done = sqlx::query("DELETE FROM field_enrolments WHERE expires_ms < ?")
            .bind(expired_before_ms)
            .execute(change.connection())
            .await?;
        change.commit().await?;
        Ok(done.rows_affected())
    }
}

/// The reason why an enrolment could not be used.
async fn not_used(
    connection: &mut SqliteConnection,
    hash: &[u8],
    device: &NewDevice,
    at_ms: i64,
) -> Result<Enrolled, FieldTablesError> {
    let row = sqlx::query("SELECT * FROM field_enrolments WHERE hash = ?")
        .bind(hash)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else {
        return Ok(Enrolled::Unknown);
    };
    let enrolment = read(&row)?;
    if enrolment.withdrawn_ms.is_some() {
        return Ok(Enrolled::Unknown);
    }
    let user = match &enrolment.device {
        Some(user) => devices::find(connection, user).await?,
        None => None,
    };
    let is_same = |it: &FieldDevice| {
        it.fingerprint == device.fingerprint && it.public_key == device.public_key
    };
    // A device that enrolled in time is answered as before, whenever it asks.
    if let Some(same) = user.filter(is_same) {
        return Ok(Enrolled::Repeated(same));
    }
    if enrolment.expires_ms <= at_ms {
        return Ok(Enrolled::Expired);
    }
    Ok(match enrolment.device {
        Some(_) => Enrolled::Used,
        None => Enrolled::KeyTaken,
    })
}

fn read(row: &SqliteRow) -> Result<Enrolment, FieldTablesError> {
    Ok(Enrolment {
        id: row.try_get("id")?,
        site: row.try_get("site")?,
        name: row.try_get("name")?,
        created_ms: row.try_get("created_ms")?,
        created_by: row.try_get("created_by")?,
        expires_ms: row.try_get("expires_ms")?,
        withdrawn_ms: row.try_get("withdrawn_ms")?,
        used_ms: row.try_get("used_ms")?,
        device: row.try_get("device")?,
    })
}
