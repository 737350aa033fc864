//! Pages without the module: rendered whole on the server, with plain forms.

use app::theme_name;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use leptos::prelude::*;
use protocol::Timestamp;

use super::Http;

/// The policy of these pages: no scripts, and forms that go only to this server.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

/// The policy of pages that ask for passkeys: one script of ours runs, and connects only to this
/// server.
const SCRIPTED: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                        base-uri 'none'; frame-ancestors 'none'; script-src 'self'; \
                        connect-src 'self'";

/// Returns the theme that a browser asks for.
pub(super) fn theme(headers: &HeaderMap) -> &'static str {
    let cookies = headers.get(header::COOKIE);
    theme_name(
        cookies
            .and_then(|cookies| cookies.to_str().ok())
            .unwrap_or_default(),
    )
}

/// Returns a complete document. Everything untrusted in `body` is text of a view, which escapes it.
pub(super) fn document(
    http: &Http,
    theme: &'static str,
    class: &'static str,
    title: &str,
    body: AnyView,
) -> Response {
    make(http, theme, class, title, body, POLICY, None)
}

/// Returns a document with the script that asks for passkeys.
pub(super) fn scripted(
    http: &Http,
    theme: &'static str,
    class: &'static str,
    title: &str,
    body: AnyView,
) -> Response {
    let script = view! { <script src="/passkeys.js" defer></script> };
    let script = Some(script.into_any());
    make(http, theme, class, title, body, SCRIPTED, script)
}

fn make(
    http: &Http,
    theme: &'static str,
    class: &'static str,
    title: &str,
    body: AnyView,
    policy: &'static str,
    script: Option<AnyView>,
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
                {script}
            </head>
            <body class=class>{body}</body>
        </html>
    };
    let page = format!("<!DOCTYPE html>{}", view.to_html());
    let mut response = Response::new(Body::from(page));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Formats a moment in words, to the minute, in UTC: these pages have no script that knows the
/// reader's time zone.
pub(super) fn moment(at: Timestamp) -> String {
    let minutes = at.0.div_euclid(60_000);
    let (days, minute) = (minutes.div_euclid(1440), minutes.rem_euclid(1440));
    let (year, month, day) = units::civil::date(days);
    let (hour, minute) = (minute / 60, minute % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// Returns the same answer with another status.
pub(super) fn with_status(mut response: Response, status: StatusCode) -> Response {
    *response.status_mut() = status;
    response
}

/// Returns the same answer, stored by no cache.
pub(super) fn no_store(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_of_the_calendar() {
        for (ms, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (1_700_000_000_000, "2023-11-14 22:13 UTC"),
            (1_709_251_199_999, "2024-02-29 23:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00 UTC"),
            (-60_000, "1969-12-31 23:59 UTC"),
        ] {
            assert_eq!(moment(Timestamp(ms)), text);
        }
    }
}
