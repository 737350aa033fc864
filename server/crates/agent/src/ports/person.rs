//! Who asks.

use protocol::UserId;

/// A person who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    /// As cards and records name them.
    pub name: String,
}

/// Somebody without a name goes by the identifier.
impl From<UserId> for Person {
    fn from(id: UserId) -> Self {
        Self {
            id,
            name: id.to_string(),
        }
    }
}
