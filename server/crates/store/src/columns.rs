//! Columns as the values that they hold.

use protocol::{Event, EventBody, Seq, Timestamp};
use sqlx::{Row, sqlite::SqliteRow};

use crate::Error;

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

pub(crate) fn to_seq(number: i64) -> Result<Seq, Error> {
    u64::try_from(number)
        .map(Seq)
        .map_err(|error| Error::Damaged(error.to_string()))
}

pub(crate) fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, Error> {
    text.parse()
        .map_err(|error: T::Err| Error::Damaged(format!("{text:?}: {error}")))
}
