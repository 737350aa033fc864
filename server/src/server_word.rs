//! Answers of the server to a domain, about the kill switch, people and their conversations. Each errs on the
//! safe side.

use agent::ports::{Controls as _, People as _};
use protocol::{Role, UserId};
use store::{ConversationSubject, Store};

/// The questions that a domain may ask of what the engine keeps; there is no other way to it. Clones ask
/// the same database.
#[derive(Clone)]
pub(crate) struct ServerWord(Store);

impl ServerWord {
    pub(crate) fn new(store: &Store) -> Self {
        Self(store.clone())
    }

    /// True if nothing new may start, also if that cannot be read.
    pub(crate) async fn is_stopped(&self) -> bool {
        match self.0.kill_switch().await {
            Ok(switch) => switch.on,
            Err(error) => {
                tracing::error!(%error, "the kill switch cannot be read, so nothing starts");
                true
            }
        }
    }

    /// True if the person is an operator or more; false if that cannot be read.
    pub(crate) async fn is_operator(&self, person: UserId) -> bool {
        match self.0.role(person).await {
            Ok(role) => role.is_some_and(|role| role >= Role::Operator),
            Err(error) => {
                tracing::error!(%error, "a role cannot be read, so nobody counts as an operator");
                false
            }
        }
    }

    /// True if a person of this name is an operator or more, and not disabled; false if that cannot be read.
    pub(crate) async fn is_operator_of_name(&self, name: &str) -> bool {
        match self.0.accounts().await {
            Ok(accounts) => accounts.iter().any(|it| {
                it.user.name == name && it.disabled.is_none() && it.user.role >= Role::Operator
            }),
            Err(error) => {
                tracing::error!(%error, "accounts cannot be read, so nobody counts as an operator");
                false
            }
        }
    }

    /// The name of a person; none if there is no such person or it cannot be read.
    pub(crate) async fn name_of(&self, person: UserId) -> Option<String> {
        match self.0.name(person).await {
            Ok(name) => name,
            Err(error) => {
                tracing::warn!(%error, "the name of a person cannot be read");
                None
            }
        }
    }

    /// The newest conversations of a person that have the tools of a toolset, at most `limit`.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) async fn conversations_of(
        &self,
        person: UserId,
        toolset: &str,
        limit: u32,
    ) -> Result<Vec<ConversationSubject>, store::Error> {
        self.0.subjects(person, toolset, limit).await
    }
}
