//! Plain words for the cause of a failed connection, whatever library reports it.
//!
//! The texts of libraries name their own inner workings, addresses and documentation; none of that
//! helps a person, and some of it is not for them. The log has the full text.

use std::error::Error;
use std::io::{self, ErrorKind};

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
        ErrorKind::ConnectionRefused => "the connection was refused",
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            "the connection was reset"
        }
        ErrorKind::HostUnreachable => "there is no route to the host",
        ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => "the network is unreachable",
        ErrorKind::AddrNotAvailable => "the address is not available",
        ErrorKind::TimedOut => "the connection timed out",
        ErrorKind::UnexpectedEof => "the connection was closed before the end",
        ErrorKind::InvalidData | ErrorKind::InvalidInput => "what came back cannot be read",
        ErrorKind::PermissionDenied => "the operating system did not allow the connection",
        // The kind of a name that cannot be resolved is not stable; the text is the standard
        // library's own.
        _ if error.to_string().starts_with("failed to lookup address") => {
            "its name cannot be resolved"
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
