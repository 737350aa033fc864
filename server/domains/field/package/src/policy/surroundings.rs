//! Known things around a script: the device, its site, the configuration and the person's words.

use std::{collections::BTreeSet, net::IpAddr};

use ipnet::IpNet;

use crate::steps::ContactTarget;

/// The device's and the site's facts for one decision.
#[derive(Debug, Clone, Default)]
pub struct ScriptSurroundings {
    pub device: DeviceFacts,
    /// Networks of the site besides those of the device.
    pub site_networks: Vec<IpNet>,
    /// Domains of the site: `example.org` covers `printer.example.org`.
    pub site_domains: Vec<String>,
    pub named: NamedDestinations,
    /// Values of the script that the person wrote, as they stand in the script.
    pub person_values: BTreeSet<String>,
    /// Names and addresses of this server, which no probe may reach.
    pub server: BTreeSet<String>,
}

#[derive(Debug, Clone, Default)]
pub struct DeviceFacts {
    /// Networks that its interfaces are in.
    pub networks: Vec<IpNet>,
    /// Its interfaces by name. None if it has not reported them.
    pub interfaces: Option<BTreeSet<String>>,
    /// Tagged as critical.
    pub critical: bool,
    /// A link that is paid by volume.
    pub metered: bool,
    /// This very script has not run on it yet.
    pub first_run: bool,
}

/// Destinations that the configuration names.
#[derive(Debug, Clone, Default)]
pub struct NamedDestinations {
    /// Names and addresses, exactly as a step has them.
    pub hosts: BTreeSet<String>,
    pub networks: Vec<IpNet>,
}

impl ScriptSurroundings {
    pub(super) fn is_named(&self, target: &ContactTarget) -> bool {
        match target {
            ContactTarget::Address(address) => {
                self.named.hosts.contains(&address.to_string())
                    || within(&self.named.networks, *address)
            }
            ContactTarget::Name(name) => self.named.hosts.contains(name),
            ContactTarget::Network(network) => {
                let mut named = self.named.networks.iter();
                named.any(|named| named.contains(network))
            }
            ContactTarget::Resolver => true,
        }
    }

    pub(super) fn is_site_name(&self, name: &str) -> bool {
        let name = name.trim_end_matches('.');
        self.site_domains.iter().any(|domain| {
            name.strip_suffix(domain.as_str())
                .is_some_and(|front| front.is_empty() || front.ends_with('.'))
        })
    }
}

pub(super) fn within(networks: &[IpNet], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(&address))
}
