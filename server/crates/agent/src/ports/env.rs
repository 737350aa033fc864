//! Time and randomness, so that tests can fix both.

use protocol::Timestamp;

/// Time and randomness.
pub trait Env: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;

    /// 128 random bits, for identifiers.
    fn random(&self) -> u128;
}
