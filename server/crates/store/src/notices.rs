//! Notices: the conditions that were raised, and the people who acknowledged them.

use agent::ports::{Durability, JournalError, NoticeChange, NoticeRecords, Person};
use async_trait::async_trait;
use protocol::{Acknowledged, CommandId, Notice, NoticeId, Timestamp};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    Error, Store,
    columns::parse,
    commands::take_command,
    database::commit,
    system::{self, SystemEvent},
};

/// Time after which resolved notices are dropped, in milliseconds. The system journal keeps them.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1000;

#[async_trait]
impl NoticeRecords for Store {
    async fn notices(&self, system: &str, since: Timestamp) -> Result<Vec<Notice>, JournalError> {
        let rows = sqlx::query(
            "SELECT * FROM notices WHERE system = ? AND (ended IS NULL OR ended >= ?) ORDER BY id",
        )
        .bind(system)
        .bind(since.0)
        .fetch_all(self.readers())
        .await
        .map_err(Error::from)?;
        let found = rows.iter().map(notice);
        Ok(found.collect::<Result<_, Error>>()?)
    }

    async fn change_notices(
        &self,
        changes: &[NoticeChange],
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        for change in changes {
            write(&mut transaction, change, at).await?;
        }
        sqlx::query("DELETE FROM notices WHERE ended < ?")
            .bind(at.0.saturating_sub(KEPT))
            .execute(&mut *transaction)
            .await
            .map_err(Error::from)?;
        commit(transaction, || "notices".to_owned()).await?;
        Ok(())
    }

    async fn acknowledge_notice(
        &self,
        id: NoticeId,
        by: &Person,
        at: Timestamp,
        command: CommandId,
    ) -> Result<(), JournalError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        take_command(&mut transaction, by.id, command, at).await?;
        let row = sqlx::query(
            "UPDATE notices SET acknowledged = ?, acknowledged_by = ? \
             WHERE id = ? AND ended IS NULL AND acknowledged IS NULL RETURNING *",
        )
        .bind(at.0)
        .bind(&by.name)
        .bind(id.to_string())
        .fetch_one(&mut *transaction)
        .await
        .map_err(Error::from)?;
        let notice = notice(&row)?;
        let event = SystemEvent::NoticeAcknowledged {
            notice: id,
            about: notice.about,
            text: notice.text,
            user: by.id,
            by: by.name.clone(),
            via: by.via.record(),
        };
        system::append_by(&mut transaction, at, &event, by).await?;
        commit(transaction, || "a notice is known of".to_owned()).await?;
        Ok(())
    }
}

/// Raises a notice as part of a transaction, unless one with its key is open.
pub(crate) async fn raise_once(
    connection: &mut SqliteConnection,
    raised: Notice,
    at: Timestamp,
) -> Result<(), Error> {
    if open(connection, &raised.system, &raised.key)
        .await?
        .is_some()
    {
        return Ok(());
    }
    write(connection, &NoticeChange::Raised(raised), at).await
}

/// Resolves the open notice with a key as part of a transaction, if there is one.
pub(crate) async fn resolve(
    connection: &mut SqliteConnection,
    system: &str,
    key: &str,
    at: Timestamp,
) -> Result<(), Error> {
    let Some(open) = open(connection, system, key).await? else {
        return Ok(());
    };
    let ended = Notice {
        seen: at,
        ended: Some(at),
        ..open
    };
    write(connection, &NoticeChange::Ended(ended), at).await
}

async fn open(
    connection: &mut SqliteConnection,
    system: &str,
    key: &str,
) -> Result<Option<Notice>, Error> {
    let row = sqlx::query("SELECT * FROM notices WHERE system = ? AND key = ? AND ended IS NULL")
        .bind(system)
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(notice).transpose()
}

async fn write(
    connection: &mut SqliteConnection,
    change: &NoticeChange,
    at: Timestamp,
) -> Result<(), Error> {
    let notice = change.notice();
    let event = match change {
        NoticeChange::Raised(_) => {
            sqlx::query(
                "INSERT INTO notices (id, system, key, kind, grave, about, text, since, seen) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )
            .bind(notice.id.to_string())
            .bind(&notice.system)
            .bind(&notice.key)
            .bind(&notice.kind)
            .bind(notice.grave)
            .bind(&notice.about)
            .bind(&notice.text)
            .bind(notice.since.0)
            .bind(notice.seen.0)
            .execute(&mut *connection)
            .await?;
            Some(SystemEvent::NoticeRaised {
                notice: notice.id,
                system: notice.system.clone(),
                kind: notice.kind.clone(),
                grave: notice.grave,
                about: notice.about.clone(),
                text: notice.text.clone(),
            })
        }
        // A survey does not know who has acknowledged it.
        NoticeChange::Changed(_) | NoticeChange::Ended(_) => {
            sqlx::query("UPDATE notices SET grave = ?, text = ?, seen = ?, ended = ? WHERE id = ?")
                .bind(notice.grave)
                .bind(&notice.text)
                .bind(notice.seen.0)
                .bind(notice.ended.map(|at| at.0))
                .bind(notice.id.to_string())
                .execute(&mut *connection)
                .await?;
            notice.ended.map(|_| SystemEvent::NoticeEnded {
                notice: notice.id,
                about: notice.about.clone(),
                text: notice.text.clone(),
            })
        }
    };
    match event {
        Some(event) => system::append(connection, at, &event).await,
        None => Ok(()),
    }
}

fn notice(row: &SqliteRow) -> Result<Notice, Error> {
    let by: Option<String> = row.try_get("acknowledged_by")?;
    let at: Option<i64> = row.try_get("acknowledged")?;
    let ended: Option<i64> = row.try_get("ended")?;
    Ok(Notice {
        id: parse(row.try_get("id")?)?,
        system: row.try_get("system")?,
        key: row.try_get("key")?,
        kind: row.try_get("kind")?,
        grave: row.try_get("grave")?,
        about: row.try_get("about")?,
        text: row.try_get("text")?,
        since: Timestamp(row.try_get("since")?),
        seen: Timestamp(row.try_get("seen")?),
        acknowledged: by.zip(at).map(|(by, at)| Acknowledged {
            by,
            at: Timestamp(at),
        }),
        ended: ended.map(Timestamp),
    })
}
