//! Sentences for people.

use std::fmt::Display;

pub(crate) const NO_SANDBOX: &str = "The program is not started: bubblewrap (bwrap) is not installed. Install it, or set sandbox = \
     false for this server.";

pub(crate) const NO_ROOM: &str = "The program is not started: the limits of all sandboxed MCP servers together are reached (mcp_no_room). \
     Raise mcp_limits.children or mcp_limits.memory_mib, or lower this server's memory_mib.";

pub(crate) fn not_started(error: &str) -> String {
    format!("The program could not be started: {error}")
}

pub(crate) const NO_STREAMS: &str = "it has no standard streams";

pub(crate) fn timed_out(seconds: impl Display) -> String {
    format!("It did not answer within {seconds} seconds.")
}

pub(crate) fn timed_out_offline(seconds: impl Display) -> String {
    let timed_out = timed_out(seconds);
    format!(
        "{timed_out} Its sandbox has no network, and programs such as npx and uvx load theirs at each start: install \
         it first, or set network = true for this server."
    )
}

pub(crate) fn no_server(error: &str) -> String {
    format!("It does not answer as an MCP server: {error}")
}

pub(crate) fn ended_early(last_words: &str) -> String {
    if last_words.is_empty() {
        return "The program ended before it answered.".to_owned();
    }
    format!("The program ended before it answered: {last_words}")
}

pub(crate) const ENDED: &str = "The connection ended.";

pub(crate) const NO_LIST: &str = "its list of tools cannot be read";

pub(crate) const NO_ENTRIES: &str = "its list cannot be read";

pub(crate) const LEFT_OUT: &str = "Content that is no text was left out.";

pub(crate) fn progress(done: f64, total: Option<f64>) -> String {
    match total {
        Some(total) => format!("{done} of {total}"),
        None => done.to_string(),
    }
}

pub(crate) fn certificates(error: &dyn Display) -> String {
    format!("the certificates cannot be used: {error}")
}

pub(crate) fn client(error: &dyn Display) -> String {
    format!("the HTTP client cannot be built: {error}")
}
