//! The legend that goes with covered texts: what the tokens of networks mean.

use std::net::IpAddr;

use crate::address::{self, AddressReach};
use crate::class::Class;
use crate::network::NetworkPrefix;
use crate::texts;
use crate::vault::{Vault, VaultEntry};

/// Lines of the longest legend.
const MOST_LINES: usize = 120;

/// The choice about the part of an address of a device that names its vendor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VendorParts {
    /// The legend tells them: enough to say that a device is a camera of a certain make.
    Shown,
    Hidden,
}

impl Vault {
    /// Lines that explain the tokens: networks with family, length, kind and interface, vendors of devices,
    /// and how many there are of each other class. Sorted, of bounded length, the same for the same vault.
    #[must_use]
    pub fn legend(&self, vendors: VendorParts) -> String {
        let mut entries: Vec<_> = self.entries().iter().collect();
        entries.sort_by_key(|entry| entry.token);
        let networks = entries.iter().filter(|entry| entry.class == Class::Network);
        let mut lines: Vec<_> = networks.filter_map(|entry| network(entry)).collect();
        if vendors == VendorParts::Shown {
            let devices = entries.iter().filter(|entry| entry.class == Class::Mac);
            lines.extend(devices.filter_map(|entry| vendor(entry)));
        }
        let left_out = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);
        if left_out > 0 {
            lines.push(texts::legend_rest(left_out));
        }
        for class in Class::ALL {
            let count = entries.iter().filter(|entry| entry.class == class).count();
            if count > 0 && class != Class::Network {
                lines.push(texts::legend_count(count, class.name()));
            }
        }
        lines.join("\n")
    }
}

fn network(entry: &VaultEntry) -> Option<String> {
    let prefix: NetworkPrefix = entry.value().parse().ok()?;
    let (family, reach) = match prefix.base() {
        IpAddr::V4(base) => ("IPv4", address::reach(base)),
        IpAddr::V6(base) => ("IPv6", address::reach_v6(base)),
    };
    let is_link_local = match prefix.base() {
        IpAddr::V4(base) => base.is_link_local(),
        IpAddr::V6(base) => base.is_unicast_link_local(),
    };
    let kind = match reach {
        _ if is_link_local => "link-local",
        AddressReach::Public => "public",
        AddressReach::Private | AddressReach::Common => "private",
    };
    let mut line = texts::legend_network(entry.token.number.into(), family, prefix.length(), kind);
    if entry.note == VaultEntry::ASSUMED {
        line.push_str(texts::LEGEND_ASSUMED);
    } else if !entry.note.is_empty() {
        line.push_str(&texts::legend_interface(&entry.note));
    }
    Some(line)
}

fn vendor(entry: &VaultEntry) -> Option<String> {
    let bytes = address::hardware(entry.value())?;
    let token = entry.token.to_string();
    let is_local = bytes[0] & 2 != 0;
    Some(if is_local {
        texts::legend_random(&token)
    } else {
        texts::legend_vendor(&token, &address::spelled(&bytes[..3]))
    })
}
