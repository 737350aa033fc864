//! One span and one log line per request.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use tokio::time::Instant;
use tracing::Instrument;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns a path for the log: the token of a shared conversation is left out.
fn shown(path: &str) -> &str {
    const SHARED: &str = "/shared/";
    if path.starts_with(SHARED) {
        SHARED
    } else {
        path
    }
}

/// Gives the request an id, logs it with its status and duration, and returns the id to the client.
/// The query is not logged: that of a sign-in link contains its token.
pub(super) async fn request(request: Request, next: Next) -> Response {
    let id = format!("{:016x}", rand::random::<u64>());
    let span = tracing::info_span!(
        "request",
        id,
        method = %request.method(),
        path = shown(request.uri().path()),
    );
    // "Not ready" is a valid answer there, not a fault.
    let asks_whether_ready = request.uri().path() == "/readyz";
    let begun = Instant::now();
    async move {
        let mut response = next.run(request).await;
        let status = response.status();
        let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        if status.is_server_error() && !asks_whether_ready {
            tracing::warn!(status = status.as_u16(), ms, "answered");
        } else {
            tracing::debug!(status = status.as_u16(), ms, "answered");
        }
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    }
    .instrument(span)
    .await
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn no_log_has_what_opens_a_shared_conversation() {
        for (path, expect) in [
            ("/chat/cnv_x", "/chat/cnv_x"),
            ("/shared/secret", "/shared/"),
            ("/shared", "/shared"),
        ] {
            assert_eq!(shown(path), expect);
        }
    }
}
