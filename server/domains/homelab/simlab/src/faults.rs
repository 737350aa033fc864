//! Faults, switched on and off while the simulated cluster runs.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

/// Fault of connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConnectionFault {
    /// No fault.
    #[default]
    None,
    /// Connections are refused.
    Refused,
    /// The connection ends before the request is handled.
    DropRequest,
    /// The request is executed, but the connection ends before the answer.
    DropResponse,
    /// Like `DropRequest`, for every n-th request.
    Flaky(u32),
}

/// Point at which the next write is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SshCut {
    /// Before it is handled.
    Request,
    /// It is executed, but the connection ends before the answer.
    Answer,
}

/// The active faults.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub offline: BTreeSet<String>,
    pub no_quorum: bool,
    pub delay: Duration,
    pub connection: ConnectionFault,
    /// Range of Unix seconds without samples.
    pub gap: Option<Range<f64>>,
    /// Nodes and storages whose state is unknown.
    pub storages: BTreeSet<(String, String)>,
    /// Guests whose numbers are not broadcast.
    pub silent: BTreeSet<u32>,
    /// Guests that ignore a shutdown.
    pub hanging: BTreeSet<u32>,
    pub requests: u32,
    pub cut: Option<SshCut>,
}
