//! What every response tells the browser to refuse, and which requests are refused.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};

use super::{Http, bearer};
use crate::config::Networks;

/// Headers of every response. Pages bring their own content policy, with a nonce.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // Not `no-referrer`: with it browsers send `Origin: null` with our own forms.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=()",
    ),
];

/// The policy of responses that are not pages.
const NO_CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Adds the headers.
pub(super) async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        let policy = HeaderValue::from_static(NO_CONTENT_POLICY);
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Refuses requests for other hosts (DNS rebinding) and writes that come from other sites.
pub(super) async fn check_origin(
    State(http): State<Http>,
    request: Request,
    next: Next,
) -> Response {
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>()
        && !http.hosts.allow_peer(peer.ip())
    {
        return refuse("Without TLS this server talks to its reverse proxies only.");
    }
    let Some(host) = request_host(request.headers(), request.uri()) else {
        return refuse("The request names no host.");
    };
    if !http.hosts.allow(&host) {
        return refuse(
            "This address is not the one that Jarvis was set up for. \
             Set server.public_url to the address that you use.",
        );
    }
    let is_write = !matches!(*request.method(), Method::GET | Method::HEAD);
    let is_websocket = request.headers().contains_key(header::UPGRADE);
    if (is_write || is_websocket) && !is_same_origin(request.headers(), &host, &http.hosts) {
        return refuse("The request comes from another site.");
    }
    next.run(request).await
}

/// The hosts under which the server may be asked.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    /// Host of `server.public_url`, with its port if the URL has one.
    public: Option<String>,
    /// Whether the server listens on loopback only.
    loopback: bool,
    listen: SocketAddr,
    /// Who may connect besides this machine; none means anybody.
    peers: Option<Networks>,
}

impl Hosts {
    /// The hosts of a server that listens on `listen`. `peers` may connect besides this machine;
    /// none means anybody.
    pub(crate) fn new(
        listen: SocketAddr,
        public_url: Option<&str>,
        peers: Option<Networks>,
    ) -> Self {
        let public = public_url
            .and_then(|url| url.parse::<Uri>().ok())
            .and_then(|url| {
                url.authority()
                    .map(|authority| authority.as_str().to_lowercase())
            });
        Self {
            public,
            loopback: listen.ip().is_loopback(),
            listen,
            peers,
        }
    }

    /// Whether a connection may come from there.
    fn allow_peer(&self, peer: IpAddr) -> bool {
        self.peers
            .as_ref()
            .is_none_or(|peers| peer.is_loopback() || peers.contains(peer))
    }

    /// Whether this is the authority of `server.public_url`. A proxy may keep it from us in `Host`.
    fn is_public(&self, authority: &str) -> bool {
        self.public
            .as_deref()
            .is_some_and(|public| public.eq_ignore_ascii_case(authority))
    }

    fn allow(&self, host: &str) -> bool {
        if self.is_public(host) {
            return true;
        }
        let host = host.to_lowercase();
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority
            .host()
            .trim_start_matches('[')
            .trim_end_matches(']');
        let address = name.parse::<IpAddr>().ok();
        if self.loopback {
            return name == "localhost" || address.is_some_and(|address| address.is_loopback());
        }
        // A rebinding attacker needs a name; an address in the Host header is the one typed.
        match (&self.public, address) {
            (_, Some(address)) => self.listen.ip().is_unspecified() || address == self.listen.ip(),
            (None, None) => true,
            (Some(_), None) => false,
        }
    }
}

fn request_host(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    host.map(Into::into)
        .or_else(|| uri.authority().map(|authority| authority.to_string()))
}

/// Whether the browser says that the request comes from our own pages. A request without `Origin`
/// does not come from a page, unless the browser says otherwise in `Sec-Fetch-Site`.
fn is_same_origin(headers: &HeaderMap, host: &str, hosts: &Hosts) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        let site = site.as_bytes();
        if site != b"same-origin" && site != b"none" {
            return false;
        }
    }
    if !headers.contains_key(header::ORIGIN) {
        // A page could open a websocket; it cannot send a token with it.
        return !headers.contains_key(header::UPGRADE) || bearer::token(headers).is_some();
    }
    // One more that is another's makes it another's.
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .is_some_and(|(_, authority)| {
                authority.eq_ignore_ascii_case(host) || hosts.is_public(authority)
            })
    })
}

fn refuse(message: &str) -> Response {
    let body = ErrorBody::new(ErrorCode::Forbidden, message);
    (StatusCode::FORBIDDEN, axum::Json(body)).into_response()
}
