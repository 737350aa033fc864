//! Web pages of other origins that may use an interface for programs (CORS). Only listed origins, and
//! only with a token: no answer here says that cookies may be sent, and those that come are not read.

use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use super::{agui, api, mcp};

/// Seconds for which a browser need not ask again.
const MAX_AGE: &str = "600";

/// Returns whether an address is for tokens alone. Pages of other origins may not even send a request
/// there unless they are listed.
pub(super) fn is_for_tokens(uri: &Uri) -> bool {
    [agui::ROOT, mcp::ROOT].iter().any(|root| {
        let rest = uri.path().strip_prefix(root);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Returns the origin of a request, if it is listed and the request is for an interface of programs.
pub(super) fn listed(allowed: &[String], request: &Request) -> Option<HeaderValue> {
    if !is_for_tokens(request.uri()) && !api::is_for_programs(request.uri().path()) {
        return None;
    }
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    let (Some(origin), None) = (origins.next(), origins.next()) else {
        return None;
    };
    let is_listed = allowed.iter().any(|allowed| origin == allowed.as_str());
    is_listed.then(|| origin.clone())
}

/// Takes the session from a request of a listed page, which would else act for whoever looks at it.
/// Returns the refusal of one without a token; the addresses that are for tokens alone have their own.
pub(super) fn without_session(request: &mut Request) -> Option<Response> {
    if is_for_tokens(request.uri()) {
        return None;
    }
    agui::without_session(request)
}

/// Answers a browser that asks before a request.
pub(super) fn preflight(origin: HeaderValue) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, idempotency-key, last-event-id, mcp-method, mcp-name, \
             mcp-protocol-version, x-request-id",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    allow(&mut response, origin);
    response
}

/// Lets a page of an origin read an answer.
pub(super) fn allow(response: &mut Response, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static(
            "idempotent-replayed, location, ratelimit, ratelimit-policy, retry-after, x-request-id",
        ),
    );
    headers.append(header::VARY, HeaderValue::from_static("origin"));
}
