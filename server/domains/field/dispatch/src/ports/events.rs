//! What happens to devices, bundles, proposals and runs, for programs that follow it.

use std::time::Duration;

use field::ports::FieldFault;
use field_tables::FieldEvents;

use super::FieldBackend;
use super::faults::stored;

/// Events that are read at once.
const PAGE: u32 = 100;
/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest time without a look, whatever is counted as a change.
const LONGEST: Duration = Duration::from_secs(5);

impl FieldBackend {
    /// The number of the newest event; 0 before the first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn newest_event(&self) -> Result<i64, FieldFault> {
        let none = self.tables().events(0, 0).await.map_err(stored)?;
        Ok(none.newest)
    }

    /// The next events after a number, as soon as there are some, or a gap. Dropping it costs nothing.
    ///
    /// # Errors
    /// The database fails.
    pub async fn happened_after(&self, number: i64) -> Result<FieldEvents, FieldFault> {
        // From here on no change is missed, whatever the first look sees.
        let mut changes = self.dispatch.changes();
        loop {
            let found = self.tables().events(number, PAGE).await.map_err(stored)?;
            if found.is_gap || !found.events.is_empty() {
                return Ok(found);
            }
            // Many changes are one look: each piece of a run's output counts as one.
            tokio::time::sleep(PAUSE).await;
            let changed = tokio::time::timeout(LONGEST, changes.changed());
            if let Ok(Err(_)) = changed.await {
                tokio::time::sleep(LONGEST).await;
            }
        }
    }
}
