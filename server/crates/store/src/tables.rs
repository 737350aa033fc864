//! Tables of a domain in the server's database, and the domain's own migrations.

use std::{borrow::Cow, path::Path};

use agent::ports::Durability;
use sqlx::{
    SqlStr, SqliteConnection, SqlitePool, SqliteTransaction,
    migrate::{Migration, MigrationType, Migrator},
};

use crate::{
    Error, Store,
    database::{DatabaseWriter, commit},
    migrations::outcome,
};

/// One version of a domain's tables. A released one is never changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TablesVersion {
    /// Counts from 1, for each domain by itself.
    pub number: i64,
    pub name: &'static str,
    pub sql: &'static str,
}

/// The server's database as a domain has it: a place for its own tables, and nothing that the engine keeps.
/// Clones are the same database.
#[derive(Clone)]
pub struct DomainDatabase(Store);

/// The tables of a domain. It must not touch the tables of others.
#[derive(Clone)]
pub struct Tables(Store);

impl From<&Store> for DomainDatabase {
    fn from(store: &Store) -> Self {
        Self(store.clone())
    }
}

impl From<&Self> for DomainDatabase {
    fn from(database: &Self) -> Self {
        database.clone()
    }
}

impl DomainDatabase {
    /// Opens the database in a folder, as [`Store::open`] does, for a command of a domain.
    ///
    /// # Errors
    /// A server has it open, or the database fails.
    pub async fn open(folder: &Path) -> Result<Self, Error> {
        Store::open(folder).await.map(Self)
    }

    /// Closes the database, as [`Store::close`] does. Later calls fail.
    ///
    /// # Errors
    /// The database fails.
    pub async fn close(&self) -> Result<(), Error> {
        self.0.close().await
    }

    /// Brings the tables of a domain up to date and lends the database for them.
    ///
    /// Which versions a domain has is kept in a table of its own, so that a database opens without
    /// the domain too, and two domains cannot take the same number.
    ///
    /// # Errors
    /// A newer version of the domain has written the tables, or the database fails.
    pub async fn tables(&self, domain: &str, versions: &[TablesVersion]) -> Result<Tables, Error> {
        if !versions.is_empty() {
            let migrations = versions.iter().map(|version| {
                let sql = SqlStr::from_static(version.sql);
                let kind = MigrationType::Simple;
                Migration::new(version.number, version.name.into(), kind, sql, false)
            });
            let mut migrator = Migrator::with_migrations(migrations.collect());
            let name: Cow<'static, str> = format!("_{domain}_migrations").into();
            migrator.dangerous_set_table_name(name);
            let mut writer = self.0.writer().await;
            let done = migrator
                .run_direct(None, writer.connection().await?, false)
                .await;
            outcome(done, self.0.folder())?;
        }
        Ok(Tables(self.0.clone()))
    }
}

impl Tables {
    pub(crate) fn store(&self) -> &Store {
        &self.0
    }

    /// The pool of connections that only read.
    pub fn readers(&self) -> &SqlitePool {
        self.0.readers()
    }

    /// Waits for the permit to write.
    pub async fn writer(&self) -> TablesWriter<'_> {
        TablesWriter(self.0.writer().await)
    }
}

/// The permit to write, held by one task at a time.
pub struct TablesWriter<'a>(DatabaseWriter<'a>);

impl TablesWriter<'_> {
    /// Begins a change, which survives the death of the process once it is committed. `what`
    /// names it in crash tests.
    pub async fn begin(&mut self, what: &'static str) -> Result<TableChange<'_>, Error> {
        let transaction = self.0.begin(Durability::Process).await?;
        Ok(TableChange { transaction, what })
    }

    /// Begins a change that is on the disk once it is committed, so that it survives the loss of
    /// power too. For what is acted on outside as soon as it is acknowledged.
    pub async fn begin_durable(&mut self, what: &'static str) -> Result<TableChange<'_>, Error> {
        let transaction = self.0.begin(Durability::Power).await?;
        Ok(TableChange { transaction, what })
    }

    /// Begins a change of data that can be brought in again, such as an imported file.
    pub async fn begin_import(&mut self, what: &'static str) -> Result<TableChange<'_>, Error> {
        let transaction = self.0.begin_beside(Durability::Process).await?;
        Ok(TableChange { transaction, what })
    }
}

/// A change of a domain's tables. It is rolled back unless it is committed.
pub struct TableChange<'a> {
    transaction: SqliteTransaction<'a>,
    what: &'static str,
}

impl TableChange<'_> {
    /// The connection inside the transaction.
    pub fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.transaction
    }

    pub async fn commit(self) -> Result<(), Error> {
        let what = self.what;
        commit(self.transaction, || what.to_owned()).await
    }
}
