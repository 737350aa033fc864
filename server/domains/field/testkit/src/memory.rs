//! What is answered at once.

use std::sync::Arc;

use field::{
    field_package::policy::ScriptSurroundings,
    field_redaction::RedactionError,
    ports::{FieldMemory, FieldSnapshot, RestoreRefusal},
};
use tokio::sync::watch;

use crate::MemoryField;

impl FieldMemory for MemoryField {
    fn snapshot(&self) -> watch::Receiver<Arc<FieldSnapshot>> {
        self.snapshot.subscribe()
    }

    fn surroundings(&self, device: &str) -> Option<ScriptSurroundings> {
        self.read(|state| state.surroundings.get(device).cloned())
    }

    fn restore(&self, site: &str, text: &str) -> Result<String, RestoreRefusal> {
        self.read(|state| {
            let vault = state.vaults.get(site).ok_or(RestoreRefusal::NotRead)?;
            vault.restore(text).map_err(|error| match error {
                RedactionError::UnknownToken(token) => RestoreRefusal::Unknown {
                    token: token.to_string(),
                },
                RedactionError::OtherSite(token) => RestoreRefusal::OtherSite {
                    token: token.to_string(),
                },
                RedactionError::CannotOpen(_) | RedactionError::BadEntry(_) => {
                    RestoreRefusal::NotRead
                }
            })
        })
    }
}
