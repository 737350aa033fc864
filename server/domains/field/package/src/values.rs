//! The grammar of values in a step, which keeps each of them one harmless word.
//!
//! Every accepted value is ASCII without blanks, quotes, backslashes and control characters, and
//! does not open with a hyphen. Values have one spelling: an address is written as Rust prints it.

mod url;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net};

pub use self::url::HttpUrl;

/// Longest name of a host, as DNS has it.
const MAX_NAME: usize = 253;
/// Longest label between two dots of a name.
const MAX_LABEL: usize = 63;
/// Longest name of an interface that Linux has.
const MAX_INTERFACE: usize = 15;

/// A kind of value, with its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// An address, or a name that resolves to one.
    Host,
    /// An address alone.
    Address,
    /// A name to look up: underscores as in `_sip._tcp.example.org`, and a dot at the end, are possible.
    QueryName,
    Interface,
    /// `http` or `https`, without user, password, fragment and patterns.
    Url,
    /// An IPv4 network with no bit set behind its prefix, of at most 1,022 hosts.
    Network,
    /// A whole number within bounds, both included.
    Range(u32, u32),
    OneOf(&'static [&'static str]),
}

impl ValueKind {
    /// True for a value of this kind in its one spelling.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::Host => host(text).is_some(),
            Self::Address => address(text).is_some(),
            Self::QueryName => is_query_name(text),
            Self::Interface => is_interface(text),
            Self::Url => HttpUrl::parse(text).is_some(),
            Self::Network => network(text).is_some(),
            Self::Range(min, max) => number(text).is_some_and(|it| (min..=max).contains(&it)),
            Self::OneOf(options) => options.contains(&text),
        }
    }
}

/// An address or a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostValue {
    Address(IpAddr),
    Name(String),
}

/// Reads a host. A name is in lower case, and its last label opens with a letter: `127.1` and
/// `0x7f000001` are addresses to the system's resolver, and not to a reader.
pub fn host(text: &str) -> Option<HostValue> {
    if let Some(address) = address(text) {
        return Some(HostValue::Address(address));
    }
    let labels: Vec<_> = text.split('.').collect();
    let plain = labels.iter().all(|label| is_label(label, false));
    let named = labels
        .last()
        .is_some_and(|label| label.starts_with(|first: char| first.is_ascii_lowercase()));
    (plain && named && text.len() <= MAX_NAME).then(|| HostValue::Name(text.to_owned()))
}

/// Reads an address. An IPv4 address inside an IPv6 one is refused: rules for the one would not see
/// the other.
pub fn address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    let hides_another = matches!(address, IpAddr::V6(it) if embeds_ipv4(it));
    (!hides_another && address.to_string() == text).then_some(address)
}

/// Reads an IPv4 network of at most 1,022 hosts.
pub fn network(text: &str) -> Option<IpNet> {
    let network: Ipv4Net = text.parse().ok()?;
    let fits = (22..=32).contains(&network.prefix_len()) && network.network() == network.addr();
    (fits && network.to_string() == text).then_some(IpNet::V4(network))
}

/// True for addresses that belong to nobody in particular: unspecified, multicast and broadcast.
pub fn is_many(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => {
            it.is_unspecified() || it.is_multicast() || it.is_broadcast() || it.octets()[0] == 0
        }
        IpAddr::V6(it) => it.is_unspecified() || it.is_multicast(),
    }
}

/// True for addresses of the machine itself and of its link, where services trust whoever asks, and
/// for those at which clouds give credentials away.
pub fn is_trusting(address: IpAddr) -> bool {
    const METADATA: [IpAddr; 2] = [
        IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
        IpAddr::V6(Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254)),
    ];
    let local = match address {
        IpAddr::V4(it) => it.is_loopback() || it.is_link_local(),
        IpAddr::V6(it) => it.is_loopback() || it.is_unicast_link_local(),
    };
    local || METADATA.contains(&address)
}

/// True for addresses that are routed on the internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => {
            let [a, b, ..] = it.octets();
            let shared = a == 100 && (64..128).contains(&b);
            !(it.is_private()
                || it.is_loopback()
                || it.is_link_local()
                || it.is_documentation()
                || shared
                || is_many(address)
                || a >= 240)
        }
        IpAddr::V6(it) => {
            !(it.is_loopback()
                || it.is_unique_local()
                || it.is_unicast_link_local()
                || is_many(address))
        }
    }
}

fn embeds_ipv4(address: Ipv6Addr) -> bool {
    // Mapped, the deprecated compatible form, and the prefix of NAT64.
    let segments = address.segments();
    let compatible = segments[..6] == [0; 6] && (segments[6] != 0 || segments[7] > 1);
    address.to_ipv4_mapped().is_some() || compatible || segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0]
}

fn is_query_name(text: &str) -> bool {
    let labels = text.strip_suffix('.').unwrap_or(text);
    text.len() <= MAX_NAME && labels.split('.').all(|label| is_label(label, true))
}

fn is_label(label: &str, underscores: bool) -> bool {
    let inner = |byte: u8| {
        byte.is_ascii_lowercase()
            || byte.is_ascii_digit()
            || byte == b'-'
            || (underscores && byte == b'_')
    };
    (1..=MAX_LABEL).contains(&label.len())
        && label.bytes().all(inner)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn is_interface(text: &str) -> bool {
    let inner =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    text.len() <= MAX_INTERFACE
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(inner)
}

fn number(text: &str) -> Option<u32> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

#[cfg(test)]
mod tests;
