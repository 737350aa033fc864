//! The cards that wait for a person: a projection of the journal that also guards it. An event that
//! decides on a card is only written if its row still waits.

use agent::ports::{JournalError, NewRecord, SecondPersons};
use async_trait::async_trait;
use protocol::{
    CallId, Confirmation, ConversationId, ConversationSummary, EventBody, SecondCall, Seq,
    Timestamp, UserId, Verdict, WaitingCall,
};
use serde::{Deserialize, Serialize};
use sqlx::{Row, SqliteConnection};

use crate::{Error, Store, columns::parse, two_persons::may_be_one};

/// Changes the rows by the records of one write, in order. `asked` is true if any row was open
/// before, `person` sent the command, `at` is its time. Returns true if any row was touched.
pub(crate) async fn project(
    connection: &mut SqliteConnection,
    conversation: i64,
    asked: bool,
    head: Seq,
    records: &[NewRecord],
    person: Option<UserId>,
    at: Timestamp,
) -> Result<bool, JournalError> {
    let mut touched = false;
    for record in records {
        match &record.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                touched = true;
                sqlx::query(
                    "INSERT INTO confirmations \
                     (call, conversation, digest, sentence, expires, state, card) \
                     VALUES (?1, ?2, ?3, ?4, ?5, 'waiting', ?6) \
                     ON CONFLICT (call) DO UPDATE SET digest = ?3, sentence = ?4, expires = ?5, \
                     state = 'waiting', card = ?6",
                )
                .bind(call.to_string())
                .bind(conversation)
                .bind(&confirmation.digest)
                .bind(&confirmation.sentence)
                .bind(confirmation.expires.0)
                .bind(card(record, confirmation)?)
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
                if let (Verdict::Approved, Some(person)) = (verdict, person)
                    && is_one_person(connection, *call, record, person, at).await?
                {
                    return Err(JournalError::Conflict { head });
                }
                let decided = sqlx::query(
                    // The person who asked is not the second person.
                    "UPDATE confirmations SET state = ?1 \
                     WHERE call = ?2 AND state = 'waiting' AND digest = ?3 \
                     AND (?1 <> 'approved' OR card IS NULL OR ?4 <> \
                     (SELECT owner FROM conversations WHERE key = conversation))",
                )
                .bind(state)
                .bind(call.to_string())
                .bind(digest)
                .bind(person.map(|person| person.to_string()))
                .execute(&mut *connection)
                .await
                .map_err(Error::from)?;
                if decided.rows_affected() != 1 {
                    return Err(JournalError::Conflict { head });
                }
            }
            // Any other event of a call closes its card; an approved one is used up.
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

/// True if the second approver could be the requester. The sign-in link of the approving session is
/// in the record being written; those of the requesting sessions are in the journal.
async fn is_one_person(
    connection: &mut SqliteConnection,
    call: CallId,
    record: &NewRecord,
    person: UserId,
    at: Timestamp,
) -> Result<bool, Error> {
    let row = sqlx::query(
        "SELECT owner, card IS NOT NULL AS second, (SELECT json_group_array(body ->> '$.by') \
         FROM events WHERE conversation = conversations.key \
         AND body ->> '$.type' = 'asked_by_link') AS links FROM confirmations \
         JOIN conversations ON conversations.key = confirmations.conversation WHERE call = ?",
    )
    .bind(call.to_string())
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else {
        return Ok(false);
    };
    let (owner, second): (UserId, bool) = (parse(row.try_get("owner")?)?, row.try_get("second")?);
    let noted = record.audit.as_ref().and_then(|audit| audit.get("second"));
    if owner == person || !(second || noted.is_some()) {
        return Ok(false);
    }
    let mut askers: Vec<UserId> = serde_json::from_str(row.try_get("links")?)
        .map_err(|error| Error::Damaged(error.to_string()))?;
    askers.push(owner);
    let mut deciders = vec![person];
    if let Some(by) = noted.and_then(|noted| noted.pointer("/confirmed_by/link_by")?.as_str()) {
        deciders.push(parse(by)?);
    }
    may_be_one(connection, &askers, &deciders, at).await
}

/// The part of a card that other deciders see.
#[derive(Serialize, Deserialize)]
struct CardRow {
    tool: String,
    confirmation: Confirmation,
}

fn card(record: &NewRecord, confirmation: &Confirmation) -> Result<Option<String>, Error> {
    if confirmation.second.is_none() {
        return Ok(None);
    }
    let detail = record.audit.as_ref();
    let tool = detail.and_then(|detail| detail.get("tool")?.as_str());
    let card = CardRow {
        tool: tool.unwrap_or_default().to_owned(),
        confirmation: confirmation.clone(),
    };
    let json = serde_json::to_string(&card);
    json.map(Some)
        .map_err(|error| Error::Damaged(error.to_string()))
}

#[async_trait]
impl SecondPersons for Store {
    async fn second_calls(&self) -> Result<Vec<(UserId, SecondCall)>, JournalError> {
        let mut reader = self.readers().acquire().await.map_err(Error::from)?;
        Ok(waiting_for_second(&mut reader).await?)
    }

    async fn may_be_one(
        &self,
        askers: &[UserId],
        deciders: &[UserId],
        now: Timestamp,
    ) -> Result<bool, JournalError> {
        let mut reader = self.readers().acquire().await.map_err(Error::from)?;
        Ok(may_be_one(&mut reader, askers, deciders, now).await?)
    }
}

impl Store {
    /// The number of cards that wait for a decision.
    pub async fn waiting_confirmations(&self) -> Result<i64, Error> {
        let waiting = sqlx::query_scalar(
            "SELECT count(*) FROM confirmations \
             JOIN conversations ON conversations.key = confirmations.conversation \
             WHERE state = 'waiting' AND deleted IS NULL",
        );
        Ok(waiting.fetch_one(self.readers()).await?)
    }

    /// The conversation, or own call, of the card of a user's call, also of one that was decided.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no call of this user with this id has a card.
    pub async fn card_conversation(
        &self,
        owner: UserId,
        call: CallId,
    ) -> Result<ConversationId, Error> {
        let id: Option<String> = sqlx::query_scalar(
            "SELECT id FROM confirmations \
             JOIN conversations ON conversations.key = confirmations.conversation \
             WHERE call = ? AND owner = ? AND deleted IS NULL",
        )
        .bind(call.to_string())
        .bind(owner.to_string())
        .fetch_optional(self.readers())
        .await?;
        parse(&id.ok_or(Error::NotFound)?)
    }
}

/// The cards that wait for a second person, each with the user who asked.
async fn waiting_for_second(
    connection: &mut SqliteConnection,
) -> Result<Vec<(UserId, SecondCall)>, Error> {
    let rows = sqlx::query(
        "SELECT owner, id, call, card FROM confirmations \
         JOIN conversations ON conversations.key = confirmations.conversation \
         WHERE state = 'waiting' AND card IS NOT NULL AND deleted IS NULL ORDER BY expires, call",
    )
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let card: CardRow = serde_json::from_str(row.try_get("card")?)
                .map_err(|error| Error::Damaged(error.to_string()))?;
            let second = SecondCall {
                conversation: parse(row.try_get("id")?)?,
                call: parse(row.try_get("call")?)?,
                tool: card.tool,
                confirmation: card.confirmation,
            };
            Ok((parse(row.try_get("owner")?)?, second))
        })
        .collect()
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
