//! The running turn and its phase.

use protocol::{ErrorBody, Timestamp, TurnId};

/// The running turn.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveTurn {
    pub id: TurnId,
    /// Time at which it began or was resumed.
    pub started: Timestamp,
    /// From 1; zero before the model was asked.
    pub step: u32,
    pub phase: Phase,
    /// Set while the model cannot answer yet.
    pub waiting: Option<Waiting>,
    /// True if a person wants it to end.
    pub stopping: bool,
}

/// The present activity of a running turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The model was asked and has not begun to answer.
    Asking,
    /// The model answers.
    Answering,
    /// Tools run.
    Tools,
    /// A person is asked whether a call may run.
    Waiting,
}

/// A pause until the model is asked again, with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    pub error: ErrorBody,
    pub until: Timestamp,
}
