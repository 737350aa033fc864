//! Who asks.

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
}

/// Somebody without a name goes by the identifier; the sign-in sets no limit of its own.
impl From<UserId> for Person {
    fn from(id: UserId) -> Self {
        Self {
            id,
            name: id.to_string(),
            role: Role::Admin,
        }
    }
}
