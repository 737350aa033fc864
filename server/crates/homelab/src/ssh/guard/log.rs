//! One line in the node's own system log for what was asked for, and one for how it ended.
//!
//! What the guard writes to its standard error goes back over SSH to who asked; the node itself
//! would keep nothing. So the lines go to the socket of the system log, where `journalctl -t
//! jarvis-node-guard` shows them. A log that is full, stuck or not there stops nothing.

use std::{
    ffi::OsStr,
    net::IpAddr,
    os::unix::{ffi::OsStrExt, net::UnixDatagram},
    path::Path,
};

/// Where the system log listens.
pub const LOG_SOCKET: &str = "/dev/log";
/// The client's address and port and ours, from `sshd`.
const CONNECTION: &str = "SSH_CONNECTION";
/// The name under which the lines are found.
const TAG: &str = "jarvis-node-guard";
/// The longest part of a command in a line, in bytes of its escaped form.
const MAX_COMMAND: usize = 400;

/// Facility 10, security and authorisation, with a severity.
#[derive(Debug, Clone, Copy)]
pub(super) enum Weight {
    Warning = 10 * 8 + 4,
    Info = 10 * 8 + 6,
}

/// Writes the lines of one command.
pub(super) struct Log {
    socket: Option<UnixDatagram>,
    from: String,
}

impl Log {
    /// Opens the log, if it is there.
    pub(super) fn open(path: &Path) -> Self {
        let socket = UnixDatagram::unbound().and_then(|socket| {
            socket.connect(path)?;
            // Nobody waits for a log that is stuck.
            socket.set_nonblocking(true)?;
            Ok(socket)
        });
        let from = std::env::var(CONNECTION).ok().and_then(|connection| {
            let address: IpAddr = connection.split(' ').next()?.parse().ok()?;
            Some(format!(" for {address}"))
        });
        Self {
            socket: socket.ok(),
            from: from.unwrap_or_default(),
        }
    }

    /// `what` is ours; `asked` is hostile and is shown escaped.
    pub(super) fn line(&self, weight: Weight, what: &str, asked: Option<&OsStr>, how: &str) {
        let Some(socket) = &self.socket else { return };
        let asked = asked.map_or("nothing".to_owned(), |asked| {
            let mut text = asked.as_bytes().escape_ascii().to_string();
            if text.len() > MAX_COMMAND {
                text.truncate(MAX_COMMAND);
                text.push('…');
            }
            format!("\"{text}\"")
        });
        // The reason may quote what was asked for.
        let how: String = how.chars().flat_map(char::escape_debug).collect();
        let line = format!(
            "<{}>{TAG}[{}]: {what} {asked}{}{how}",
            weight as u8,
            std::process::id(),
            self.from
        );
        // Where it cannot be written there is nobody to tell.
        socket.send(line.as_bytes()).map(drop).unwrap_or_default();
    }
}
