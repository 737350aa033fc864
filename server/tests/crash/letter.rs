//! A person's commands, kept until the server has answered them.

use std::collections::VecDeque;

use anyhow::ensure;
use protocol::{Command, CommandId, ErrorBody, ErrorCode, Timestamp};

/// Commands in order; the first one is under way.
pub(crate) type Outbox = VecDeque<Letter>;

/// A command under the one id that it keeps forever.
pub(crate) struct Letter {
    pub(crate) id: CommandId,
    pub(crate) command: Command,
    /// It has to be refused, with one of these codes.
    refusals: &'static [ErrorCode],
}

impl Letter {
    pub(crate) fn new(command: Command) -> Self {
        Self {
            id: CommandId::new(Timestamp(1_700_000_000_000), rand::random()),
            command,
            refusals: &[],
        }
    }

    /// One that has to be refused.
    pub(crate) fn in_vain(command: Command, refusals: &'static [ErrorCode]) -> Self {
        Self {
            refusals,
            ..Self::new(command)
        }
    }

    /// Checks that the outcome is the required one.
    pub(crate) fn check(&self, refused: Option<&ErrorBody>) -> anyhow::Result<()> {
        match refused {
            None => ensure!(
                self.refusals.is_empty(),
                "{:?} was carried out",
                self.command
            ),
            Some(error) => ensure!(
                self.refusals.contains(&error.code),
                "{:?} was refused: {error}",
                self.command
            ),
        }
        Ok(())
    }
}
