//! Commands that were carried out: each counts once.

use agent::ports::{Append, JournalError};
use protocol::{CommandId, Seq, Timestamp, UserId};
use sqlx::SqliteConnection;

use crate::{Error, Store, columns::to_seq};

impl Store {
    /// Returns the newest event before those that a person's command wrote in its conversation. None if it
    /// was not carried out, wrote no events, or was carried out before this was kept.
    ///
    /// # Errors
    /// The database failed.
    pub async fn command_head(
        &self,
        user: UserId,
        command: CommandId,
    ) -> Result<Option<Seq>, Error> {
        let head: Option<Option<i64>> =
            sqlx::query_scalar("SELECT head FROM commands WHERE user = ? AND id = ?")
                .bind(user.to_string())
                .bind(command.to_string())
                .fetch_optional(self.readers())
                .await?;
        head.flatten().map(to_seq).transpose()
    }
}

/// Records the command, or refuses it if it was carried out before.
pub(crate) async fn remember_command(
    connection: &mut SqliteConnection,
    append: &Append,
) -> Result<(), JournalError> {
    match append.command {
        Some((user, command)) => {
            take(connection, user, command, append.at, Some(append.head)).await
        }
        None => Ok(()),
    }
}

/// The same for a command that writes in no conversation.
pub(crate) async fn take_command(
    connection: &mut SqliteConnection,
    user: UserId,
    command: CommandId,
    at: Timestamp,
) -> Result<(), JournalError> {
    take(connection, user, command, at, None).await
}

async fn take(
    connection: &mut SqliteConnection,
    user: UserId,
    command: CommandId,
    at: Timestamp,
    head: Option<Seq>,
) -> Result<(), JournalError> {
    let inserted = sqlx::query(
        "INSERT INTO commands (user, id, at, head) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    )
    .bind(user.to_string())
    .bind(command.to_string())
    .bind(at.0)
    .bind(head.map(|head| i64::try_from(head.0).unwrap_or(i64::MAX)))
    .execute(connection)
    .await
    .map_err(Error::from)?;
    if inserted.rows_affected() == 0 {
        Err(JournalError::Duplicate)
    } else {
        Ok(())
    }
}
