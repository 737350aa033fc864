//! The readers of drawings: what one does not see is not there for them.

use protocol::UserId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Drawing, DrawingStore, EVERYONE};
use crate::{StoreError, Symbol};

/// The people who see a new drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeenBy {
    #[default]
    Everybody,
    Me,
}

/// Somebody who reads drawings: they see everybody's, and a person also their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DrawingReader {
    /// Nobody in particular, such as the board that all tabs share.
    #[default]
    Anybody,
    Person(UserId),
}

/// The owner of the drawings that a person alone sees.
pub(crate) fn own(person: UserId) -> String {
    person.to_string()
}

/// True if one person alone sees it.
pub fn is_private(drawing: &Drawing) -> bool {
    drawing.owner != EVERYONE
}

impl DrawingReader {
    /// The owner of a new drawing of this reader.
    pub fn owner(self, seen_by: SeenBy) -> String {
        match (self, seen_by) {
            (Self::Person(person), SeenBy::Me) => own(person),
            _ => EVERYONE.to_owned(),
        }
    }

    /// The owners whose drawings they see, their own first.
    pub(crate) fn owners(self) -> Vec<String> {
        match self {
            Self::Anybody => vec![EVERYONE.to_owned()],
            Self::Person(person) => vec![own(person), EVERYONE.to_owned()],
        }
    }

    /// A drawing that they see, whether removed or not.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn get(
        self,
        store: &dyn DrawingStore,
        id: &str,
    ) -> Result<Option<Drawing>, StoreError> {
        for owner in self.owners() {
            if let Some(drawing) = store.get(&owner, id).await? {
                return Ok(Some(drawing));
            }
        }
        Ok(None)
    }

    /// The drawings on a symbol that they see; removed ones on request.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn list(
        self,
        store: &dyn DrawingStore,
        symbol: Symbol,
        removed: bool,
    ) -> Result<Vec<Drawing>, StoreError> {
        let mut all = Vec::new();
        for owner in self.owners() {
            all.extend(store.list(&owner, symbol, removed).await?);
        }
        Ok(all)
    }
}
