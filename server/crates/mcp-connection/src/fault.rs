//! Reasons why a server is not connected.

use crate::{sign_in::SignInFault, texts};

/// The longest part of another program's words in a fault, in characters.
const MAX_WORDS: usize = 200;

/// The reason why a server is not connected, as a sentence for an admin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectFault {
    #[error("{}", texts::NO_SANDBOX)]
    NoSandbox,
    /// The bounds of all sandboxed programs together are reached.
    #[error("{}", texts::NO_ROOM)]
    NoRoom,
    #[error("{}", texts::not_started(.0))]
    NotStarted(String),
    #[error("{}", texts::timed_out(.0))]
    TimedOut(u64),
    /// The same, of a program that sees no network.
    #[error("{}", texts::timed_out_offline(.0))]
    TimedOutOffline(u64),
    /// The answer is none of the protocol, or there is none.
    #[error("{}", texts::no_server(.0))]
    NoServer(String),
    /// The program has ended instead. The line of its standard error that says why.
    #[error("{}", texts::ended_early(.0))]
    EndedEarly(String),
    #[error(transparent)]
    SignIn(SignInFault),
    #[error("{}", texts::ENDED)]
    Ended,
}

impl ConnectFault {
    /// The code under which the log has it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSandbox => "mcp_no_sandbox",
            Self::NoRoom => "mcp_no_room",
            Self::NotStarted(_) => "mcp_not_started",
            Self::TimedOut(_) | Self::TimedOutOffline(_) => "mcp_timed_out",
            Self::NoServer(_) => "mcp_no_server",
            Self::EndedEarly(_) => "mcp_ended_early",
            Self::SignIn(fault) => fault.code(),
            Self::Ended => "mcp_ended",
        }
    }

    /// A fault with the words of another program or a library, cleaned and cut.
    pub(crate) fn no_server(error: impl ToString) -> Self {
        let words = error.to_string();
        // The library names the types of its transport first.
        let (_, words) = words.split_once("] error: ").unwrap_or(("", &words));
        let words = without_queries(&agent::clean_text(words));
        Self::NoServer(words.chars().take(MAX_WORDS).collect())
    }

    /// A program that has ended, with the line of its standard error that says why, cleaned.
    pub(crate) fn ended_early(last_words: Option<&str>) -> Self {
        let words = last_words.unwrap_or_default();
        Self::EndedEarly(words.chars().take(MAX_WORDS).collect())
    }
}

/// Leaves out the queries of addresses, because some servers want their key there.
fn without_queries(words: &str) -> String {
    let cut = |word: &str| match word.split_once('?') {
        Some((before, _)) if before.contains("://") => format!("{before}?…"),
        _ => word.to_owned(),
    };
    let words: Vec<_> = words.split(' ').map(cut).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_in_an_address_is_not_told() {
        let words = "error sending request for url (http://tools.lan/mcp?key=s3cret&v=1): really?";
        let told = ConnectFault::no_server(words).to_string();
        assert!(told.contains("(http://tools.lan/mcp?… really?"), "{told}");
    }

    #[test]
    fn a_program_without_network_is_told_of_it() {
        let (offline, other) = (
            ConnectFault::TimedOutOffline(30),
            ConnectFault::TimedOut(30),
        );
        assert_eq!(offline.code(), other.code());
        assert!(offline.to_string().starts_with(&other.to_string()));
        assert!(offline.to_string().contains("network = true"), "{offline}");
        assert!(!other.to_string().contains("network"), "{other}");
    }

    #[test]
    fn types_of_the_library_are_not_told() {
        let words =
            "Send message error Transport [rmcp::worker::Worker<signed::Client>] error: refused";
        let told = ConnectFault::no_server(words).to_string();
        assert!(told.ends_with(": refused"), "{told}");
    }
}
