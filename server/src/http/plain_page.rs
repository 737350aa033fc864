//! Answers with the pages without the module: their content policy, and the theme of the browser.

use app::plain_pages::{PageLook, PageScript, PlainPage};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};

use kit::density::Density;

use super::Http;

/// The policy of these pages: no scripts, and forms that go only to this server.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

/// The policy of pages with a script of ours.
const SCRIPTED: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                        base-uri 'none'; frame-ancestors 'none'; script-src 'self'";

/// The policy of pages that ask for passkeys: the script also connects to this server.
const CONNECTED: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                         base-uri 'none'; frame-ancestors 'none'; script-src 'self'; \
                         connect-src 'self'";

/// Returns the theme that a browser asks for.
pub(super) fn theme(headers: &HeaderMap) -> &'static str {
    kit::theme::theme_name(cookies(headers))
}

/// Returns the density of tables and lists that a browser asks for.
pub(super) fn density(headers: &HeaderMap) -> Density {
    Density::from_cookies(cookies(headers))
}

fn cookies(headers: &HeaderMap) -> &str {
    let cookies = headers.get(header::COOKIE);
    cookies
        .and_then(|cookies| cookies.to_str().ok())
        .unwrap_or_default()
}

/// Returns the answer with a page.
pub(super) fn answer(http: &Http, theme: &'static str, page: PlainPage) -> Response {
    let policy = match page.script() {
        PageScript::None => POLICY,
        PageScript::Copy | PageScript::Notifications => SCRIPTED,
        PageScript::Passkeys => CONNECTED,
    };
    let styles = [&http.assets.style, &http.assets.pages_style];
    let styles = styles.map(String::clone);
    let html = page.html(PageLook { theme, styles });
    let mut response = Response::new(Body::from(html));
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
