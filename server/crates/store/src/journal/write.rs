//! Writing records at the end of a journal, with everything derived from them.

use agent::ports::{Append, Appended, JournalError, Record, Trace};
use protocol::{ConversationSummary, Event, EventBody, Seq, Timestamp};
use serde_json::value::RawValue;
use sqlx::{Row, SqliteConnection};

use crate::{
    Error,
    audit::AuditRows,
    batch::WriteBatch,
    columns::to_seq,
    confirmations,
    conversations::{SUMMARY, summary},
    families, files, pages,
    projection::{Projection, QueueChange},
    search, spending,
};

/// Numbers and writes the records, if epoch and head are as the writer expects.
pub(crate) async fn write(
    connection: &mut SqliteConnection,
    append: Append,
) -> Result<Appended, JournalError> {
    let change = Projection::of(&append.records);
    let renamed = change.title.is_some();
    // A branch has the title of the conversation that it leaves, and is found under it.
    let branched = append
        .records
        .iter()
        .any(|record| matches!(record.body, EventBody::Branched { .. }));
    let head = i64::try_from(append.head.0).unwrap_or(i64::MAX);
    let added = i64::try_from(append.records.len()).unwrap_or(i64::MAX);
    let id = append.conversation.to_string();
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let row = sqlx::query(concat!(
        "UPDATE conversations SET head = head + ?1, updated = ?2, title = coalesce(?3, title), \
         messages = messages + ?4, input = input + ?5, output = output + ?6, \
         cache_read = cache_read + ?7, cache_write = cache_write + ?8, cost = cost + ?9, \
         running = coalesce(?10, running), \
         model = coalesce(?15, model), answered = coalesce(head + ?16, answered), \
         shelf = CASE WHEN ?14 AND shelf = 'archived' THEN 'listed' ELSE shelf END \
         WHERE id = ?11 AND epoch = ?12 AND head = ?13 AND deleted IS NULL RETURNING key, \
         EXISTS (SELECT 1 FROM confirmations \
         WHERE conversation = conversations.key AND state <> 'closed') AS asked, ",
        SUMMARY!()
    ))
    .bind(added)
    .bind(append.at.0)
    .bind(&change.title)
    .bind(change.messages)
    .bind(number(change.usage.input))
    .bind(number(change.usage.output))
    .bind(number(change.usage.cache_read))
    .bind(number(change.usage.cache_write))
    // Unknown plus anything is unknown: SQL's NULL does just that.
    .bind(change.cost.map(|cost| number(cost.0)))
    .bind(change.running)
    .bind(&id)
    .bind(append.epoch.0)
    .bind(head)
    .bind(change.spoken)
    .bind(&change.model)
    .bind(change.answered)
    .fetch_optional(&mut *connection)
    .await
    .map_err(Error::from)?;
    let Some(row) = row else {
        return Err(why_refused(connection, &append).await);
    };
    let key: i64 = row.try_get("key").map_err(Error::from)?;
    let asked: bool = row.try_get("asked").map_err(Error::from)?;
    let mut summary: ConversationSummary = summary(&row)?;
    if summary.family.is_some_and(|family| !family.front) {
        families::front(connection, &mut summary, None).await?;
    }
    let head = append.head;
    let person = append.command.map(|(user, _)| user);
    let records = &append.records;
    if confirmations::project(connection, key, asked, head, records, person, append.at).await? {
        confirmations::refresh(connection, key, &mut summary).await?;
    }
    let mut batch = WriteBatch::default();
    let mut audit = AuditRows::default();
    let mut records = Vec::with_capacity(append.records.len());
    let mut seq = append.head;
    for new in append.records {
        seq = seq.next();
        let body =
            serde_json::to_string(&new.body).map_err(|error| Error::Damaged(error.to_string()))?;
        if let Some(detail) = &new.audit {
            audit.add(append.at, Some(&id), &body, detail)?;
        }
        if summary.action.is_none() {
            search::index_text(&mut batch, key, seq, &new.body)?;
            pages::note_lasting(&mut batch, key, seq, &new.body)?;
        }
        files::note_uses(&mut batch, key, &new.body)?;
        let raw = new.raw.as_deref();
        insert(&mut batch, key, seq, append.at, body, raw, &new.trace)?;
        let event = Event {
            seq,
            at: append.at,
            body: new.body,
        };
        records.push(Record {
            event,
            raw: new.raw,
        });
    }
    if renamed && !branched && summary.action.is_none() {
        search::index_title(&mut batch, key, &summary.title)?;
    }
    audit.finish(connection, &mut batch).await?;
    spending::count(&mut batch, key, append.at, &change)?;
    for change in change.queue {
        let (sql, message) = match change {
            QueueChange::Add(message) => (
                "INSERT INTO queued_messages (conversation, message) VALUES (?, ?)",
                message,
            ),
            QueueChange::Remove(message) => (
                "DELETE FROM queued_messages WHERE conversation = ? AND message = ?",
                message,
            ),
        };
        batch.add(sql).bind(key)?.bind(message.to_string())?;
    }
    batch.run(connection).await?;
    Ok(Appended { records, summary })
}

fn insert(
    batch: &mut WriteBatch,
    conversation: i64,
    seq: Seq,
    at: Timestamp,
    body: String,
    raw: Option<&RawValue>,
    trace: &Trace,
) -> Result<(), Error> {
    let correlation = trace.correlation.as_ref().map(ToString::to_string);
    batch
        .add(
            "INSERT INTO events (conversation, seq, at, body, raw, correlation, model_request) \
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(conversation)?
        .bind(i64::try_from(seq.0).unwrap_or(i64::MAX))?
        .bind(at.0)?
        .bind(body)?
        .bind(raw.map(|raw| raw.get().to_owned()))?
        .bind(correlation)?
        .bind(trace.model_request.clone())?;
    Ok(())
}

async fn why_refused(connection: &mut SqliteConnection, append: &Append) -> JournalError {
    let row = sqlx::query("SELECT epoch, head FROM conversations WHERE id = ? AND deleted IS NULL")
        .bind(append.conversation.to_string())
        .fetch_one(connection)
        .await
        .map_err(Error::from);
    let read = row.and_then(|row| Ok((row.try_get::<i64, _>(0)?, to_seq(row.try_get(1)?)?)));
    match read {
        Ok((epoch, _)) if epoch != append.epoch.0 => JournalError::Fenced,
        Ok((_, head)) => JournalError::Conflict { head },
        Err(error) => error.into(),
    }
}
