//! Commands that were carried out: each counts once.

use agent::ports::{Append, JournalError};
use protocol::{CommandId, Timestamp, UserId};
use sqlx::SqliteConnection;

use crate::Error;

/// Records the command, or refuses it if it was carried out before.
pub(crate) async fn remember_command(
    connection: &mut SqliteConnection,
    append: &Append,
) -> Result<(), JournalError> {
    match append.command {
        Some((user, command)) => take_command(connection, user, command, append.at).await,
        None => Ok(()),
    }
}

pub(crate) async fn take_command(
    connection: &mut SqliteConnection,
    user: UserId,
    command: CommandId,
    at: Timestamp,
) -> Result<(), JournalError> {
    let inserted =
        sqlx::query("INSERT INTO commands (user, id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
            .bind(user.to_string())
            .bind(command.to_string())
            .bind(at.0)
            .execute(connection)
            .await
            .map_err(Error::from)?;
    if inserted.rows_affected() == 0 {
        Err(JournalError::Duplicate)
    } else {
        Ok(())
    }
}
