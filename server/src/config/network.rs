//! Networks: which addresses are meant by a list of them.

use std::{net::IpAddr, str::FromStr};

use toml::de::DeValue;

use super::value::Value;

/// One address, or all that begin with the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    bits: u8,
}

impl Network {
    /// Reads `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. No network is everybody.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().ok()?)),
            None => (text, None),
        };
        let address = address.parse::<IpAddr>().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        // An IPv4-mapped IPv6 address would never match: addresses are looked at
        // without it.
        let plain = address == address.to_canonical();
        (plain && (1..=most).contains(&bits)).then_some(Self { address, bits })
    }

    fn contains(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let other = u32::from(network) ^ u32::from(address);
                u32::from(self.bits) <= other.leading_zeros()
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let other = u128::from(network) ^ u128::from(address);
                u32::from(self.bits) <= other.leading_zeros()
            }
            _ => false,
        }
    }
}

/// A list of addresses and networks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Networks(Vec<Network>);

impl Networks {
    /// Whether an address is among them.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for Networks {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let parts = text.split(',').filter(|part| !part.trim().is_empty());
        let networks = parts.map(Network::read).collect::<Option<_>>();
        networks.map(Self).ok_or(NoNetwork)
    }
}

/// The text is no list of addresses and networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a list of addresses and networks")]
pub struct NoNetwork;

impl Value for Networks {
    fn expected() -> String {
        "a list of addresses or networks such as 192.168.1.2 or 10.0.0.0/24 (in the environment: \
         separated by commas)"
            .to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        let parts = value.as_array()?.iter();
        let parts = parts.map(|part| part.get_ref().as_str().and_then(Network::read));
        parts.collect::<Option<_>>().map(Self)
    }

    fn show(&self) -> String {
        let networks = self.0.iter();
        let networks: Vec<_> = networks
            .map(|network| format!("{}/{}", network.address, network.bits))
            .collect();
        networks.join(", ")
    }

    fn toml(&self) -> String {
        let networks = self.show();
        let networks: Vec<_> = networks.split(", ").filter(|it| !it.is_empty()).collect();
        format!("{networks:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_its_networks() {
        let networks = Networks::from_text("192.0.2.7, 10.1.0.0/16,2001:db8::/33").unwrap();
        for (address, inside) in [
            ("192.0.2.7", true),
            ("192.0.2.6", false),
            ("::ffff:192.0.2.7", true),
            ("10.1.255.255", true),
            ("10.2.0.0", false),
            ("2001:db8:7fff::1", true),
            ("2001:db8:8000::1", false),
            ("127.0.0.1", false),
            ("::1", false),
        ] {
            let found = networks.contains(address.parse().unwrap());
            assert_eq!(found, inside, "{address}");
        }
        assert_eq!(networks.show(), "192.0.2.7/32, 10.1.0.0/16, 2001:db8::/33");
        for wrong in [
            "x",
            "10.0.0.0/33",
            "10.0.0.0/0",
            "::/0",
            "1.2.3.4/",
            "::ffff:1.2.3.4",
        ] {
            assert_eq!(Networks::from_text(wrong), None, "{wrong}");
        }
    }
}
