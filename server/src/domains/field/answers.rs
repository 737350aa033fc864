//! Reading requests of devices, and the one form of answers to them.

use std::{collections::HashMap, str::FromStr};

use axum::{
    body::Bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use field_dispatch::{Dispatch, DispatchRefusal};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use super::texts;

/// The server's time in milliseconds: devices without a clock that can be trusted go by it.
const TIME: HeaderName = HeaderName::from_static("jarvis-time");

const JSON: &str = "application/json";
const OCTETS: &str = "application/octet-stream";

/// An answer to a device. The frame of `/api/v1` adds the id of the request to refusals.
#[derive(Debug)]
pub(super) struct DeviceAnswer {
    status: StatusCode,
    kind: &'static str,
    body: Vec<u8>,
}

impl DeviceAnswer {
    pub(super) fn json(status: StatusCode, body: Vec<u8>) -> Self {
        Self {
            status,
            kind: JSON,
            body,
        }
    }

    /// Bytes of a file.
    pub(super) fn bytes(body: Vec<u8>) -> Self {
        Self {
            status: StatusCode::OK,
            kind: OCTETS,
            body,
        }
    }
}

impl From<StatusCode> for DeviceAnswer {
    fn from(status: StatusCode) -> Self {
        Self::json(status, Vec::new())
    }
}

impl From<DispatchRefusal> for DeviceAnswer {
    fn from(refused: DispatchRefusal) -> Self {
        let status = StatusCode::from_u16(refused.class.status());
        let mut body = json!({
            "code": refused.code,
            "message": refused.message,
            "help": refused.help,
        });
        if let Some(offset) = refused.right {
            body["right"] = json!({ "offset": offset });
        }
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::json(status, body.to_string().into_bytes())
    }
}

impl IntoResponse for DeviceAnswer {
    fn into_response(self) -> Response {
        if self.body.is_empty() {
            return self.status.into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.kind)];
        (self.status, kind, self.body).into_response()
    }
}

/// A refusal that only HTTP has.
pub(super) fn refusal(
    status: StatusCode,
    code: &'static str,
    message: &str,
    help: &str,
) -> DeviceAnswer {
    let body = json!({ "code": code, "message": message, "help": help });
    DeviceAnswer::json(status, body.to_string().into_bytes())
}

/// A success.
pub(super) fn answered(answer: &impl Serialize) -> Result<DeviceAnswer, DeviceAnswer> {
    match serde_json::to_vec(answer) {
        Ok(body) => Ok(DeviceAnswer::json(StatusCode::OK, body)),
        Err(error) => {
            tracing::error!(%error, "an answer of the field devices cannot be written");
            Err(StatusCode::INTERNAL_SERVER_ERROR.into())
        }
    }
}

/// The message in a body.
pub(super) fn message_of<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<T, DeviceAnswer> {
    plain(headers, JSON, texts::BODY_IS_NO_JSON)?;
    serde_json::from_slice(body).map_err(|_| malformed(texts::BODY_IS_NO_JSON))
}

/// The bytes of a piece of a text.
pub(super) fn bytes_of<'b>(headers: &HeaderMap, body: &'b Bytes) -> Result<&'b [u8], DeviceAnswer> {
    plain(headers, OCTETS, texts::BODY_IS_NO_CHUNK)?;
    Ok(body)
}

/// Refuses other types, and bodies that are packed: nothing here unpacks anything.
fn plain(headers: &HeaderMap, kind: &str, message: &'static str) -> Result<(), DeviceAnswer> {
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(unsupported(texts::BODY_IS_PACKED));
    }
    let said = headers.get(header::CONTENT_TYPE);
    let said = said.and_then(|said| said.to_str().ok()).unwrap_or_default();
    let said = said.split(';').next().unwrap_or_default().trim();
    let is_kind = said.eq_ignore_ascii_case(kind);
    is_kind.then_some(()).ok_or_else(|| unsupported(message))
}

fn unsupported(message: &str) -> DeviceAnswer {
    refusal(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        message,
        texts::SAME_WOULD_FAIL_AGAIN,
    )
}

fn malformed(message: &str) -> DeviceAnswer {
    refusal(
        StatusCode::BAD_REQUEST,
        "bad_request",
        message,
        texts::SAME_WOULD_FAIL_AGAIN,
    )
}

/// A number of the query.
pub(super) fn number_of<T: FromStr>(
    query: &HashMap<String, String>,
    name: &str,
) -> Result<T, DeviceAnswer> {
    let number = query.get(name).and_then(|text| text.parse().ok());
    number.ok_or_else(|| malformed(texts::QUERY_IS_INCOMPLETE))
}

/// Adds the server's time to each answer, refusals too.
pub(super) async fn with_time(
    State(dispatch): State<Dispatch>,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    timed(&dispatch, response)
}

/// The response with the server's time.
pub(super) fn timed(dispatch: &Dispatch, mut response: Response) -> Response {
    let now = HeaderValue::from(dispatch.now_ms());
    response.headers_mut().insert(TIME, now);
    response
}
