//! The usage of people's conversations: a fold over their answers.
//!
//! Written in the transaction of the answer, so a restart forgets nothing, and deleted
//! conversations still count.

use agent::{
    DaySpent, day_of,
    ports::{JournalError, Spending},
};
use async_trait::async_trait;
use protocol::{ConversationId, Cost, Spent, Timestamp, Usage, UserId};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{Error, Store, batch::WriteBatch, projection::Projection};

/// Counts the usage of a write's answers, for the day on which they came.
pub(crate) fn count(
    batch: &mut WriteBatch,
    conversation: i64,
    at: Timestamp,
    change: &Projection,
) -> Result<(), Error> {
    let Projection { spent, told, .. } = change;
    if *spent == Spent::default() && !told {
        return Ok(());
    }
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    batch
        .add(
            "INSERT INTO spending \
             (day, input, output, cache_read, cache_write, cost, unpriced, told, owner) \
             SELECT ?, ?, ?, ?, ?, ?, ?, ?, owner FROM conversations WHERE key = ? \
             ON CONFLICT (owner, day) DO UPDATE SET input = input + excluded.input, \
             output = output + excluded.output, cache_read = cache_read + excluded.cache_read, \
             cache_write = cache_write + excluded.cache_write, cost = cost + excluded.cost, \
             unpriced = unpriced + excluded.unpriced, told = max(told, excluded.told)",
        )
        .bind(day_of(at))?
        .bind(number(spent.usage.input))?
        .bind(number(spent.usage.output))?
        .bind(number(spent.usage.cache_read))?
        .bind(number(spent.usage.cache_write))?
        .bind(number(spent.cost.0))?
        .bind(number(spent.unpriced))?
        .bind(*told)?
        .bind(conversation)?;
    Ok(())
}

#[async_trait]
impl Spending for Store {
    async fn spent_on(&self, owner: UserId, day: i64) -> Result<DaySpent, JournalError> {
        let row = sqlx::query(
            "SELECT input, output, cache_read, cache_write, cost, unpriced, told FROM spending \
             WHERE owner = ? AND day = ?",
        )
        .bind(owner.to_string())
        .bind(day)
        .fetch_optional(self.readers())
        .await
        .map_err(Error::from)?;
        match row {
            None => Ok(DaySpent::default()),
            Some(row) => Ok(DaySpent {
                spent: spent(&row)?,
                told: row.try_get("told").map_err(Error::from)?,
            }),
        }
    }
}

impl Store {
    /// The usage of a user's conversation since it began, or of a branch since it left. Zero for
    /// one that does not exist.
    pub async fn conversation_spent(
        &self,
        owner: UserId,
        id: ConversationId,
    ) -> Result<Spent, Error> {
        self.spent_where(owner, id, "conversations.id = ?1").await
    }

    /// The usage of a user's conversation with all of its branches, each answer once.
    pub async fn family_spent(&self, owner: UserId, id: ConversationId) -> Result<Spent, Error> {
        let family = "(conversations.id = ?1 OR family = \
                      (SELECT family FROM conversations WHERE id = ?1))";
        self.spent_where(owner, id, family).await
    }

    async fn spent_where(
        &self,
        owner: UserId,
        id: ConversationId,
        which: &'static str,
    ) -> Result<Spent, Error> {
        let row = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output, \
             coalesce(sum(cache_read), 0) AS cache_read, \
             coalesce(sum(cache_write), 0) AS cache_write, coalesce(sum(cost), 0) AS cost, \
             coalesce(sum(CASE WHEN cost IS NULL \
             THEN input + output + cache_read + cache_write END), 0) AS unpriced FROM (\
             SELECT coalesce(json_extract(body, '$.usage.input'), 0) AS input, \
             coalesce(json_extract(body, '$.usage.output'), 0) AS output, \
             coalesce(json_extract(body, '$.usage.cache_read'), 0) AS cache_read, \
             coalesce(json_extract(body, '$.usage.cache_write'), 0) AS cache_write, \
             json_extract(body, '$.cost') AS cost FROM events \
             JOIN conversations ON conversations.key = events.conversation \
             WHERE {which} AND owner = ?2 AND deleted IS NULL \
             AND seq >= coalesce(leaves, 0) AND json_extract(body, '$.type') \
             IN ('assistant_message', 'title_written'))",
        )))
        .bind(id.to_string())
        .bind(owner.to_string())
        .fetch_one(self.readers())
        .await?;
        spent(&row)
    }
}

fn spent(row: &SqliteRow) -> Result<Spent, Error> {
    let count = |column: &str| -> Result<u64, Error> {
        let number: i64 = row.try_get(column)?;
        u64::try_from(number).map_err(|error| Error::Damaged(format!("{column}: {error}")))
    };
    Ok(Spent {
        usage: Usage {
            input: count("input")?,
            output: count("output")?,
            cache_read: count("cache_read")?,
            cache_write: count("cache_write")?,
            estimated: false,
        },
        cost: Cost(count("cost")?),
        unpriced: count("unpriced")?,
    })
}
