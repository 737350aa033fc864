//! Looks at real values. Values are given out in the transaction that records the look, so that none
//! is seen without it.

use sqlx::{Row, sqlite::SqliteRow};

use crate::columns::list;
use crate::limits::{MOST_NAME, MOST_ROWS, MOST_SHOWN};
use crate::vault::{VaultRow, read};
use crate::{FieldTables, FieldTablesError, error::fits};

/// A wish to see values. That the person may, the caller has checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookRequest {
    pub site: String,
    /// 500 at most.
    pub tokens: Vec<String>,
    /// The user's identifier.
    pub person: String,
    /// The page or text that the tokens are in, such as the identifier of a bundle.
    pub place: String,
}

/// A look that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookRecord {
    pub number: i64,
    pub at_ms: i64,
    pub person: String,
    pub site: String,
    pub place: String,
    /// Number of values that were given out.
    pub shown: u32,
}

impl FieldTables {
    /// Records a look and gives out the entries of those tokens that the site has. One that finds
    /// nothing is recorded too: it may be an attempt to guess.
    ///
    /// # Errors
    /// Too many values at once, too long a place, or the database fails.
    pub async fn reveal(
        &self,
        look: &LookRequest,
        at_ms: i64,
    ) -> Result<Vec<VaultRow>, FieldTablesError> {
        fits("the place of a look", look.place.len(), MOST_NAME)?;
        if look.tokens.len() > MOST_SHOWN {
            return Err(FieldTablesError::TooMany {
                what: "values in one look",
                most: MOST_SHOWN as u64,
            });
        }
        let mut writer = self.0.writer().await;
        let mut change = writer.begin_durable("a look at real values").await?;
        let rows = sqlx::query(
            "SELECT * FROM field_vault WHERE site = ? \
             AND token IN (SELECT value FROM json_each(?)) ORDER BY token",
        )
        .bind(&look.site)
        .bind(list(&look.tokens))
        .fetch_all(change.connection())
        .await?;
        let shown: Vec<_> = rows.iter().map(read).collect::<Result<_, _>>()?;
        sqlx::query(
            "INSERT INTO field_looks (at_ms, person, site, place, shown) VALUES (?, ?, ?, ?, ?)",
        )
        .bind(at_ms)
        .bind(&look.person)
        .bind(&look.site)
        .bind(&look.place)
        .bind(i64::try_from(shown.len()).unwrap_or(i64::MAX))
        .execute(change.connection())
        .await?;
        change.commit().await?;
        Ok(shown)
    }

    /// The newest looks, or those before a number; at one site or at all.
    ///
    /// # Errors
    /// The database fails.
    pub async fn looks(
        &self,
        site: Option<&str>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<LookRecord>, FieldTablesError> {
        let sql = match site {
            Some(_) => {
                "SELECT * FROM field_looks WHERE id < ?1 AND site = ?3 ORDER BY id DESC LIMIT ?2"
            }
            None => "SELECT * FROM field_looks WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
        };
        let mut query = sqlx::query(sql)
            .bind(before.unwrap_or(i64::MAX))
            .bind(limit.min(MOST_ROWS));
        if let Some(site) = site {
            query = query.bind(site);
        }
        let rows = query.fetch_all(self.0.readers()).await?;
        rows.iter().map(read_look).collect()
    }
}

fn read_look(row: &SqliteRow) -> Result<LookRecord, FieldTablesError> {
    Ok(LookRecord {
        number: row.try_get("id")?,
        at_ms: row.try_get("at_ms")?,
        person: row.try_get("person")?,
        site: row.try_get("site")?,
        place: row.try_get("place")?,
        shown: row.try_get("shown")?,
    })
}
