//! Reading pages, single entries, and changes after a page.

use protocol::{FeedEntry, FeedFilter, FeedId, FeedKind, FeedPlace, FeedTone, Role, Timestamp};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, sqlite::SqliteRow};

use super::{FeedRow, search};
use crate::{Error, Store, columns::parse};

/// The columns that [`row`] reads.
pub(super) const COLUMNS: &str = "id, rev, at, kind, tone, line, outcome, tier, target, person, \
                                  source, owner, conversation, call, subject, ended, details";

/// A part of the feed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeedRows {
    /// Newest first.
    pub rows: Vec<FeedRow>,
    pub older: bool,
    pub newer: bool,
    /// The newest change of the feed.
    pub rev: u64,
}

/// The direction from a border.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadDirection {
    Older,
    Newer,
}

impl Store {
    /// At most `limit` entries that a filter allows, those next to a place. A search covers the
    /// text of everybody's entries that a reader of this role may see.
    pub async fn feed(
        &self,
        reader: Role,
        filter: &FeedFilter,
        place: FeedPlace,
        limit: usize,
    ) -> Result<FeedRows, Error> {
        // One transaction: the number of the newest change belongs to these rows.
        let mut snapshot = self.readers().begin().await?;
        let rev = newest(&mut snapshot).await?;
        let mut look = FeedLook {
            connection: &mut snapshot,
            reader,
            filter,
        };
        let all = i64::MAX;
        let mut page = match place {
            FeedPlace::Newest => look.older(all, limit).await?,
            FeedPlace::Before { id } => {
                let page = look.older(id.number() - 1, limit).await?;
                FeedRows {
                    newer: true,
                    ..page
                }
            }
            FeedPlace::After { id } => {
                let page = look.newer(id.number().saturating_add(1), limit).await?;
                FeedRows {
                    older: true,
                    ..page
                }
            }
            FeedPlace::Around { id } => {
                let half = limit.div_ceil(2);
                let older = look.older(id.number(), half.max(1)).await?;
                // Entries beside an event that is gone are not the ones that were asked for.
                if older.rows.first().is_some_and(|row| row.entry.id == id) {
                    let mut page = look.newer(id.number().saturating_add(1), half).await?;
                    page.rows.extend(older.rows);
                    page.older = older.older;
                    page
                } else {
                    look.older(all, limit).await?
                }
            }
        };
        snapshot.commit().await?;
        page.rev = rev;
        Ok(page)
    }

    /// One entry.
    pub async fn feed_entry(&self, id: FeedId) -> Result<FeedRow, Error> {
        let sql = AssertSqlSafe(format!("SELECT {COLUMNS} FROM feed WHERE id = ?"));
        let found = sqlx::query(sql)
            .bind(id.number())
            .fetch_one(self.readers())
            .await?;
        row(&found)
    }

    /// At most `limit` entries that came or changed after a number, in the order of their changes.
    pub async fn feed_after(&self, rev: u64, limit: usize) -> Result<Vec<FeedRow>, Error> {
        let sql = AssertSqlSafe(format!(
            "SELECT {COLUMNS} FROM feed WHERE rev > ? ORDER BY rev LIMIT ?"
        ));
        let found = sqlx::query(sql)
            .bind(i64::try_from(rev).unwrap_or(i64::MAX))
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(self.readers())
            .await?;
        found.iter().map(row).collect()
    }

    /// The number of the newest change.
    pub async fn feed_rev(&self) -> Result<u64, Error> {
        let mut reader = self.readers().acquire().await?;
        newest(&mut reader).await
    }
}

async fn newest(connection: &mut SqliteConnection) -> Result<u64, Error> {
    let rev: i64 = sqlx::query_scalar("SELECT coalesce(max(rev), 0) FROM feed")
        .fetch_one(connection)
        .await?;
    Ok(u64::try_from(rev).unwrap_or_default())
}

struct FeedLook<'a> {
    connection: &'a mut SqliteConnection,
    reader: Role,
    filter: &'a FeedFilter,
}

impl FeedLook<'_> {
    /// Entries from a number downwards.
    async fn older(&mut self, from: i64, limit: usize) -> Result<FeedRows, Error> {
        let (rows, older) = self.rows(ReadDirection::Older, from, limit).await?;
        Ok(FeedRows {
            rows,
            older,
            ..FeedRows::default()
        })
    }

    /// Entries from a number upwards.
    async fn newer(&mut self, from: i64, limit: usize) -> Result<FeedRows, Error> {
        let (mut rows, newer) = self.rows(ReadDirection::Newer, from, limit).await?;
        rows.reverse();
        Ok(FeedRows {
            rows,
            newer,
            ..FeedRows::default()
        })
    }

    /// Rows in this direction, and true if there are more.
    async fn rows(
        &mut self,
        way: ReadDirection,
        from: i64,
        limit: usize,
    ) -> Result<(Vec<FeedRow>, bool), Error> {
        let first = |at: Timestamp| FeedId::first_at(at).number();
        let mut low = self.filter.from.map_or(0, first);
        let mut high = self.filter.to.map_or(i64::MAX, |to| first(to) - 1);
        let order = match way {
            ReadDirection::Older => {
                high = high.min(from);
                "DESC"
            }
            ReadDirection::Newer => {
                low = low.max(from);
                "ASC"
            }
        };
        let Some(wanted) = search::wanted(self.filter, self.reader) else {
            return Ok((Vec::new(), false));
        };
        let sql = match wanted {
            None => format!(
                "SELECT {COLUMNS} FROM feed WHERE id BETWEEN ?1 AND ?2 ORDER BY id {order} LIMIT ?3"
            ),
            // The index goes first: it is in the order of the ids, and ends at the limit.
            Some(_) => format!(
                "SELECT {COLUMNS} FROM (SELECT rowid AS found FROM feed_text \
                 WHERE feed_text MATCH ?4 AND rowid BETWEEN ?1 AND ?2 AND (?5 IS NULL \
                 OR EXISTS (SELECT 1 FROM feed WHERE id = feed_text.rowid \
                 AND (target = ?5 OR json_extract(details, '$.made') = ?5))) \
                 ORDER BY rowid {order} LIMIT ?3) JOIN feed ON feed.id = found ORDER BY id {order}"
            ),
        };
        let one_more = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(low)
            .bind(high)
            .bind(one_more);
        if let Some(wanted) = wanted {
            query = query.bind(wanted).bind(self.filter.exact_target());
        }
        let found = query.fetch_all(&mut *self.connection).await?;
        let rows = found.iter().take(limit).map(row);
        Ok((rows.collect::<Result<_, Error>>()?, found.len() > limit))
    }
}

pub(super) fn row(row: &SqliteRow) -> Result<FeedRow, Error> {
    let text = |column: &str| row.try_get::<Option<String>, _>(column);
    let id: i64 = row.try_get("id")?;
    let rev: i64 = row.try_get("rev")?;
    let tier = text("tier")?.and_then(|word| search::tier(&word));
    let details = text("details")?.and_then(|details| serde_json::from_str(&details).ok());
    let entry = FeedEntry {
        id: FeedId::from_number(id).ok_or_else(|| Error::Damaged(format!("feed {id}")))?,
        rev: u64::try_from(rev).unwrap_or_default(),
        at: Timestamp(row.try_get("at")?),
        kind: FeedKind::from_word(row.try_get("kind")?),
        tone: FeedTone::from_word(row.try_get("tone")?),
        line: row.try_get("line")?,
        outcome: text("outcome")?,
        tier,
        target: text("target")?,
        person: text("person")?,
        source: text("source")?,
        conversation: text("conversation")?.as_deref().map(parse).transpose()?,
        call: text("call")?.as_deref().map(parse).transpose()?,
        subject: text("subject")?,
        ended: row.try_get::<Option<i64>, _>("ended")?.map(Timestamp),
        details: details.unwrap_or(Value::Null),
    };
    let owner = text("owner")?.as_deref().map(parse).transpose()?;
    Ok(FeedRow { entry, owner })
}
