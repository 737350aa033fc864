//! The client of a request: its address and browser.

use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, HeaderName, header, request::Parts},
};
use sign_in::Client;

use super::Http;
use crate::config::Networks;

pub(super) const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The most that is stored of a `User-Agent` header, in characters.
const MAX_BROWSER: usize = 200;

impl FromRequestParts<Http> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(of(http, peer.map(|peer| peer.0), &parts.headers))
    }
}

/// Returns the client of a request from a peer.
pub(super) fn of(http: &Http, peer: Option<SocketAddr>, headers: &HeaderMap) -> Client {
    Client {
        address: peer.map(|peer| address(peer.ip(), headers, &http.proxies)),
        browser: browser(headers),
    }
}

/// Returns the address of a client. Each proxy appends its peer to the header; everything before
/// the first address that is not one of our proxies may be made up. This machine counts as a proxy
/// only if it is listed.
fn address(peer: IpAddr, headers: &HeaderMap, proxies: &Networks) -> IpAddr {
    let mut address = peer.to_canonical();
    let lines = headers.get_all(FORWARDED_FOR).iter().rev();
    let hops = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.rsplit(','));
    for hop in hops {
        if !proxies.contains(address) {
            break;
        }
        let Ok(before) = hop.trim().parse::<IpAddr>() else {
            break;
        };
        address = before.to_canonical();
    }
    address
}

fn browser(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let text: String = text.chars().take(MAX_BROWSER).collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_proxies_say_who_is_behind_them() {
        let proxies = "10.0.0.1, 10.0.0.2, 10.9.0.0/16".parse().unwrap();
        for (peer, lines, expect) in [
            ("192.0.2.7", vec![], "192.0.2.7"),
            ("192.0.2.7", vec!["198.51.100.1"], "192.0.2.7"),
            ("10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            ("::ffff:10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            ("127.0.0.1", vec!["198.51.100.1"], "127.0.0.1"),
            ("::1", vec!["198.51.100.1"], "::1"),
            ("10.9.8.7", vec!["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["9.9.9.9, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["9.9.9.9", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", vec!["198.51.100.1, nonsense"], "10.0.0.1"),
            ("10.0.0.1", vec![], "10.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            for line in &lines {
                headers.append(FORWARDED_FOR, line.parse().unwrap());
            }
            let found = address(peer.parse().unwrap(), &headers, &proxies);
            assert_eq!(found.to_string(), expect, "{peer} {lines:?}");
        }
    }
}
