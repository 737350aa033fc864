//! The export of the feed.

use axum::{
    Extension,
    body::Body,
    extract::{RawQuery, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode, FeedFilter};
use sign_in::SignedIn;

use super::{Http, bearer};
use crate::{
    feed::{FeedReader, Format, export},
    texts,
};

/// Returns everything that matches a filter, as `format=jsonl` or `format=csv`; the rest of the
/// query is that of the page.
pub(super) async fn file(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let (format, kind, file) = match named_format(&query) {
        Some("jsonl") => (
            Format::JsonLines,
            "application/jsonl; charset=utf-8",
            "attachment; filename=\"feed.jsonl\"",
        ),
        Some("csv") => (
            Format::Csv,
            "text/csv; charset=utf-8; header=present",
            "attachment; filename=\"feed.csv\"",
        ),
        _ => {
            return unknown_format(texts::http::FORMATS_OF_FEED);
        }
    };
    if signed_in.user.toolsets.is_some() {
        return bearer::refuse(texts::http::NEEDS_ALL_TOOLSETS);
    }
    let filter = FeedFilter::from_query(&query);
    let reader = FeedReader {
        user: signed_in.user.id,
        role: signed_in.user.role.min(signed_in.limit),
    };
    let lines = export(http.feed.clone(), reader, filter, format);
    let mut response = Response::new(Body::from_stream(lines));
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, file),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// Returns the format that a query asks for.
pub(super) fn named_format(query: &str) -> Option<&str> {
    let mut fields = query.split('&');
    fields.find_map(|field| field.strip_prefix("format="))
}

/// Returns the answer to an unknown format; `help` lists the known ones.
pub(super) fn unknown_format(help: &str) -> Response {
    let error = ErrorBody::new(ErrorCode::Malformed, texts::http::UNKNOWN_FORMAT);
    (StatusCode::BAD_REQUEST, axum::Json(error.with_help(help))).into_response()
}
