//! Rows of users as other tables refer to them.

use protocol::{Role, UserId};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{Error, columns::parse};

/// A person who may sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub name: String,
    pub role: Role,
}

/// Refuses a change that would leave nobody who can manage users.
pub(crate) async fn keep_an_admin(connection: &mut SqliteConnection) -> Result<(), Error> {
    let admin =
        sqlx::query("SELECT 1 FROM users WHERE role = 'admin' AND disabled IS NULL LIMIT 1")
            .fetch_optional(connection)
            .await?;
    match admin {
        Some(_) => Ok(()),
        None => Err(Error::LastAdmin),
    }
}

/// A user from the columns `id`, `name` and `role`.
pub(crate) fn user(row: &SqliteRow) -> Result<User, Error> {
    Ok(User {
        id: parse(row.try_get("id")?)?,
        name: row.try_get("name")?,
        role: Role::from_word(row.try_get("role")?),
    })
}
