//! Passkeys: public keys, stored as the text of the library that checks them.

use agent::ports::{Durability, SignInWay};
use protocol::{Timestamp, UserId};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    Error, NewSession, Store,
    database::commit,
    people::begin,
    setter::Setter,
    system::{self, SystemEvent},
    user_rows::{User, user},
};

/// Passkeys that a user may have at the same time.
const MAX: i64 = 20;

/// A passkey of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPasskey {
    /// The credential's id, in hexadecimal.
    pub id: String,
    pub name: String,
    /// The public key, with the count of its uses.
    pub key: String,
    pub created: Timestamp,
    /// Time of the last sign-in with it.
    pub seen: Option<Timestamp>,
}

/// A passkey that was presented and checked.
#[derive(Debug, Clone)]
pub struct ShownPasskey<'a> {
    pub id: &'a str,
    /// The key that it was checked against.
    pub checked: &'a str,
    /// The same, updated, such as its count.
    pub updated: &'a str,
    /// The hash of the password that was checked before, if one was.
    pub password: Option<&'a str>,
}

impl Store {
    /// Adds a passkey to a user.
    ///
    /// # Errors
    /// The user has too many, or somebody has this one.
    pub async fn add_passkey(
        &self,
        owner: &User,
        passkey: &StoredPasskey,
        by: &Setter<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let added = sqlx::query(
            "INSERT INTO passkeys (id, user, name, key, created) SELECT ?1, ?2, ?3, ?4, ?5 \
             WHERE (SELECT count(*) FROM passkeys WHERE user = ?2) < ?6 ON CONFLICT DO NOTHING",
        )
        .bind(&passkey.id)
        .bind(owner.id.to_string())
        .bind(&passkey.name)
        .bind(&passkey.key)
        .bind(now.0)
        .bind(MAX)
        .execute(&mut *transaction)
        .await?;
        if added.rows_affected() == 0 {
            return Err(Error::TooMany);
        }
        let event = SystemEvent::PasskeyAdded {
            user: owner.id,
            passkey: passkey.id.clone(),
            name: passkey.name.clone(),
            by: by.name.to_owned(),
            how: by.on_record(&mut transaction).await?,
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a passkey".to_owned()).await
    }

    /// The passkeys of a user, oldest first.
    pub async fn passkeys(&self, owner: UserId) -> Result<Vec<StoredPasskey>, Error> {
        let rows = sqlx::query(
            "SELECT id, name, key, created, seen FROM passkeys WHERE user = ? ORDER BY created, id",
        )
        .bind(owner.to_string())
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(passkey).collect()
    }

    /// A passkey and its user. None if there is no such passkey, or its user is disabled.
    pub async fn passkey(&self, id: &str) -> Result<Option<(User, StoredPasskey)>, Error> {
        let owner = sqlx::query(
            "SELECT id, name, role FROM users WHERE disabled IS NULL \
             AND id = (SELECT user FROM passkeys WHERE id = ?)",
        )
        .bind(id)
        .fetch_optional(self.readers())
        .await?;
        let Some(owner) = owner else {
            return Ok(None);
        };
        let owner = user(&owner)?;
        let passkeys = self.passkeys(owner.id).await?;
        let found = passkeys.into_iter().find(|passkey| passkey.id == id);
        Ok(found.map(|passkey| (owner, passkey)))
    }

    /// Renames a passkey of a user.
    ///
    /// # Errors
    /// The user has no such passkey.
    pub async fn rename_passkey(
        &self,
        owner: &User,
        id: &str,
        name: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        let renamed = sqlx::query("UPDATE passkeys SET name = ? WHERE id = ? AND user = ?")
            .bind(name)
            .bind(id)
            .bind(owner.id.to_string())
            .execute(&mut *transaction)
            .await?;
        if renamed.rows_affected() == 0 {
            return Err(Error::NotFound);
        }
        let event = SystemEvent::PasskeyRenamed {
            user: owner.id,
            passkey: id.to_owned(),
            name: name.to_owned(),
            by: owner.name.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a passkey's name".to_owned()).await
    }

    /// Removes a passkey of a user. Without any left the password alone signs in again.
    ///
    /// # Errors
    /// The user has no such passkey.
    pub async fn remove_passkey(
        &self,
        owner: &User,
        id: &str,
        by: &Setter<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let name =
            sqlx::query_scalar("DELETE FROM passkeys WHERE id = ? AND user = ? RETURNING name")
                .bind(id)
                .bind(owner.id.to_string())
                .fetch_one(&mut *transaction)
                .await?;
        let event = SystemEvent::PasskeyRemoved {
            user: owner.id,
            passkey: id.to_owned(),
            name,
            by: by.name.to_owned(),
            how: by.on_record(&mut transaction).await?,
        };
        system::append(&mut transaction, now, &event).await?;
        let left: i64 = sqlx::query_scalar("SELECT count(*) FROM passkeys WHERE user = ?")
            .bind(owner.id.to_string())
            .fetch_one(&mut *transaction)
            .await?;
        if left == 0 {
            demand(&mut transaction, owner, false, by, now).await?;
        }
        commit(transaction, || "a passkey's end".to_owned()).await
    }

    /// True if a password alone does not sign a user in.
    pub async fn second_factor(&self, owner: UserId) -> Result<bool, Error> {
        let on = sqlx::query_scalar("SELECT second_factor FROM users WHERE id = ?")
            .bind(owner.to_string())
            .fetch_one(self.readers())
            .await?;
        Ok(on)
    }

    /// Turns the demand for a passkey after the password on or off.
    ///
    /// # Errors
    /// The user has no passkey.
    pub async fn set_second_factor(
        &self,
        owner: &User,
        on: bool,
        by: &Setter<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        if on {
            sqlx::query("SELECT 1 FROM passkeys WHERE user = ? LIMIT 1")
                .bind(owner.id.to_string())
                .fetch_one(&mut *transaction)
                .await?;
        }
        demand(&mut transaction, owner, on, by, now).await?;
        commit(transaction, || "a second factor".to_owned()).await
    }

    /// Begins a session of the user of a checked passkey. None if the passkey is gone or was used
    /// meanwhile, the user was disabled, or the password before it has changed.
    pub async fn sign_in_by_passkey(
        &self,
        shown: &ShownPasskey<'_>,
        session: &NewSession,
        now: Timestamp,
    ) -> Result<Option<User>, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let used: Option<(String, String)> = sqlx::query_as(
            "UPDATE passkeys SET key = ?1, seen = ?2 WHERE id = ?3 AND key = ?4 \
             RETURNING user, name",
        )
        .bind(shown.updated)
        .bind(now.0)
        .bind(shown.id)
        .bind(shown.checked)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some((owner, name)) = used else {
            return Ok(None);
        };
        let row = sqlx::query(
            "SELECT id, name, role FROM users WHERE id = ?1 AND disabled IS NULL \
             AND (?2 IS NULL OR password = ?2)",
        )
        .bind(owner)
        .bind(shown.password)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let user = user(&row)?;
        let way = if shown.password.is_some() {
            SignInWay::PasswordAndPasskey
        } else {
            SignInWay::Passkey
        };
        begin(&mut transaction, &user, session, way, now).await?;
        let event = SystemEvent::SignedInByPasskey {
            user: user.id,
            passkey: name,
            password: shown.password.is_some(),
            by: user.name.clone(),
            address: session.address.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a sign-in".to_owned()).await?;
        Ok(Some(user))
    }
}

/// Sets whether a password alone signs in, and records a change.
async fn demand(
    connection: &mut SqliteConnection,
    owner: &User,
    on: bool,
    by: &Setter<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    let set =
        sqlx::query("UPDATE users SET second_factor = ?1 WHERE id = ?2 AND second_factor <> ?1")
            .bind(on)
            .bind(owner.id.to_string())
            .execute(&mut *connection)
            .await?;
    if set.rows_affected() > 0 {
        let event = SystemEvent::SecondFactorSet {
            user: owner.id,
            on,
            by: by.name.to_owned(),
            how: by.on_record(connection).await?,
        };
        system::append(connection, now, &event).await?;
    }
    Ok(())
}

fn passkey(row: &SqliteRow) -> Result<StoredPasskey, Error> {
    Ok(StoredPasskey {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        key: row.try_get("key")?,
        created: Timestamp(row.try_get("created")?),
        seen: row.try_get::<Option<i64>, _>("seen")?.map(Timestamp),
    })
}
