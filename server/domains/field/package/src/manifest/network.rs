//! The network that a job may use.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    policy::{ScriptFacts, ScriptForm},
    steps::ContactTarget,
    values::{host, network},
};

/// Destinations and protocols.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobNetwork {
    pub class: NetworkClass,
    /// Addresses, networks and names; `resolver` is the device's own.
    pub destinations: BTreeSet<String>,
    /// `arp`, `icmp`, `tcp` and `udp`.
    pub protocols: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkClass {
    /// A network of its own with nothing in it.
    None,
    /// The device's interfaces to look at, and no destinations.
    Local,
    /// The listed addresses and networks, and nothing else.
    Listed,
    /// Anything: with names nobody knows the addresses before the job runs.
    Any,
}

/// Destinations of a manifest at most.
const MAX_DESTINATIONS: usize = 64;

impl JobNetwork {
    /// The network that a script needs.
    pub fn of(facts: &ScriptFacts) -> Self {
        let contacts = || facts.contacts.iter().filter(|it| it.protocol.is_some());
        let named =
            contacts().any(|it| matches!(it.to, ContactTarget::Name(_) | ContactTarget::Resolver));
        let class = if facts.form == ScriptForm::Sh || named {
            NetworkClass::Any
        } else if contacts().next().is_some() {
            NetworkClass::Listed
        } else if facts.sees_interfaces {
            NetworkClass::Local
        } else {
            NetworkClass::None
        };
        let protocols = facts.protocols.iter().map(|it| it.word().to_owned());
        Self {
            class,
            destinations: contacts().map(|it| it.to.to_string()).collect(),
            protocols: protocols.collect(),
        }
    }

    /// The first field that is not possible.
    pub(super) fn outside(&self) -> Option<&'static str> {
        let known =
            |text: &String| text == "resolver" || host(text).is_some() || network(text).is_some();
        let counted = self.destinations.len() <= MAX_DESTINATIONS;
        if !counted || !self.destinations.iter().all(known) {
            return Some("net.destinations");
        }
        let mut protocols = self.protocols.iter();
        if !protocols.all(|it| ["arp", "icmp", "tcp", "udp"].contains(&it.as_str())) {
            return Some("net.protocols");
        }
        let named = self.destinations.iter().any(|it| {
            it == "resolver" || it.parse::<std::net::IpAddr>().is_err() && network(it).is_none()
        });
        let fits = match self.class {
            NetworkClass::None | NetworkClass::Local => {
                self.destinations.is_empty() && self.protocols.is_empty()
            }
            NetworkClass::Listed => !self.destinations.is_empty() && !named,
            NetworkClass::Any => true,
        };
        (!fits).then_some("net.class")
    }
}
