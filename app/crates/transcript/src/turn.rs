//! The running turn and its phase.

use protocol::{ErrorBody, Timestamp, TurnId};

use crate::{Transcript, reads::covered, row::RowContent};

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

impl Transcript {
    /// Returns the milliseconds from the start of the running turn until `end`, without those in which
    /// a card waited for a person: they say nothing about the turn.
    pub(crate) fn worked(&self, turn: TurnId, end: Timestamp) -> u64 {
        let Some(running) = &self.turn else {
            return 0;
        };
        let begin = running.started.0;
        let mut waits = Vec::new();
        for row in self.rows.iter().rev().take_while(|row| row.turn == turn) {
            if let RowContent::Tool(tool) = &row.content
                && let Some(asked) = &tool.asked
            {
                let decided = asked.decided.as_ref().map_or(end, |decided| decided.at);
                waits.push((asked.at.0.max(begin), decided.0.min(end.0)));
            }
        }
        let whole = u64::try_from(end.0.saturating_sub(begin)).unwrap_or(0);
        whole.saturating_sub(covered(waits))
    }
}
