//! Sandboxes and capabilities by name, those that this version does not offer included.

use serde::{Deserialize, Serialize};

use crate::texts;

/// Least sandbox that a job accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxLevel {
    /// Bubblewrap with a stage of limits inside.
    Bubblewrap,
    /// A transient unit of systemd; the only one with packet sockets.
    Systemd,
    Podman,
    Nsjail,
}

/// A right beyond those of every process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobCapability {
    /// Packet sockets: `CAP_NET_RAW`.
    NetRaw,
    /// Changes to interfaces, addresses, routes and filters: `CAP_NET_ADMIN`.
    NetAdmin,
}

/// A level that this version refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelRefusal {
    #[error("{}", texts::levels::PODMAN)]
    Podman,
    #[error("{}", texts::levels::NSJAIL)]
    Nsjail,
    #[error("{}", texts::levels::NET_ADMIN)]
    NetAdmin,
    #[error("{}", texts::levels::RAW_NEEDS_SYSTEMD)]
    RawNeedsSystemd,
}

impl SandboxLevel {
    /// # Errors
    /// If no runner of this version has it.
    pub fn offered(self) -> Result<Self, LevelRefusal> {
        match self {
            Self::Bubblewrap | Self::Systemd => Ok(self),
            Self::Podman => Err(LevelRefusal::Podman),
            Self::Nsjail => Err(LevelRefusal::Nsjail),
        }
    }
}

impl JobCapability {
    /// # Errors
    /// If no runner of this version gives it to a job.
    pub fn offered(self) -> Result<Self, LevelRefusal> {
        match self {
            Self::NetRaw => Ok(self),
            Self::NetAdmin => Err(LevelRefusal::NetAdmin),
        }
    }
}
