//! Opens the database: one connection that writes, a pool that reads.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use agent::{crash, ports::Durability};
use sqlx::{
    Connection, SqliteConnection, SqlitePool, SqliteTransaction,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::{Mutex, MutexGuard, watch};

use crate::{
    Error,
    checkpoints::Checkpoints,
    migrations::{is_current, migrator, outcome},
    permissions::{self, DATABASE, LOCK},
    roles::Roles,
};

/// Readers at the same time.
const READERS: u32 = 4;

/// Pages in the log at which a write brings them into the main file itself: far above what
/// [`Checkpoints`] leaves, unless that does not get through.
const LARGE_LOG: &str = "16000";

/// The database. Clones are the same database.
#[derive(Clone)]
pub struct Store(Arc<DatabaseState>);

struct DatabaseState {
    folder: PathBuf,
    writer: Mutex<WriteConnection>,
    readers: SqlitePool,
    roles: Roles,
    /// Notified of every write.
    moved: watch::Sender<()>,
    /// True if a server has the database open too.
    shared: bool,
    /// Locked for as long as the database is open, by the server if that is another process.
    _lock: File,
}

struct WriteConnection {
    /// None once the database is closed.
    connection: Option<SqliteConnection>,
    options: SqliteConnectOptions,
    /// The durability that the connection is set to, or a weaker one.
    durability: Durability,
    checkpoints: Checkpoints,
}

/// The permit to write, which one task has at a time.
pub(crate) struct DatabaseWriter<'a>(MutexGuard<'a, WriteConnection>, &'a watch::Sender<()>);

impl Drop for DatabaseWriter<'_> {
    fn drop(&mut self) {
        self.1.send_replace(());
    }
}

impl Store {
    /// Opens the database in a folder and makes both if they are not there. Brings the tables up to
    /// date.
    pub async fn open(folder: &Path) -> Result<Self, Error> {
        Self::open_as(folder, false).await
    }

    /// The same for a short command, also while a server of this version has the database open.
    /// Nothing that a server keeps in memory, such as roles, may be written through this.
    pub async fn open_beside(folder: &Path) -> Result<Self, Error> {
        Self::open_as(folder, true).await
    }

    async fn open_as(folder: &Path, beside: bool) -> Result<Self, Error> {
        let in_folder = |source| Error::Folder {
            path: folder.to_owned(),
            source,
        };
        permissions::close(folder)?;
        let lock = permissions::touch(&folder.join(LOCK)).map_err(in_folder)?;
        let mut shared = false;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if beside => shared = true,
            Err(TryLockError::WouldBlock) => return Err(Error::InUse(folder.to_owned())),
            Err(TryLockError::Error(source)) => return Err(in_folder(source)),
        }

        let database = folder.join(DATABASE);
        permissions::touch(&database).map_err(in_folder)?;
        let options = SqliteConnectOptions::new()
            .filename(database)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(5))
            .pragma("wal_autocheckpoint", LARGE_LOG);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        if shared && !is_current(&mut connection).await? {
            return Err(Error::InUse(folder.to_owned()));
        }
        outcome(
            migrator().run_direct(None, &mut connection, false).await,
            folder,
        )?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            // These are our own files, not a server that may be gone: a check would cost a trip.
            .test_before_acquire(false)
            .connect_with(options.clone().create_if_missing(false).read_only(true))
            .await?;
        Ok(Self(Arc::new(DatabaseState {
            folder: folder.to_owned(),
            writer: Mutex::new(WriteConnection {
                connection: Some(connection),
                checkpoints: Checkpoints::new(options.clone()),
                options,
                durability: Durability::Process,
            }),
            readers,
            roles: Roles::default(),
            moved: watch::Sender::new(()),
            shared,
            _lock: lock,
        })))
    }

    /// Checks that the database answers.
    pub async fn ping(&self) -> Result<(), Error> {
        sqlx::query("SELECT 1").execute(self.readers()).await?;
        Ok(())
    }

    /// Brings everything into the main file and closes. Later calls fail.
    pub async fn close(&self) -> Result<(), Error> {
        self.0.readers.close().await;
        let mut writer = self.0.writer.lock().await;
        writer.checkpoints.close().await;
        let connection = writer.connection.take();
        if let Some(mut connection) = connection {
            // A server brings its log into the main file itself.
            if self.0.shared {
                connection.close().await?;
                return Ok(());
            }
            sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
                .execute(&mut connection)
                .await?;
            connection.close().await?;
        }
        Ok(())
    }

    /// The folder of the database.
    pub(crate) fn folder(&self) -> &Path {
        &self.0.folder
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.0.readers
    }

    pub(crate) fn roles(&self) -> &Roles {
        &self.0.roles
    }

    /// Waits for the permit to write.
    pub(crate) async fn writer(&self) -> DatabaseWriter<'_> {
        DatabaseWriter(self.0.writer.lock().await, &self.0.moved)
    }

    /// Changes after every write, when there may be something new to read.
    pub fn moved(&self) -> watch::Receiver<()> {
        self.0.moved.subscribe()
    }
}

impl DatabaseWriter<'_> {
    /// The connection, outside a transaction.
    pub(crate) async fn connection(&mut self) -> Result<&mut SqliteConnection, Error> {
        self.0.mend().await?;
        let connection = self.0.connection.as_mut();
        Ok(connection.ok_or(sqlx::Error::PoolClosed)?)
    }

    /// Begins a transaction that holds the write lock from its start. It is rolled back unless it
    /// is committed.
    pub(crate) async fn begin(
        &mut self,
        durability: Durability,
    ) -> Result<SqliteTransaction<'_>, Error> {
        crash::point(|| "before a write".to_owned());
        self.begin_beside(durability).await
    }

    /// The same for data beside the journal that can be rebuilt from it.
    pub(crate) async fn begin_beside(
        &mut self,
        durability: Durability,
    ) -> Result<SqliteTransaction<'_>, Error> {
        self.0.mend().await?;
        self.0.checkpoints.count();
        let WriteConnection {
            connection,
            durability: current,
            ..
        } = &mut *self.0;
        let connection = connection.as_mut().ok_or(sqlx::Error::PoolClosed)?;
        if *current != durability {
            // Whoever waits for this may give up at any time: the weaker of the two is assumed
            // until the stronger is certain.
            *current = Durability::Process;
            let pragma = match durability {
                Durability::Process => "PRAGMA synchronous = NORMAL",
                Durability::Power => "PRAGMA synchronous = FULL",
            };
            sqlx::query(pragma).execute(&mut *connection).await?;
            *current = durability;
        }
        Ok(connection.begin_with("BEGIN IMMEDIATE").await?)
    }
}

/// Commits a transaction.
pub(crate) async fn commit(
    mut transaction: SqliteTransaction<'_>,
    what: impl Fn() -> String,
) -> Result<(), Error> {
    crash::point(|| format!("written, not committed: {}", what()));
    if crash::is_full() {
        let full = no_room(&mut transaction).await;
        crash::point(|| format!("no room: {}", what()));
        full?;
    }
    transaction.commit().await?;
    crash::point(|| format!("committed, not heard: {}", what()));
    Ok(())
}

/// Fails like a write on a full disk, for crash tests: by an error of SQLite's own, with all its
/// effects on the transaction.
async fn no_room(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    // The lowest limit on pages is the current number.
    let full = "PRAGMA max_page_count = 1; CREATE TABLE ballast AS SELECT zeroblob(1048576)";
    let full = sqlx::raw_sql(full).execute(&mut *connection).await;
    sqlx::raw_sql("PRAGMA max_page_count = 4294967294")
        .execute(connection)
        .await?;
    full.map(drop)
}

impl WriteConnection {
    /// After some errors, such as a full disk, SQLite has rolled back by itself. sqlx then believes
    /// in the old transaction forever and begins no other, so the connection is made anew.
    async fn mend(&mut self) -> Result<(), Error> {
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        // The rollback of a transaction that was dropped may still be on its way; a ping is behind
        // it in the queue.
        let is_sound = !connection.is_in_transaction()
            || (connection.ping().await.is_ok() && !connection.is_in_transaction());
        if !is_sound {
            tracing::warn!("the connection to the database is made anew");
            let fresh = SqliteConnection::connect_with(&self.options).await?;
            self.durability = Durability::Process;
            self.connection = Some(fresh);
        }
        Ok(())
    }
}

#[cfg(test)]
impl Store {
    /// Sets a pragma of the connection that writes.
    pub(crate) async fn pragma(&self, name: &str, value: i64) {
        let pragma = sqlx::AssertSqlSafe(format!("PRAGMA {name} = {value}"));
        let mut writer = self.0.writer.lock().await;
        let connection = writer.connection.as_mut().unwrap();
        sqlx::query(pragma).execute(connection).await.unwrap();
    }

    /// SQLite's number for the way in which a transaction of this durability syncs.
    pub(crate) async fn synchronous(&self, durability: Durability) -> i64 {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(durability).await.unwrap();
        sqlx::query_scalar("PRAGMA synchronous")
            .fetch_one(&mut *transaction)
            .await
            .unwrap()
    }
}
