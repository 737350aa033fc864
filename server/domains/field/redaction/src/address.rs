//! Parsing and classification of addresses: which of them say something about a site.

use std::net::{Ipv4Addr, Ipv6Addr};

/// AddressReach of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressReach {
    /// The same everywhere, or nobody's: loopback, masks, multicast, documentation, public resolvers.
    Common,
    /// In the networks of the site alone.
    Private,
    Public,
}

/// Resolvers that everybody uses.
const RESOLVERS: [Ipv4Addr; 10] = [
    Ipv4Addr::new(1, 1, 1, 1),
    Ipv4Addr::new(1, 0, 0, 1),
    Ipv4Addr::new(8, 8, 8, 8),
    Ipv4Addr::new(8, 8, 4, 4),
    Ipv4Addr::new(9, 9, 9, 9),
    Ipv4Addr::new(149, 112, 112, 112),
    Ipv4Addr::new(208, 67, 222, 222),
    Ipv4Addr::new(208, 67, 220, 220),
    Ipv4Addr::new(94, 140, 14, 14),
    Ipv4Addr::new(94, 140, 15, 15),
];

const RESOLVERS_V6: [Ipv6Addr; 6] = [
    Ipv6Addr::new(0x2606, 0x4700, 0x4700, 0, 0, 0, 0, 0x1111),
    Ipv6Addr::new(0x2606, 0x4700, 0x4700, 0, 0, 0, 0, 0x1001),
    Ipv6Addr::new(0x2001, 0x4860, 0x4860, 0, 0, 0, 0, 0x8888),
    Ipv6Addr::new(0x2001, 0x4860, 0x4860, 0, 0, 0, 0, 0x8844),
    Ipv6Addr::new(0x2620, 0xfe, 0, 0, 0, 0, 0, 0xfe),
    Ipv6Addr::new(0x2620, 0xfe, 0, 0, 0, 0, 0, 9),
];

pub(crate) fn reach(address: Ipv4Addr) -> AddressReach {
    let bits = u32::from(address);
    let is_mask = bits.leading_ones() + bits.trailing_zeros() == 32;
    let [first, second, ..] = address.octets();
    let is_common = first == 0
        || is_mask
        || address.is_loopback()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation()
        || RESOLVERS.contains(&address);
    let is_shared = first == 100 && (64..128).contains(&second);
    if is_common {
        AddressReach::Common
    } else if address.is_private() || address.is_link_local() || is_shared {
        AddressReach::Private
    } else {
        AddressReach::Public
    }
}

pub(crate) fn reach_v6(address: Ipv6Addr) -> AddressReach {
    if let Some(inner) = address.to_ipv4_mapped() {
        return reach(inner);
    }
    let first = address.segments()[0];
    let is_documentation = address.segments()[..2] == [0x2001, 0xdb8] || first == 0x3fff;
    if RESOLVERS_V6.contains(&address) || is_documentation {
        AddressReach::Common
    } else if first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80 {
        AddressReach::Private
    } else if first & 0xe000 == 0x2000 || address.segments()[..2] == [0x64, 0xff9b] {
        AddressReach::Public
    } else {
        // Unspecified, loopback, multicast, and space that nobody has.
        AddressReach::Common
    }
}

/// An IPv4 address. Leading zeros are accepted only where every part has three digits, as printers write.
pub(crate) fn ipv4(text: &str) -> Option<Ipv4Addr> {
    if text.len() == 15 && text.contains('0') {
        let mut octets = [0; 4];
        let mut parts = text.split('.');
        for octet in &mut octets {
            *octet = parts.next().filter(|part| part.len() == 3)?.parse().ok()?;
        }
        return parts.next().is_none().then(|| Ipv4Addr::from(octets));
    }
    text.parse().ok()
}

/// The bytes of a MAC address or of an EUI-64, from hexadecimal digits with any separators.
pub(crate) fn hardware(text: &str) -> Option<Vec<u8>> {
    let groups: Vec<&str> = text.split([':', '-', '.']).collect();
    let digits: String = match groups.len() {
        6 | 8 => groups.iter().map(|group| format!("{group:0>2}")).collect(),
        _ => groups.concat(),
    };
    let is_whole = matches!(digits.len(), 12 | 16) && digits.is_ascii();
    let pairs = digits.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    if is_whole { pairs.collect() } else { None }
}

/// True for the address of one device: not broadcast, not multicast, not empty.
pub(crate) fn is_one_device(bytes: &[u8]) -> bool {
    bytes[0] & 1 == 0 && bytes.iter().any(|byte| *byte != 0)
}

/// Lower case, with colons.
pub(crate) fn spelled(bytes: &[u8]) -> String {
    let pairs: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    pairs.join(":")
}

/// The MAC address in an EUI-64, such as the interface id of an address that a device made for itself.
pub(crate) fn mac_within(bytes: &[u8]) -> Option<[u8; 6]> {
    match *bytes {
        [a, b, c, 0xff, 0xfe, d, e, f] => Some([a, b, c, d, e, f]),
        _ => None,
    }
}

/// The MAC address from which an IPv6 address was made, if it was.
pub(crate) fn mac_of(address: Ipv6Addr) -> Option<[u8; 6]> {
    let mut id = [0; 8];
    id.copy_from_slice(&address.octets()[8..]);
    id[0] ^= 2;
    mac_within(&id).filter(|mac| is_one_device(mac))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_their_reach() {
        for (text, expected) in [
            ("0.0.0.0", AddressReach::Common),
            ("127.0.1.1", AddressReach::Common),
            ("255.255.254.0", AddressReach::Common),
            ("0.0.0.255", AddressReach::Common),
            ("224.0.0.251", AddressReach::Common),
            ("192.0.2.7", AddressReach::Common),
            ("1.1.1.1", AddressReach::Common),
            ("10.0.0.0", AddressReach::Private),
            ("100.64.3.4", AddressReach::Private),
            ("100.128.3.4", AddressReach::Public),
            ("169.254.3.4", AddressReach::Private),
            ("172.32.0.1", AddressReach::Public),
        ] {
            assert_eq!(ipv4(text).map(reach), Some(expected), "{text}");
        }
        for (text, expected) in [
            ("::", AddressReach::Common),
            ("::1", AddressReach::Common),
            ("ff02::fb", AddressReach::Common),
            ("2001:db8::1", AddressReach::Common),
            ("fe80::1", AddressReach::Private),
            ("fd00::1", AddressReach::Private),
            ("2a02:908::1", AddressReach::Public),
            ("::ffff:10.0.0.1", AddressReach::Private),
            ("face::cafe", AddressReach::Common),
        ] {
            let address: Ipv6Addr = text.parse().expect(text);
            assert_eq!(reach_v6(address), expected, "{text}");
        }
    }

    #[test]
    fn devices_are_read_in_any_spelling() {
        for text in [
            "00:1b:63:84:45:e6",
            "00-1B-63-84-45-E6",
            "001b.6384.45e6",
            "0:1b:63:84:45:e6",
            "001B638445E6",
        ] {
            let bytes = hardware(text).expect(text);
            assert_eq!(spelled(&bytes), "00:1b:63:84:45:e6", "{text}");
        }
        let address = "fe80::21b:63ff:fe84:45e6".parse().expect("an address");
        assert_eq!(
            mac_of(address).map(|mac| spelled(&mac)).as_deref(),
            Some("00:1b:63:84:45:e6")
        );
        assert_eq!(ipv4("192.168.001.007"), Some(Ipv4Addr::new(192, 168, 1, 7)));
        assert_eq!(ipv4("192.168.01.7"), None);
    }
}
