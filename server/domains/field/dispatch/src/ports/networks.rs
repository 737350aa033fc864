//! Real networks of devices, from the typed output of one collector: never from free text, which could
//! name any network as the site's own.

use std::collections::BTreeSet;
use std::net::IpAddr;

use field::field_package::policy::DeviceFacts;
use serde_json::Value;

/// Name of the section with `ip -j addr`.
const SECTION: &str = "addresses";
/// Networks of one device at most.
const MOST: usize = 64;

/// Networks of a device, as its newest complete bundle has them.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownNetworks {
    pub(super) site: String,
    /// The bundle that they are from.
    pub(super) bundle: Option<String>,
    pub(super) facts: DeviceFacts,
}

pub(super) fn section() -> &'static str {
    SECTION
}

/// Networks and interfaces of the restored output of `ip -j addr`. Loopback and link-local networks
/// are nobody's.
pub(super) fn read(text: &str) -> Option<DeviceFacts> {
    let interfaces: Vec<Value> = serde_json::from_str(text).ok()?;
    let mut facts = DeviceFacts::default();
    let mut names = BTreeSet::new();
    for interface in &interfaces {
        let Some(name) = interface["ifname"].as_str() else {
            continue;
        };
        names.insert(name.to_owned());
        let addresses = interface["addr_info"].as_array().into_iter().flatten();
        for address in addresses {
            let network = network(address);
            if let Some(network) = network.filter(|_| facts.networks.len() < MOST) {
                facts.networks.push(network);
            }
        }
    }
    facts.interfaces = Some(names);
    Some(facts)
}

fn network(address: &Value) -> Option<ipnet::IpNet> {
    let local: IpAddr = address["local"].as_str()?.parse().ok()?;
    let length = u8::try_from(address["prefixlen"].as_u64()?).ok()?;
    // A device that says it is in a network as large as the internet gets no further than others.
    let (is_near, least) = match local {
        IpAddr::V4(it) => (it.is_loopback() || it.is_link_local(), 8),
        IpAddr::V6(it) => (it.is_loopback() || it.is_unicast_link_local(), 32),
    };
    if is_near || length < least {
        return None;
    }
    Some(ipnet::IpNet::new(local, length).ok()?.trunc())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn networks_come_from_addresses_alone_and_are_bounded() {
        let text = r#"[{"ifname":"lo","addr_info":[{"local":"127.0.0.1","prefixlen":8}]},
            {"ifname":"eth0","ifalias":"10.0.0.0/8","addr_info":[
                {"local":"192.168.41.20","prefixlen":24},{"local":"fe80::1","prefixlen":64},
                {"local":"2001:db8::5","prefixlen":64},{"local":"9.9.9.9","prefixlen":0},
                {"local":"no","prefixlen":24}]},{"addr_info":[]}]"#;
        let facts = read(text).expect("networks");
        let networks: Vec<_> = facts.networks.iter().map(ToString::to_string).collect();
        assert_eq!(networks, ["192.168.41.0/24", "2001:db8::/64"]);
        let names: Vec<_> = facts.interfaces.into_iter().flatten().collect();
        assert_eq!(names, ["eth0", "lo"]);
        assert!(read("not JSON").is_none());
    }
}
