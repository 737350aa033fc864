//! Validation of authentication, version and content type.

use axum::http::{HeaderMap, header};

use crate::refusal::Refusal;

/// API version requested by the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// `2023-06-01`.
    V2023,
    /// `2026-10-21`.
    V2026,
}

/// Header used for authentication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Auth {
    ApiKey,
    Bearer,
}

/// Authenticates the client.
pub(crate) fn auth(headers: &HeaderMap, key: &str) -> Result<Auth, Refusal> {
    let api_key = headers.get("x-api-key").map(|value| value.as_bytes());
    let authorization = headers
        .get(header::AUTHORIZATION)
        .map(|value| value.as_bytes());
    let (given, auth) = match (api_key, authorization) {
        (Some(_), Some(_)) => {
            return Err(Refusal::invalid(
                "x-api-key and authorization headers are mutually exclusive; send one",
            ));
        }
        (Some(given), None) => (given, Auth::ApiKey),
        (None, Some(value)) => {
            let Some(given) = value
                .strip_prefix(b"Bearer ")
                .or_else(|| value.strip_prefix(b"bearer "))
            else {
                return Err(Refusal::new(401, "Invalid authorization header"));
            };
            (given, Auth::Bearer)
        }
        (None, None) => return Err(Refusal::new(401, "x-api-key header is required")),
    };
    if given != key.as_bytes() {
        return Err(Refusal::new(401, "invalid x-api-key"));
    }
    Ok(auth)
}

/// Checks the version.
pub(crate) fn version(headers: &HeaderMap) -> Result<Version, Refusal> {
    let Some(version) = headers.get("anthropic-version") else {
        return Err(Refusal::invalid("anthropic-version: header is required"));
    };
    match version.as_bytes() {
        b"2026-10-21" => Ok(Version::V2026),
        b"2023-06-01" => Ok(Version::V2023),
        other => Err(Refusal::invalid(format!(
            "anthropic-version: {:?} is not a valid version",
            String::from_utf8_lossy(other)
        ))),
    }
}

/// Checks that the content type is JSON.
pub(crate) fn content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let json = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| {
            let media = value.split(';').next().unwrap_or_default();
            media.trim().eq_ignore_ascii_case("application/json")
        });
    if json {
        Ok(())
    } else {
        Err(Refusal::invalid(
            "content-type: header must be application/json",
        ))
    }
}
