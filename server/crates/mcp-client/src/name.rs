//! Names of tools here.

use crate::served::sha256;

/// The longest name of a tool, in bytes: the Messages API allows no more.
const MAX_NAME: usize = 64;

/// The longest name of a server, in bytes: some of the tool's own name has to be left.
const MAX_SERVER: usize = 20;

/// The tool that has the name here which another one would get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameHolder {
    /// One of Jarvis's own.
    Jarvis,
    /// One of the same server, by the server's own name.
    Server(String),
}

/// True if a server can have this name: lower-case letters, digits and hyphens, 1 to 20 bytes. Without
/// underscores, two servers cannot make the same name out of different tools.
pub fn is_server_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=MAX_SERVER).contains(&name.len()) && name.chars().all(allowed)
}

/// The name of a server's tool here: `<server>__<tool>`, of `[a-zA-Z0-9_-]` and at most 64 bytes. One
/// that has other characters, or is longer, ends with a part of its digest instead.
pub fn tool_name(server: &str, tool: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let plain = |c: char| if allowed(c) { c } else { '_' };
    let whole: String = format!("{server}__{tool}").chars().map(plain).collect();
    if whole.len() <= MAX_NAME && tool.chars().all(allowed) {
        return whole;
    }
    let digest: String = sha256(tool).chars().take(8).collect();
    let kept: String = whole.chars().take(MAX_NAME - 9).collect();
    format!("{kept}-{digest}")
}
