//! Families of branches: which of them the list shows, and the messages that have siblings.

mod forks;

use protocol::{ConversationId, ConversationSummary, Family, Fork, MessageId, Timestamp, UserId};
use sqlx::{Row, SqliteConnection};

use crate::{Error, columns::parse};
use forks::Member;

/// Makes a branch represent its family, in the place of the one that did.
pub(crate) async fn front(
    connection: &mut SqliteConnection,
    line: &mut ConversationSummary,
    at: Option<Timestamp>,
) -> Result<(), Error> {
    let Some(family) = line.family else {
        return Ok(());
    };
    let root = family.root.to_string();
    let shelf: Option<String> = sqlx::query_scalar(
        "SELECT shelf FROM conversations WHERE family = ? AND behind = 0 AND deleted IS NULL",
    )
    .bind(&root)
    .fetch_optional(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE conversations SET behind = (id <> ?1), \
         shelf = CASE WHEN id = ?1 THEN coalesce(?2, shelf) ELSE shelf END, \
         shelved = CASE WHEN id = ?1 THEN coalesce(?3, shelved) ELSE shelved END \
         WHERE family = ?4",
    )
    .bind(line.id.to_string())
    .bind(&shelf)
    // With the time, so that tabs that were away learn of it.
    .bind(at.map(|at| at.0))
    .bind(&root)
    .execute(connection)
    .await?;
    if let Some(shelf) = shelf {
        line.shelf = protocol::Shelf::from_word(&shelf);
    }
    line.family = Some(Family {
        front: true,
        ..family
    });
    Ok(())
}

/// The messages of a conversation that have siblings.
pub(crate) async fn forks(
    connection: &mut SqliteConnection,
    owner: UserId,
    id: ConversationId,
) -> Result<Vec<Fork>, Error> {
    let rows = sqlx::query(
        "SELECT id, key, parent, leaves, begins, updated FROM conversations \
         WHERE owner = ?1 AND deleted IS NULL AND (id = ?2 OR family = \
         (SELECT family FROM conversations WHERE id = ?2)) ORDER BY created, key",
    )
    .bind(owner.to_string())
    .bind(id.to_string())
    .fetch_all(&mut *connection)
    .await?;
    let mut members = Vec::with_capacity(rows.len());
    for row in &rows {
        let parent: Option<&str> = row.try_get("parent")?;
        members.push(Member {
            id: parse(row.try_get("id")?)?,
            key: row.try_get("key")?,
            parent: parent.map(parse).transpose()?,
            leaves: row.try_get::<Option<i64>, _>("leaves")?.unwrap_or_default(),
            begins: row.try_get::<Option<i64>, _>("begins")?.unwrap_or_default(),
            updated: row.try_get("updated")?,
        });
    }
    let at = members.iter().position(|member| member.id == id);
    let at = at.ok_or(Error::NotFound)?;
    let mut forks = Vec::new();
    for ways in forks::of(&members, at) {
        let mut fork = Fork {
            message: MessageId::new(Timestamp(0), 0),
            at: u32::try_from(ways.at).unwrap_or(u32::MAX),
            ways: Vec::with_capacity(ways.ways.len()),
        };
        for (place, way) in ways.ways.iter().enumerate() {
            let message: String = sqlx::query_scalar(
                "SELECT json_extract(body, '$.message') FROM events \
                 WHERE conversation = ? AND seq = ?",
            )
            .bind(members[way.member].key)
            .bind(way.seq)
            .fetch_one(&mut *connection)
            .await?;
            let message = parse(&message)?;
            if place == ways.at {
                fork.message = message;
            }
            fork.ways.push(protocol::ForkWay {
                conversation: members[way.member].id,
                message,
            });
        }
        forks.push(fork);
    }
    Ok(forks)
}
