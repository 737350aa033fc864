//! A conversation in pages: whole turns from its end, bounded in number and in bytes, so that a
//! page costs the same however long the conversation is.
//!
//! The meaning of older events for the newest turns comes with them (`Before`): the start of the
//! conversation, titles, grants, queued messages. `EventBody::outlives_turn` names these events,
//! and the table `lasting` notes where they are, in the transaction that writes them.

use std::collections::HashSet;

use agent::Unseen;
use protocol::{
    Before, CallId, ContentBlock, ConversationId, ConversationPage, ConversationSummary, Cost,
    Event, EventBody, HistoryPage, HistoryPlace, MessageId, Seq, UserId,
};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    Error, Store,
    batch::WriteBatch,
    columns::{event, parse, to_seq},
    conversations::{FoundConversation, find},
    families::forks,
};

/// The most turns of a page.
const TURNS: usize = 16;
/// Turns of a page further back: fewer, because the reader scrolls while the browser draws them.
const OLDER_TURNS: usize = 10;
/// The most bytes of a page's events: it ends before the turn that would exceed them. Its first
/// turn is whole however long it is: steps and results have their own bounds.
const BYTES: usize = 256 * 1024;
/// The turns before the one that was asked for.
const LEAD: usize = 3;
/// The most events that are read in one trip.
const CHUNK: usize = 128;
/// Events that most turns have no more of.
const TURN_EVENTS: usize = 32;

/// Notes an event with which later pages begin.
pub(crate) fn note_lasting(
    batch: &mut WriteBatch,
    key: i64,
    seq: Seq,
    body: &EventBody,
) -> Result<(), Error> {
    if body.outlives_turn() {
        batch
            .add("INSERT INTO lasting (conversation, seq) VALUES (?, ?)")
            .bind(key)?
            .bind(number(seq))?;
    }
    Ok(())
}

impl Store {
    /// A user's conversation with its newest turns.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such conversation of this user.
    pub async fn conversation_page(
        &self,
        owner: UserId,
        id: ConversationId,
    ) -> Result<Unseen<ConversationPage>, Error> {
        // One transaction, so that all of it is from the same moment.
        let mut snapshot = self.readers().begin().await?;
        let FoundConversation { key, summary, .. } = find(&mut *snapshot, owner, id).await?;
        let events = turns_until(&mut snapshot, key, Seq(u64::MAX), TURNS).await?;
        let before = match events.first() {
            Some(first) if first.seq > Seq(1) => {
                let seq = Seq(first.seq.0 - 1);
                let (usage, cost) = sums_before(&summary, &events);
                Some(Box::new(Before {
                    seq,
                    events: lasting_until(&mut snapshot, key, seq).await?,
                    usage,
                    cost,
                }))
            }
            _ => None,
        };
        let next: Option<String> = sqlx::query_scalar(
            "SELECT id FROM conversations WHERE owner = ? AND origin = ? AND deleted IS NULL \
             AND behind = 0 ORDER BY created DESC, id DESC LIMIT 1",
        )
        .bind(owner.to_string())
        .bind(id.to_string())
        .fetch_optional(&mut *snapshot)
        .await?;
        // Most have no branches.
        let forks = match summary.family {
            Some(_) => forks(&mut snapshot, owner, id).await?,
            None => Vec::new(),
        };
        snapshot.commit().await?;
        Ok(Unseen::new(ConversationPage {
            head: events.last().map_or(Seq(0), |event| event.seq),
            summary,
            events,
            next: next.as_deref().map(parse).transpose()?,
            forks,
            before,
            window: None,
            shared: None,
        }))
    }

    /// Some older turns of a user's conversation; no events if there are none at that place.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such conversation of this user.
    pub async fn history(
        &self,
        owner: UserId,
        id: ConversationId,
        place: HistoryPlace,
    ) -> Result<Unseen<HistoryPage>, Error> {
        let mut snapshot = self.readers().begin().await?;
        let key = find(&mut *snapshot, owner, id).await?.key;
        let events = match place {
            HistoryPlace::Until { seq } => {
                turns_until(&mut snapshot, key, seq, OLDER_TURNS).await?
            }
            HistoryPlace::After { seq } => turns_after(&mut snapshot, key, seq, Seq(0)).await?,
            HistoryPlace::Around { message } => {
                match place_of(&mut snapshot, key, message).await? {
                    None => Vec::new(),
                    Some(seq) => {
                        let lead = turns_until(&mut snapshot, key, seq, 1 + LEAD).await?;
                        let first = lead.first().map_or(seq, |event| event.seq);
                        turns_after(&mut snapshot, key, Seq(first.0 - 1), seq).await?
                    }
                }
            }
        };
        let late = late_words(&mut snapshot, key, &events).await?;
        snapshot.commit().await?;
        Ok(Unseen::new(HistoryPage {
            after: Seq(events.first().map_or(0, |event| event.seq.0 - 1)),
            events,
            late,
        }))
    }
}

/// The turns that end with an event, at most `turns`.
pub(crate) async fn turns_until(
    connection: &mut SqliteConnection,
    key: i64,
    until: Seq,
    turns: usize,
) -> Result<Vec<Event>, Error> {
    // From the newest on; `whole` of them are whole turns.
    let mut events: Vec<Event> = Vec::new();
    let (mut size, mut found, mut whole) = (0, 0, 0);
    let mut until = number(until);
    let chunk = CHUNK.min(turns.saturating_mul(TURN_EVENTS));
    'read: loop {
        let rows = sqlx::query(
            "SELECT seq, at, body FROM events WHERE conversation = ? AND seq <= ? \
             ORDER BY seq DESC LIMIT ?",
        )
        .bind(key)
        .bind(until)
        .bind(limit(chunk))
        .fetch_all(&mut *connection)
        .await?;
        if rows.is_empty() {
            // Events before the first turn belong to it.
            whole = events.len();
            break;
        }
        for row in &rows {
            size += length(row)?;
            let event = event(row)?;
            until = number(event.seq) - 1;
            if events.last().is_some_and(|later| begins(&event, later)) {
                found += 1;
                whole = events.len();
                // Only the start of the conversation is before it: that comes along.
                if found >= turns && until > 0 {
                    break 'read;
                }
            }
            if size > BYTES && whole > 0 {
                break 'read;
            }
            events.push(event);
        }
    }
    events.truncate(whole);
    events.reverse();
    Ok(events)
}

/// The turns after an event, and all of them up to the one of `past`.
async fn turns_after(
    connection: &mut SqliteConnection,
    key: i64,
    after: Seq,
    past: Seq,
) -> Result<Vec<Event>, Error> {
    let mut events: Vec<Event> = Vec::new();
    let (mut size, mut found, mut whole) = (0, 0, 0);
    let mut after = number(after);
    'read: loop {
        let rows = sqlx::query(
            "SELECT seq, at, body FROM events WHERE conversation = ? AND seq > ? \
             ORDER BY seq LIMIT ?",
        )
        .bind(key)
        .bind(after)
        .bind(limit(CHUNK))
        .fetch_all(&mut *connection)
        .await?;
        if rows.is_empty() {
            whole = events.len();
            break;
        }
        for row in &rows {
            let event = event(row)?;
            let may_end = whole > 0 && events[whole - 1].seq >= past;
            let begins = match events.last() {
                Some(before) => begins(before, &event),
                None => begins_turn(&event) || leaves(&event),
            };
            if begins {
                whole = if found > 0 { events.len() } else { 0 };
                found += 1;
                if found > TURNS && events[whole - 1].seq >= past {
                    break 'read;
                }
            }
            size += length(row)?;
            if size > BYTES && may_end {
                break 'read;
            }
            after = number(event.seq);
            events.push(event);
        }
    }
    events.truncate(whole);
    Ok(events)
}

/// The events up to one that later turns build on.
async fn lasting_until(
    connection: &mut SqliteConnection,
    key: i64,
    until: Seq,
) -> Result<Vec<Event>, Error> {
    // A queued message matters only while it waits, and the outcome of a call only beside the call;
    // in a branch it also says that no turn lies between two cuts.
    let rows = sqlx::query(
        "SELECT seq, at, body FROM lasting CROSS JOIN events USING (conversation, seq) \
         WHERE conversation = ?1 AND seq <= ?2 AND CASE json_extract(body, '$.type') \
         WHEN 'outcome_resolved' \
         THEN (SELECT parent IS NOT NULL FROM conversations WHERE key = ?1) \
         WHEN 'message_queued' THEN body ->> '$.message' \
         IN (SELECT message FROM queued_messages WHERE conversation = ?1) \
         WHEN 'message_steered' THEN body ->> '$.message' \
         IN (SELECT message FROM queued_messages WHERE conversation = ?1) ELSE 1 END ORDER BY seq",
    )
    .bind(key)
    .bind(number(until))
    .fetch_all(connection)
    .await?;
    rows.iter().map(event).collect()
}

/// Events after a page about calls in it.
async fn late_words(
    connection: &mut SqliteConnection,
    key: i64,
    page: &[Event],
) -> Result<Vec<Event>, Error> {
    let calls: HashSet<CallId> = page.iter().flat_map(calls).collect();
    let Some(last) = page.last().filter(|_| !calls.is_empty()) else {
        return Ok(Vec::new());
    };
    let rows = sqlx::query(
        "SELECT seq, at, body FROM lasting CROSS JOIN events USING (conversation, seq) \
         WHERE conversation = ? AND seq > ? \
         AND json_extract(body, '$.type') IN ('outcome_resolved', 'branched') ORDER BY seq",
    )
    .bind(key)
    .bind(number(last.seq))
    .fetch_all(connection)
    .await?;
    let mut late = rows.iter().map(event).collect::<Result<Vec<_>, _>>()?;
    late.retain(|event| match &event.body {
        EventBody::OutcomeResolved { call, .. } => calls.contains(call),
        // The outcome of a call above it does not count here.
        _ => true,
    });
    Ok(late)
}

fn calls(event: &Event) -> impl Iterator<Item = CallId> {
    let blocks = match &event.body {
        EventBody::AssistantMessage { blocks, .. } => blocks.as_slice(),
        _ => &[],
    };
    blocks.iter().filter_map(|block| match block {
        ContentBlock::ToolUse { call, .. } => Some(*call),
        _ => None,
    })
}

/// The event with a message of a turn. Queued messages are in no turn yet.
async fn place_of(
    connection: &mut SqliteConnection,
    key: i64,
    message: MessageId,
) -> Result<Option<Seq>, Error> {
    let head: Option<i64> = sqlx::query_scalar("SELECT head FROM conversations WHERE key = ?")
        .bind(key)
        .fetch_optional(&mut *connection)
        .await?;
    let (mut low, mut high) = (0, head.unwrap_or_default());
    // A message is named before it is written, so older events are skipped.
    while low < high {
        let middle = low + (high - low) / 2;
        let at: Option<i64> =
            sqlx::query_scalar("SELECT at FROM events WHERE conversation = ? AND seq = ?")
                .bind(key)
                .bind(middle)
                .fetch_optional(&mut *connection)
                .await?;
        match at {
            Some(at) if at >= message.made().0 => high = middle,
            _ => low = middle + 1,
        }
    }
    // A clock may have been set back: then all of it is searched.
    for from in [low, 0] {
        let found: Option<i64> = sqlx::query_scalar(
            "SELECT seq FROM events WHERE conversation = ?1 AND seq >= ?2 \
             AND (body LIKE '{\"type\":\"turn_started\"%' \
             OR body LIKE '{\"type\":\"message_read\"%' \
             OR body LIKE '{\"type\":\"assistant_message\"%') \
             AND instr(body, ?3) > 0 ORDER BY seq LIMIT 1",
        )
        .bind(key)
        .bind(from)
        // In a text the quotation marks would be escaped.
        .bind(format!("\"message\":\"{message}\""))
        .fetch_optional(&mut *connection)
        .await?;
        if let Some(found) = found {
            return to_seq(found).map(Some);
        }
    }
    Ok(None)
}

/// Tokens and cost of all answers but these: the conversation's sums without them.
fn sums_before(summary: &ConversationSummary, events: &[Event]) -> (protocol::Usage, Option<Cost>) {
    // A branch has no usage from before it left.
    if events
        .iter()
        .any(|event| matches!(event.body, EventBody::Branched { .. }))
    {
        return (protocol::Usage::default(), Some(Cost(0)));
    }
    let (mut usage, mut left) = (summary.usage, summary.cost);
    for event in events {
        let (EventBody::AssistantMessage {
            usage: its, cost, ..
        }
        | EventBody::TitleWritten {
            usage: its, cost, ..
        }) = &event.body
        else {
            continue;
        };
        usage.input = usage.input.saturating_sub(its.input);
        usage.output = usage.output.saturating_sub(its.output);
        usage.cache_read = usage.cache_read.saturating_sub(its.cache_read);
        usage.cache_write = usage.cache_write.saturating_sub(its.cache_write);
        left = left
            .zip(*cost)
            .map(|(left, cost)| Cost(left.0.saturating_sub(cost.0)));
    }
    (usage, left)
}

/// True if a turn begins with `event`. The mark of a branch belongs to the turn after it.
fn begins(before: &Event, event: &Event) -> bool {
    leaves(event) || begins_turn(event) && !leaves(before)
}

fn begins_turn(event: &Event) -> bool {
    matches!(event.body, EventBody::TurnStarted { .. })
}

fn leaves(event: &Event) -> bool {
    matches!(event.body, EventBody::Branched { .. })
}

fn length(row: &SqliteRow) -> Result<usize, Error> {
    Ok(row.try_get::<&str, _>("body")?.len())
}

fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

fn number(seq: Seq) -> i64 {
    i64::try_from(seq.0).unwrap_or(i64::MAX)
}
