//! Errors in the format of the Messages API.

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};
use serde_json::{Value, json};

/// An error response: status, type, message, and optionally details with a code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) details: Option<Value>,
}

impl Refusal {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            kind: kind(status),
            message: message.into(),
            details: None,
        }
    }

    /// An error with status 400.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    /// The error object, also used in `error` events.
    pub(crate) fn error(&self) -> Value {
        let mut error = json!({ "type": self.kind, "message": self.message });
        if let Some(details) = &self.details {
            error["details"] = details.clone();
        }
        error
    }

    pub(crate) fn into_response(self, request_id: &str) -> Response<Body> {
        let body = json!({ "type": "error", "error": self.error(), "request_id": request_id });
        json_response(self.status, &body, request_id)
    }
}

/// The error type of a status.
pub(crate) fn kind(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        408 | 504 => "timeout_error",
        409 => "conflict_error",
        413 => "request_too_large",
        422 => "unprocessable_entity_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ if status < 500 => "invalid_request_error",
        _ => "api_error",
    }
}

/// A JSON response with its `request-id`.
pub(crate) fn json_response(status: u16, body: &Value, request_id: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    set_header(&mut response, "request-id", request_id);
    response
}

/// Sets a header; an invalid value is left out.
pub(crate) fn set_header(response: &mut Response<Body>, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}
