//! Settings that change at run time: every version is kept, the newest is in force.

use std::borrow::Cow;

use agent::{Persona, ports::Durability};
use protocol::{Timestamp, UserId};
use serde_json::Value;
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    Error, Store, User,
    database::commit,
    system::{self, SystemEvent},
};

/// The word of a person's own persona begins so, and ends with their id.
const OWN_PERSONA: &str = "persona of ";

/// The settings that can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsKind {
    Policy,
    Model,
    /// The installation's.
    Persona,
    /// A person's own.
    PersonaOf(UserId),
}

impl SettingsKind {
    fn word(self) -> Cow<'static, str> {
        match self {
            Self::Policy => "policy".into(),
            Self::Model => "model".into(),
            Self::Persona => "persona".into(),
            Self::PersonaOf(user) => format!("{OWN_PERSONA}{user}").into(),
        }
    }

    /// True for the word of a person's own settings, which are nobody else's to read.
    pub fn is_own(word: &str) -> bool {
        word.starts_with(OWN_PERSONA)
    }
}

/// One version of them.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSettings {
    /// From 1.
    pub version: u64,
    pub at: Timestamp,
    /// The name of the person.
    pub by: String,
    pub body: Value,
}

impl Store {
    /// The newest versions, newest first.
    pub async fn settings(
        &self,
        kind: SettingsKind,
        limit: usize,
    ) -> Result<Vec<StoredSettings>, Error> {
        let rows = sqlx::query(
            "SELECT version, at, person, body FROM settings WHERE kind = ? \
             ORDER BY version DESC LIMIT ?",
        )
        .bind(kind.word())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(settings).collect()
    }

    /// The persona of these settings. One that this build cannot read is the default one: a manner of
    /// speech must keep no conversation from beginning.
    pub async fn stored_persona(&self, kind: SettingsKind) -> Result<Persona, Error> {
        let newest = self.settings(kind, 1).await?.pop();
        Ok(newest.map_or_else(Persona::default, |newest| persona(&newest)))
    }

    /// One version.
    pub async fn settings_version(
        &self,
        kind: SettingsKind,
        version: u64,
    ) -> Result<StoredSettings, Error> {
        let row = sqlx::query(
            "SELECT version, at, person, body FROM settings WHERE kind = ? AND version = ?",
        )
        .bind(kind.word())
        .bind(i64::try_from(version).unwrap_or(i64::MAX))
        .fetch_one(self.readers())
        .await?;
        settings(&row)
    }

    /// Writes the version after `before`, which is 0 if there is none. Returns its number.
    ///
    /// # Errors
    /// Somebody else was first: [`Error::Stale`].
    pub async fn change_settings(
        &self,
        kind: SettingsKind,
        before: u64,
        body: Value,
        person: &User,
        at: Timestamp,
    ) -> Result<u64, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let newest = sqlx::query(
            "SELECT version, at, person, body FROM settings WHERE kind = ? \
             ORDER BY version DESC LIMIT 1",
        )
        .bind(kind.word())
        .fetch_optional(&mut *transaction)
        .await?;
        let newest = newest.as_ref().map(settings).transpose()?;
        let known = newest.as_ref().map_or(0, |newest| newest.version);
        if known != before {
            return Err(Error::Stale);
        }
        let version = known + 1;
        let text = serde_json::to_string(&body).map_err(damaged)?;
        sqlx::query(
            "INSERT INTO settings (kind, version, at, person, body) VALUES (?, ?, ?, ?, ?)",
        )
        .bind(kind.word())
        .bind(i64::try_from(version).unwrap_or(i64::MAX))
        .bind(at.0)
        .bind(&person.name)
        .bind(text)
        .execute(&mut *transaction)
        .await?;
        let event = SystemEvent::SettingsChanged {
            kind: kind.word().into_owned(),
            version,
            user: person.id,
            by: person.name.clone(),
            before: newest.map_or(Value::Null, |newest| newest.body),
            after: body,
        };
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "settings".to_owned()).await?;
        Ok(version)
    }
}

/// The persona that a version holds; see [`Store::stored_persona`].
pub fn persona(settings: &StoredSettings) -> Persona {
    serde_json::from_value(settings.body.clone()).unwrap_or_else(|error| {
        let version = settings.version;
        tracing::warn!(version, %error, "persona unreadable, the default one is used");
        Persona::default()
    })
}

fn settings(row: &SqliteRow) -> Result<StoredSettings, Error> {
    let version: i64 = row.try_get("version")?;
    Ok(StoredSettings {
        version: u64::try_from(version).map_err(|error| Error::Damaged(error.to_string()))?,
        at: Timestamp(row.try_get("at")?),
        by: row.try_get("person")?,
        body: serde_json::from_str(row.try_get("body")?).map_err(damaged)?,
    })
}

fn damaged(error: serde_json::Error) -> Error {
    Error::Damaged(error.to_string())
}
