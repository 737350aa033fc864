//! The real clock and random numbers.

use std::time::{SystemTime, UNIX_EPOCH};

use protocol::Timestamp;

/// The system's clock and random numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemEnv;

impl agent::ports::Env for SystemEnv {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn random(&self) -> u128 {
        rand::random()
    }
}
