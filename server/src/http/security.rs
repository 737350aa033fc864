//! What every response tells the browser to refuse, and which requests are refused.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};

use super::Http;

/// Headers of every response. Pages bring their own content policy, with a nonce.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
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
pub async fn add_headers(request: Request, next: Next) -> Response {
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
pub async fn check_origin(State(http): State<Http>, request: Request, next: Next) -> Response {
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
    if (is_write || is_websocket) && !is_same_origin(request.headers(), &host) {
        return refuse("The request comes from another site.");
    }
    next.run(request).await
}

/// The hosts under which the server may be asked.
#[derive(Debug, Clone)]
pub struct Hosts {
    /// Host of `server.public_url`, with its port if the URL has one.
    public: Option<String>,
    /// Whether the server listens on loopback only.
    loopback: bool,
    listen: std::net::SocketAddr,
}

impl Hosts {
    /// The hosts of a server that listens on `listen`.
    pub fn new(listen: std::net::SocketAddr, public_url: Option<&str>) -> Self {
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
        }
    }

    fn allow(&self, host: &str) -> bool {
        let host = host.to_lowercase();
        if self.public.as_ref() == Some(&host) {
            return true;
        }
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority
            .host()
            .trim_start_matches('[')
            .trim_end_matches(']');
        let address = name.parse::<std::net::IpAddr>().ok();
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
fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        let site = site.as_bytes();
        if site != b"same-origin" && site != b"none" {
            return false;
        }
    }
    match headers.get(header::ORIGIN) {
        None => !headers.contains_key(header::UPGRADE),
        Some(origin) => origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host)),
    }
}

fn refuse(message: &str) -> Response {
    let body = ErrorBody::new(ErrorCode::Forbidden, message);
    (StatusCode::FORBIDDEN, axum::Json(body)).into_response()
}
