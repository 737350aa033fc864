//! The journal of conversations.

mod write;

use agent::{
    DaySpent, crash,
    ports::{
        Append, Appended, Branching, Durability, Epoch, Journal, JournalError, NoticeChange,
        Person, Record, StoredConversation,
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
    commands::{remember_command, take_command},
    conversations::{from_word, to_word},
    database::commit,
    import::refuse_closed,
    projection::own_call,
    system,
};
pub(crate) use write::write;

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

    async fn branch(&self, branching: Branching, append: Append) -> Result<Appended, JournalError> {
        self.branch_off(branching, append).await
    }

    async fn family(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<ConversationId>, JournalError> {
        self.family_of(conversation).await
    }

    async fn to_front(
        &self,
        conversation: ConversationId,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError> {
        self.put_in_front(conversation, at).await
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
    ) -> Result<Vec<ConversationId>, JournalError> {
        self.hide(conversation, by, at).await
    }

    async fn restore(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationSummary>, JournalError> {
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

    async fn see(
        &self,
        conversation: ConversationId,
        seq: Seq,
        at: Timestamp,
    ) -> Result<Option<ConversationSummary>, JournalError> {
        Ok(self.note_seen(conversation, seq, at).await?)
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
        by: &Person,
        command: CommandId,
    ) -> Result<(), JournalError> {
        let at = state.at.unwrap_or_default();
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        take_command(&mut transaction, by.id, command, at).await?;
        let event = SystemEvent::KillSwitchSet {
            on: state.on,
            user: by.id,
            by: state.by.unwrap_or_default(),
            via: by.via.record(),
        };
        system::append(&mut transaction, at, &event).await?;
        commit(transaction, || "the kill switch".to_owned()).await?;
        Ok(())
    }

    async fn note_refusal(
        &self,
        by: &Person,
        tool: &str,
        unrecorded: u32,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let event = SystemEvent::ActRefused {
            user: by.id,
            tool: tool.to_owned(),
            unrecorded,
            by: by.name.clone(),
        };
        Ok(self.record(at, &event).await?)
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

    async fn may_be_one(
        &self,
        askers: &[UserId],
        deciders: &[UserId],
        now: Timestamp,
    ) -> Result<bool, JournalError> {
        Ok(self.may_be_one_person(askers, deciders, now).await?)
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

pub(crate) fn events(appended: &Appended) -> String {
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
