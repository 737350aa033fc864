//! The journal of conversations.

use agent::{
    DaySpent, crash,
    ports::{
        Append, Appended, Durability, Epoch, Journal, JournalError, NoticeChange, Person, Record,
        StoredConversation,
    },
};
use async_trait::async_trait;
use protocol::{
    CommandId, ConversationId, ConversationSummary, Event, EventBody, KillSwitch, Notice, NoticeId,
    Role, SecondCall, Seq, Shelf, Timestamp, UserId,
};
use serde_json::value::RawValue;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    Error, Store, SystemEvent,
    audit::AuditRows,
    batch::Batch,
    commands::remember_command,
    confirmations,
    conversations::{SUMMARY, from_word, summary, to_word},
    database::commit,
    import::refuse_closed,
    pages,
    projection::{Projection, QueueChange, own_call},
    search, spending, system,
};

#[async_trait]
impl Journal for Store {
    async fn create(
        &self,
        conversation: StoredConversation,
        append: Append,
    ) -> Result<Appended, JournalError> {
        if append.epoch != Epoch(0) || append.head != Seq(0) {
            return Err(JournalError::Conflict { head: Seq(0) });
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(append.durability).await?;
        remember_command(&mut transaction, &append).await?;
        let origin = append.records.iter().find_map(|record| match record.body {
            EventBody::ConversationStarted { from, .. } => from,
            _ => None,
        });
        if let Some(from) = origin {
            refuse_closed(&mut transaction, from).await?;
        }
        let inserted = sqlx::query(
            "INSERT INTO conversations (id, owner, mode, model, title, created, updated, head, epoch, \
             messages, input, output, cache_read, cache_write, cost, running, origin, \
             action) VALUES (?1, ?2, ?3, ?4, '', ?5, ?5, 0, 1, 0, 0, 0, 0, 0, 0, 0, ?6, ?7) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(conversation.id.to_string())
        .bind(conversation.owner.to_string())
        .bind(to_word(&conversation.mode)?)
        .bind(&conversation.model)
        .bind(append.at.0)
        .bind(origin.map(|from| from.to_string()))
        .bind(own_call(&append.records)?)
        .execute(&mut *transaction)
        .await
        .map_err(Error::from)?;
        if inserted.rows_affected() == 0 {
            return Err(JournalError::Exists);
        }
        let appended = write(
            &mut transaction,
            Append {
                epoch: Epoch(1),
                ..append
            },
        )
        .await?;
        commit(transaction, || events(&appended)).await?;
        Ok(appended)
    }

    async fn append(&self, append: Append) -> Result<Appended, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(append.durability).await?;
        remember_command(&mut transaction, &append).await?;
        let appended = write(&mut transaction, append).await?;
        commit(transaction, || events(&appended)).await?;
        Ok(appended)
    }

    async fn delete(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        self.hide(conversation, by, at).await
    }

    async fn restore(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        self.take_back(conversation, by, at).await
    }

    async fn remove_deleted(&self, until: Timestamp) -> Result<Option<Timestamp>, JournalError> {
        Ok(self.remove_hidden(until).await?)
    }

    async fn shelve(
        &self,
        conversation: ConversationId,
        shelf: Shelf,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        Ok(self.put_on_shelf(conversation, shelf, at).await?)
    }

    async fn claim(&self, conversation: ConversationId) -> Result<Epoch, JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        refuse_closed(&mut transaction, conversation).await?;
        let epoch: i64 = sqlx::query_scalar(
            "UPDATE conversations SET epoch = epoch + 1 WHERE id = ? AND deleted IS NULL \
             RETURNING epoch",
        )
        .bind(conversation.to_string())
        .fetch_one(&mut *transaction)
        .await
        .map_err(Error::from)?;
        commit(transaction, || "a claim".to_owned()).await?;
        Ok(Epoch(epoch))
    }

    async fn conversation(
        &self,
        conversation: ConversationId,
    ) -> Result<StoredConversation, JournalError> {
        let row = sqlx::query(
            "SELECT owner, mode, model FROM conversations WHERE id = ? AND deleted IS NULL",
        )
        .bind(conversation.to_string())
        .fetch_one(self.readers())
        .await
        .map_err(Error::from)?;
        let stored = || -> Result<_, Error> {
            Ok(StoredConversation {
                id: conversation,
                owner: parse(&row.try_get::<String, _>(0)?)?,
                mode: from_word(&row.try_get::<String, _>(1)?)?,
                model: row.try_get(2)?,
            })
        };
        Ok(stored()?)
    }

    async fn records(&self, conversation: ConversationId) -> Result<Vec<Record>, JournalError> {
        let rows = sqlx::query(
            "SELECT seq, at, body, raw FROM events \
             WHERE conversation = (SELECT key FROM conversations WHERE id = ? AND deleted IS NULL) \
             ORDER BY seq",
        )
        .bind(conversation.to_string())
        .fetch_all(self.readers())
        .await
        .map_err(Error::from)?;
        if rows.is_empty() {
            return Err(JournalError::NotFound);
        }
        Ok(rows.iter().map(record).collect::<Result<_, Error>>()?)
    }

    async fn events_after(
        &self,
        conversation: ConversationId,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Event>, JournalError> {
        let mut reader = self.readers().acquire().await.map_err(Error::from)?;
        Ok(read_events(&mut reader, conversation, after, limit).await?)
    }

    async fn head(&self, conversation: ConversationId) -> Result<Seq, JournalError> {
        let head: i64 =
            sqlx::query_scalar("SELECT head FROM conversations WHERE id = ? AND deleted IS NULL")
                .bind(conversation.to_string())
                .fetch_one(self.readers())
                .await
                .map_err(Error::from)?;
        Ok(to_seq(head)?)
    }

    async fn kill_switch(&self) -> Result<KillSwitch, JournalError> {
        Ok(self.newest_kill_switch().await?)
    }

    async fn set_kill_switch(
        &self,
        state: KillSwitch,
        (user, command): (UserId, CommandId),
    ) -> Result<(), JournalError> {
        let at = state.at.unwrap_or_default();
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        crate::commands::take_command(&mut transaction, user, command, at).await?;
        let event = SystemEvent::KillSwitchSet {
            on: state.on,
            user,
            by: state.by.unwrap_or_default(),
        };
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "the kill switch".to_owned()).await?;
        Ok(())
    }

    async fn notices(&self, system: &str, since: Timestamp) -> Result<Vec<Notice>, JournalError> {
        Ok(self.recent_notices(system, since).await?)
    }

    async fn change_notices(
        &self,
        changes: &[NoticeChange],
        at: Timestamp,
    ) -> Result<(), JournalError> {
        Ok(self.write_notices(changes, at).await?)
    }

    async fn acknowledge_notice(
        &self,
        notice: NoticeId,
        by: &Person,
        at: Timestamp,
        command: CommandId,
    ) -> Result<(), JournalError> {
        self.note_acknowledged(notice, by, at, command).await
    }

    async fn spent_on(&self, user: UserId, day: i64) -> Result<DaySpent, JournalError> {
        Ok(self.day_spent(user, day).await?)
    }

    async fn role(&self, user: UserId) -> Result<Option<Role>, JournalError> {
        Ok(self.role_of(user).await?)
    }

    async fn name(&self, user: UserId) -> Result<Option<String>, JournalError> {
        let name = sqlx::query_scalar("SELECT name FROM users WHERE id = ?")
            .bind(user.to_string())
            .fetch_optional(self.readers())
            .await
            .map_err(Error::from)?;
        Ok(name)
    }

    async fn seconds(&self) -> Result<Vec<(UserId, SecondCall)>, JournalError> {
        Ok(self.waiting_seconds().await?)
    }

    async fn has_command(&self, user: UserId, command: CommandId) -> Result<bool, JournalError> {
        let found = sqlx::query("SELECT 1 FROM commands WHERE user = ? AND id = ?")
            .bind(user.to_string())
            .bind(command.to_string())
            .fetch_optional(self.readers())
            .await
            .map_err(Error::from)?;
        Ok(found.is_some())
    }

    async fn unfinished(&self) -> Result<Vec<ConversationId>, JournalError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM conversations WHERE running = 1 AND deleted IS NULL \
             UNION SELECT id FROM conversations \
             WHERE key IN (SELECT conversation FROM queued_messages) AND deleted IS NULL \
             ORDER BY id",
        )
        .fetch_all(self.readers())
        .await
        .map_err(Error::from)?;
        Ok(ids
            .iter()
            .map(|id| parse(id))
            .collect::<Result<_, Error>>()?)
    }
}

fn events(appended: &Appended) -> String {
    crash::names(appended.records.iter().map(|record| &record.event))
}

pub(crate) async fn read_events(
    connection: &mut SqliteConnection,
    conversation: ConversationId,
    after: Seq,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    let rows = sqlx::query(
        "SELECT seq, at, body FROM events \
         WHERE conversation = (SELECT key FROM conversations WHERE id = ? AND deleted IS NULL) \
         AND seq > ? ORDER BY seq LIMIT ?",
    )
    .bind(conversation.to_string())
    .bind(i64::try_from(after.0).unwrap_or(i64::MAX))
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    rows.iter().map(event).collect()
}

/// Numbers and writes the records, if epoch and head are as the writer believes.
async fn write(
    connection: &mut SqliteConnection,
    append: Append,
) -> Result<Appended, JournalError> {
    let change = Projection::of(&append.records);
    let renamed = change.title.is_some();
    let head = i64::try_from(append.head.0).unwrap_or(i64::MAX);
    let added = i64::try_from(append.records.len()).unwrap_or(i64::MAX);
    let id = append.conversation.to_string();
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let row = sqlx::query(concat!(
        "UPDATE conversations SET head = head + ?1, updated = ?2, title = coalesce(?3, title), \
         messages = messages + ?4, input = input + ?5, output = output + ?6, \
         cache_read = cache_read + ?7, cache_write = cache_write + ?8, cost = cost + ?9, \
         running = coalesce(?10, running), \
         model = coalesce(?15, model), shelf = CASE WHEN ?14 AND shelf = 'archived' THEN 'listed' ELSE shelf END \
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
    .fetch_optional(&mut *connection)
    .await
    .map_err(Error::from)?;
    let Some(row) = row else {
        return Err(why_refused(connection, &append).await);
    };
    let key: i64 = row.try_get("key").map_err(Error::from)?;
    let asked: bool = row.try_get("asked").map_err(Error::from)?;
    let mut summary: ConversationSummary = summary(&row)?;
    let head = append.head;
    let person = append.command.map(|(user, _)| user);
    if confirmations::project(connection, key, asked, head, &append.records, person).await? {
        confirmations::refresh(connection, key, &mut summary).await?;
    }
    let mut batch = Batch::default();
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
        insert(&mut batch, key, seq, append.at, body, new.raw.as_deref())?;
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
    if renamed && summary.action.is_none() {
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
    batch: &mut Batch,
    conversation: i64,
    seq: Seq,
    at: Timestamp,
    body: String,
    raw: Option<&RawValue>,
) -> Result<(), Error> {
    batch
        .add("INSERT INTO events (conversation, seq, at, body, raw) VALUES (?, ?, ?, ?, ?)")
        .bind(conversation)?
        .bind(i64::try_from(seq.0).unwrap_or(i64::MAX))?
        .bind(at.0)?
        .bind(body)?
        .bind(raw.map(|raw| raw.get().to_owned()))?;
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

pub(crate) fn event(row: &SqliteRow) -> Result<Event, Error> {
    let body: &str = row.try_get("body")?;
    let body: EventBody =
        serde_json::from_str(body).map_err(|error| Error::Damaged(error.to_string()))?;
    Ok(Event {
        seq: to_seq(row.try_get("seq")?)?,
        at: Timestamp(row.try_get("at")?),
        body,
    })
}

fn record(row: &SqliteRow) -> Result<Record, Error> {
    let raw: Option<String> = row.try_get("raw")?;
    let raw = raw.map(RawValue::from_string).transpose();
    let raw = raw.map_err(|error| Error::Damaged(error.to_string()))?;
    Ok(Record {
        event: event(row)?,
        raw,
    })
}

pub(crate) fn to_seq(number: i64) -> Result<Seq, Error> {
    u64::try_from(number)
        .map(Seq)
        .map_err(|error| Error::Damaged(error.to_string()))
}

pub(crate) fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, Error> {
    text.parse()
        .map_err(|error: T::Err| Error::Damaged(format!("{text:?}: {error}")))
}
