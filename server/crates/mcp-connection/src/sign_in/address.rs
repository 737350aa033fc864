//! Addresses that a sign-in may use: TLS and the public network, and besides them only what the configuration names.

use std::{
    collections::BTreeSet,
    env,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};

use super::{fault::SignInFault, texts};

/// The longest address in a fault, in characters.
const MAX_SHOWN: usize = 120;

/// Variables that name a proxy.
const PROXIES: [&str; 6] = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AddressClass {
    Public,
    /// This machine, or a private network.
    Local,
    /// Nothing that an authorization server has: link-local, multicast, reserved.
    Unusable,
}

/// The rules for one server.
#[derive(Debug, Clone)]
pub(crate) struct AddressRules {
    /// Hosts that the configuration names.
    hosts: BTreeSet<String>,
    /// True if other hosts may be local too.
    private: bool,
    /// Hosts of proxies, which resolve the names behind them.
    proxies: BTreeSet<String>,
}

impl AddressRules {
    pub(crate) fn new<'a>(configured: impl IntoIterator<Item = &'a Url>, private: bool) -> Self {
        let hosts = configured.into_iter().filter_map(host_of);
        let proxies = PROXIES.iter().filter_map(|name| {
            let proxy = env::var(name).ok()?;
            let scheme = if proxy.contains("://") { "" } else { "http://" };
            host_of(&Url::parse(&format!("{scheme}{proxy}")).ok()?)
        });
        Self {
            hosts: hosts.collect(),
            private,
            proxies: proxies.collect(),
        }
    }

    /// Checks all that an address says itself. A name is checked again when it is resolved.
    pub(crate) fn check(&self, url: &Url) -> Result<(), SignInFault> {
        let refused = || SignInFault::AddressNotAllowed(shown(url.as_str()));
        let host = host_of(url).ok_or_else(refused)?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        let is_allowed = match literal(&host) {
            Some(ip) => self.allows(&host, ip),
            None => true,
        };
        let is_encrypted = url.scheme() == "https" || is_local_http(url);
        if is_plain && is_encrypted && is_allowed && url.fragment().is_none() {
            Ok(())
        } else {
            Err(refused())
        }
    }

    fn allows(&self, host: &str, ip: IpAddr) -> bool {
        match class_of(ip) {
            AddressClass::Public => true,
            AddressClass::Local => self.private || self.hosts.contains(host),
            AddressClass::Unusable => self.hosts.contains(host),
        }
    }
}

/// True for an address that may be the server's or the issuer's in the configuration: TLS, or an address of this
/// machine or a private network, as a number or `localhost`.
#[must_use]
pub fn is_sign_in_address(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else {
        return false;
    };
    let is_plain = url.username().is_empty() && url.password().is_none();
    let is_encrypted = url.scheme() == "https" || is_local_http(&url);
    is_plain && is_encrypted && url.host_str().is_some() && url.fragment().is_none()
}

/// An address in a fault: cleaned, cut, and without a query.
pub(crate) fn shown(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let address = agent::clean_text(address);
    address.chars().take(MAX_SHOWN).collect()
}

/// Resolves names, and leaves addresses out that the rules do not allow.
pub(crate) struct RuledResolver(pub(crate) AddressRules);

/// Error for a name that has no allowed address.
#[derive(Debug, thiserror::Error)]
#[error("{}", texts::NO_ALLOWED_ADDRESS)]
pub(crate) struct NoAllowedAddress;

impl Resolve for RuledResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let rules = self.0.clone();
        Box::pin(async move {
            let host = normal(name.as_str());
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0))
                .await?
                .filter(|it| rules.proxies.contains(&host) || rules.allows(&host, it.ip()))
                .collect();
            if found.is_empty() {
                return Err(NoAllowedAddress.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The host of an address, in the one form that is compared.
pub(crate) fn host_of(url: &Url) -> Option<String> {
    url.host_str().map(normal)
}

fn normal(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// True for HTTP without TLS that leaves a private network at no point.
fn is_local_http(url: &Url) -> bool {
    let Some(host) = host_of(url) else {
        return false;
    };
    let is_local = match literal(&host) {
        Some(ip) => class_of(ip) == AddressClass::Local,
        None => host == "localhost",
    };
    url.scheme() == "http" && is_local
}

fn literal(host: &str) -> Option<IpAddr> {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.parse().ok()
}

fn class_of(ip: IpAddr) -> AddressClass {
    match ip {
        IpAddr::V4(ip) => class_of_v4(ip),
        IpAddr::V6(ip) => class_of_v6(ip),
    }
}

fn class_of_v4(ip: Ipv4Addr) -> AddressClass {
    let [a, b, c, _] = ip.octets();
    let is_shared = a == 100 && (64..128).contains(&b);
    if ip.is_loopback() || ip.is_private() || is_shared {
        return AddressClass::Local;
    }
    let is_reserved = a == 0 || a >= 224 || (a == 198 && (18..20).contains(&b));
    let is_protocol = (a, b, c) == (192, 0, 0);
    if ip.is_link_local() || ip.is_documentation() || is_reserved || is_protocol {
        return AddressClass::Unusable;
    }
    AddressClass::Public
}

fn class_of_v6(ip: Ipv6Addr) -> AddressClass {
    if let Some(inner) = ip.to_ipv4_mapped() {
        return class_of_v4(inner);
    }
    let part = ip.segments();
    let inner = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        class_of_v4(Ipv4Addr::new(a, b, c, d))
    };
    match part {
        _ if ip.is_loopback() => AddressClass::Local,
        // Networks of IPv4 behind a prefix: NAT64 and 6to4.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        [0x2002, high, low, ..] => inner(high, low),
        [first, ..] if first & 0xfe00 == 0xfc00 => AddressClass::Local,
        // All that is assigned to the public network.
        [0x2001, 0xdb8, ..] => AddressClass::Unusable,
        [first, ..] if first & 0xe000 == 0x2000 => AddressClass::Public,
        _ => AddressClass::Unusable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_configuration_names_is_local() {
        let server = Url::parse("https://tools.lan/mcp").unwrap();
        let rules = AddressRules::new([&server], false);
        let private = AddressRules::new([&server], true);
        for (address, expect) in [
            ("https://auth.example/token", (true, true)),
            ("https://93.184.216.34/token", (true, true)),
            ("http://auth.example/token", (false, false)),
            ("http://93.184.216.34/token", (false, false)),
            ("https://10.0.0.1/token", (false, true)),
            ("http://10.0.0.1/token", (false, true)),
            ("http://127.1/token", (false, true)),
            ("https://[::1]/token", (false, true)),
            ("https://[fd00::1]/token", (false, true)),
            ("https://[::ffff:10.0.0.1]/token", (false, true)),
            ("https://[64:ff9b::10.0.0.1]/token", (false, true)),
            ("https://100.64.0.1/", (false, true)),
            ("https://169.254.169.254/latest", (false, false)),
            ("https://[fe80::1]/", (false, false)),
            ("https://0.0.0.0/", (false, false)),
            ("https://user@auth.example/", (false, false)),
            ("https://auth.example/#a", (false, false)),
            ("file:///etc/passwd", (false, false)),
        ] {
            let url = Url::parse(address).unwrap();
            let seen = (rules.check(&url).is_ok(), private.check(&url).is_ok());
            assert_eq!(seen, expect, "{address}");
        }
        let own = Url::parse("http://127.0.0.1:1/mcp").unwrap();
        assert_eq!(AddressRules::new([&own], false).check(&own), Ok(()));
    }

    #[tokio::test]
    async fn a_name_with_a_local_address_is_resolved_only_if_it_is_configured() {
        let resolved = async |configured: &str| {
            let configured = Url::parse(configured).unwrap();
            let resolver = RuledResolver(AddressRules::new([&configured], false));
            resolver.resolve("localhost".parse().unwrap()).await.is_ok()
        };
        assert!(resolved("http://localhost:1/").await);
        assert!(!resolved("https://tools.lan/").await);
    }

    #[test]
    fn a_configured_address_has_tls_or_is_local() {
        for (address, expect) in [
            ("https://tools.lan/mcp", true),
            ("http://192.168.1.2:8080/mcp", true),
            ("http://localhost/mcp", true),
            ("http://tools.lan/mcp", false),
            ("http://93.184.216.34/mcp", false),
            ("https://a:b@tools.lan/", false),
            ("tools.lan", false),
        ] {
            assert_eq!(is_sign_in_address(address), expect, "{address}");
        }
    }
}
