//! Plain words for the cause of a failed connection, whatever library reports it.
//!
//! The texts of libraries name their own inner workings, addresses and documentation; none of that
//! helps a person, and some of it is not for them. The log has the full text.

use std::error::Error;
use std::io::{self, ErrorKind};

use crate::texts;

/// The cause of a failed connection, from the innermost error that the operating system or a reader
/// of bytes gave; none if there is no such error in the chain.
pub fn of_connection(error: &(dyn Error + 'static)) -> Option<&'static str> {
    let mut found = None;
    let mut next = Some(error);
    while let Some(error) = next {
        next = match error.downcast_ref::<io::Error>() {
            Some(io) => {
                found = of_io(io).or(found);
                // An I/O error hides what it wraps from `source`.
                io.get_ref()
                    .map(|inner| inner as &(dyn Error + 'static))
                    .or(error.source())
            }
            None => error.source(),
        };
    }
    found
}

/// The same for one error.
fn of_io(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::ConnectionRefused => texts::CONNECTION_WAS_REFUSED,
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            texts::CONNECTION_WAS_RESET
        }
        ErrorKind::HostUnreachable => texts::THERE_IS_NO_ROUTE_TO_HOST,
        ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => texts::NETWORK_IS_UNREACHABLE,
        ErrorKind::AddrNotAvailable => texts::ADDRESS_IS_NOT_AVAILABLE,
        ErrorKind::TimedOut => texts::CONNECTION_TIMED_OUT,
        ErrorKind::UnexpectedEof => texts::CONNECTION_WAS_CLOSED_BEFORE_END,
        ErrorKind::InvalidData | ErrorKind::InvalidInput => texts::WHAT_CAME_BACK_CANNOT_BE_READ,
        ErrorKind::PermissionDenied => texts::OPERATING_SYSTEM_DID_NOT_ALLOW_CONNECTION,
        // The kind of a name that cannot be resolved is not stable; the text is the standard
        // library's own.
        _ if error.to_string().starts_with("failed to lookup address") => {
            texts::ITS_NAME_CANNOT_BE_RESOLVED
        }
        _ => return None,
    })
}

/// A text of another system without the links in it, for one line.
pub fn without_links(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    let words = text
        .split(' ')
        .map(|word| if word.contains("://") { "[link]" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_in_our_words() {
        #[derive(Debug, thiserror::Error)]
        #[error("error sending request for url (http://10.0.0.1/secret)")]
        struct Outer(#[source] io::Error);
        let check = |error: io::Error, expect: Option<&str>| {
            assert_eq!(of_connection(&Outer(error)), expect);
        };
        check(
            ErrorKind::ConnectionRefused.into(),
            Some("the connection was refused"),
        );
        check(
            io::Error::new(
                ErrorKind::UnexpectedEof,
                "unexpected EOF during chunk size line",
            ),
            Some("the connection was closed before the end"),
        );
        check(
            io::Error::other(Outer(ErrorKind::ConnectionReset.into())),
            Some("the connection was reset"),
        );
        check(
            io::Error::other("failed to lookup address information: Name or service not known"),
            Some("its name cannot be resolved"),
        );
        check(io::Error::other("see https://docs.rs/x"), None);
    }

    #[test]
    fn links_are_left_out() {
        assert_eq!(without_links("plain text"), "plain text");
        assert_eq!(
            without_links("see https://a.example/x?y=1, or (http://b) now"),
            "see [link] or [link] now"
        );
    }
}
