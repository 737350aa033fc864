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
    /// The codes that it may be refused with.
    refusals: &'static [ErrorCode],
    /// True if it has to be refused.
    in_vain: bool,
}

impl Letter {
    pub(crate) fn new(command: Command) -> Self {
        Self {
            id: CommandId::new(Timestamp(1_700_000_000_000), rand::random()),
            command,
            refusals: &[],
            in_vain: false,
        }
    }

    /// One that has to be refused.
    pub(crate) fn in_vain(command: Command, refusals: &'static [ErrorCode]) -> Self {
        Self {
            in_vain: true,
            ..Self::perhaps(command, refusals)
        }
    }

    /// One that may come too late.
    pub(crate) fn perhaps(command: Command, refusals: &'static [ErrorCode]) -> Self {
        Self {
            refusals,
            ..Self::new(command)
        }
    }

    /// Checks that the outcome is the required one.
    pub(crate) fn check(&self, refused: Option<&ErrorBody>) -> anyhow::Result<()> {
        match refused {
            None => ensure!(!self.in_vain, "{:?} was carried out", self.command),
            Some(error) => ensure!(
                self.refusals.contains(&error.code),
                "{:?} was refused: {error}",
                self.command
            ),
        }
        Ok(())
    }
}
