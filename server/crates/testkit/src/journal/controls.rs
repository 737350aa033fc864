//! The kill switch and refusals.

use agent::ports::{Controls, JournalError, Person};
use async_trait::async_trait;
use protocol::{CommandId, KillSwitch, Timestamp};

use super::MemoryJournal;

#[async_trait]
impl Controls for MemoryJournal {
    async fn kill_switch(&self) -> Result<KillSwitch, JournalError> {
        self.unless_frozen().await;
        Ok(self.inner.lock().unwrap().kill_switch.clone())
    }

    async fn set_kill_switch(
        &self,
        state: KillSwitch,
        by: &Person,
        command: CommandId,
    ) -> Result<(), JournalError> {
        let by = by.id;
        self.written(move |inner| {
            if !inner.commands.insert((by, command)) {
                return Err(JournalError::Duplicate);
            }
            inner.kill_switch = state;
            Ok(())
        })
        .await
    }

    async fn note_refusal(
        &self,
        by: &Person,
        tool: &str,
        unrecorded: u32,
        _at: Timestamp,
    ) -> Result<(), JournalError> {
        self.refuse((by.id, tool.to_owned(), unrecorded)).await
    }
}
