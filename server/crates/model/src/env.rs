//! The real clock and randomness.

use std::hash::{BuildHasher as _, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use agent::ports::Env;
use protocol::Timestamp;

/// The system's clock. Its random numbers serve for jitter, not for secrets.
#[derive(Debug)]
pub(crate) struct SystemModelEnv;

impl Env for SystemModelEnv {
    fn now(&self) -> Timestamp {
        let millis = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        Timestamp(i64::try_from(millis).unwrap_or(i64::MAX))
    }

    fn random(&self) -> u128 {
        let word = || u128::from(RandomState::new().hash_one(0_u8));
        (word() << 64) | word()
    }
}
