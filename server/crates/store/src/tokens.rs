//! Tokens with which programs act in a user's name.

use agent::ports::Durability;
use protocol::{Role, Timestamp, UserId};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    Error, Store, StoredSecret,
    columns::parse,
    database::commit,
    setter::Setter,
    system::{self, SystemEvent},
    user_rows::User,
};

/// Tokens that a user may have at the same time.
const MAX: i64 = 50;

/// A token, without the secret that a program sends: only its hash is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    pub id: String,
    pub name: String,
    /// The highest role that it allows.
    pub role: Role,
    /// The toolsets that it reaches; none for all.
    pub toolsets: Option<Vec<String>>,
    /// True if it may decide on cards that take one press.
    pub decides: bool,
    /// True for one from before tokens were random secrets: it opens nothing.
    pub retired: bool,
    pub created: Timestamp,
    pub expires: Timestamp,
    /// Time of its last use, to the precision of [`Store::touch_token`]'s calls.
    pub seen: Option<Timestamp>,
}

impl Store {
    /// Makes a token for a user; `secret` is its hash.
    ///
    /// # Errors
    /// The user has too many.
    pub async fn add_token(
        &self,
        owner: &User,
        token: &StoredToken,
        secret: StoredSecret,
        by: &Setter<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        sqlx::query("DELETE FROM api_tokens WHERE user = ? AND expires <= ?")
            .bind(owner.id.to_string())
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        let added = sqlx::query(
            "INSERT INTO api_tokens \
             (id, user, name, role, toolsets, created, expires, hash, decides) \
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 \
             WHERE (SELECT count(*) FROM api_tokens WHERE user = ?2) < ?10",
        )
        .bind(&token.id)
        .bind(owner.id.to_string())
        .bind(&token.name)
        .bind(token.role.word())
        .bind(names(token.toolsets.as_deref())?)
        .bind(token.created.0)
        .bind(token.expires.0)
        .bind(secret.0.as_slice())
        .bind(token.decides)
        .bind(MAX)
        .execute(&mut *transaction)
        .await?;
        if added.rows_affected() == 0 {
            return Err(Error::TooMany);
        }
        let event = SystemEvent::TokenAdded {
            user: owner.id,
            token: token.id.clone(),
            name: token.name.clone(),
            role: token.role,
            toolsets: token.toolsets.clone(),
            decides: token.decides,
            expires: token.expires,
            by: by.name.to_owned(),
            how: by.on_record(&mut transaction).await?,
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a token".to_owned()).await
    }

    /// The user of the token with this hash, and the token itself, until it expires.
    pub async fn token(
        &self,
        secret: StoredSecret,
        now: Timestamp,
    ) -> Result<Option<(User, StoredToken)>, Error> {
        let row = sqlx::query(
            "SELECT users.id AS user, users.name AS user_name, users.role AS user_role, \
             api_tokens.id AS id, api_tokens.name AS name, api_tokens.role AS role, toolsets, \
             decides, hash IS NULL AS retired, api_tokens.created AS created, expires, seen \
             FROM api_tokens JOIN users ON users.id = api_tokens.user \
             WHERE hash = ? AND expires > ? AND users.disabled IS NULL",
        )
        .bind(secret.0.as_slice())
        .bind(now.0)
        .fetch_optional(self.readers())
        .await?;
        row.map(|row| {
            let user = User {
                id: parse(row.try_get("user")?)?,
                name: row.try_get("user_name")?,
                role: Role::from_word(row.try_get("user_role")?),
            };
            Ok((user, token(&row)?))
        })
        .transpose()
    }

    /// Notes that a token was used.
    pub async fn touch_token(&self, id: &str, now: Timestamp) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query("UPDATE api_tokens SET seen = max(coalesce(seen, 0), ?) WHERE id = ?")
            .bind(now.0)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        commit(transaction, || "a sign of life".to_owned()).await
    }

    /// The tokens of a user, newest first.
    pub async fn tokens(&self, owner: UserId) -> Result<Vec<StoredToken>, Error> {
        let rows = sqlx::query(
            "SELECT id, name, role, toolsets, decides, hash IS NULL AS retired, created, expires, \
             seen FROM api_tokens WHERE user = ? ORDER BY created DESC, id DESC",
        )
        .bind(owner.to_string())
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(token).collect()
    }

    /// Revokes a token of a user.
    ///
    /// # Errors
    /// The user has no such token.
    pub async fn revoke_token(&self, owner: &User, id: &str, now: Timestamp) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let name =
            sqlx::query_scalar("DELETE FROM api_tokens WHERE id = ? AND user = ? RETURNING name")
                .bind(id)
                .bind(owner.id.to_string())
                .fetch_one(&mut *transaction)
                .await?;
        let event = SystemEvent::TokenRevoked {
            user: owner.id,
            token: id.to_owned(),
            name,
            by: owner.name.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a token's end".to_owned()).await
    }
}

/// The column of a list of names.
fn names(names: Option<&[String]>) -> Result<Option<String>, Error> {
    let names = names.map(serde_json::to_string).transpose();
    names.map_err(|error| Error::Damaged(error.to_string()))
}

fn token(row: &SqliteRow) -> Result<StoredToken, Error> {
    let toolsets: Option<&str> = row.try_get("toolsets")?;
    let toolsets = toolsets.map(serde_json::from_str).transpose();
    Ok(StoredToken {
        toolsets: toolsets.map_err(|error| Error::Damaged(error.to_string()))?,
        decides: row.try_get("decides")?,
        retired: row.try_get("retired")?,
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        role: Role::from_word(row.try_get("role")?),
        created: Timestamp(row.try_get("created")?),
        expires: Timestamp(row.try_get("expires")?),
        seen: row.try_get::<Option<i64>, _>("seen")?.map(Timestamp),
    })
}
