//! The QR code of a link as a picture, so that a phone can open what a computer shows.

use axum::{
    body::Body,
    extract::{Query, rejection::QueryRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};
use serde::Deserialize;

use crate::texts;

/// The longest text of a code, in bytes: links of ours are far shorter.
const LONGEST: usize = 512;
/// It is a picture alone, also where somebody opens it as a page.
const POLICY: &str = "default-src 'none'; sandbox";

#[derive(Deserialize)]
pub(super) struct QrWanted {
    text: String,
}

/// Draws `?text=`.
pub(super) async fn drawing(wanted: Result<Query<QrWanted>, QueryRejection>) -> Response {
    let text = wanted.ok().map(|Query(wanted)| wanted.text);
    let text = text.filter(|text| text.len() <= LONGEST);
    let Some(svg) = text.and_then(|text| app::plain_pages::qr_svg(&text)) else {
        let error = ErrorBody::new(ErrorCode::Malformed, texts::http::NO_QR_CODE);
        return (StatusCode::BAD_REQUEST, axum::Json(error)).into_response();
    };
    let mut response = Response::new(Body::from(svg));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // The link may be a secret.
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
