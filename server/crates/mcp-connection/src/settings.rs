//! Settings of one server.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use crate::{http::HttpSettings, sign_in::OauthSignIn};

/// A server as it is configured.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// The configured name, for the log.
    pub name: String,
    pub transport: ServerTransport,
    /// The longest time until it is connected and has listed its tools.
    pub start_timeout: Duration,
    /// The longest message that is read, in bytes. A longer one is dropped unread.
    pub message_bytes: usize,
}

/// The way to a server.
#[derive(Debug, Clone)]
pub enum ServerTransport {
    /// A child process on its standard streams.
    Command(CommandSettings),
    /// Streamable HTTP.
    Http(HttpSettings),
}

impl ServerTransport {
    pub(crate) fn sign_in(&self) -> Option<&OauthSignIn> {
        match self {
            Self::Http(http) => http.sign_in(),
            Self::Command(_) => None,
        }
    }
}

/// A program that is started for one server.
#[derive(Clone)]
pub struct CommandSettings {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Its whole environment, besides `PATH` and `HOME`. There may be secrets among the values.
    pub environment: BTreeMap<String, String>,
    /// False if it runs with all rights of this process's user.
    pub sandbox: bool,
    /// True if it sees the network, in a sandbox.
    pub network: bool,
    /// Folders and files that it may read in a sandbox, besides the system's programs.
    pub readable: Vec<PathBuf>,
    /// Folders and files that it may change in a sandbox.
    pub writable: Vec<PathBuf>,
    pub limits: SandboxLimits,
}

/// Limits of a program in a sandbox, and of all that it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxLimits {
    /// The most processes and threads together. The system administrator's own are not limited.
    pub processes: u32,
    /// The most memory of each process, in bytes. An eighth of it may be in files below `/tmp`, and another one
    /// in shared memory.
    pub memory_bytes: u64,
}

impl Default for SandboxLimits {
    /// 256 processes, each of 2 GiB.
    fn default() -> Self {
        Self {
            processes: 256,
            memory_bytes: 2 * 1024 * 1024 * 1024,
        }
    }
}

impl std::fmt::Debug for CommandSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandSettings")
            .field("program", &self.program)
            .field("args", &self.args.len())
            .field("environment", &self.environment.keys())
            .field("sandbox", &self.sandbox)
            .field("network", &self.network)
            .finish_non_exhaustive()
    }
}
