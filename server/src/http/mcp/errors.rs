//! Errors of the protocol: a message that is none, a method that is not there, parameters that do not fit.

use agent::clean_text;
use axum::{
    body::{Body, HttpBody, to_bytes},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use rmcp::model::{ErrorCode, ErrorData, JsonRpcError};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::{http::trace::RequestId, texts};

/// The most of an answer that is looked at for an error, in bytes: longer ones are results.
const MAX_ERROR: usize = 64 * 1024;
/// Characters of an unknown name that an answer repeats.
const MAX_NAME: usize = 64;
/// Methods with parameters that are carried out here, in both eras of the protocol and in the older one.
const METHODS: [&str; 2] = ["tools/list", "tools/call"];
const OLDER_METHODS: [&str; 1] = ["initialize"];

/// A name from a client as an answer repeats it.
pub(super) fn shown(name: &str) -> String {
    clean_text(name).chars().take(MAX_NAME).collect()
}

/// True if a body says that it is JSON, as the library reads it.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// The answer to a body that is no message, which the library takes for one of another type.
pub(super) fn no_message(body: &[u8]) -> Response {
    let error = match serde_json::from_slice::<IgnoredAny>(body) {
        Ok(_) => ErrorData::invalid_request(texts::mcp::NO_MESSAGE, None),
        Err(error) => ErrorData::parse_error(texts::api::no_json(&error), None),
    };
    let answer = axum::Json(JsonRpcError::new(None, error));
    (StatusCode::BAD_REQUEST, answer).into_response()
}

/// The error of a request that the library could not read as one of a method that it knows. With a method of
/// ours it is the parameters that do not fit.
pub(super) fn of_unread(method: &str, is_current: bool) -> ErrorData {
    let is_older = !is_current && OLDER_METHODS.contains(&method);
    if METHODS.contains(&method) || is_older {
        ErrorData::invalid_params(texts::mcp::params_do_not_fit(method), None)
    } else {
        // As the library has it for a method that it knows: `told` makes a sentence of either.
        ErrorData::new(ErrorCode::METHOD_NOT_FOUND, shown(method), None)
    }
}

/// Puts the id of the request into an error, and a sentence in place of a bare name. Most errors are answers with
/// the status 200, which nothing behind looks at.
pub(super) async fn told(response: Response, id: &RequestId) -> Response {
    let largest = response.body().size_hint().upper();
    let is_small = largest.is_some_and(|largest| largest <= MAX_ERROR as u64);
    if !is_small || !is_json(response.headers()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, MAX_ERROR).await.unwrap_or_default();
    let Ok(mut answer) = serde_json::from_slice::<JsonRpcError>(&body) else {
        return Response::from_parts(parts, Body::from(body));
    };
    let error = &mut answer.error;
    tracing::info!(
        of = "call",
        code = error.code.0,
        correlation = id.0.as_str(),
        "refused"
    );
    if error.code == ErrorCode::METHOD_NOT_FOUND {
        error.message = texts::mcp::no_such_method(&shown(&error.message)).into();
    }
    let data = error.data.get_or_insert_with(|| Value::Object(Map::new()));
    if let Some(data) = data.as_object_mut() {
        data.insert("request_id".to_owned(), id.0.as_str().into());
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    let body = axum::Json(answer).into_response().into_body();
    Response::from_parts(parts, body)
}
