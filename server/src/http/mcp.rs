//! `/mcp`: the Model Context Protocol, for models elsewhere. The library has the protocol, the engine has
//! every decision, and what is here translates.
//!
//! There are no sessions, in either era of the protocol: each request stands alone, and what has to
//! last is in the journals of its calls.

mod answers;
mod call_name;
mod errors;
mod follow;
mod handler;

use std::sync::Arc;

use axum::{
    Extension, Router,
    body::Body,
    extract::{Path, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
    routing::post,
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use sign_in::SignedIn;
use tower_http::limit::RequestBodyLimitLayer;

use super::{
    Http,
    api::{RequestRefusal, whole_body},
    trace::RequestId,
};
use crate::{doors::OpenToolDoor, texts};
use handler::McpHandler;

/// The address of all of it.
pub(super) const ROOT: &str = "/mcp";
/// The largest request, in bytes.
const MAX_REQUEST: usize = 256 * 1024;
const KEY: &str = "idempotency-key";

/// Returns the routes; a token is required in front of them.
pub(super) fn routes() -> Router<Http> {
    Router::new()
        .route("/mcp", post(everyday))
        .route("/mcp/{door}", post(of_domain))
        .layer(RequestBodyLimitLayer::new(MAX_REQUEST))
}

/// Names the way in to a client without a valid token.
pub(super) async fn challenge(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status() == StatusCode::UNAUTHORIZED {
        let bearer = HeaderValue::from_static("Bearer");
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, bearer);
    }
    response
}

/// The tools that a conversation of the token would have.
async fn everyday(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(id): Extension<RequestId>,
    request: Request,
) -> Result<Response, RequestRefusal> {
    served(http, signed_in, id, None, request).await
}

/// The tools of one domain.
async fn of_domain(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(id): Extension<RequestId>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, RequestRefusal> {
    let Some(door) = http.tool_doors.get(name.as_str()).cloned() else {
        return Err(RequestRefusal::new(
            StatusCode::NOT_FOUND,
            "door_not_found",
            texts::mcp::NO_SUCH_DOOR,
        ));
    };
    served(http, signed_in, id, Some(door), request).await
}

async fn served(
    http: Http,
    signed_in: SignedIn,
    id: RequestId,
    door: Option<OpenToolDoor>,
    request: Request,
) -> Result<Response, RequestRefusal> {
    let (parts, body) = request.into_parts();
    let body = whole_body(Request::new(body)).await?;
    let is_json = errors::is_json(&parts.headers);
    let key = parts.headers.get(KEY);
    let handler = McpHandler {
        http,
        signed_in,
        request: id.clone(),
        door,
        // One that is no text is no key, and refused as such.
        key: key.map(|key| key.to_str().unwrap_or_default().to_owned()),
    };
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_REQUEST)
        // Both are checked in front of every route.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let service = StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let request = Request::from_parts(parts, Body::from(body.clone()));
    let response = Box::pin(service.handle(request)).await;
    let is_no_message = is_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE;
    let response = if is_no_message {
        errors::no_message(&body)
    } else {
        response.map(Body::new)
    };
    let mut response = errors::told(response, &id).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
