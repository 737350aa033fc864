//! Clock of the dispatch: the machine's, or one controlled by a test.

use std::time::{SystemTime, UNIX_EPOCH};

/// Source of time, in milliseconds since 1970. Leases and deadlines go by it alone; the clocks of
/// devices are shown to people and decide nothing.
pub trait DispatchClock: Send + Sync + 'static {
    fn now_ms(&self) -> i64;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemDispatchClock;

impl DispatchClock for SystemDispatchClock {
    fn now_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
    }
}

/// The same time in whole seconds. Jobs live by seconds, in manifests as in the queue's machine, so
/// that both sides compare the same numbers.
pub(crate) fn whole_seconds(at_ms: i64) -> u64 {
    u64::try_from(at_ms.div_euclid(1000)).unwrap_or(0)
}

/// Seconds since 1970 as the tables have them.
pub(crate) fn as_ms(seconds: u64) -> i64 {
    i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX)
}
