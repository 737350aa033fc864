//! The check that two accounts belong to two persons, as far as records show.

use protocol::{Timestamp, UserId};
use sqlx::SqliteConnection;

use crate::Error;

/// Time for which an account counts as that of its maker, or of the maker of a sign-in link for it,
/// in milliseconds.
const CLOSE: i64 = 24 * 60 * 60 * 1000;

/// True if the approver could be the requester. Accounts are joined in both directions and over any number of
/// steps: whoever makes two accounts could ask with the one and approve with the other.
pub(crate) async fn may_be_one(
    connection: &mut SqliteConnection,
    askers: &[UserId],
    deciders: &[UserId],
    now: Timestamp,
) -> Result<bool, Error> {
    let found: bool = sqlx::query_scalar(
        "WITH RECURSIVE made (maker, account) AS (\
         SELECT made_by, id FROM users WHERE made_by IS NOT NULL AND created > ?3 \
         UNION SELECT made_by, user FROM sign_in_links WHERE made_by IS NOT NULL AND created > ?3 \
         UNION SELECT made_by, user FROM proxy_linkers WHERE created > ?3), \
         near (id) AS (SELECT value FROM json_each(?1) UNION \
         SELECT CASE WHEN maker = near.id THEN account ELSE maker END \
         FROM made JOIN near ON near.id IN (maker, account)) \
         SELECT EXISTS (SELECT 1 FROM near WHERE id IN (SELECT value FROM json_each(?2)))",
    )
    .bind(json(askers)?)
    .bind(json(deciders)?)
    .bind(now.0.saturating_sub(CLOSE))
    .fetch_one(connection)
    .await?;
    Ok(found)
}

fn json(users: &[UserId]) -> Result<String, Error> {
    serde_json::to_string(users).map_err(|error| Error::Damaged(error.to_string()))
}
