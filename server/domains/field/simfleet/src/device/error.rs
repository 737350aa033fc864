//! Errors of a device's turn.

/// Reason that a turn ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    #[error("the enrolment token has another form")]
    Token,
    #[error("no HTTP client: {0}")]
    Client(String),
    #[error("no answer: {0}")]
    NoAnswer(String),
    #[error("refused with {status} {code}")]
    Refused { status: u16, code: String },
    #[error("an answer that is not possible: {0}")]
    Answer(String),
    #[error("the root document is not trusted: {0}")]
    Root(String),
}

impl FleetError {
    /// True if the same request may be answered later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::NoAnswer(_) => true,
            Self::Refused { status, .. } => *status == 429 || *status >= 500,
            Self::Token | Self::Client(_) | Self::Answer(_) | Self::Root(_) => false,
        }
    }
}
