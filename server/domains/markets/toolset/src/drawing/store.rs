//! Port to the store of drawings.

use async_trait::async_trait;

use super::{
    Drawing,
    trail::{TrailFilter, TrailRow, TrailWay},
};
use crate::{StoreError, Symbol};

/// Reason that a drawing was not written.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// It has another version; this is the current one.
    #[error("it has changed since")]
    Conflict(Box<Drawing>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Store of drawings by owner and identifier. Writes are idempotent, because the confirmation of
/// one may get lost.
#[async_trait]
pub trait DrawingStore: Send + Sync {
    /// Inserts a new drawing.
    ///
    /// # Errors
    /// Another drawing has this identifier.
    async fn insert(&self, drawing: &Drawing) -> Result<(), ReplaceError>;

    /// Replaces drawings by their next versions, all or none.
    ///
    /// # Errors
    /// One of them is not at the preceding version; nothing is written.
    async fn replace(&self, drawings: &[Drawing]) -> Result<(), ReplaceError>;

    /// A drawing, whether removed or not.
    async fn get(&self, owner: &str, id: &str) -> Result<Option<Drawing>, StoreError>;

    /// An owner's drawings on a symbol by identifier; removed ones on request.
    async fn list(
        &self,
        owner: &str,
        symbol: Symbol,
        removed: bool,
    ) -> Result<Vec<Drawing>, StoreError>;

    /// The drawings of all owners on a symbol that are not removed, for what no person looks at, such
    /// as a price that moves positions along.
    async fn of_all_owners(&self, symbol: Symbol) -> Result<Vec<Drawing>, StoreError>;

    /// The changes of drawings of these owners that a filter lets through, at most `most`. All changes,
    /// also those that the record of a drawing keeps no longer.
    async fn trail(
        &self,
        owners: &[String],
        filter: &TrailFilter,
        way: &TrailWay,
        most: usize,
    ) -> Result<Vec<TrailRow>, StoreError>;
}
