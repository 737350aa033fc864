//! Security headers of every response, and the refusal of requests from other hosts and sites.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};
use rustls::{
    client::verify_server_name,
    pki_types::{CertificateDer, ServerName},
    server::ParsedCertificate,
};

use super::{Http, auth::presented, client::FORWARDED_FOR, origins};
use crate::{config::Networks, texts};

/// Headers of every response. Pages bring their own content policy, with a nonce.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // Not `no-referrer`: with it browsers send `Origin: null` with our own forms.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=()",
    ),
];

/// The policy of responses that are not pages.
const NO_CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// The HSTS header: browsers use TLS only for a year.
const TLS_ONLY: &str = "max-age=31536000";

/// Adds the headers.
pub(super) async fn add_headers(
    State(http): State<Http>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if http.secure {
        let only = HeaderValue::from_static(TLS_ONLY);
        headers.insert(header::STRICT_TRANSPORT_SECURITY, only);
    }
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        let policy = HeaderValue::from_static(NO_CONTENT_POLICY);
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Refuses requests for other hosts (DNS rebinding) and writes from other sites.
pub(super) async fn check_origin(
    State(http): State<Http>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|peer| peer.0.ip());
    if peer.is_some_and(|peer| !http.hosts.allow_peer(peer)) {
        return refuse(texts::http::PROXIES_ONLY_WITHOUT_TLS);
    }
    if peer.is_some_and(|peer| http.hosts.is_first_unlisted(peer, request.headers())) {
        tracing::warn!(
            peer = peer.map(tracing::field::display),
            "a program on this machine sends X-Forwarded-For and is not listed: everybody behind it \
             counts as one address. If it is your reverse proxy, add it to server.trusted_proxies"
        );
    }
    let Some(host) = request_host(request.headers(), request.uri()) else {
        return refuse(texts::http::NOT_EXACTLY_ONE_HOST);
    };
    if !http.hosts.allow(&host) {
        return refuse(texts::http::UNKNOWN_ADDRESS);
    }
    // Our own pages keep their session, also if somebody has listed their address.
    let listed = if is_same_origin(request.headers(), &host, &http.hosts) {
        None
    } else {
        origins::listed(&http.allowed_origins, &request)
    };
    if let Some(origin) = &listed {
        if *request.method() == Method::OPTIONS {
            return origins::preflight(origin.clone());
        }
        if let Some(mut refusal) = origins::without_session(&mut request) {
            origins::allow(&mut refusal, origin.clone());
            return refusal;
        }
    }
    let is_write = !matches!(*request.method(), Method::GET | Method::HEAD);
    let is_websocket = request.headers().contains_key(header::UPGRADE);
    let is_checked = is_write || is_websocket || origins::is_for_tokens(request.uri());
    let is_trusted = listed.is_some() || !is_checked;
    if !is_trusted && !is_same_origin(request.headers(), &host, &http.hosts) {
        return refuse(texts::http::REQUEST_COMES_FROM_ANOTHER_SITE);
    }
    let mut response = next.run(request).await;
    if let Some(origin) = listed {
        origins::allow(&mut response, origin);
    }
    response
}

/// The hosts that requests may name.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    /// Scheme and host of `server.public_url`, with its port if the URL has one.
    public: Option<(String, String)>,
    /// True if the server listens on loopback only.
    loopback: bool,
    listen: SocketAddr,
    /// The server's own certificate, if it ends TLS itself.
    certificate: Option<CertificateDer<'static>>,
    /// Reverse proxies. Without TLS, only these and this machine may connect.
    proxies: Networks,
    /// Set once an unlisted proxy on this machine has been logged.
    named: Arc<AtomicBool>,
}

impl Hosts {
    /// Returns the hosts of a server that listens on `listen`, with this certificate if it ends TLS
    /// itself.
    pub(crate) fn new(
        listen: SocketAddr,
        public_url: Option<&str>,
        certificate: Option<CertificateDer<'static>>,
        proxies: Networks,
    ) -> Self {
        let public = public_url
            .and_then(|url| url.parse::<Uri>().ok())
            .and_then(|url| {
                let scheme = url.scheme_str()?.to_lowercase();
                let authority = url.authority()?.as_str().to_lowercase();
                Some((scheme, authority))
            });
        Self {
            public,
            loopback: listen.ip().is_loopback(),
            listen,
            certificate,
            proxies,
            named: Arc::default(),
        }
    }

    /// Allows connections from this machine and the listed proxies, and from anywhere with TLS: without
    /// it, a session may cross the network only between proxy and server.
    fn allow_peer(&self, peer: IpAddr) -> bool {
        self.certificate.is_some() || peer.is_loopback() || self.proxies.contains(peer)
    }

    /// True for the first request of an unlisted proxy on this machine. It is logged once: anyone who
    /// can send such a request could otherwise fill the log.
    fn is_first_unlisted(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let unlisted = peer.is_loopback()
            && headers.contains_key(FORWARDED_FOR)
            && !self.proxies.contains(peer);
        unlisted && !self.named.swap(true, Ordering::Relaxed)
    }

    /// Returns whether this is the authority of `server.public_url`. A proxy may not pass it on in
    /// `Host`.
    fn is_public(&self, authority: &str) -> bool {
        let public = self.public.as_ref();
        public.is_some_and(|(_, public)| public.eq_ignore_ascii_case(authority))
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
        if let (None, Some(certificate)) = (&self.public, &self.certificate) {
            return is_named(certificate, name);
        }
        if self.loopback {
            return name == "localhost" || address.is_some_and(|address| address.is_loopback());
        }
        // A rebinding attack needs a name; an address in the Host header is the one that was typed.
        match (&self.public, address) {
            (_, Some(address)) => self.listen.ip().is_unspecified() || address == self.listen.ip(),
            (None, None) => true,
            (Some(_), None) => false,
        }
    }

    /// True if an origin is our own, for a request to this host.
    fn is_ours(&self, origin: &str, host: &str) -> bool {
        let Some((scheme, authority)) = origin.split_once("://") else {
            return false;
        };
        if let Some((public, _)) = &self.public
            && self.is_public(authority)
        {
            return scheme == public;
        }
        let is_own_scheme = match (&self.certificate, &self.public) {
            (Some(_), _) => scheme == "https",
            // A listed proxy may end TLS for an address that is not configured here.
            (None, None) if !self.proxies.is_empty() => scheme == "http" || scheme == "https",
            (None, _) => scheme == "http",
        };
        is_own_scheme && authority.eq_ignore_ascii_case(host)
    }
}

/// True if a certificate covers a name or an address.
fn is_named(certificate: &CertificateDer<'_>, name: &str) -> bool {
    let Ok(name) = ServerName::try_from(name) else {
        return false;
    };
    ParsedCertificate::try_from(certificate)
        .is_ok_and(|certificate| verify_server_name(&certificate, &name).is_ok())
}

/// Returns the only host that a request names, in all places: two parties might each trust a
/// different one.
fn request_host(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match hosts.next() {
        Some(host) => Some(host.to_str().ok()?.to_owned()),
        None => None,
    };
    let target = uri.authority().map(ToString::to_string);
    match (host, target) {
        _ if hosts.next().is_some() => None,
        (Some(host), Some(target)) if !host.eq_ignore_ascii_case(&target) => None,
        (host, target) => host.or(target),
    }
}

/// Returns whether the browser says that the request comes from our own pages. A request without
/// `Origin` does not come from a page, unless the browser says otherwise in `Sec-Fetch-Site`.
fn is_same_origin(headers: &HeaderMap, host: &str, hosts: &Hosts) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        let site = site.as_bytes();
        if site != b"same-origin" && site != b"none" {
            return false;
        }
    }
    if !headers.contains_key(header::ORIGIN) {
        // A page could open a websocket without it, but cannot send a token.
        return !headers.contains_key(header::UPGRADE) || presented(headers).token().is_some();
    }
    // A single foreign origin makes the request foreign.
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        let origin = origin.to_str();
        origin.is_ok_and(|origin| hosts.is_ours(origin, host))
    })
}

fn refuse(message: &str) -> Response {
    let body = ErrorBody::new(ErrorCode::Forbidden, message);
    (StatusCode::FORBIDDEN, axum::Json(body)).into_response()
}

#[cfg(test)]
mod tests;
