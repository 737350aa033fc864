//! Bodies and queries of requests, read strictly.

use std::fmt::Display;

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Query, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use serde::de::{DeserializeOwned, IgnoredAny};

use super::refusal::RequestRefusal;
use crate::{http::Http, texts};

/// A JSON body. Without a body it is read as an empty object.
pub(in crate::http) struct JsonBody<T>(pub(in crate::http) T);

impl<T: DeserializeOwned> FromRequest<Http> for JsonBody<T> {
    type Rejection = RequestRefusal;

    async fn from_request(request: Request, _: &Http) -> Result<Self, RequestRefusal> {
        let is_json = is_json(request.headers());
        let body = whole(request).await?;
        if body.is_empty() {
            return parsed(b"{}").map(Self);
        }
        if !is_json {
            let refused = RequestRefusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                texts::api::JSON_ONLY,
            );
            return Err(refused.with_help(texts::api::NAME_THE_TYPE));
        }
        parsed(&body).map(Self)
    }
}

/// A query. A field that is not known is an error: it is more likely a mistake than of no matter.
pub(super) struct ApiQuery<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Http> for ApiQuery<T> {
    type Rejection = RequestRefusal;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, RequestRefusal> {
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(query)) => Ok(Self(query)),
            Err(error) => {
                let message = texts::api::query_does_not_fit(&error.body_text());
                let refused = RequestRefusal::new(StatusCode::BAD_REQUEST, "malformed", message);
                Err(refused.with_help(texts::api::SEE_OPENAPI))
            }
        }
    }
}

/// Reads a body to its end. Its route has limited it.
pub(in crate::http) async fn whole(request: Request) -> Result<Bytes, RequestRefusal> {
    let read = Bytes::from_request(request, &()).await;
    read.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => RequestRefusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            texts::http::REQUEST_IS_TOO_LARGE,
        ),
        _ => RequestRefusal::new(
            StatusCode::BAD_REQUEST,
            "malformed",
            texts::api::BODY_BROKE_OFF,
        ),
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
    let kind = kind.trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, RequestRefusal> {
    // A struct could be read from a list of its members, too.
    let is_object = body.trim_ascii_start().starts_with(b"{");
    let refused = match serde_json::from_slice(body) {
        Ok(read) if is_object => return Ok(read),
        Ok(_) => does_not_fit(&texts::api::NO_OBJECT),
        Err(error) => match serde_json::from_slice::<IgnoredAny>(body) {
            Ok(_) => does_not_fit(&error),
            Err(error) => RequestRefusal::new(
                StatusCode::BAD_REQUEST,
                "malformed",
                texts::api::no_json(&error),
            ),
        },
    };
    Err(refused.with_help(texts::api::SEE_OPENAPI))
}

fn does_not_fit(why: &impl Display) -> RequestRefusal {
    RequestRefusal::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "body_invalid",
        texts::api::body_does_not_fit(why),
    )
}
