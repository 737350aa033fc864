//! Networks of a site, from what interfaces and routes say: `inet 10.0.0.5/24`, `10.0.0.0/24 dev eth0`.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use crate::address::{self, AddressReach};

/// A prefix: the bits behind its length are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkPrefix {
    base: IpAddr,
    length: u8,
}

impl NetworkPrefix {
    /// The prefix of this length that an address is in, or `None` if no address has so many bits.
    #[must_use]
    pub fn of(address: IpAddr, length: u8) -> Option<Self> {
        let base = match address {
            IpAddr::V4(address) => {
                let mask = u32::MAX
                    .checked_shl(32 - u32::from(length.min(32)))
                    .unwrap_or(0);
                IpAddr::V4(Ipv4Addr::from(u32::from(address) & mask))
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX
                    .checked_shl(128 - u32::from(length.min(128)))
                    .unwrap_or(0);
                IpAddr::V6(Ipv6Addr::from(u128::from(address) & mask))
            }
        };
        let most = if address.is_ipv4() { 32 } else { 128 };
        (length <= most).then_some(Self { base, length })
    }

    #[must_use]
    pub fn base(self) -> IpAddr {
        self.base
    }

    #[must_use]
    pub fn length(self) -> u8 {
        self.length
    }

    #[must_use]
    pub fn contains(self, address: IpAddr) -> bool {
        Self::of(address, self.length) == Some(self)
    }

    /// The number of an address in a network of at most 256 addresses.
    pub(crate) fn host_number(self, address: IpAddr) -> Option<u32> {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) if self.length >= 24 => {
                u32::from(address).checked_sub(u32::from(base))
            }
            _ => None,
        }
    }

    /// True for what can be a network of a site: neither everything nor one address, and nobody else's.
    fn is_of_a_site(self) -> bool {
        let (sizes, reach) = match self.base {
            IpAddr::V4(base) => (8..=30, address::reach(base)),
            IpAddr::V6(base) => (16..=126, address::reach_v6(base)),
        };
        // The base of a network may look like a mask, such as 192.0.0.0.
        sizes.contains(&self.length) && reach != AddressReach::Common
    }
}

impl fmt::Display for NetworkPrefix {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.base, self.length)
    }
}

impl FromStr for NetworkPrefix {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (address, length) = text.split_once('/').ok_or(())?;
        let length = length.parse().map_err(|_| ())?;
        Self::of(address.parse().map_err(|_| ())?, length).ok_or(())
    }
}

/// A network that is on an interface of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OnLink {
    pub(crate) prefix: NetworkPrefix,
    pub(crate) interface: Option<String>,
}

/// Networks on interfaces, in the order of the text. `interface` is the one that earlier lines spoke of.
pub(crate) fn on_link(text: &str, interface: &mut Option<String>) -> Vec<OnLink> {
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(name) = heading(line) {
            *interface = Some(name.to_owned());
        }
        // Few lines have any of these; most are not split into words.
        let is_fact = [
            "inet",
            " dev ",
            "ADDRESS",
            "0.0.0.0",
            "Mask:",
            "\"prefixlen\"",
            "\"dst\"",
            "00000000",
        ];
        if is_fact.iter().any(|fact| line.contains(fact)) {
            of_line(line, interface.as_deref(), &mut found);
        }
    }
    found
}

/// The interface that the following lines are about: `2: eth0: <…`, `eth0: flags=…`, `eth0  Link encap`.
fn heading(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let name = match first.strip_suffix(':') {
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            let name = words.next()?.strip_suffix(':')?;
            name.split('@').next()?
        }
        Some(name) if words.next()?.starts_with("flags=") => name,
        None if words.next()? == "Link" && !line.starts_with(' ') => first,
        _ => return None,
    };
    is_interface(name).then_some(name)
}

fn is_interface(name: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=15).contains(&name.len()) && name.bytes().all(is_sign)
}

fn of_line(line: &str, interface: Option<&str>, found: &mut Vec<OnLink>) {
    let words: Vec<_> = line.split_whitespace().collect();
    let after = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1).copied()
    };
    let mut add = |prefix: Option<NetworkPrefix>, interface: Option<&str>| {
        if let Some(prefix) = prefix.filter(|prefix| prefix.is_of_a_site()) {
            let interface = interface
                .filter(|name| is_interface(name))
                .map(str::to_owned);
            found.push(OnLink { prefix, interface });
        }
    };
    let first = words.first().copied().unwrap_or_default();
    // A line of `ip addr` names the interface at its end, should its heading be missing.
    let label = after("scope").and_then(|_| words.last().copied());
    let label = label.filter(|name| name.ends_with(|sign: char| sign.is_ascii_digit()));
    if let Some(address) = after("inet").or_else(|| after("inet6")) {
        let length = after("netmask")
            .and_then(mask_length)
            .or_else(|| after("prefixlen")?.parse().ok());
        add(
            address
                .parse()
                .ok()
                .or_else(|| with_length(address, length)),
            interface.or(label),
        );
    } else if first.starts_with("IP4.ADDRESS") || first.starts_with("IP6.ADDRESS") {
        add(words.get(1).and_then(|word| word.parse().ok()), interface);
    } else if let Some(device) = after("dev").filter(|_| !words.contains(&"via")) {
        add(first.parse().ok(), Some(device));
    } else if words.len() == 8 && matches!(words[1], "0.0.0.0" | "*") {
        add(with_length(words[0], mask_length(words[2])), Some(words[7]));
    } else if words.len() >= 8 && words[2] == "00000000" {
        let hex = |word: &str| {
            u32::from_str_radix(word, 16)
                .ok()
                .map(u32::swap_bytes)
                .map(Ipv4Addr::from)
        };
        let prefix = hex(words[1]).zip(hex(words[7])).and_then(|(base, mask)| {
            NetworkPrefix::of(IpAddr::V4(base), mask_length(&mask.to_string())?)
        });
        add(prefix, Some(first));
    } else if let Some((_, address)) = line.split_once(" addr:").filter(|_| line.contains("Mask:"))
    {
        let address = address.split_whitespace().next().unwrap_or_default();
        let mask = line
            .split("Mask:")
            .nth(1)
            .and_then(|mask| mask.split_whitespace().next());
        add(with_length(address, mask.and_then(mask_length)), interface);
    }
    for object in line.split('{').filter(|object| object.contains('"')) {
        let object = object.split('}').next().unwrap_or_default();
        let text = |name: &str| {
            let rest = object.split_once(&format!("\"{name}\":"))?.1.trim_start();
            Some(rest.split([',', '}']).next()?.trim().trim_matches('"'))
        };
        if let (Some(local), Some(length)) = (text("local"), text("prefixlen")) {
            add(with_length(local, length.parse().ok()), text("label"));
        } else if let (Some(to), Some(device), None) = (text("dst"), text("dev"), text("gateway")) {
            add(to.parse().ok(), Some(device));
        }
    }
}

fn with_length(address: &str, length: Option<u8>) -> Option<NetworkPrefix> {
    NetworkPrefix::of(address.parse().ok()?, length?)
}

/// The length of a mask: `255.255.255.0`, `0xffffff00`.
fn mask_length(mask: &str) -> Option<u8> {
    let bits = match mask.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => u32::from(mask.parse::<Ipv4Addr>().ok()?),
    };
    let length = bits.leading_ones();
    let is_mask = length + bits.trailing_zeros() >= 32;
    if is_mask {
        u8::try_from(length).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_interfaces_and_routes_give_networks() {
        let text = "\
2: eth0: <BROADCAST,UP> mtu 1500
    inet 10.1.2.5/24 brd 10.1.2.255 scope global eth0
    inet6 fe80::21b:63ff:fe84:45e6/64 scope link
wlan0: flags=4163<UP>  mtu 1500
        inet 192.168.7.9  netmask 255.255.254.0  broadcast 192.168.7.255
default via 10.1.2.1 dev eth0
172.16.5.0/26 dev wg0 proto kernel scope link
10.9.0.0/16 via 10.1.2.1 dev eth0
0.0.0.0         10.1.2.1        0.0.0.0         UG    0      0        0 eth0
10.2.0.0        0.0.0.0         255.255.0.0     U     0      0        0 eth1
br0\t0003A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
IP4.ADDRESS[1]: 10.77.0.2/30
lo inet 127.0.0.1/8
[{\"dst\":\"10.3.0.0/24\",\"dev\":\"eth2\"},{\"family\":\"inet\",\"local\":\"10.4.0.9\",\"prefixlen\":25}]
";
        let found: Vec<_> = on_link(text, &mut None)
            .into_iter()
            .map(|it| format!("{} {}", it.prefix, it.interface.unwrap_or_default()))
            .collect();
        assert_eq!(
            found,
            [
                "10.1.2.0/24 eth0",
                "fe80::/64 eth0",
                "192.168.6.0/23 wlan0",
                "172.16.5.0/26 wg0",
                "10.2.0.0/16 eth1",
                "192.168.3.0/24 br0",
                "10.77.0.0/30 wlan0",
                "10.3.0.0/24 eth2",
                "10.4.0.0/25 ",
            ]
        );
    }
}
