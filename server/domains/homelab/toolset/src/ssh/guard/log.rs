//! Log of the guard: one line in the node's system log for each request, and one for its outcome.
//!
//! The guard's standard error goes back over SSH to the requester; the node itself would keep no
//! record. So the lines go to the socket of the system log, where `journalctl -t jarvis-node-guard`
//! shows them. A log that is full, stuck or missing blocks nothing.

use std::{
    ffi::OsStr,
    net::IpAddr,
    os::unix::{ffi::OsStrExt, net::UnixDatagram},
    path::Path,
};

/// Default socket of the system log.
pub const LOG_SOCKET: &str = "/dev/log";
/// Environment variable from `sshd` with the client's address and port and ours.
const CONNECTION: &str = "SSH_CONNECTION";
/// Tag of the lines.
const TAG: &str = "jarvis-node-guard";
/// Longest part of a command in a line, in bytes of its escaped form.
const MAX_COMMAND: usize = 400;

/// Priority: facility 10, security and authorisation, with a severity.
#[derive(Debug, Clone, Copy)]
pub(super) enum LineWeight {
    Warning = 10 * 8 + 4,
    Info = 10 * 8 + 6,
}

/// Logger for one command.
pub(super) struct GuardLog {
    socket: Option<UnixDatagram>,
    from: String,
}

impl GuardLog {
    /// Opens the log if it exists.
    pub(super) fn open(path: &Path) -> Self {
        let socket = UnixDatagram::unbound().and_then(|socket| {
            socket.connect(path)?;
            // A log that is stuck must not block.
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

    /// Writes a line. `what` is ours; `asked` is hostile and gets escaped.
    pub(super) fn line(&self, weight: LineWeight, what: &str, asked: Option<&OsStr>, how: &str) {
        let Some(socket) = &self.socket else { return };
        let asked = asked.map_or("nothing".to_owned(), |asked| {
            let mut text = asked.as_bytes().escape_ascii().to_string();
            if text.len() > MAX_COMMAND {
                text.truncate(MAX_COMMAND);
                text.push('…');
            }
            format!("\"{text}\"")
        });
        // The reason may quote the request.
        let how: String = how.chars().flat_map(char::escape_debug).collect();
        let line = format!(
            "<{}>{TAG}[{}]: {what} {asked}{}{how}",
            weight as u8,
            std::process::id(),
            self.from
        );
        // A failed write cannot be reported anywhere.
        socket.send(line.as_bytes()).map(drop).unwrap_or_default();
    }
}
