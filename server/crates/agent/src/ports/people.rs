//! Users.

use async_trait::async_trait;
use protocol::{Role, UserId};

use super::JournalError;

/// The users, as far as decisions depend on them.
#[async_trait]
pub trait People: Send + Sync {
    /// The current role of a user; none if the user does not exist or is disabled.
    async fn role(&self, user: UserId) -> Result<Option<Role>, JournalError>;

    /// The name of a user; none if there is no such user.
    async fn name(&self, user: UserId) -> Result<Option<String>, JournalError>;
}
