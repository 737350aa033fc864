//! The one shape of errors for programs: below `/api/v1` and at other interfaces of theirs.

use std::{borrow::Cow, time::Duration};

use axum::{
    body::{Body, HttpBody, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header, response::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::ErrorBody;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::is_for_programs;
use crate::{
    http::{
        limited::Limited,
        status::status,
        trace::{AnsweredCode, RequestId},
    },
    outcomes::code_word,
    texts,
};

/// The most of an error that is read to shape it, in bytes.
const MAX_ERROR: usize = 64 * 1024;
/// Seconds to wait where nothing better is known.
const WAIT: u64 = 10;

/// An error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(super) struct ShapedError {
    /// Stable, in snake case. New ones are added.
    pub(super) code: String,
    /// One sentence that says what happened.
    pub(super) message: String,
    /// The next step, in one line.
    pub(super) help: Option<String>,
    /// The id of the request, as in the header `x-request-id` and in the server's log.
    pub(super) request_id: String,
}

/// The refusal of a request of a program. [`one_shape`] adds the id of the request.
#[derive(Debug)]
pub(in crate::http) struct RequestRefusal {
    status: StatusCode,
    code: Cow<'static, str>,
    message: Cow<'static, str>,
    help: Option<Cow<'static, str>>,
    /// Time after which the same request may succeed.
    after: Option<Duration>,
}

impl RequestRefusal {
    /// A refusal that only HTTP has; the engine's come from an [`ErrorBody`].
    pub(in crate::http) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            status,
            code: code.into(),
            message: message.into(),
            help: None,
            after: None,
        }
    }

    #[must_use]
    pub(in crate::http) fn with_help(self, help: impl Into<Cow<'static, str>>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    #[must_use]
    pub(super) fn again_after(self, after: Duration) -> Self {
        Self {
            after: Some(after),
            ..self
        }
    }
}

impl From<ErrorBody> for RequestRefusal {
    fn from(error: ErrorBody) -> Self {
        Self {
            status: status(error.code),
            code: code_word(&error.code),
            message: error.message.into(),
            help: error.help.map(Cow::Owned),
            after: None,
        }
    }
}

impl From<Limited> for RequestRefusal {
    fn from(limited: Limited) -> Self {
        Self::from(limited.error).again_after(limited.wait)
    }
}

impl IntoResponse for RequestRefusal {
    fn into_response(self) -> Response {
        let mut error = Map::new();
        error.insert("code".to_owned(), self.code.into());
        error.insert("message".to_owned(), self.message.into());
        if let Some(help) = self.help {
            error.insert("help".to_owned(), help.into());
        }
        let mut response = (self.status, axum::Json(error)).into_response();
        if let Some(after) = self.after {
            let seconds = after.as_secs().saturating_add(1);
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Gives every error for a program its shape, wherever it comes from: the library that reads
/// requests, access control, a domain, or a time limit. At other addresses an error gets the id of the request.
pub(in crate::http) async fn one_shape(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let id = id.map(|id| id.0.to_string()).unwrap_or_default();
    if !is_for_programs(request.uri().path()) {
        return identified(next.run(request).await, &id).await;
    }
    let mut response = next.run(request).await;
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        response = shaped(response, &id).await;
    }
    let headers = response.headers_mut();
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// The form of a body, as its type tells it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorBodyForm {
    Json,
    /// A text, or nothing: what the libraries say.
    Plain,
}

/// The form of an error that programs read whole; none for others, such as pages for people.
fn form_of_error(response: &Response) -> Option<ErrorBodyForm> {
    let (status, headers) = (response.status(), response.headers());
    let largest = response.body().size_hint().upper();
    let is_small = largest.is_some_and(|largest| largest <= MAX_ERROR as u64);
    let is_packed = headers.contains_key(header::CONTENT_ENCODING);
    if !(status.is_client_error() || status.is_server_error()) || !is_small || is_packed {
        return None;
    }
    match headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes) {
        Some(kind) if kind.starts_with(b"application/json") => Some(ErrorBodyForm::Json),
        Some(kind) if kind.starts_with(b"text/plain") => Some(ErrorBodyForm::Plain),
        Some(_) => None,
        None => Some(ErrorBodyForm::Plain),
    }
}

/// Puts the id of the request into an error. What has no form gets the one shape.
async fn identified(response: Response, id: &str) -> Response {
    let Some(form) = form_of_error(&response) else {
        return response;
    };
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, MAX_ERROR).await.unwrap_or_default();
    let error = match serde_json::from_slice::<Map<String, Value>>(&body) {
        Ok(error) => with_id(error, id),
        Err(_) if form == ErrorBodyForm::Json => None,
        Err(_) => {
            let json = HeaderValue::from_static("application/json");
            parts.headers.insert(header::CONTENT_TYPE, json);
            Some(of_text(parts.status, &body, id))
        }
    };
    match error {
        Some(error) => {
            tell_log(&mut parts, &error);
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(Value::Object(error).to_string()))
        }
        None => Response::from_parts(parts, Body::from(body)),
    }
}

/// Adds the id to an error of ours or of JSON-RPC; none for other JSON, which stays as it is.
fn with_id(mut error: Map<String, Value>, id: &str) -> Option<Map<String, Value>> {
    if is_text(&error, "code") && is_text(&error, "message") {
        error.insert("request_id".to_owned(), id.into());
        return Some(error);
    }
    is_text(&error, "jsonrpc").then_some(())?;
    let of_rpc = error.get_mut("error")?.as_object_mut()?;
    let data = of_rpc
        .entry("data")
        .or_insert_with(|| Value::Object(Map::new()));
    let data = data.as_object_mut()?;
    data.insert("request_id".to_owned(), id.into());
    Some(error)
}

/// The one shape of an error that is a text, or nothing.
fn of_text(status: StatusCode, body: &[u8], id: &str) -> Map<String, Value> {
    let (code, message) = texts::api::of_status(status);
    let text = str::from_utf8(body).unwrap_or_default().trim();
    let message = if text.is_empty() { message } else { text };
    let mut error = Map::new();
    error.insert("code".to_owned(), code.into());
    error.insert("message".to_owned(), message.into());
    error.insert("request_id".to_owned(), id.into());
    error
}

async fn shaped(response: Response, id: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, MAX_ERROR).await.unwrap_or_default();
    let mut error = match serde_json::from_slice::<Map<String, Value>>(&body) {
        // What a domain says beside code and message stays.
        Ok(error) if is_text(&error, "code") && is_text(&error, "message") => error,
        _ => {
            let (code, message) = texts::api::of_status(parts.status);
            let mut error = Map::new();
            error.insert("code".to_owned(), code.into());
            error.insert("message".to_owned(), message.into());
            error
        }
    };
    error.insert("request_id".to_owned(), id.into());
    tell_log(&mut parts, &error);
    let headers = &mut parts.headers;
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    advise(parts.status, headers);
    Response::from_parts(parts, Body::from(Value::Object(error).to_string()))
}

/// Tells the log line of the request which error is its answer.
fn tell_log(parts: &mut Parts, error: &Map<String, Value>) {
    if let Some(Value::String(code)) = error.get("code") {
        parts.extensions.insert(AnsweredCode(code.as_str().into()));
    }
}

fn is_text(error: &Map<String, Value>, member: &str) -> bool {
    error.get(member).is_some_and(Value::is_string)
}

/// Adds the headers that tell a program what to do next.
fn advise(status: StatusCode, headers: &mut HeaderMap) {
    match status {
        StatusCode::TOO_MANY_REQUESTS if !headers.contains_key(header::RETRY_AFTER) => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(WAIT));
        }
        StatusCode::UNAUTHORIZED if !headers.contains_key(header::WWW_AUTHENTICATE) => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn response(status: u16, kind: Option<&str>, body: &str) -> Response {
        let mut response = Response::new(Body::from(body.to_owned()));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        if let Some(kind) = kind {
            let kind = HeaderValue::from_str(kind).unwrap();
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        response
    }

    #[tokio::test]
    async fn an_error_that_programs_read_has_the_id() {
        let json = Some("application/json");
        let text = Some("text/plain; charset=utf-8");
        let own = r#"{"code":"forbidden","message":"No."}"#;
        let rpc = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#;
        let shape = |code: &str, message: &str| json!({ "code": code, "message": message, "request_id": "job-1" });
        for (status, kind, body, expect) in [
            (403, json, own, shape("forbidden", "No.")),
            (403, text, own, shape("forbidden", "No.")),
            (
                405,
                None,
                "",
                shape(
                    "method_not_allowed",
                    "This address doesn't have this method.",
                ),
            ),
            (
                406,
                text,
                "Not Acceptable\n",
                shape("malformed", "Not Acceptable"),
            ),
            (
                404,
                json,
                rpc,
                json!({ "jsonrpc": "2.0", "id": 1, "error": {
                    "code": -32601, "message": "no", "data": { "request_id": "job-1" },
                } }),
            ),
        ] {
            let answer = identified(response(status, kind, body), "job-1").await;
            let of_json = &answer.headers()[header::CONTENT_TYPE];
            assert_eq!(
                of_json.as_bytes(),
                kind.filter(|_| body == own)
                    .unwrap_or("application/json")
                    .as_bytes()
            );
            let body = to_bytes(answer.into_body(), MAX_ERROR).await.unwrap();
            let answer: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(answer, expect);
        }
        // A page, an answer that is none, and JSON of another form stay as they are.
        for (status, kind, body) in [
            (404, Some("text/html; charset=utf-8"), "<p>No.</p>"),
            (200, json, own),
            (503, json, r#"{"status":"unavailable"}"#),
            (400, json, "[1]"),
        ] {
            let answer = identified(response(status, kind, body), "job-1").await;
            let same = to_bytes(answer.into_body(), MAX_ERROR).await.unwrap();
            assert_eq!(same, body);
        }
    }
}
