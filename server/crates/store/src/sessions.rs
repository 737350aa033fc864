//! A user's sessions, as the user sees them.

use agent::ports::{Durability, SignInWay};
use protocol::{Timestamp, UserId};
use sqlx::Row;

use crate::{
    Error, Store, StoredSecret,
    database::commit,
    people::way,
    system::{self, SystemEvent},
    user_rows::User,
};

/// A session as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSession {
    /// Identifies it among those of its user; opens nothing.
    pub id: String,
    pub created: Timestamp,
    pub seen: Timestamp,
    pub way: SignInWay,
    pub address: Option<String>,
    pub browser: Option<String>,
    /// True for the session that asks.
    pub own: bool,
}

impl Store {
    /// The sessions of a user that have not ended, the most recently used first.
    pub async fn sessions(
        &self,
        owner: UserId,
        own: StoredSecret,
        now: Timestamp,
        idle_since: Timestamp,
    ) -> Result<Vec<ListedSession>, Error> {
        let rows = sqlx::query(
            "SELECT lower(substr(hex(hash), 1, 16)) AS id, created, seen, how, link_by, \
             address, browser, hash = ? AS own FROM sessions \
             WHERE user = ? AND expires > ? AND seen > ? ORDER BY seen DESC, created DESC, hash",
        )
        .bind(own.0.as_slice())
        .bind(owner.to_string())
        .bind(now.0)
        .bind(idle_since.0)
        .fetch_all(self.readers())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(ListedSession {
                    id: row.try_get("id")?,
                    created: Timestamp(row.try_get("created")?),
                    seen: Timestamp(row.try_get("seen")?),
                    way: way(row)?,
                    address: row.try_get("address")?,
                    browser: row.try_get("browser")?,
                    own: row.try_get("own")?,
                })
            })
            .collect()
    }

    /// Ends one session of a user, or all but the one that asks. Returns the number that ended.
    pub async fn end_sessions(
        &self,
        owner: &User,
        id: Option<&str>,
        own: StoredSecret,
        now: Timestamp,
    ) -> Result<u64, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let ended = sqlx::query(
            "DELETE FROM sessions WHERE user = ?1 AND hash <> ?2 \
             AND (?3 IS NULL OR lower(substr(hex(hash), 1, 16)) = ?3)",
        )
        .bind(owner.id.to_string())
        .bind(own.0.as_slice())
        .bind(id)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
        if ended > 0 {
            let event = SystemEvent::SessionsEnded {
                user: owner.id,
                count: ended,
                by: owner.name.clone(),
            };
            system::append(&mut transaction, now, &event).await?;
        }
        commit(transaction, || "the end of sessions".to_owned()).await?;
        Ok(ended)
    }
}
