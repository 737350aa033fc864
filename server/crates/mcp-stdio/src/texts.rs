//! Sentences for people, and for models elsewhere.

pub(crate) const NO_MESSAGE: &str = "This line is no JSON-RPC message.";

pub(crate) const LINE_TOO_LONG: &str = "This message is longer than 1 MiB.";

pub(crate) const ANSWER_TOO_LONG: &str = "The server's answer is too long.";

pub(crate) const OPEN_THE_CARD: &str =
    "A call waits for your decision. The page shows exactly what it would do; decide there.";

pub(crate) fn not_reached(why: &str) -> String {
    format!("Jarvis could not be reached: {why}.")
}

pub(crate) fn refused(status: u16) -> String {
    format!("Jarvis answered with status {status}.")
}
