//! The one shape of errors for programs: below `/api/v1` and at other interfaces of theirs.

use std::{borrow::Cow, time::Duration};

use axum::{
    body::{Body, HttpBody, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::is_for_programs;
use crate::{
    http::{limited::Limited, status::status, trace::RequestId},
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
            code: word(error.code),
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

/// Returns a code as it is written.
fn word(code: ErrorCode) -> Cow<'static, str> {
    match serde_json::to_value(code) {
        Ok(Value::String(word)) => Cow::Owned(word),
        _ => Cow::Borrowed("unknown"),
    }
}

/// Gives every error for a program its shape, wherever it comes from: the library that reads
/// requests, access control, a domain, or a time limit. Other errors in JSON get the id of the request
/// too, except those of the pages' own functions, whose clients read it from the header.
pub(in crate::http) async fn one_shape(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let id = id.map(|id| id.0.to_string()).unwrap_or_default();
    if !is_for_programs(request.uri().path()) {
        let is_of_pages = request.uri().path().starts_with("/api/");
        let response = next.run(request).await;
        return if !is_of_pages && is_json_error(&response) {
            named(response, &id).await
        } else {
            response
        };
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

/// True for an error in JSON whose size is known and small.
fn is_json_error(response: &Response) -> bool {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let largest = response.body().size_hint().upper();
    (status.is_client_error() || status.is_server_error())
        && is_json
        && largest.is_some_and(|largest| largest <= MAX_ERROR as u64)
}

/// Adds the id of the request to an error of ours; other JSON stays as it is.
async fn named(response: Response, id: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, MAX_ERROR).await.unwrap_or_default();
    match serde_json::from_slice::<Map<String, Value>>(&body) {
        Ok(mut error) if is_text(&error, "code") && is_text(&error, "message") => {
            error.insert("request_id".to_owned(), id.into());
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(Value::Object(error).to_string()))
        }
        _ => Response::from_parts(parts, Body::from(body)),
    }
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
    let headers = &mut parts.headers;
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    advise(parts.status, headers);
    Response::from_parts(parts, Body::from(Value::Object(error).to_string()))
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
