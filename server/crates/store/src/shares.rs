//! Links under which others read a conversation.
//!
//! The row goes with its conversation. Unknown, expired and dead links get the same answer.

use agent::ports::Durability;
use protocol::{ConversationId, MAX_SHARES, Share, Timestamp, UserId};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    Error, Store, StoredSecret, SystemEvent, columns::parse, conversations::find, database::commit,
    system, user_rows::User,
};

/// The target of a valid link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedRow {
    pub share: Share,
    pub conversation: ConversationId,
    pub owner: UserId,
    /// The owner's name.
    pub by: String,
}

/// Bytes of the hash by which people and the audit chain name a link; they do not open it.
const NAME_BYTES: usize = 8;

impl Store {
    /// Makes a link to a user's conversation; `hash` is that of its secret.
    ///
    /// # Errors
    /// There is no such conversation of this user, or too many links lead to it.
    pub async fn make_share(
        &self,
        owner: &User,
        conversation: ConversationId,
        hash: StoredSecret,
        expires: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Share, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let key = find(&mut *transaction, owner.id, conversation).await?.key;
        sqlx::query("DELETE FROM shares WHERE conversation = ? AND expires <= ?")
            .bind(key)
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        let made = sqlx::query(
            "INSERT INTO shares (hash, conversation, owner, made, expires) \
             SELECT ?1, ?2, ?3, ?4, ?5 \
             WHERE (SELECT count(*) FROM shares WHERE conversation = ?2) < ?6",
        )
        .bind(hash.0.as_slice())
        .bind(key)
        .bind(owner.id.to_string())
        .bind(now.0)
        .bind(expires.map(|expires| expires.0))
        .bind(i64::try_from(MAX_SHARES).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await?;
        if made.rows_affected() == 0 {
            return Err(Error::TooMany);
        }
        let share = Share {
            id: name(&hash.0),
            made: now,
            expires,
        };
        let event = SystemEvent::ConversationShared {
            conversation,
            share: share.id.clone(),
            expires,
            user: owner.id,
            by: owner.name.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a link".to_owned()).await?;
        Ok(share)
    }

    /// The links that lead to a user's conversation, newest first.
    ///
    /// # Errors
    /// There is no such conversation of this user.
    pub async fn shares_of(
        &self,
        owner: UserId,
        conversation: ConversationId,
        now: Timestamp,
    ) -> Result<Vec<Share>, Error> {
        let key = find(self.readers(), owner, conversation).await?.key;
        let rows = sqlx::query(
            "SELECT hash, made, expires FROM shares \
             WHERE conversation = ? AND (expires IS NULL OR expires > ?) ORDER BY made DESC, hash",
        )
        .bind(key)
        .bind(now.0)
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(share).collect()
    }

    /// Ends a link to a user's conversation.
    ///
    /// # Errors
    /// There is no such conversation of this user, or no such link to it.
    pub async fn end_share(
        &self,
        owner: &User,
        conversation: ConversationId,
        id: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let key = find(&mut *transaction, owner.id, conversation).await?.key;
        let ended = sqlx::query(
            "DELETE FROM shares WHERE conversation = ?1 \
             AND lower(hex(substr(hash, 1, ?3))) = ?2",
        )
        .bind(key)
        .bind(id)
        .bind(i64::try_from(NAME_BYTES).unwrap_or_default())
        .execute(&mut *transaction)
        .await?;
        if ended.rows_affected() == 0 {
            return Err(Error::NotFound);
        }
        let event = SystemEvent::ShareEnded {
            conversation,
            share: id.to_owned(),
            user: owner.id,
            by: owner.name.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a link's end".to_owned()).await
    }

    /// The target of a link.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such link, or it has ended, or its conversation was
    /// deleted, or its owner is disabled.
    pub async fn share_of(&self, hash: StoredSecret, now: Timestamp) -> Result<SharedRow, Error> {
        let row = sqlx::query(
            "SELECT hash, made, expires, conversations.id AS id, users.id AS user, users.name AS name \
             FROM shares JOIN conversations ON conversations.key = shares.conversation \
             JOIN users ON users.id = shares.owner AND users.id = conversations.owner \
             WHERE hash = ? AND (expires IS NULL OR expires > ?) \
             AND deleted IS NULL AND action IS NULL AND users.disabled IS NULL",
        )
        .bind(hash.0.as_slice())
        .bind(now.0)
        .fetch_one(self.readers())
        .await?;
        Ok(SharedRow {
            share: share(&row)?,
            conversation: parse(row.try_get("id")?)?,
            owner: parse(row.try_get("user")?)?,
            by: row.try_get("name")?,
        })
    }

    /// Notes that somebody opened a link.
    pub async fn note_opened(
        &self,
        shared: &SharedRow,
        reader: &User,
        now: Timestamp,
    ) -> Result<(), Error> {
        let event = SystemEvent::ShareOpened {
            conversation: shared.conversation,
            share: shared.share.id.clone(),
            owner: shared.owner,
            user: reader.id,
            by: reader.name.clone(),
        };
        self.record(now, &event).await
    }
}

fn share(row: &SqliteRow) -> Result<Share, Error> {
    let expires: Option<i64> = row.try_get("expires")?;
    Ok(Share {
        id: name(row.try_get("hash")?),
        made: Timestamp(row.try_get("made")?),
        expires: expires.map(Timestamp),
    })
}

fn name(hash: &[u8]) -> String {
    let bytes = hash.iter().take(NAME_BYTES);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}
