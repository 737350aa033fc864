//! Cards that wait for a second person: who sees them, and how they hear of them.

use std::sync::Arc;

use protocol::{ErrorBody, Role, SecondCall, UserId};

use crate::{
    Engine, error,
    ports::{JournalError, Person, Scope},
    shared::Shared,
};

impl Engine {
    /// The cards of others that wait for this person; none for who may not decide.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn seconds(&self, person: impl Into<Person>) -> Result<Vec<SecondCall>, ErrorBody> {
        let seconds = self.shared.seconds(&person.into()).await;
        seconds.map_err(|error| error::of_journal(&error))
    }
}

impl Shared {
    /// The cards that a person may approve as the second one.
    pub(crate) async fn seconds(&self, person: &Person) -> Result<Vec<SecondCall>, JournalError> {
        let role = self.journal.role(person.id).await?.unwrap_or_default();
        // A card tells of other toolsets too: only who reaches all of them sees any.
        if person.scope != Scope::All || role.min(person.role) < Role::Operator {
            return Ok(Vec::new());
        }
        Ok(of_others(&self.journal.seconds().await?, person.id))
    }

    /// Tells everybody who may decide what waits for them now. Runs beside what caused it.
    pub(crate) fn tell_seconds(self: &Arc<Self>) {
        let shared = Arc::clone(self);
        self.tasks.spawn(async move {
            let _in_order = shared.telling.lock().await;
            let all = match shared.journal.seconds().await {
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
                        shared.lists.seconds(user, role, of_others(&all, user));
                    }
                    Err(error) => tracing::error!(%user, %error, "a role cannot be read"),
                }
            }
        });
    }
}

/// Who asked is no second person.
fn of_others(all: &[(UserId, SecondCall)], user: UserId) -> Vec<SecondCall> {
    let others = all.iter().filter(|(asker, _)| *asker != user);
    others.map(|(_, call)| call.clone()).collect()
}
