//! Answers of handlers, and their form as HTTP responses of pveproxy.

use std::collections::BTreeMap;

use bytes::Bytes;
use http_body_util::Full;
use hyper::ext::ReasonPhrase;
use hyper::header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderValue, PRAGMA, SERVER};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

/// The value of `data`, and the total number of rows if the answer is a page of them.
#[derive(Debug)]
pub(crate) struct Reply {
    pub data: Value,
    pub total: Option<usize>,
}

impl From<Value> for Reply {
    fn from(data: Value) -> Self {
        Self { data, total: None }
    }
}

/// An error answer: the status, the message for the reason phrase and the body, and the texts for
/// invalid parameters.
#[derive(Debug)]
pub(crate) struct Fail {
    pub status: u16,
    pub message: String,
    pub errors: BTreeMap<String, String>,
}

impl Fail {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            errors: BTreeMap::new(),
        }
    }

    /// Missing, wrong or expired credentials.
    pub(crate) fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(401, message)
    }

    /// A missing privilege; `what` is the path and the privilege.
    pub(crate) fn forbidden(what: &str) -> Self {
        Self::new(403, format!("Permission check failed ({what})"))
    }

    /// An error in the node's own code.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(500, message)
    }

    /// Parameters that violate the schema.
    pub(crate) fn parameters(errors: BTreeMap<String, String>) -> Self {
        Self {
            status: 400,
            message: "Parameter verification failed.".into(),
            errors,
        }
    }

    /// A parameter rejected for a reason beyond the schema.
    pub(crate) fn parameter(name: &str, text: impl Into<String>) -> Self {
        Self::parameters(BTreeMap::from([(name.to_owned(), text.into())]))
    }
}

pub(crate) type ReplyResult = Result<Reply, Fail>;

/// The response for an outcome.
pub(crate) fn respond(outcome: ReplyResult) -> Response<Full<Bytes>> {
    match outcome {
        Ok(Reply { data, total }) => {
            let mut body = json!({ "data": data });
            if let Some(total) = total {
                body["total"] = total.into();
            }
            response(200, None, body.to_string())
        }
        // A node that cannot be reached writes no body.
        Err(fail) if fail.status >= 595 => {
            response(fail.status, Some(&fail.message), String::new())
        }
        Err(fail) => {
            let mut body = json!({ "data": null, "message": format!("{}\n", fail.message) });
            if !fail.errors.is_empty() {
                body["errors"] = json!(fail.errors);
            }
            response(fail.status, Some(&fail.message), body.to_string())
        }
    }
}

fn response(status: u16, reason: Option<&str>, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(body));
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(reason) = reason.and_then(|text| ReasonPhrase::try_from(text.as_bytes()).ok()) {
        response.extensions_mut().insert(reason);
    }
    let headers = response.headers_mut();
    headers.insert(SERVER, HeaderValue::from_static("pve-api-daemon/3.0"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("max-age=0"));
    headers.insert(PRAGMA, HeaderValue::from_static("no-cache"));
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/json;charset=UTF-8"),
    );
    if status >= 400 {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
