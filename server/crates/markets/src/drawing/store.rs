//! What keeps drawings.

use async_trait::async_trait;

use super::Drawing;
use crate::{StoreError, Symbol};

/// Why a drawing was not written.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// It is at another version; this is how it is now.
    #[error("it has changed since")]
    Conflict(Box<Drawing>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Keeps drawings by owner and identifier. A write that is repeated, because nobody heard that it
/// was done, is the same write.
#[async_trait]
pub trait DrawingStore: Send + Sync {
    /// Keeps a new drawing.
    ///
    /// # Errors
    /// There is another one of this identifier.
    async fn insert(&self, drawing: &Drawing) -> Result<(), ReplaceError>;

    /// Keeps drawings in the place of their versions before, all or none.
    ///
    /// # Errors
    /// One of them is at another version than the one before; nothing is written.
    async fn replace(&self, drawings: &[Drawing]) -> Result<(), ReplaceError>;

    /// A drawing, removed or not.
    async fn get(&self, owner: &str, id: &str) -> Result<Option<Drawing>, StoreError>;

    /// The drawings of a person on a symbol by identifier, removed ones too if they are asked for.
    async fn list(
        &self,
        owner: &str,
        symbol: Symbol,
        removed: bool,
    ) -> Result<Vec<Drawing>, StoreError>;
}
