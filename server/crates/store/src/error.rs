//! The errors of the database.

use std::path::PathBuf;

use agent::ports::JournalError;

/// The reason why the database refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It does not exist, or belongs to somebody else.
    #[error("not found")]
    NotFound,
    /// Another server works with this folder.
    #[error("another server is using {0}; stop it first or choose another data folder")]
    InUse(PathBuf),
    /// A newer version has changed the tables.
    #[error("the database in {0} was written by a newer version of Jarvis; use that version")]
    TooNew(PathBuf),
    /// The folder cannot be made or opened.
    #[error("cannot use the data folder {path}: {source}")]
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The folder is open to other users, and cannot be closed without harm.
    #[error(
        "the data folder {path} is refused: {why}; choose a folder for Jarvis alone (chmod 700)"
    )]
    Open { path: PathBuf, why: String },
    /// Another user has this name.
    #[error("another user has this name")]
    NameTaken,
    /// It has changed since it was read.
    #[error("it has changed since")]
    Stale,
    /// No more of them are allowed.
    #[error("there are too many")]
    TooMany,
    /// Without this admin there would be none.
    #[error("there must be an admin")]
    LastAdmin,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// Stored data cannot be understood.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// SQLite failed.
    #[error("the database failed: {0}")]
    Sqlite(#[source] sqlx::Error),
}

/// SQLite's codes for a full disk: in general, and when the shared index cannot grow.
const FULL: [&str; 2] = ["13", "4874"];

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::RowNotFound => Self::NotFound,
            sqlx::Error::Database(database)
                if database
                    .code()
                    .is_some_and(|code| FULL.contains(&code.as_ref())) =>
            {
                Self::Full
            }
            _ => Self::Sqlite(error),
        }
    }
}

impl From<Error> for JournalError {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound => Self::NotFound,
            Error::Full => Self::Full,
            error => Self::Storage(error.to_string()),
        }
    }
}
