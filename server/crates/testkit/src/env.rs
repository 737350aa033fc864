//! A clock and random numbers that are the same in every run.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use agent::ports::Env;
use protocol::Timestamp;

/// A clock that stands still until a test advances it, and numbers in place of randomness.
#[derive(Debug)]
pub struct FixedEnv {
    now: AtomicI64,
    drawn: AtomicU64,
}

impl Default for FixedEnv {
    fn default() -> Self {
        Self {
            // 2026-11-22T12:00:00Z
            now: AtomicI64::new(1_795_348_800_000),
            drawn: AtomicU64::new(0),
        }
    }
}

impl FixedEnv {
    /// Advances the clock.
    pub fn advance(&self, milliseconds: i64) {
        self.now.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

impl Env for FixedEnv {
    fn now(&self) -> Timestamp {
        Timestamp(self.now.load(Ordering::Relaxed))
    }

    fn random(&self) -> u128 {
        u128::from(self.drawn.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
