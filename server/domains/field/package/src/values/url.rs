//! Addresses of web pages: the small part that a probe needs.

use super::{HostValue, host};

/// Longest URL in bytes.
const MAX_URL: usize = 300;

/// A URL in parts. Nothing in it is decoded: the text goes to the program as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpUrl {
    pub host: HostValue,
    /// As written, or that of the scheme.
    pub port: u16,
    pub encrypted: bool,
}

impl HttpUrl {
    /// Reads a URL such as `https://example.org:8443/status?full=1`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_URL {
            return None;
        }
        let (encrypted, rest) = match text.strip_prefix("https://") {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix("http://")?),
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        // `http://host?x` is read in different ways by different clients.
        if path.starts_with('?') || !is_path(path) {
            return None;
        }
        let (name, port) = split_port(authority)?;
        let port = match port {
            Some(text) => Some(read_port(text)?),
            None => None,
        };
        let host = match name.strip_prefix('[') {
            Some(inner) => {
                let inner = host(inner.strip_suffix(']')?)?;
                matches!(inner, HostValue::Address(it) if it.is_ipv6()).then_some(inner)?
            }
            None => {
                let plain = host(name)?;
                let bare_ipv6 = matches!(plain, HostValue::Address(it) if it.is_ipv6());
                (!bare_ipv6).then_some(plain)?
            }
        };
        let standard = if encrypted { 443 } else { 80 };
        Some(Self {
            host,
            port: port.unwrap_or(standard),
            encrypted,
        })
    }
}

fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    if authority.starts_with('[') {
        let end = authority.find(']')? + 1;
        let (name, rest) = authority.split_at(end);
        return match rest {
            "" => Some((name, None)),
            _ => Some((name, Some(rest.strip_prefix(':')?))),
        };
    }
    match authority.split_once(':') {
        Some((name, port)) => Some((name, Some(port))),
        None => Some((authority, None)),
    }
}

fn read_port(text: &str) -> Option<u16> {
    let port: u16 = text.parse().ok()?;
    (port != 0 && port.to_string() == text).then_some(port)
}

/// No braces and brackets, which curl takes as patterns, no fragment and no user.
fn is_path(path: &str) -> bool {
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        let plain = byte.is_ascii_alphanumeric() || b"/?&=._~+,:;-".contains(&byte);
        let escape = byte == b'%'
            && [bytes.next(), bytes.next()]
                .into_iter()
                .all(|it| it.is_some_and(|it| it.is_ascii_hexdigit()));
        if !plain && !escape {
            return false;
        }
    }
    true
}
