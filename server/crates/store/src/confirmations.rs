//! The questions that wait for a person: a projection of the journal that also guards it. An event
//! that decides on a question is only written if its row still waits.

use agent::ports::{JournalError, NewRecord};
use protocol::{CallId, ConversationSummary, EventBody, Seq, Verdict, WaitingCall};
use sqlx::{Row, SqliteConnection};

use crate::Error;

/// Changes the rows as the records of one write say, in order. `asked`: whether any row is open
/// before. Gives whether any was touched.
pub(crate) async fn project(
    connection: &mut SqliteConnection,
    conversation: i64,
    asked: bool,
    head: Seq,
    records: &[NewRecord],
) -> Result<bool, JournalError> {
    let mut touched = false;
    for record in records {
        match &record.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                touched = true;
                sqlx::query(
                    "INSERT INTO confirmations (call, conversation, digest, sentence, expires, state) \
                     VALUES (?1, ?2, ?3, ?4, ?5, 'waiting') \
                     ON CONFLICT (call) DO UPDATE SET digest = ?3, sentence = ?4, expires = ?5, \
                     state = 'waiting'",
                )
                .bind(call.to_string())
                .bind(conversation)
                .bind(&confirmation.digest)
                .bind(&confirmation.sentence)
                .bind(confirmation.expires.0)
                .execute(&mut *connection)
                .await
                .map_err(Error::from)?;
            }
            EventBody::ConfirmationDecided {
                call,
                digest,
                verdict,
                ..
            } => {
                touched = true;
                let state = match verdict {
                    Verdict::Approved => "approved",
                    _ => "closed",
                };
                let decided = sqlx::query(
                    "UPDATE confirmations SET state = ? \
                     WHERE call = ? AND state = 'waiting' AND digest = ?",
                )
                .bind(state)
                .bind(call.to_string())
                .bind(digest)
                .execute(&mut *connection)
                .await
                .map_err(Error::from)?;
                if decided.rows_affected() != 1 {
                    return Err(JournalError::Conflict { head });
                }
            }
            // Whatever else happens to a call closes its question; an approved one is used up.
            EventBody::ToolStarted { call, .. } | EventBody::ToolBlocked { call, .. }
                if asked || touched =>
            {
                touched |= close(connection, *call).await?;
            }
            _ => {}
        }
    }
    Ok(touched)
}

async fn close(connection: &mut SqliteConnection, call: CallId) -> Result<bool, Error> {
    let closed = sqlx::query(
        "UPDATE confirmations SET state = 'closed' WHERE call = ? AND state <> 'closed'",
    )
    .bind(call.to_string())
    .execute(connection)
    .await?;
    Ok(closed.rows_affected() > 0)
}

/// Writes the waiting calls into the conversation's line, and into `summary`.
pub(crate) async fn refresh(
    connection: &mut SqliteConnection,
    conversation: i64,
    summary: &mut ConversationSummary,
) -> Result<(), Error> {
    let row = sqlx::query(
        "UPDATE conversations SET waiting = (\
         SELECT json_group_array(json_object('call', call, 'sentence', sentence, 'expires', expires)) \
         FROM (SELECT call, sentence, expires FROM confirmations \
         WHERE conversation = ?1 AND state = 'waiting' ORDER BY expires, call)) \
         WHERE key = ?1 RETURNING waiting",
    )
    .bind(conversation)
    .fetch_one(connection)
    .await?;
    summary.waiting = waiting(row.try_get("waiting")?)?;
    Ok(())
}

/// Reads the column `waiting` of a conversation.
pub(crate) fn waiting(json: &str) -> Result<Vec<WaitingCall>, Error> {
    serde_json::from_str(json).map_err(|error| Error::Damaged(error.to_string()))
}
