//! The trail of the drawings, which triggers write, and of the alerts: read in parts, in the order of time.

use markets::{StoreError, TrailFilter, TrailPlace, TrailRow, TrailWay, drawing::Actor};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};
use store::Tables;

use crate::{count, failed};

/// The query in one direction. `+owner` keeps it on the index by time, so that it reads no more than a
/// part at once.
macro_rules! changes {
    ($beyond:literal, $order:literal) => {
        concat!(
            "SELECT owner, drawing, version, time, symbol, kind, actor, body FROM market_trail \
             WHERE +owner IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR symbol = ?2) \
             AND (?3 IS NULL OR drawing = ?3) AND (?4 IS NULL OR kind = ?4) \
             AND (?5 IS NULL OR actor = ?5) AND time >= ?6 AND time < ?7 \
             AND (time, drawing, version, owner) ",
            $beyond,
            " (?8, ?9, ?10, ?11) ORDER BY time ",
            $order,
            ", drawing ",
            $order,
            ", version ",
            $order,
            ", owner ",
            $order,
            " LIMIT ?12"
        )
    };
}

const OLDEST_FIRST: &str = changes!(">", "ASC");
const NEWEST_FIRST: &str = changes!("<", "DESC");

/// Before each time, as the table has it.
const BEGIN: &str = "";
/// After each of them.
const END: &str = "~";

pub(crate) async fn read(
    tables: &Tables,
    owners: &[String],
    filter: &TrailFilter,
    way: &TrailWay,
    most: usize,
) -> Result<Vec<TrailRow>, StoreError> {
    let owners = serde_json::to_string(owners);
    let owners = owners.map_err(|error| StoreError::Damaged(error.to_string()))?;
    let (sql, place, edge) = match way {
        TrailWay::After(place) => (OLDEST_FIRST, place.as_ref(), BEGIN),
        TrailWay::NewestFirst(place) => (NEWEST_FIRST, place.as_ref(), END),
    };
    let text = |time: Option<markets::Time>, none: &str| {
        time.map_or_else(|| none.to_owned(), |time| time.to_string())
    };
    let version = place.map_or(0, |place| place.version);
    let rows = sqlx::query(sql)
        .bind(owners)
        .bind(filter.symbol.map(|symbol| symbol.name()))
        .bind(filter.drawing.as_deref())
        .bind(filter.kind.as_deref())
        .bind(filter.actor.map(Actor::name))
        .bind(text(filter.from, BEGIN))
        .bind(text(filter.until, END))
        .bind(text(place.map(|place| place.time), edge))
        .bind(place.map_or("", |place| &place.drawing))
        .bind(i64::try_from(version).unwrap_or(i64::MAX))
        .bind(place.map_or("", |place| &place.owner))
        .bind(count(most))
        .fetch_all(tables.readers())
        .await
        .map_err(failed)?;
    rows.iter().map(row).collect()
}

/// Writes a row, with the change that it tells of.
pub(crate) async fn write(
    connection: &mut SqliteConnection,
    row: &TrailRow,
) -> Result<(), StoreError> {
    let body = serde_json::to_string(&row.body);
    let body = body.map_err(|error| StoreError::Damaged(error.to_string()))?;
    sqlx::query(
        "INSERT INTO market_trail (owner, drawing, version, time, symbol, kind, actor, body) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&row.place.owner)
    .bind(&row.place.drawing)
    .bind(i64::try_from(row.place.version).unwrap_or(i64::MAX))
    .bind(row.place.time.to_string())
    .bind(&row.symbol)
    .bind(&row.kind)
    .bind(row.actor.name())
    .bind(body)
    .execute(connection)
    .await
    .map_err(failed)?;
    Ok(())
}

fn row(row: &SqliteRow) -> Result<TrailRow, StoreError> {
    let text = |name: &str| row.try_get::<String, _>(name).map_err(failed);
    let damaged = |what: &str| StoreError::Damaged(what.to_owned());
    let version: i64 = row.try_get("version").map_err(failed)?;
    let actor = text("actor")?;
    let body = serde_json::from_str(&text("body")?);
    Ok(TrailRow {
        place: TrailPlace {
            time: markets::Time::parse(&text("time")?)
                .map_err(|error| StoreError::Damaged(error.to_string()))?,
            drawing: text("drawing")?,
            version: u64::try_from(version).map_err(|_| damaged("a version below zero"))?,
            owner: text("owner")?,
        },
        symbol: text("symbol")?,
        kind: text("kind")?,
        actor: Actor::named(&actor).ok_or_else(|| damaged("an author that is not known"))?,
        body: body.map_err(|error| StoreError::Damaged(error.to_string()))?,
    })
}
