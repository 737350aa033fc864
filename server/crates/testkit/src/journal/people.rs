//! The roles of users, and their refusals.

use agent::{
    Persona,
    ports::{JournalError, People},
};
use async_trait::async_trait;
use protocol::{Role, UserId};
use serde_json::Value;

use super::MemoryJournal;

/// A user who was refused, the tool, and the number of unrecorded refusals before.
pub(super) type Refused = (UserId, String, u32);

impl MemoryJournal {
    /// Gives a user another role, or none. Everybody is an admin at first.
    pub fn set_role(&self, user: UserId, role: Option<Role>) {
        self.inner.lock().unwrap().roles.insert(user, role);
    }

    /// The details of all rows of the audit chain, in order; those of branches are left out.
    pub fn audits(&self) -> Vec<Value> {
        self.inner.lock().unwrap().audits.clone()
    }

    /// Gives a user a persona of their own.
    pub fn set_persona(&self, user: UserId, persona: Persona) {
        self.inner.lock().unwrap().personas.insert(user, persona);
    }

    /// The packs that a user chose last; none if they never did.
    pub fn packs(&self, user: UserId) -> Option<Vec<String>> {
        self.inner.lock().unwrap().packs.get(&user).cloned()
    }

    /// The recorded refusals: the user, the tool, and the number left out before.
    pub fn refusals(&self) -> Vec<(UserId, String, u32)> {
        self.inner.lock().unwrap().refusals.clone()
    }

    pub(super) async fn refuse(&self, refused: Refused) -> Result<(), JournalError> {
        self.written(|inner| {
            inner.refusals.push(refused);
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl People for MemoryJournal {
    async fn role(&self, user: UserId) -> Result<Option<Role>, JournalError> {
        self.unless_frozen().await;
        let inner = self.inner.lock().unwrap();
        Ok(inner.roles.get(&user).copied().unwrap_or(Some(Role::Admin)))
    }

    async fn name(&self, user: UserId) -> Result<Option<String>, JournalError> {
        self.unless_frozen().await;
        Ok(Some(user.to_string()))
    }

    async fn persona(&self, user: UserId) -> Result<Persona, JournalError> {
        self.unless_frozen().await;
        let inner = self.inner.lock().unwrap();
        Ok(inner.personas.get(&user).cloned().unwrap_or_default())
    }

    async fn keep_packs(&self, user: UserId, packs: &[String]) -> Result<(), JournalError> {
        self.written(|inner| {
            inner.packs.insert(user, packs.to_vec());
            Ok(())
        })
        .await
    }
}
