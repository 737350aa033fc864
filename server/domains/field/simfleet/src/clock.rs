//! Clock of the simulated fleet: the machine's, or one controlled by a test.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Source of the fleet's time, in milliseconds since 1970. Everything that a device measures depends
/// on this clock, the seed and the steps alone.
pub trait SimFleetClock: Send + Sync + 'static {
    fn now_ms(&self) -> u64;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemSimFleetClock;

impl SimFleetClock for SystemSimFleetClock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        u64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
    }
}

/// A clock that stands still until it is advanced. Clones share their time.
#[derive(Clone, Debug)]
pub struct ManualSimFleetClock(Arc<AtomicU64>);

impl ManualSimFleetClock {
    /// A clock at `unix_seconds`.
    pub fn at(unix_seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(unix_seconds * 1000)))
    }

    /// Advances the clock by seconds.
    pub fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl SimFleetClock for ManualSimFleetClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}
