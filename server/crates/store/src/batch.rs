//! Several statements in one trip to the thread of the connection: a trip costs more than most
//! statements.

use sqlx::{
    Arguments, AssertSqlSafe, Encode, Sqlite, SqliteConnection, Type, sqlite::SqliteArguments,
};

use crate::Error;

/// Statements that give no rows, run in order until one fails.
#[derive(Default)]
pub(crate) struct WriteBatch {
    /// Made of constants only. Few different ones come together, so their statements stay prepared.
    sql: String,
    arguments: SqliteArguments,
}

impl WriteBatch {
    /// Adds a statement; its parameters are `?` without a number and are bound next.
    pub(crate) fn add(&mut self, sql: &'static str) -> &mut Self {
        self.sql.push_str(sql);
        self.sql.push(';');
        self
    }

    pub(crate) fn bind<'t, T: Encode<'t, Sqlite> + Type<Sqlite>>(
        &mut self,
        value: T,
    ) -> Result<&mut Self, Error> {
        let bound = self.arguments.add(value).map_err(sqlx::Error::Encode);
        bound?;
        Ok(self)
    }

    pub(crate) async fn run(self, connection: &mut SqliteConnection) -> Result<(), Error> {
        if !self.sql.is_empty() {
            sqlx::query_with(AssertSqlSafe(self.sql), self.arguments)
                .execute(connection)
                .await?;
        }
        Ok(())
    }
}
