//! Users, one-time sign-in links and sessions.

use agent::ports::Durability;
use protocol::{Timestamp, UserId};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{Error, Store, database::commit, journal::parse, system};

/// What the database keeps of a link's token or a session's cookie: its SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Secret(pub [u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A person who may sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub name: String,
}

/// A session that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub user: User,
    pub created: Timestamp,
    /// When it was last used, to the precision of [`Store::touch_session`]'s calls.
    pub seen: Timestamp,
}

impl Store {
    /// The first user; made under this id and name if there is none.
    pub async fn first_user(&self, id: UserId, name: &str, now: Timestamp) -> Result<User, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        sqlx::query(
            "INSERT INTO users (id, name, created) SELECT ?, ?, ? \
             WHERE NOT EXISTS (SELECT 1 FROM users)",
        )
        .bind(id.to_string())
        .bind(name)
        .bind(now.0)
        .execute(&mut *transaction)
        .await?;
        let row = sqlx::query("SELECT id, name FROM users ORDER BY created, id LIMIT 1")
            .fetch_one(&mut *transaction)
            .await?;
        commit(transaction, || "the first user".to_owned()).await?;
        user(&row)
    }

    /// Makes a link that signs a user in once, until `expires`. Links that have expired are
    /// forgotten.
    pub async fn add_sign_in_link(
        &self,
        secret: Secret,
        user: UserId,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query("DELETE FROM sign_in_links WHERE expires <= ?")
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("INSERT INTO sign_in_links (hash, user, created, expires) VALUES (?, ?, ?, ?)")
            .bind(secret.0.as_slice())
            .bind(user.to_string())
            .bind(now.0)
            .bind(expires.0)
            .execute(&mut *transaction)
            .await?;
        commit(transaction, || "a sign-in link".to_owned()).await?;
        Ok(())
    }

    /// Uses a link up and begins a session that ends at `expires`, both or neither. None if the
    /// link does not exist, has expired or was used.
    pub async fn sign_in(
        &self,
        link: Secret,
        session: Secret,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<Option<User>, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let used: Option<String> = sqlx::query_scalar(
            "UPDATE sign_in_links SET used = ?1 \
             WHERE hash = ?2 AND used IS NULL AND expires > ?1 RETURNING user",
        )
        .bind(now.0)
        .bind(link.0.as_slice())
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(id) = used else {
            return Ok(None);
        };
        sqlx::query("DELETE FROM sessions WHERE expires <= ?")
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO sessions (hash, user, created, seen, expires) VALUES (?1, ?2, ?3, ?3, ?4)",
        )
        .bind(session.0.as_slice())
        .bind(&id)
        .bind(now.0)
        .bind(expires.0)
        .execute(&mut *transaction)
        .await?;
        let row = sqlx::query("SELECT id, name FROM users WHERE id = ?")
            .bind(&id)
            .fetch_one(&mut *transaction)
            .await?;
        let user = user(&row)?;
        let event = system::SystemEvent::SignedIn { user: user.id };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a sign-in".to_owned()).await?;
        Ok(Some(user))
    }

    /// The session of a cookie, if it has not ended and was used after `idle_since`.
    pub async fn session(
        &self,
        secret: Secret,
        now: Timestamp,
        idle_since: Timestamp,
    ) -> Result<Option<Session>, Error> {
        let row = sqlx::query(
            "SELECT users.id AS id, users.name AS name, sessions.created AS created, seen \
             FROM sessions JOIN users ON users.id = sessions.user \
             WHERE hash = ? AND expires > ? AND seen > ?",
        )
        .bind(secret.0.as_slice())
        .bind(now.0)
        .bind(idle_since.0)
        .fetch_optional(self.readers())
        .await?;
        row.map(|row| {
            Ok(Session {
                user: user(&row)?,
                created: Timestamp(row.try_get("created")?),
                seen: Timestamp(row.try_get("seen")?),
            })
        })
        .transpose()
    }

    /// Notes that a session was used.
    pub async fn touch_session(&self, secret: Secret, now: Timestamp) -> Result<(), Error> {
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
    pub async fn end_session(&self, secret: Secret, now: Timestamp) -> Result<(), Error> {
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

fn user(row: &SqliteRow) -> Result<User, Error> {
    Ok(User {
        id: parse(row.try_get("id")?)?,
        name: row.try_get("name")?,
    })
}
