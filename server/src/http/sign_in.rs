//! Signing in with a one-time link, and out.

use axum::{
    Extension,
    body::Body,
    extract::{Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use super::{Http, SignedIn};

/// The query of a sign-in link.
#[derive(Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    token: String,
}

/// Uses a link up and goes on to the first page.
pub(super) async fn sign_in(State(http): State<Http>, Query(link): Query<Link>) -> Response {
    match http.auth.sign_in(&link.token).await {
        Ok(Some(cookie)) => {
            let mut response = Redirect::to("/").into_response();
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            no_store(response)
        }
        Ok(None) => explain(&http, StatusCode::FORBIDDEN),
        Err(error) => {
            tracing::error!(%error, "signing in failed");
            explain(&http, StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// Answers programs that look at a link before a person opens it, and leaves the link as it is.
pub(super) async fn look() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Ends the session.
pub(super) async fn sign_out(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
) -> Response {
    match http.auth.sign_out(&signed_in).await {
        Ok(cookie) => {
            let mut response = Redirect::to("/").into_response();
            if let Some(cookie) = cookie {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            no_store(response)
        }
        Err(error) => {
            tracing::error!(%error, "signing out failed");
            explain(&http, StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// The page for people without a session.
pub(super) fn explain(http: &Http, status: StatusCode) -> Response {
    let (title, text) = match status {
        StatusCode::FORBIDDEN => (
            "This link is not good any more",
            "A sign-in link works once and for one hour. Restart Jarvis to get a new one.",
        ),
        StatusCode::SERVICE_UNAVAILABLE => (
            "Jarvis cannot reach its database",
            "Try again in a moment. The server's log has the details.",
        ),
        _ => (
            "Sign in",
            "Jarvis prints a sign-in link in its terminal when it starts. Open that link in this \
             browser.",
        ),
    };
    let page = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · Jarvis</title><link rel=\"icon\" href=\"/favicon.svg\">\
         <link rel=\"stylesheet\" href=\"{style}\"></head>\
         <body class=\"sign-in\"><main><p class=\"sign-in-name\">J.A.R.V.I.S.</p>\
         <h1>{title}</h1><p>{text}</p></main></body></html>",
        style = http.assets.style,
    );
    let mut response = Response::new(Body::from(page));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; \
             frame-ancestors 'none'",
        ),
    );
    no_store(response)
}

fn no_store(mut response: Response) -> Response {
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
