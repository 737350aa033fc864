//! The port to the messages that are not delivered yet.

use std::time::Duration;

use async_trait::async_trait;

use crate::attempt::FailedAttempt;

/// A message for an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its id, the same on each attempt.
    pub message: String,
    /// JSON, byte for byte the same on each attempt.
    pub body: String,
    /// Attempts that failed so far.
    pub failed: u32,
}

/// Messages that are due.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueDeliveries {
    /// Those that have waited longest first.
    pub deliveries: Vec<Delivery>,
    /// Time until the next one; none if no other waits.
    pub next: Option<Duration>,
}

/// The end of an attempt, for the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// The message leaves the queue.
    Delivered,
    /// It failed, and is due again after this time.
    Retry { after: Duration, why: FailedAttempt },
    /// It failed once too often, and leaves the queue.
    GivenUp { why: FailedAttempt },
    /// The endpoint wants no more messages, neither this one nor others.
    Gone,
}

/// The stored messages of all endpoints, with the clock.
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// At most `limit` messages of an endpoint that are due.
    async fn due(&self, endpoint: &str, limit: usize) -> Result<DueDeliveries, QueueFault>;

    /// Records the end of an attempt. Until then the message is due.
    async fn settle(
        &self,
        endpoint: &str,
        delivery: &Delivery,
        settlement: Settlement,
    ) -> Result<(), QueueFault>;

    /// Seconds since 1970 UTC.
    fn seconds(&self) -> i64;

    /// A random number.
    fn chance(&self) -> u32;
}

/// The queue cannot be read or written now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct QueueFault(pub String);
