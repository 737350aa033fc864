//! Cards that wait for a second person: the people who see them, and how these are told.

use std::sync::Arc;

use protocol::{ErrorBody, Role, SecondCall, UserId};

use crate::{
    Engine, error,
    ports::{JournalError, Person, Scope, Via},
    shared::EngineShared,
};

impl Engine {
    /// The cards of others that wait for this person; none if they may not decide.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn second_calls(
        &self,
        person: impl Into<Person>,
    ) -> Result<Vec<SecondCall>, ErrorBody> {
        let second_calls = self.shared.second_calls(&person.into()).await;
        second_calls.map_err(|error| error::of_journal(&error))
    }
}

impl EngineShared {
    /// The cards that a person may approve as the second one. A program never is, and it may relay for a
    /// model: it sees none of their values.
    pub(crate) async fn second_calls(
        &self,
        person: &Person,
    ) -> Result<Vec<SecondCall>, JournalError> {
        if matches!(person.via, Via::Token { .. }) {
            return Ok(Vec::new());
        }
        let role = self.journal.role(person.id).await?.unwrap_or_default();
        // A card may be about any toolset: only those who reach all of them see it.
        if person.scope != Scope::All || role.min(person.role) < Role::Operator {
            return Ok(Vec::new());
        }
        Ok(of_others(&self.journal.second_calls().await?, person.id))
    }

    /// Tells everybody who may decide which cards wait for them now, in the background.
    pub(crate) fn tell_second_calls(self: &Arc<Self>) {
        let shared = Arc::clone(self);
        self.tasks.spawn(async move {
            let _in_order = shared.telling.lock().await;
            let all = match shared.journal.second_calls().await {
                Ok(all) => all,
                Err(error) => {
                    tracing::error!(%error, "what waits for a second person cannot be read");
                    return;
                }
            };
            for user in shared.lists.users() {
                match shared.journal.role(user).await {
                    Ok(role) => {
                        let role = role.unwrap_or_default();
                        shared.lists.second_calls(user, role, of_others(&all, user));
                    }
                    Err(error) => tracing::error!(%user, %error, "a role cannot be read"),
                }
            }
        });
    }
}

/// The cards that this user has not asked for.
fn of_others(all: &[(UserId, SecondCall)], user: UserId) -> Vec<SecondCall> {
    let others = all.iter().filter(|(asker, _)| *asker != user);
    others.map(|(_, call)| call.clone()).collect()
}
