//! `/api/v1`, for programs: its frame, and its first routes.
//!
//! Whatever is below it answers JSON, errors in one shape. Access is that of all other routes: a token
//! or a session, its role and its toolsets. The engine decides who may send a command, as for sockets.

mod ai;
mod body;
mod confirmations;
mod conversations;
mod feed;
mod inventory;
mod once;
mod openapi;
mod refusal;
mod runs;
mod stream;
mod views;

use axum::{
    Router,
    extract::State,
    http::{StatusCode, Uri},
    middleware,
    routing::{any, get, post},
};
use protocol::MAX_FRAME_BYTES;
use tower_http::limit::RequestBodyLimitLayer;

use super::{Http, agui, allowances, domain_routes, rate_limit};
use crate::{domains, routes::DomainRoute, texts};

pub(super) use body::{JsonBody, whole as whole_body};
pub(super) use once::{Underway, once as once_per_key};
pub(super) use openapi::description;
pub(super) use refusal::{RequestRefusal, one_shape};
pub(super) use runs::{OwnRunBody, OwnRunState, ordered};
pub(super) use stream::followed;

/// The largest body with a message, in bytes: every permitted message fits, as on a socket.
const MAX_MESSAGE: usize = MAX_FRAME_BYTES;
/// The largest body of what names things only, in bytes.
const MAX_NAMES: usize = 4 * 1024;
/// The largest body of a decision, in bytes: every permitted comment fits, also escaped.
const MAX_DECISION: usize = 16 * 1024;

/// True for addresses where programs ask: errors have one shape there, and a request may bring its id.
pub(super) fn is_for_programs(path: &str) -> bool {
    ["/api/v1", agui::ROOT].iter().any(|root| {
        let rest = path.strip_prefix(root);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Returns the routes, with those of the domains; a session or token is required in front of them.
pub(super) fn routes(http: &Http, of_domains: Vec<DomainRoute>) -> Router<Http> {
    let underway = Underway::default();
    let of_domains = domain_routes::all(http, &underway, of_domains);
    let messages = Router::new()
        .route("/api/v1/conversations", post(conversations::start))
        .route("/api/v1/runs", post(runs::start))
        .route(
            "/api/v1/conversations/{id}/messages",
            post(conversations::send),
        )
        .layer(middleware::from_fn_with_state(
            (http.clone(), underway.clone()),
            once::once,
        ))
        // Before anything is stored.
        .layer(middleware::from_fn_with_state(
            http.clone(),
            allowances::charge,
        ))
        .layer(RequestBodyLimitLayer::new(MAX_MESSAGE));
    let analyses = Router::new()
        .route("/api/v1/ai/analyses", post(ai::analyse))
        .route("/api/v1/ai/scripts", post(ai::propose))
        .layer(middleware::from_fn_with_state(
            (http.clone(), underway.clone()),
            once::once,
        ))
        // Outside of the keys: what is kept with a key is the answer that names the conversation.
        .layer(middleware::from_fn_with_state(http.clone(), ai::streamed))
        .layer(middleware::from_fn_with_state(
            http.clone(),
            allowances::charge,
        ))
        .layer(RequestBodyLimitLayer::new(MAX_MESSAGE));
    let decisions = Router::new()
        .route("/api/v1/confirmations/{id}", post(confirmations::decide))
        .layer(middleware::from_fn_with_state(
            (http.clone(), underway),
            once::once,
        ))
        .layer(middleware::from_fn_with_state(
            http.clone(),
            allowances::charge,
        ))
        .layer(RequestBodyLimitLayer::new(MAX_DECISION));
    let names = Router::new()
        .route("/api/v1/conversations/{id}/stop", post(conversations::stop))
        .layer(RequestBodyLimitLayer::new(MAX_NAMES));
    Router::new()
        .route("/api/v1/conversations", get(conversations::list))
        .route("/api/v1/conversations/{id}", get(conversations::read))
        .route("/api/v1/conversations/{id}/events", get(stream::follow))
        .route("/api/v1/ai/scripts/{id}", get(ai::script))
        .route("/api/v1/confirmations", get(confirmations::list))
        .route("/api/v1/confirmations/{id}", get(confirmations::read))
        .route("/api/v1/runs/{id}", get(runs::read))
        .route("/api/v1/tools", get(inventory::tools))
        .route("/api/v1/systems", get(inventory::systems))
        .route("/api/v1/audit/head", get(inventory::audit_head))
        .route("/api/v1/feed", get(feed::list))
        .route("/api/v1/openapi.json", get(openapi::document))
        .merge(messages)
        .merge(analyses)
        .merge(decisions)
        .merge(names)
        .merge(of_domains)
        .route("/api/v1", any(unknown))
        .route("/api/v1/", any(unknown))
        .route("/api/v1/{*unknown}", any(unknown))
        .layer(middleware::from_fn_with_state(
            http.clone(),
            rate_limit::add_fields,
        ))
}

/// Answers for an address that does not exist, or belongs to a domain that this server lacks.
async fn unknown(State(http): State<Http>, uri: Uri) -> RequestRefusal {
    let status = StatusCode::NOT_FOUND;
    let (code, message) = texts::api::of_status(status);
    let inner = uri.path().strip_prefix("/api/v1/").unwrap_or_default();
    let name = inner.split('/').next().unwrap_or_default();
    let is_domain = domains::sections().iter().any(|it| it.name == name);
    if is_domain && !http.names.contains_key(name) {
        let message = texts::api::domain_is_off(name);
        return RequestRefusal::new(status, code, message).with_help(texts::api::SEE_DOMAINS);
    }
    RequestRefusal::new(status, code, message).with_help(texts::api::SEE_OPENAPI)
}
