//! The list of conversations: a projection of the journal.

use std::collections::HashSet;

use protocol::{
    ConversationId, ConversationSummary, Cost, Family, Folder, Seq, Shelf, Timestamp, Usage, UserId,
};
use serde::{Serialize, de::DeserializeOwned};
use sqlx::{Row, SqliteExecutor, sqlite::SqliteRow};

use crate::{
    Error, Store,
    columns::{parse, to_seq},
    confirmations::waiting,
};

/// The columns that [`summary`] reads.
macro_rules! SUMMARY {
    () => {
        "id, title, model, mode, created, updated, messages, input, output, cache_read, \
         cache_write, cost, running, waiting, origin, action, shelf, folder, imported, family, behind, \
         CASE WHEN answered > seen AND action IS NULL THEN answered END AS unread"
    };
}
pub(crate) use SUMMARY;

/// The statement that reads a page of a place in the list: owner, before, limit, least, word.
macro_rules! PAGE {
    ($place:literal) => {
        concat!(
            "SELECT ",
            SUMMARY!(),
            " FROM conversations WHERE owner = ?1 AND action IS NULL AND deleted IS NULL AND ",
            $place,
            " AND behind = 0 AND updated < ?2 \
             AND updated >= coalesce((SELECT updated FROM conversations \
             WHERE owner = ?1 AND action IS NULL AND deleted IS NULL AND ",
            $place,
            " AND behind = 0 AND updated < ?2 ORDER BY updated DESC LIMIT 1 OFFSET ?3 - 1), ?4) \
             ORDER BY updated DESC, id DESC"
        )
    };
}

/// A part of a user's list.
#[derive(Debug, Clone, Copy)]
pub enum ListPlace<'a> {
    Shelf(Shelf),
    /// The folder of this name, without what is archived.
    Folder(&'a str),
}

impl Store {
    /// A user's conversations in the list that changed before `before`, newest change first,
    /// without those that are pinned or archived. More than `limit` if several changed in the
    /// millisecond at which the page ends: the next one begins before it.
    pub async fn conversations(
        &self,
        owner: UserId,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, Error> {
        let place = ListPlace::Shelf(Shelf::Listed);
        self.listed(owner, place, before, limit).await
    }

    /// The same for another place of the list.
    pub async fn listed(
        &self,
        owner: UserId,
        place: ListPlace<'_>,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, Error> {
        let (statement, word) = match place {
            ListPlace::Shelf(shelf) => (PAGE!("shelf = ?5"), to_word(&shelf)?),
            ListPlace::Folder(name) => (
                PAGE!("folder = ?5 AND shelf <> 'archived'"),
                name.to_owned(),
            ),
        };
        let rows = sqlx::query(statement)
            .bind(owner.to_string())
            .bind(before.map_or(i64::MAX, |before| before.0))
            .bind(i64::try_from(limit.max(1)).unwrap_or(i64::MAX))
            .bind(i64::MIN)
            .bind(word)
            .fetch_all(self.readers())
            .await?;
        rows.iter().map(summary).collect()
    }

    /// A user's folders by name. Those with archived conversations alone are not among them.
    pub async fn folders(&self, owner: UserId) -> Result<Vec<Folder>, Error> {
        let rows = sqlx::query(
            "SELECT folder, count(*) AS conversations FROM conversations \
             WHERE owner = ? AND folder IS NOT NULL AND action IS NULL AND deleted IS NULL \
             AND shelf <> 'archived' AND behind = 0 GROUP BY folder ORDER BY folder COLLATE NOCASE",
        )
        .bind(owner.to_string())
        .fetch_all(self.readers())
        .await?;
        let folder = |row: &SqliteRow| -> Result<_, Error> {
            let count: i64 = row.try_get("conversations")?;
            Ok(Folder {
                name: row.try_get("folder")?,
                conversations: u64::try_from(count).unwrap_or_default(),
            })
        };
        rows.iter().map(folder).collect()
    }

    /// A user's conversations and own calls that changed or moved to another shelf at `since` or
    /// later, and all own calls that have not ended, newest change first; at most `limit`.
    pub async fn conversations_since(
        &self,
        owner: UserId,
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, Error> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            SUMMARY!(),
            " FROM conversations WHERE owner = ?1 AND updated >= ?2 AND deleted IS NULL UNION SELECT ",
            SUMMARY!(),
            " FROM conversations WHERE owner = ?1 AND shelved > 0 AND shelved >= ?2 \
             AND deleted IS NULL UNION SELECT ",
            SUMMARY!(),
            " FROM conversations WHERE running = 1 AND owner = ?1 AND action IS NOT NULL \
             ORDER BY updated DESC, id DESC LIMIT ?3"
        ))
        .bind(owner.to_string())
        .bind(since.0)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(summary).collect()
    }

    /// A user's conversations and own calls with calls that wait for a person.
    pub async fn waiting_conversations(
        &self,
        owner: UserId,
    ) -> Result<Vec<ConversationSummary>, Error> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            SUMMARY!(),
            " FROM conversations WHERE owner = ? AND waiting <> '[]' AND deleted IS NULL \
             ORDER BY updated DESC"
        ))
        .bind(owner.to_string())
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(summary).collect()
    }

    /// Keeps the conversations whose toolsets are all among these.
    pub async fn within(
        &self,
        conversations: Vec<ConversationSummary>,
        toolsets: &[String],
    ) -> Result<Vec<ConversationSummary>, Error> {
        let ids: Vec<_> = conversations.iter().map(|it| it.id.to_string()).collect();
        let json = |list: &[String]| {
            serde_json::to_string(list).map_err(|error| Error::Damaged(error.to_string()))
        };
        let within: Vec<String> = sqlx::query_scalar(
            "SELECT conversations.id FROM json_each(?1) AS asked \
             JOIN conversations ON conversations.id = asked.value \
             JOIN events ON events.conversation = conversations.key AND events.seq = 1 \
             WHERE NOT EXISTS (SELECT 1 FROM json_each(events.body, '$.toolsets') AS its \
             WHERE its.value NOT IN (SELECT value FROM json_each(?2)))",
        )
        .bind(json(&ids)?)
        .bind(json(toolsets)?)
        .fetch_all(self.readers())
        .await?;
        let within: HashSet<_> = within.into_iter().collect();
        let mut left = conversations;
        left.retain(|it| within.contains(&it.id.to_string()));
        Ok(left)
    }

    /// The line of a user's conversation and the number of its newest event. Own calls are none.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such conversation of this user.
    pub async fn conversation_head(
        &self,
        owner: UserId,
        id: ConversationId,
    ) -> Result<(ConversationSummary, Seq), Error> {
        let found = find(self.readers(), owner, id).await?;
        Ok((found.summary, found.head))
    }
}

/// A conversation as its owner's pages need it.
pub(crate) struct FoundConversation {
    pub(crate) key: i64,
    /// The number of its newest event.
    pub(crate) head: Seq,
    pub(crate) summary: ConversationSummary,
}

/// A user's conversation that was not deleted. Own calls are none.
pub(crate) async fn find(
    reader: impl SqliteExecutor<'_>,
    owner: UserId,
    id: ConversationId,
) -> Result<FoundConversation, Error> {
    let row = sqlx::query(concat!(
        "SELECT key, head, ",
        SUMMARY!(),
        " FROM conversations WHERE owner = ? AND id = ? AND action IS NULL AND deleted IS NULL"
    ))
    .bind(owner.to_string())
    .bind(id.to_string())
    .fetch_one(reader)
    .await?;
    Ok(FoundConversation {
        key: row.try_get("key")?,
        head: to_seq(row.try_get("head")?)?,
        summary: summary(&row)?,
    })
}

pub(crate) fn summary(row: &SqliteRow) -> Result<ConversationSummary, Error> {
    let count = |column: &str| -> Result<u64, Error> {
        let number: i64 = row.try_get(column)?;
        u64::try_from(number).map_err(|error| Error::Damaged(format!("{column}: {error}")))
    };
    let cost: Option<i64> = row.try_get("cost")?;
    let origin: Option<&str> = row.try_get("origin")?;
    let action: Option<&str> = row.try_get("action")?;
    let imported: Option<i64> = row.try_get("imported")?;
    let family: Option<&str> = row.try_get("family")?;
    let behind: bool = row.try_get("behind")?;
    let unread: Option<i64> = row.try_get("unread")?;
    let family = family.map(|root| -> Result<_, Error> {
        Ok(Family {
            root: parse(root)?,
            front: !behind,
        })
    });
    Ok(ConversationSummary {
        id: parse(row.try_get("id")?)?,
        title: row.try_get("title")?,
        model: row.try_get("model")?,
        mode: from_word(row.try_get("mode")?)?,
        created: Timestamp(row.try_get("created")?),
        updated: Timestamp(row.try_get("updated")?),
        messages: count("messages")?,
        usage: Usage {
            input: count("input")?,
            output: count("output")?,
            cache_read: count("cache_read")?,
            cache_write: count("cache_write")?,
            estimated: false,
        },
        cost: cost.and_then(|cost| u64::try_from(cost).ok()).map(Cost),
        running: row.try_get("running")?,
        waiting: waiting(row.try_get("waiting")?)?,
        from: origin.map(parse).transpose()?,
        action: action
            .map(serde_json::from_str)
            .transpose()
            .map_err(|error| Error::Damaged(format!("action: {error}")))?,
        shelf: Shelf::from_word(row.try_get("shelf")?),
        folder: row.try_get("folder")?,
        imported: imported.map(Timestamp),
        family: family.transpose()?,
        unread: unread.map(to_seq).transpose()?,
    })
}

/// The word that an enum without fields is on the wire.
pub(crate) fn to_word<T: Serialize>(value: &T) -> Result<String, Error> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        other => Err(Error::Damaged(format!("{other:?} is not a word"))),
    }
}

pub(crate) fn from_word<T: DeserializeOwned>(word: &str) -> Result<T, Error> {
    serde_json::from_value(word.into()).map_err(|error| Error::Damaged(error.to_string()))
}
