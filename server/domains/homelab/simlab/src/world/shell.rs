//! Traces of what was done over SSH.

/// A command that arrived over SSH and was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshCommand {
    pub node: String,
    /// The command as sent.
    pub line: String,
    /// The exit code.
    pub code: u32,
}

/// A service restart over SSH.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RestartPolicy {
    pub node: &'static str,
    pub unit: String,
    /// Time in Unix seconds.
    pub at: f64,
}
