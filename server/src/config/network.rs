//! Networks: which addresses are meant by a list of them.

use std::{net::IpAddr, str::FromStr};

use ipnet::IpNet;
use toml::de::DeValue;

use super::value::Value;

/// Reads `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. No network is everybody.
fn network(text: &str) -> Option<IpNet> {
    let text = text.trim();
    let alone = || text.parse::<IpAddr>().ok().map(IpNet::from);
    let network = text.parse::<IpNet>().ok().or_else(alone)?;
    // An IPv4-mapped IPv6 address would never match: addresses are looked at without it.
    let address = network.addr();
    (address == address.to_canonical() && network.prefix_len() > 0).then_some(network)
}

/// A list of addresses and networks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// True if an address is among them.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// True if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for Networks {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let parts = text.split(',').filter(|part| !part.trim().is_empty());
        let networks = parts.map(network).collect::<Option<_>>();
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
        let parts = parts.map(|part| part.get_ref().as_str().and_then(network));
        parts.collect::<Option<_>>().map(Self)
    }

    fn show(&self) -> String {
        let networks: Vec<_> = self.0.iter().map(IpNet::to_string).collect();
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
