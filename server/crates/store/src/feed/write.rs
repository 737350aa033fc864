//! Writing entries, and pruning old ones.

use agent::ports::{Durability, Happening};
use protocol::{FeedId, Timestamp};
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::{
    read::{COLUMNS, row},
    search,
};
use crate::{Error, Store};

/// Characters of a text that are kept.
const MAX_TEXT: usize = 600;
/// Bytes of details that are kept; longer details are dropped.
const MAX_DETAILS: usize = 4096;
/// Rows that one transaction prunes: others want to write too.
const PORTION: i64 = 200;

/// New fields replace the old ones; missing fields stay. An end is not undone by an older report,
/// and an update without a change is none.
const PUT: &str = "INSERT INTO feed (id, rev, at, key, kind, tone, line, outcome, tier, target, \
    person, source, owner, conversation, call, subject, ended, details) \
    VALUES (coalesce((SELECT max(id) + 1 FROM feed WHERE id BETWEEN ?1 AND ?2), ?1), \
    (SELECT coalesce(max(rev), 0) + 1 FROM feed), \
    ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18) \
    ON CONFLICT (key) DO UPDATE SET rev = excluded.rev, tone = excluded.tone, \
    line = CASE ?19 WHEN '' THEN line ELSE excluded.line END, outcome = excluded.outcome, ended = excluded.ended, \
    tier = coalesce(excluded.tier, tier), target = coalesce(excluded.target, target), \
    person = coalesce(excluded.person, person), source = coalesce(excluded.source, source), \
    owner = coalesce(excluded.owner, owner), \
    conversation = coalesce(excluded.conversation, conversation), \
    call = coalesce(excluded.call, call), subject = coalesce(excluded.subject, subject), \
    details = coalesce(json_patch(coalesce(details, '{}'), excluded.details), details) \
    WHERE coalesce(excluded.ended, -1) >= coalesce(feed.ended, -1) AND \
    (excluded.tone, CASE ?19 WHEN '' THEN line ELSE excluded.line END, excluded.outcome, excluded.ended, \
    coalesce(excluded.tier, tier), coalesce(excluded.target, target), \
    coalesce(excluded.person, person), coalesce(excluded.subject, subject), \
    coalesce(json_patch(coalesce(details, '{}'), excluded.details), details)) IS NOT \
    (tone, line, outcome, ended, tier, target, person, subject, details) \
    ON CONFLICT DO NOTHING RETURNING ";

impl Store {
    /// Puts happenings into the feed, all of them or none. An entry with the same key is changed;
    /// an identical one is left alone.
    pub async fn append_feed(&self, happenings: &[Happening]) -> Result<(), Error> {
        if happenings.is_empty() {
            return Ok(());
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin_beside(Durability::Process).await?;
        for happening in happenings {
            put(&mut transaction, happening).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Prunes a portion of the entries from before a time. Returns true if there are more. The
    /// audit chain keeps everything.
    pub async fn prune_feed(&self, before: Timestamp) -> Result<bool, Error> {
        let end = FeedId::first_at(before).number();
        // The newest change stays whatever its age: subscriptions count from it.
        let last: Option<i64> = sqlx::query_scalar(
            "SELECT max(id) FROM (SELECT id FROM feed WHERE id < ?1 \
             AND rev < (SELECT max(rev) FROM feed) ORDER BY id LIMIT ?2)",
        )
        .bind(end)
        .bind(PORTION)
        .fetch_one(self.readers())
        .await?;
        let Some(last) = last else {
            return Ok(false);
        };
        let mut writer = self.writer().await;
        let mut transaction = writer.begin_beside(Durability::Process).await?;
        for sql in [
            "DELETE FROM feed_text WHERE rowid IN (SELECT id FROM feed WHERE id <= ? \
             AND rev < (SELECT max(rev) FROM feed))",
            "DELETE FROM feed WHERE id <= ? AND rev < (SELECT max(rev) FROM feed)",
        ] {
            sqlx::query(sql)
                .bind(last)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}

/// Writes an entry and its words as part of a transaction.
pub(crate) async fn put(
    connection: &mut SqliteConnection,
    happening: &Happening,
) -> Result<(), Error> {
    let at = happening.at;
    let details = match &happening.details {
        serde_json::Value::Object(details) => serde_json::to_string(details)
            .ok()
            .filter(|details| details.len() <= MAX_DETAILS),
        _ => None,
    };
    let changed = sqlx::query(AssertSqlSafe(format!("{PUT}{COLUMNS}")))
        .bind(FeedId::first_at(at).number())
        .bind(FeedId::last_at(at).number())
        .bind(at.0)
        .bind(&happening.key)
        .bind(happening.kind.word())
        .bind(happening.tone.word())
        .bind(match &*happening.line {
            "" => happening.kind.word().to_owned(),
            line => cut(line),
        })
        .bind(happening.outcome.as_deref().map(cut))
        .bind(happening.tier.map(search::tier_word))
        .bind(happening.target.as_deref().map(cut))
        .bind(happening.person.as_deref().map(cut))
        .bind(happening.source.as_deref())
        .bind(happening.owner.map(|owner| owner.to_string()))
        .bind(happening.conversation.map(|id| id.to_string()))
        .bind(happening.call.map(|id| id.to_string()))
        .bind(happening.subject.as_deref().map(cut))
        .bind(happening.ended.map(|ended| ended.0))
        .bind(details)
        .bind(&happening.line)
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(changed) = changed {
        search::index(connection, &row(&changed)?.entry).await?;
    }
    Ok(())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
