//! One-time sign-in links and sessions.

use agent::ports::{Durability, SignInWay};
use protocol::{Timestamp, UserId};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    Error, Store,
    columns::parse,
    database::commit,
    system,
    user_rows::{User, user},
};

/// The SHA-256 of a session's cookie, a link's secret, or a program's token: the database has
/// nothing else of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StoredSecret(pub [u8; 32]);

impl std::fmt::Debug for StoredSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The maker of a sign-in link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkMaker {
    /// None for whoever runs the server.
    pub user: Option<UserId>,
    /// The maker's name in records.
    pub name: String,
    /// The address of the request.
    pub address: Option<String>,
}

impl LinkMaker {
    /// The server itself, at its start.
    pub fn server() -> Self {
        Self {
            user: None,
            name: "the server".to_owned(),
            address: None,
        }
    }

    /// Whoever may run commands beside the server.
    pub fn command_line() -> Self {
        Self {
            name: "the command line".to_owned(),
            ..Self::server()
        }
    }
}

/// A session that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    pub secret: StoredSecret,
    /// Time at which it ends in any case.
    pub expires: Timestamp,
    /// The address of the request.
    pub address: Option<String>,
    /// The browser's own description of itself.
    pub browser: Option<String>,
    /// The session that the browser had: it ends, so that nobody who knew it continues with this
    /// one.
    pub replaces: Option<StoredSecret>,
}

/// A session that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    pub user: User,
    pub created: Timestamp,
    /// Time of its last use, to the precision of [`Store::touch_session`]'s calls.
    pub seen: Timestamp,
    /// Its name in the list of its user; it opens nothing.
    pub id: String,
    pub way: SignInWay,
}

impl Store {
    /// Makes a link that signs a user in once, until `expires`. Expired links are deleted, a day
    /// after they were made at the earliest.
    ///
    /// # Errors
    /// There is no such user, or a disabled one.
    pub async fn add_sign_in_link(
        &self,
        secret: StoredSecret,
        user: UserId,
        by: &LinkMaker,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let name = sqlx::query_scalar("SELECT name FROM users WHERE id = ? AND disabled IS NULL")
            .bind(user.to_string())
            .fetch_one(&mut *transaction)
            .await?;
        // Those of the last day show which accounts may be one person's.
        sqlx::query("DELETE FROM sign_in_links WHERE expires <= ?1 AND created < ?1 - 86400000")
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO sign_in_links (hash, user, made_by, created, expires) \
             VALUES (?, ?, ?, ?, ?)",
        )
        .bind(secret.0.as_slice())
        .bind(user.to_string())
        .bind(by.user.map(|by| by.to_string()))
        .bind(now.0)
        .bind(expires.0)
        .execute(&mut *transaction)
        .await?;
        let event = system::SystemEvent::LinkMade {
            user,
            name,
            maker: by.user,
            by: by.name.clone(),
            address: by.address.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a sign-in link".to_owned()).await
    }

    /// The user whom a link would sign in; none if the link does not exist, has expired or was
    /// used. The link stays usable.
    pub async fn link_user(
        &self,
        link: StoredSecret,
        now: Timestamp,
    ) -> Result<Option<User>, Error> {
        let row = sqlx::query(
            "SELECT id, name, role FROM users WHERE disabled IS NULL AND id = \
             (SELECT user FROM sign_in_links WHERE hash = ? AND used IS NULL AND expires > ?)",
        )
        .bind(link.0.as_slice())
        .bind(now.0)
        .fetch_optional(self.readers())
        .await?;
        row.as_ref().map(user).transpose()
    }

    /// True if some admin signs in without a link: with a password or a passkey.
    pub async fn admin_can_sign_in(&self) -> Result<bool, Error> {
        let found: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled IS NULL AND \
             (password IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE user = users.id)))",
        )
        .fetch_one(self.readers())
        .await?;
        Ok(found)
    }

    /// True for users with a password or a passkey.
    pub async fn has_own_way_in(&self, id: UserId) -> Result<bool, Error> {
        let found: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM users WHERE id = ?1 AND password IS NOT NULL) \
             OR EXISTS (SELECT 1 FROM passkeys WHERE user = ?1)",
        )
        .bind(id.to_string())
        .fetch_one(self.readers())
        .await?;
        Ok(found)
    }

    /// Uses a link up and begins a session, both or neither. None if the link does not exist, has
    /// expired or was used.
    pub async fn sign_in(
        &self,
        link: StoredSecret,
        session: &NewSession,
        now: Timestamp,
    ) -> Result<Option<User>, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let used: Option<(String, Option<String>)> = sqlx::query_as(
            "UPDATE sign_in_links SET used = ?1 \
             WHERE hash = ?2 AND used IS NULL AND expires > ?1 RETURNING user, made_by",
        )
        .bind(now.0)
        .bind(link.0.as_slice())
        .fetch_optional(&mut *transaction)
        .await?;
        let Some((id, by)) = used else {
            return Ok(None);
        };
        let by = by.as_deref().map(parse).transpose()?;
        let row = sqlx::query("SELECT id, name, role FROM users WHERE id = ? AND disabled IS NULL")
            .bind(&id)
            .fetch_optional(&mut *transaction)
            .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let user = user(&row)?;
        begin(
            &mut transaction,
            &user,
            session,
            SignInWay::Link { by },
            now,
        )
        .await?;
        let link_by: Option<String> = match by {
            Some(by) => name_of(&mut transaction, by).await?,
            None => None,
        };
        let event = system::SystemEvent::SignedIn {
            user: user.id,
            by: Some(user.name.clone()),
            link_by,
            address: session.address.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a sign-in".to_owned()).await?;
        Ok(Some(user))
    }

    /// The session of a cookie, if it has not ended and was used after `idle_since`.
    pub async fn session(
        &self,
        secret: StoredSecret,
        now: Timestamp,
        idle_since: Timestamp,
    ) -> Result<Option<StoredSession>, Error> {
        let row = sqlx::query(
            "SELECT users.id AS id, users.name AS name, users.role AS role, \
             lower(substr(hex(hash), 1, 16)) AS session, sessions.created AS created, seen, how, \
             link_by \
             FROM sessions JOIN users ON users.id = sessions.user \
             WHERE hash = ? AND expires > ? AND seen > ? AND users.disabled IS NULL",
        )
        .bind(secret.0.as_slice())
        .bind(now.0)
        .bind(idle_since.0)
        .fetch_optional(self.readers())
        .await?;
        row.map(|row| {
            Ok(StoredSession {
                user: user(&row)?,
                created: Timestamp(row.try_get("created")?),
                seen: Timestamp(row.try_get("seen")?),
                id: row.try_get("session")?,
                way: way(&row)?,
            })
        })
        .transpose()
    }

    /// Notes that a session was used.
    pub async fn touch_session(&self, secret: StoredSecret, now: Timestamp) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query("UPDATE sessions SET seen = max(seen, ?) WHERE hash = ?")
            .bind(now.0)
            .bind(secret.0.as_slice())
            .execute(&mut *transaction)
            .await?;
        commit(transaction, || "a sign of life".to_owned()).await?;
        Ok(())
    }

    /// Ends a session.
    pub async fn end_session(&self, secret: StoredSecret, now: Timestamp) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let ended: Option<String> =
            sqlx::query_scalar("DELETE FROM sessions WHERE hash = ? RETURNING user")
                .bind(secret.0.as_slice())
                .fetch_optional(&mut *transaction)
                .await?;
        if let Some(user) = ended {
            let event = system::SystemEvent::SignedOut {
                user: parse(&user)?,
            };
            system::append(&mut transaction, now, &event).await?;
        }
        commit(transaction, || "a sign-out".to_owned()).await?;
        Ok(())
    }
}

/// Begins a session as part of a transaction. Expired sessions are deleted.
pub(crate) async fn begin(
    connection: &mut SqliteConnection,
    user: &User,
    session: &NewSession,
    way: SignInWay,
    now: Timestamp,
) -> Result<(), Error> {
    let link_by = match way {
        SignInWay::Link { by } => by,
        _ => None,
    };
    sqlx::query("DELETE FROM sessions WHERE expires <= ? OR hash = ?")
        .bind(now.0)
        .bind(session.replaces.map(|replaced| replaced.0.to_vec()))
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO sessions (hash, user, created, seen, expires, how, link_by, address, browser) \
         VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8)",
    )
    .bind(session.secret.0.as_slice())
    .bind(user.id.to_string())
    .bind(now.0)
    .bind(session.expires.0)
    .bind(way.word())
    .bind(link_by.map(|by| by.to_string()))
    .bind(&session.address)
    .bind(&session.browser)
    .execute(connection)
    .await?;
    Ok(())
}

/// The name of a user.
pub(crate) async fn name_of(
    connection: &mut SqliteConnection,
    id: UserId,
) -> Result<Option<String>, Error> {
    let name = sqlx::query_scalar("SELECT name FROM users WHERE id = ?")
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    Ok(name)
}

/// The way in which a session began, from the columns `how` and `link_by`.
pub(crate) fn way(row: &SqliteRow) -> Result<SignInWay, Error> {
    let link_by: Option<&str> = row.try_get("link_by")?;
    let link_by = link_by.map(parse).transpose()?;
    Ok(SignInWay::from_word(row.try_get("how")?, link_by))
}
