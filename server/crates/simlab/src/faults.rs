//! What can go wrong, switched on and off while the simulated cluster runs.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

/// What happens to connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConnectionFault {
    /// Nothing.
    #[default]
    None,
    /// Nobody listens: the connection is refused.
    Refused,
    /// The connection ends before the request was looked at.
    DropRequest,
    /// The request is executed, but the connection ends before the answer.
    DropResponse,
    /// As `DropRequest`, for every n-th request.
    Flaky(u32),
}

/// Where the next write is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Before it was looked at.
    Request,
    /// It is executed, but the connection ends before the answer.
    Answer,
}

/// The faults that are on.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub offline: BTreeSet<String>,
    pub no_quorum: bool,
    pub delay: Duration,
    pub connection: ConnectionFault,
    /// Unix seconds without samples.
    pub gap: Option<Range<f64>>,
    /// Node and storage whose state is not known.
    pub storages: BTreeSet<(String, String)>,
    /// Guests whose numbers nobody sent.
    pub silent: BTreeSet<u32>,
    /// Guests that ignore a shutdown.
    pub hanging: BTreeSet<u32>,
    pub requests: u32,
    pub cut: Option<Cut>,
}
