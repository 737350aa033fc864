//! Columns that are more than a text or a number: words, JSON, counts.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::FieldTablesError;
use crate::error::fits;
use crate::limits::MOST_JSON;

/// Gives the variants of an enum their words in the database.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word in tables and on the wire.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            pub(crate) fn read(word: &str) -> Result<Self, $crate::FieldTablesError> {
                let found = Self::ALL.iter().find(|it| it.word() == word);
                found.copied().ok_or_else(|| {
                    $crate::FieldTablesError::Damaged(format!("unknown word {word:?}"))
                })
            }
        }
    };
}
pub(crate) use words;

/// JSON for a column, of a bounded size.
pub(crate) fn json(what: &'static str, value: &impl Serialize) -> Result<String, FieldTablesError> {
    let text = serde_json::to_string(value);
    let text = text.map_err(|error| FieldTablesError::Damaged(error.to_string()))?;
    fits(what, text.len(), MOST_JSON)?;
    Ok(text)
}

/// Reads a column of JSON.
pub(crate) fn from_json<T: DeserializeOwned>(
    row: &SqliteRow,
    column: &str,
) -> Result<T, FieldTablesError> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text)
        .map_err(|error| FieldTablesError::Damaged(format!("{column}: {error}")))
}

/// Reads a column of JSON that may be empty.
pub(crate) fn from_json_if_any<T: DeserializeOwned>(
    row: &SqliteRow,
    column: &str,
) -> Result<Option<T>, FieldTablesError> {
    let text: Option<&str> = row.try_get(column)?;
    match text {
        Some(_) => from_json(row, column).map(Some),
        None => Ok(None),
    }
}

/// Reads a column that counts something.
pub(crate) fn count(row: &SqliteRow, column: &str) -> Result<u64, FieldTablesError> {
    to_count(row.try_get(column)?)
}

pub(crate) fn to_count(number: i64) -> Result<u64, FieldTablesError> {
    u64::try_from(number).map_err(|_| FieldTablesError::Damaged(format!("{number} is no count")))
}

/// A number as SQLite has it. One that is too large matches no row.
pub(crate) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The next of the numbers that are given once.
pub(crate) async fn next_number(
    connection: &mut SqliteConnection,
    counter: &str,
) -> Result<i64, FieldTablesError> {
    let next = sqlx::query_scalar(
        "INSERT INTO field_counters (name, last) VALUES (?, 1) \
         ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last",
    )
    .bind(counter)
    .fetch_one(connection)
    .await?;
    Ok(next)
}

/// Texts as a JSON array, to be bound as one value.
pub(crate) fn list(texts: &[String]) -> String {
    let texts: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    Value::Array(texts).to_string()
}
