//! Users.

use async_trait::async_trait;
use protocol::{Role, UserId};

use super::JournalError;
use crate::Persona;

/// The users, as far as decisions depend on them.
#[async_trait]
pub trait People: Send + Sync {
    /// The current role of a user; none if the user does not exist or is disabled.
    async fn role(&self, user: UserId) -> Result<Option<Role>, JournalError>;

    /// The name of a user; none if there is no such user.
    async fn name(&self, user: UserId) -> Result<Option<String>, JournalError>;

    /// The user's own persona; the default one if they have set none.
    async fn persona(&self, user: UserId) -> Result<Persona, JournalError>;

    /// Stores the packs that the user chose last: their pages offer these first.
    async fn keep_packs(&self, user: UserId, packs: &[String]) -> Result<(), JournalError>;
}
