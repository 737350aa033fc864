//! Pages without the module: made whole on the server, with plain forms.

use app::theme_name;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use leptos::prelude::*;

use super::Http;

/// Nothing runs on these pages, and their forms go to this server alone.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

/// The theme that a browser asks for.
pub(super) fn theme(headers: &HeaderMap) -> &'static str {
    let cookies = headers.get(header::COOKIE);
    theme_name(
        cookies
            .and_then(|cookies| cookies.to_str().ok())
            .unwrap_or_default(),
    )
}

/// A document of its own. Everything in `body` that comes from outside is text of a view, which
/// escapes it.
pub(super) fn document(
    http: &Http,
    theme: &'static str,
    class: &'static str,
    title: &str,
    body: AnyView,
) -> Response {
    let title = format!("{title} · Jarvis");
    let style = http.assets.style.clone();
    let view = view! {
        <html lang="en" data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="dark light" />
                <title>{title}</title>
                <link rel="icon" href="/favicon.svg" />
                <link rel="stylesheet" href=style />
            </head>
            <body class=class>{body}</body>
        </html>
    };
    let page = format!("<!DOCTYPE html>{}", view.to_html());
    let mut response = Response::new(Body::from(page));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The same answer with another status.
pub(super) fn with_status(mut response: Response, status: StatusCode) -> Response {
    *response.status_mut() = status;
    response
}

/// The same answer, kept by no cache.
pub(super) fn no_store(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
