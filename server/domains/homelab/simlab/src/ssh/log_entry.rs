//! Lines of a journal, with the numbers of their priorities.

pub(super) const ERR: usize = 3;
pub(super) const WARNING: usize = 4;
pub(super) const NOTICE: usize = 5;
pub(super) const INFO: usize = 6;

/// A line of the journal.
pub(super) struct LogEntry {
    /// Time in Unix seconds.
    pub at: f64,
    pub priority: usize,
    /// Its unit, without `.service`; `None` for the kernel.
    pub unit: Option<String>,
    /// The source, such as `systemd[1]`.
    pub from: String,
    pub text: String,
}
