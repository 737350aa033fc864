//! Readings: how many lamps are on, recorded in the background.

use std::{fmt::Write, sync::Arc};

use crate::{
    house::{House, State},
    ports::{Reading, ReadingStore, StoreError},
};

/// Records a reading at the start and after every switch.
pub struct Recorder {
    pub(crate) house: Arc<House>,
    pub(crate) store: Arc<dyn ReadingStore>,
}

impl Recorder {
    /// Records until `stop`, the last switch before it included.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let mut switches = self.house.switches();
        let mut stop = std::pin::pin!(stop);
        let mut is_ending = false;
        loop {
            // Marked as seen before the read, so that a switch meanwhile triggers another one.
            switches.mark_unchanged();
            if let Err(error) = self.record().await {
                tracing::warn!(%error, "reading of the lamps not recorded");
            }
            if !is_ending {
                tokio::select! {
                    Ok(()) = switches.changed() => continue,
                    () = &mut stop => is_ending = true,
                }
            }
            if !switches.has_changed().unwrap_or_default() {
                return;
            }
        }
    }

    async fn record(&self) -> Result<(), StoreError> {
        let lamps = self.house.lamps().await?;
        let on = lamps.iter().filter(|lamp| lamp.state == State::On).count();
        let reading = Reading {
            at_ms: self.house.now().0,
            on: u32::try_from(on).unwrap_or(u32::MAX),
        };
        self.store.add(reading).await
    }
}

/// Readings as a table for programs, with a header line.
pub fn csv(readings: &[Reading]) -> String {
    let mut text = "at_ms,on\n".to_owned();
    for Reading { at_ms, on } in readings {
        // A string takes everything.
        writeln!(text, "{at_ms},{on}").unwrap_or_default();
    }
    text
}
