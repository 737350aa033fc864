//! Readers of the output of each program, in the form that its version documents.
//!
//! Output is hostile text: a reader takes what it knows, bounds everything, and says that a value is
//! unknown rather than guess it.

pub(crate) mod addresses;
pub(crate) mod capture;
pub(crate) mod dig;
pub(crate) mod dns_config;
pub(crate) mod ethtool;
pub(crate) mod http_timing;
pub(crate) mod iperf;
mod json;
pub(crate) mod link_stats;
pub(crate) mod links;
pub(crate) mod mtr;
pub(crate) mod neighbours;
pub(crate) mod ping;
pub(crate) mod power;
pub(crate) mod routes;
pub(crate) mod rules;
pub(crate) mod sockets;
pub(crate) mod sweep;
mod text;
pub(crate) mod trace;
pub(crate) mod wifi_link;
pub(crate) mod wifi_seen;
pub(crate) mod wifi_stations;

use crate::{fields::StepFields, texts};

/// Largest output that is read, in bytes.
pub const MAX_OUTPUT: usize = 1024 * 1024;

/// Reason that an output has no fields; the text itself stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    #[error("{}", texts::readers::TOO_LARGE)]
    TooLarge,
    #[error("{}", texts::readers::NOT_JSON)]
    NotJson,
    /// The line or the member that every version prints is missing.
    #[error("{}", texts::readers::missing(part))]
    Missing { part: &'static str },
}

/// Of a program without output.
pub(crate) fn nothing(_: &str) -> Result<StepFields, ReadError> {
    Ok(StepFields::default())
}
