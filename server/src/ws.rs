//! The websocket: one per tab, with all its subscriptions.

mod commands;
mod session;
mod subscriptions;

use axum::{
    Extension, Router,
    extract::{State, WebSocketUpgrade},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::any,
};
use protocol::MAX_FRAME_BYTES;
use sign_in::SignedIn;

use crate::http::{Http, RequestId};

/// A connection's read buffer; the default of 128 KiB is nearly the whole cost of an idle one.
const READ_BUFFER: usize = 4 * 1024;
/// Size up to which outgoing frames are written together.
const WRITE_BUFFER: usize = 8 * 1024;

/// The route of the websocket, which needs a session.
pub(crate) fn routes() -> Router<Http> {
    Router::new().route("/ws", any(upgrade))
}

/// Handles a request for `/ws`. Origin and session were checked before.
async fn upgrade(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(request): Extension<RequestId>,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Decided before the upgrade: a refusal costs nothing.
    let place = match http.allowances.socket_for(&signed_in) {
        Ok(place) => place,
        Err(error) => return (StatusCode::TOO_MANY_REQUESTS, axum::Json(error)).into_response(),
    };
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(MAX_FRAME_BYTES)
        .max_frame_size(MAX_FRAME_BYTES)
        .on_upgrade(move |socket| {
            let sessions = http.sockets.clone();
            sessions.track_future(session::run(socket, http, signed_in, request, place))
        })
}
