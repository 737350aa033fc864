//! Reasons why a server is not connected.

use crate::texts;

/// The longest part of another program's words in a fault, in characters.
const MAX_WORDS: usize = 200;

/// The reason why a server is not connected, as a sentence for an admin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectFault {
    #[error("{}", texts::NO_SANDBOX)]
    NoSandbox,
    #[error("{}", texts::not_started(.0))]
    NotStarted(String),
    #[error("{}", texts::timed_out(.0))]
    TimedOut(u64),
    /// The answer is none of the protocol, or there is none.
    #[error("{}", texts::no_server(.0))]
    NoServer(String),
    #[error("{}", texts::ENDED)]
    Ended,
}

impl ConnectFault {
    /// A fault with the words of another program or a library, cleaned and cut.
    pub(crate) fn no_server(error: impl ToString) -> Self {
        let words = agent::clean_text(&error.to_string());
        Self::NoServer(words.chars().take(MAX_WORDS).collect())
    }
}
