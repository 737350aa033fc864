//! Peers that a step sends packets to.

use std::net::IpAddr;

use ipnet::IpNet;

use super::StepSlot;
use crate::values::HostValue;

/// One peer of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepContact {
    pub to: ContactTarget,
    pub protocol: ContactProtocol,
    /// None for protocols without ports, and where the program chooses.
    pub port: Option<u16>,
    /// The slot that names the peer. None for the device's own resolver.
    pub slot: Option<StepSlot>,
}

/// The peer itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactTarget {
    Address(IpAddr),
    Name(String),
    Network(IpNet),
    /// The DNS servers that the device is configured with.
    Resolver,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactProtocol {
    Arp,
    Icmp,
    Tcp,
    Udp,
}

impl ContactProtocol {
    /// The word for it in the manifest.
    pub fn word(self) -> &'static str {
        match self {
            Self::Arp => "arp",
            Self::Icmp => "icmp",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
        }
    }
}

impl From<HostValue> for ContactTarget {
    fn from(host: HostValue) -> Self {
        match host {
            HostValue::Address(address) => Self::Address(address),
            HostValue::Name(name) => Self::Name(name),
        }
    }
}

impl std::fmt::Display for ContactTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(address) => write!(f, "{address}"),
            Self::Name(name) => f.write_str(name),
            Self::Network(network) => write!(f, "{network}"),
            Self::Resolver => f.write_str("resolver"),
        }
    }
}
