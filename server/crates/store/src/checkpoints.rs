//! Brings the log (WAL) into the main file beside the writes. SQLite would let every few hundredth
//! write do it, and that one would wait for two flushes of the disk.

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{sync::mpsc, task::JoinHandle};

use crate::Error;

/// Writes between two checkpoints: about a thousand pages, which is when SQLite would do it.
const WRITES: u32 = 250;

/// Counts writes, and makes checkpoints in a task.
pub(crate) struct Checkpoints {
    writes: u32,
    /// None once closed. It queues one: a checkpoint that is due twice is made once.
    due: Option<mpsc::Sender<()>>,
    task: JoinHandle<()>,
}

impl Checkpoints {
    pub(crate) fn new(options: SqliteConnectOptions) -> Self {
        let (due, mut is_due) = mpsc::channel(1);
        let task = tokio::spawn(async move {
            while is_due.recv().await.is_some() {
                if let Err(error) = checkpoint(&options).await {
                    tracing::warn!(%error, "the database's log was not brought into its main file");
                }
            }
        });
        Self {
            writes: 0,
            due: Some(due),
            task,
        }
    }

    /// Counts one more write.
    pub(crate) fn count(&mut self) {
        self.writes += 1;
        if self.writes >= WRITES {
            self.writes = 0;
            if let Some(due) = &self.due {
                // An error: one is due already.
                due.try_send(()).ok();
            }
        }
    }

    /// Waits for a checkpoint that is being made; makes no more.
    pub(crate) async fn close(&mut self) {
        if self.due.take().is_some() {
            // An error: the task has failed, and with it goes its connection.
            (&mut self.task).await.ok();
        }
    }
}

/// On a connection that lives no longer: an idle one costs a thread and a cache.
async fn checkpoint(options: &SqliteConnectOptions) -> Result<(), Error> {
    let mut connection = SqliteConnection::connect_with(options).await?;
    // Waits for nobody: pages that readers or the writer still need come next time.
    sqlx::query("PRAGMA wal_checkpoint(PASSIVE)")
        .execute(&mut connection)
        .await?;
    connection.close().await?;
    Ok(())
}
