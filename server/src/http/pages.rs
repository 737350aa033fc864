//! Pages rendered on the server, server functions, and files of the site.

use std::sync::Arc;

use app::{Arrived, Backend, CurrentUser};
use axum::{
    Extension,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use leptos::prelude::provide_context;
use protocol::{ErrorBody, ErrorCode};
use sign_in::SignedIn;

use super::{Http, MAX_BODY, auth::current_user, status::status, trace::RequestId};
use crate::texts;

/// Serves files of the site, which need no session.
pub(super) async fn site_file(State(http): State<Http>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD)
        && let Some(response) = http.site.get(request.uri().path(), request.headers())
    {
        return response;
    }
    next.run(request).await
}

/// Renders a page.
pub(super) async fn page(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(id): Extension<RequestId>,
    request: Request,
) -> Response {
    // Requested here: a part of the page that had to wait for it would be drawn on several threads.
    let user = of_request(&signed_in, &id);
    let frame = Arrived::new(app::frame_data(&*http.backend, &user).await);
    let with_user = context(&http, user);
    let context = move || {
        with_user();
        provide_context(frame.clone());
    };
    let assets = http.assets.clone();
    let render =
        leptos_axum::render_app_async_with_context(context, move || app::shell(assets.clone()));
    let mut response = render(request).await;
    // A page shows a person's conversations, so no cache on the way may store it.
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Carries out a server function.
pub(super) async fn server_function(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(id): Extension<RequestId>,
    request: Request<Body>,
) -> Response {
    let (parts, body) = request.into_parts();
    // Read here, so that a body that is too large gets its own error, also without a length.
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        let error = ErrorBody::new(ErrorCode::Malformed, texts::http::REQUEST_IS_TOO_LARGE);
        return (StatusCode::PAYLOAD_TOO_LARGE, axum::Json(error)).into_response();
    };
    let request = Request::from_parts(parts, Body::from(body));
    let context = context(&http, of_request(&signed_in, &id));
    let response = leptos_axum::handle_server_fns_with_context(context, request)
        .await
        .into_response();
    let mut response = with_own_status(response).await;
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Replaces the status of a failed server function, which is the same for every error, by that of
/// its code, so that the log only warns of faults of the server.
async fn with_own_status(response: Response) -> Response {
    if response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if let Ok(error) = serde_json::from_slice::<ErrorBody>(&body) {
        parts.status = status(error.code);
    }
    Response::from_parts(parts, Body::from(body))
}

/// Returns the user behind a request, with its id.
fn of_request(signed_in: &SignedIn, id: &RequestId) -> CurrentUser {
    CurrentUser {
        request: Some(id.0.as_str().into()),
        ..current_user(signed_in)
    }
}

/// Provides the context of pages and server functions.
fn context(http: &Http, user: CurrentUser) -> impl Fn() + Clone + Send + Sync + 'static {
    let backend: Arc<dyn Backend> = http.backend.clone();
    move || {
        provide_context(backend.clone());
        provide_context(user.clone());
    }
}
