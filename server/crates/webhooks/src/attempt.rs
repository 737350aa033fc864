//! The end of an attempt to deliver a message.

/// The end of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryAttempt {
    Delivered,
    /// The endpoint wants no more messages: status 410.
    Gone,
    Failed(FailedAttempt),
}

/// The reason why an attempt failed. Nothing that the other side made up is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FailedAttempt {
    /// A redirect too: whoever moves an endpoint changes the configuration.
    #[error("status {0}")]
    Status(u16),
    #[error("no answer in time")]
    Timeout,
    #[error("no connection")]
    Connection,
    #[error("no answer that can be read")]
    Answer,
}
