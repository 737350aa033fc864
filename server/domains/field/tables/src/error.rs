//! The errors of the tables. An operation that finds another state than it expected is no error: it
//! answers with what it found.

/// The reason why an operation failed, or was refused before it looked at a row.
#[derive(Debug, thiserror::Error)]
pub enum FieldTablesError {
    /// There is no such row.
    #[error("not found")]
    NotFound,
    /// A value is larger than the tables accept.
    #[error("{what} is larger than {most} bytes")]
    TooLarge { what: &'static str, most: usize },
    /// There are as many as there may be.
    #[error("there are {most} {what} already")]
    TooMany { what: &'static str, most: u64 },
    /// Stored data cannot be understood.
    #[error("the tables of field devices are damaged: {0}")]
    Damaged(String),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] store::Error),
}

impl From<sqlx::Error> for FieldTablesError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

/// Checks the size of a value, in bytes.
pub(crate) fn fits(what: &'static str, size: usize, most: usize) -> Result<(), FieldTablesError> {
    if size > most {
        return Err(FieldTablesError::TooLarge { what, most });
    }
    Ok(())
}
