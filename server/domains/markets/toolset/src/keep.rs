//! Keeps the minutes of a source: closed ones are stored, in this one place.
//!
//! A minute leaves memory once it is stored, so a crash in between stores it again at most, and a minute
//! that is there already stays as it is. What was imported is never overwritten.

use std::{future::Future, time::Duration};

use crate::{Live, StoreError, Symbol};

/// Interval between rounds.
const PACE: Duration = Duration::from_secs(1);
/// Time after a round that failed.
const AGAIN: Duration = Duration::from_secs(10);

/// Stores the minutes that form out of a source's prices.
#[derive(Clone)]
pub struct PriceKeeper(Live);

impl PriceKeeper {
    pub fn new(live: Live) -> Self {
        Self(live)
    }

    /// Keeps until `stop` is ready.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let keeps = async {
            loop {
                let pace = match self.round().await {
                    Ok(_) => PACE,
                    Err(error) => {
                        tracing::warn!(%error, "prices not kept, trying again");
                        AGAIN
                    }
                };
                tokio::time::sleep(pace).await;
            }
        };
        tokio::select! {
            biased;
            () = stop => {}
            () = keeps => {}
        }
    }

    /// Reads the prices of all symbols once, also while nobody looks at them, and stores what has closed.
    /// Returns the number of stored minutes.
    ///
    /// # Errors
    /// The store fails; what is not stored waits.
    pub async fn round(&self) -> Result<u64, StoreError> {
        let mut stored = 0;
        for symbol in Symbol::all() {
            match self.0.quote(symbol).await {
                // An unknown price forms nothing, but what has formed before is closed some time.
                Ok(_) | Err(StoreError::Source(_)) => {}
                Err(error) => return Err(error),
            }
            stored += self.0.keep(symbol).await?;
        }
        Ok(stored)
    }
}
