//! `/agui`: the AG-UI protocol over conversations, for front ends that speak it.
//!
//! A thread is a conversation, a run is a command of the engine and the turn that follows. What a client
//! says about the past is not read; what it decides is a command with the checks of every interface.

mod answers;
mod door;
mod run;
mod stream;
mod thread;

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, Request},
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use protocol::{ErrorBody, ErrorCode};
use tower_http::limit::RequestBodyLimitLayer;

use super::{Http, auth::presented};
use crate::texts;
use thread::BusyThreads;

/// The address of all of it.
pub(super) const ROOT: &str = "/agui";
/// The largest request for a run, in bytes: clients send the whole history, which is not kept.
const MAX_INPUT: usize = 4 * 1024 * 1024;
/// The largest request that names things only, in bytes.
const MAX_NAMES: usize = 4 * 1024;

/// Returns the routes; a token is required in front of them.
pub(super) fn routes() -> Router<Http> {
    let runs = Router::new()
        .route("/agui", post(run::start))
        .layer(Extension(BusyThreads::default()))
        .layer(DefaultBodyLimit::max(MAX_INPUT))
        .layer(RequestBodyLimitLayer::new(MAX_INPUT));
    let names = Router::new()
        .route("/agui/{thread}/{run}", get(run::follow))
        .route("/agui/{thread}/{run}/stop", post(run::stop))
        .layer(RequestBodyLimitLayer::new(MAX_NAMES));
    runs.merge(names)
}

/// Passes a request with a token, and takes away cookies: pages elsewhere cannot use a person's session.
pub(super) async fn tokens_only(mut request: Request, next: Next) -> Response {
    match without_session(&mut request) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    }
}

/// Takes the cookies from a request, and returns the refusal of one that has no token: a reverse proxy
/// could have signed it in.
pub(super) fn without_session(request: &mut Request) -> Option<Response> {
    request.headers_mut().remove(header::COOKIE);
    if presented(request.headers()).token().is_some() {
        return None;
    }
    let error = ErrorBody::new(ErrorCode::NotSignedIn, texts::agui::TOKEN_NEEDED)
        .with_help(texts::http::CREATE_A_NEW_TOKEN);
    Some((StatusCode::UNAUTHORIZED, axum::Json(error)).into_response())
}
