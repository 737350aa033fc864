//! Who asks.

use std::sync::Arc;

use protocol::{Role, UserId};

/// A person who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    /// As cards and records name them.
    pub name: String,
    /// The most that this sign-in is good for. What the user may do at all is asked of the journal,
    /// anew for every decision; the lesser of the two counts.
    pub role: Role,
    /// What this sign-in reaches.
    pub scope: Scope,
}

/// Somebody without a name goes by the identifier; the sign-in sets no limit of its own.
impl From<UserId> for Person {
    fn from(id: UserId) -> Self {
        Self {
            id,
            name: id.to_string(),
            role: Role::Admin,
            scope: Scope::All,
        }
    }
}

/// The toolsets that a sign-in reaches. A conversation or a board of any other is none of its
/// business, and what it begins holds no others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// All that there are, also those to come.
    #[default]
    All,
    /// These, by their names.
    Only(Arc<[String]>),
}

impl Scope {
    /// Whether a toolset is within.
    pub fn has(&self, toolset: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|name| name == toolset),
        }
    }

    /// Whether all of these toolsets are within.
    pub fn covers(&self, toolsets: &[String]) -> bool {
        toolsets.iter().all(|toolset| self.has(toolset))
    }
}
