//! Answers with the pages without the module: their content policy, and the theme of the browser.

use app::plain_pages::{PageLook, PageScript, PlainPage};
use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};

use kit::density::Density;

use super::{Http, trace::RequestId};
use crate::texts;

/// Marks the answer with such a page.
#[derive(Debug, Clone, Copy)]
struct IsPlain;

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
    response.extensions_mut().insert(IsPlain);
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

/// Names the request on a page that tells of an error.
pub(super) async fn name_request(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next.run(request).await;
    match id {
        Some(RequestId(id)) => named(response, id.as_str()).await,
        None => response,
    }
}

async fn named(response: Response, id: &str) -> Response {
    const END: &str = "</main>";
    let status = response.status();
    // The form for people without a session is no error, though its status is one.
    let is_error = status.is_client_error() || status.is_server_error();
    let is_error = is_error && status != StatusCode::UNAUTHORIZED;
    if !is_error || response.extensions().get::<IsPlain>().is_none() {
        return response;
    }
    let (parts, body) = response.into_parts();
    // It is in memory already.
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let mut html = String::from_utf8_lossy(&body).into_owned();
    if let Some(end) = html.rfind(END) {
        // An id has no sign that means something in HTML.
        html.insert_str(end, &format!("<p>{}</p>", texts::http::request_id(id)));
    }
    Response::from_parts(parts, Body::from(html))
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

    #[tokio::test]
    async fn a_page_of_an_error_names_its_request() {
        const PAGE: &str = "<body><main><h1>No.</h1></main></body>";
        const NAMED: &str = "<body><main><h1>No.</h1><p>Request ID: job-1</p></main></body>";
        for (status, is_plain, expect) in [
            (StatusCode::SERVICE_UNAVAILABLE, true, NAMED),
            (StatusCode::FORBIDDEN, true, NAMED),
            (StatusCode::UNAUTHORIZED, true, PAGE),
            (StatusCode::OK, true, PAGE),
            (StatusCode::FORBIDDEN, false, PAGE),
        ] {
            let mut response = with_status(Response::new(Body::from(PAGE)), status);
            if is_plain {
                response.extensions_mut().insert(IsPlain);
            }
            let answer = named(response, "job-1").await;
            assert_eq!(answer.status(), status);
            let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
            assert_eq!(body, expect, "{status} {is_plain}");
        }
    }
}
