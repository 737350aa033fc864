//! The kill switch and refusals.

use async_trait::async_trait;
use protocol::{CommandId, KillSwitch, Timestamp};

use super::{JournalError, Person};

/// The kill switch, and refusals that leave a trace.
#[async_trait]
pub trait Controls: Send + Sync {
    /// The kill switch as it was set last.
    async fn kill_switch(&self) -> Result<KillSwitch, JournalError>;

    /// Sets the kill switch, with an audit record of who did it and by which sign-in. `Duplicate`
    /// if the command was carried out before.
    async fn set_kill_switch(
        &self,
        state: KillSwitch,
        by: &Person,
        command: CommandId,
    ) -> Result<(), JournalError>;

    /// Records that a person asked to act and may not, and how many others like it were not
    /// recorded before.
    async fn note_refusal(
        &self,
        by: &Person,
        tool: &str,
        unrecorded: u32,
        at: Timestamp,
    ) -> Result<(), JournalError>;
}
