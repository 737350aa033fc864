//! The one rule for comparing names of users.

use protocol::Timestamp;
use sqlx::{Row as _, SqliteConnection};

use crate::{
    Error,
    user_rows::{User, user},
};

/// A user as found by name.
pub(crate) struct NamedRow {
    pub(crate) user: User,
    pub(crate) disabled: Option<Timestamp>,
    pub(crate) password: Option<String>,
    /// True for accounts that the reverse proxy can sign in.
    pub(crate) proxy: bool,
}

/// True if two names are one user's: they differ at most in case, in any script. SQLite knows only
/// the case of ASCII, so names are never compared there.
pub fn same_name(one: &str, other: &str) -> bool {
    one == other || fold(one) == fold(other)
}

fn fold(name: &str) -> String {
    name.trim().to_lowercase()
}

/// The user of a name. None if nobody has it, or if several have it in different cases: those were
/// made before this rule, and only their exact names tell them apart.
pub(crate) async fn find(
    connection: &mut SqliteConnection,
    name: &str,
) -> Result<Option<NamedRow>, Error> {
    let rows = sqlx::query("SELECT id, name, role, disabled, password, proxy FROM users")
        .fetch_all(connection)
        .await?;
    let mut same = Vec::new();
    for row in rows {
        let found: &str = row.try_get("name")?;
        let exact = found == name;
        if exact || same_name(found, name) {
            let named = NamedRow {
                user: user(&row)?,
                disabled: row.try_get::<Option<i64>, _>("disabled")?.map(Timestamp),
                password: row.try_get("password")?,
                proxy: row.try_get("proxy")?,
            };
            if exact {
                return Ok(Some(named));
            }
            same.push(named);
        }
    }
    let only = same.pop();
    Ok(only.filter(|_| same.is_empty()))
}

/// True if somebody has a name already, disabled users included.
pub(crate) async fn is_taken(connection: &mut SqliteConnection, name: &str) -> Result<bool, Error> {
    let names: Vec<String> = sqlx::query_scalar("SELECT name FROM users")
        .fetch_all(connection)
        .await?;
    Ok(names.iter().any(|known| same_name(known, name)))
}

#[cfg(test)]
mod tests {
    use super::same_name;

    #[test]
    fn names_differ_by_more_than_case() {
        for (one, other, same) in [
            ("Operator", "operator", true),
            ("Zoë", "ZOË", true),
            ("Ändra", "ändra", true),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ", true),
            (" Ada ", "ada", true),
            ("Ada", "Adá", false),
            ("Ada", "Ad\u{430}", false),
            ("", "Ada", false),
        ] {
            assert_eq!(same_name(one, other), same, "{one} {other}");
            assert_eq!(same_name(other, one), same, "{other} {one}");
        }
    }
}
