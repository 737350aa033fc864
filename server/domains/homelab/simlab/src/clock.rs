//! Clock of the simulated cluster: the machine's, or one controlled by a test.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Source of the simulated cluster's time. All its numbers and the progress of its tasks depend on
/// this clock alone.
pub trait SimClock: Send + Sync + 'static {
    /// Time since the Unix epoch.
    fn now(&self) -> Duration;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemSimClock;

impl SimClock for SystemSimClock {
    fn now(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}

/// A clock that stands still until it is advanced. Clones share their time.
#[derive(Clone, Debug)]
pub struct ManualSimClock(Arc<AtomicU64>);

impl ManualSimClock {
    /// A clock at `unix_seconds`.
    pub fn at(unix_seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(unix_seconds * 1000)))
    }

    /// Advances the clock, in whole milliseconds.
    pub fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl SimClock for ManualSimClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}
