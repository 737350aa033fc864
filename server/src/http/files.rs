//! Files that come with a message: uploaded before it is sent, served to their owner.

use agent::ports::StoredFile;
use axum::{
    Extension,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::StreamExt;
use protocol::{ErrorBody, ErrorCode, MAX_IMAGE_BYTES, Reference, Role};
use serde::Deserialize;
use sign_in::SignedIn;
use store::Error;
use tokio::sync::OwnedSemaphorePermit;

use super::{Http, bearer, status::status};
use crate::texts;

/// The most that is read of a file that is too large, only to be discarded: a browser shows the
/// answer only after it has sent everything.
const MAX_SENT: usize = 4 * MAX_IMAGE_BYTES;

/// The content security policy of a file: a browser may show it, and nothing else.
const POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

#[derive(Deserialize)]
pub(super) struct Named {
    #[serde(default)]
    name: String,
}

/// Stores the body as a file of the user. Its name is in the query; its type is detected from its
/// bytes. A message can then refer to it by the answer.
pub(super) async fn keep(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Query(named): Query<Named>,
    body: Body,
) -> Response {
    // An upload is the start of a message, and follows the same rule.
    if signed_in.is_program() && signed_in.limit < Role::Operator {
        return bearer::refuse_reader();
    }
    match take(&http, &signed_in, &named.name, body).await {
        Ok(reference) => axum::Json(reference).into_response(),
        Err(error) => (status(error.code), axum::Json(error)).into_response(),
    }
}

async fn take(
    http: &Http,
    signed_in: &SignedIn,
    name: &str,
    body: Body,
) -> Result<Reference, ErrorBody> {
    let refused = |message: &str| ErrorBody::new(ErrorCode::FileRefused, message);
    let user = signed_in.user.id;
    // Each upload takes memory while it is read, and a slow one delays only its own user's.
    let _reading = http.allowances.upload(user).await?;
    let mut body = body.into_data_stream();
    let mut content = Vec::new();
    let mut sent = 0_usize;
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|_| refused(texts::http::FILE_ARRIVED_INCOMPLETE))?;
        sent = sent.saturating_add(piece.len());
        if sent > MAX_SENT {
            break;
        }
        if sent <= MAX_IMAGE_BYTES {
            content.extend_from_slice(&piece);
        }
    }
    if sent > MAX_IMAGE_BYTES {
        return Err(refused(texts::http::FILE_IS_TOO_LARGE));
    }
    let file = StoredFile::new(content)?;
    let reference = file.reference(name);
    http.allowances.keep(user, sent)?;
    let kept = http.store.keep(user, &file, http.now()).await;
    kept.map_err(|error| match error {
        Error::TooMany => {
            refused(texts::http::TOO_MANY_FILES_WAIT).with_help(texts::http::SEND_THEIR_MESSAGES)
        }
        error => {
            tracing::error!(%error, "a file could not be kept");
            let message = match error {
                Error::Full => texts::SERVER_DISK_IS_FULL,
                _ => texts::http::SERVER_COULD_NOT_SAVE_FILE,
            };
            ErrorBody::new(ErrorCode::StorageFailed, message)
                .with_help(texts::http::TRY_AGAIN_LATER)
        }
    })?;
    Ok(reference)
}

/// The content of a file on its way to a client, with the permit for the memory that it takes: both
/// are dropped when the last of it is handed to the connection.
struct Sent {
    content: Vec<u8>,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.content
    }
}

/// Serves a file to its owner.
pub(super) async fn give(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Path(id): Path<String>,
) -> Response {
    if signed_in.user.toolsets.is_some() {
        return bearer::refuse(texts::http::NEEDS_ALL_TOOLSETS);
    }
    let permit = match http.allowances.download(signed_in.user.id).await {
        Ok(permit) => permit,
        Err(error) => return (status(error.code), axum::Json(error)).into_response(),
    };
    let file = match http.store.kept(signed_in.user.id, &id).await {
        Ok(Some(file)) => file,
        Ok(None) => {
            let error = ErrorBody::new(ErrorCode::FileNotFound, texts::http::FILE_NOT_FOUND);
            return (StatusCode::NOT_FOUND, axum::Json(error)).into_response();
        }
        Err(error) => {
            tracing::error!(%error, "a file could not be read");
            let error = ErrorBody::new(ErrorCode::StorageFailed, texts::FILE_COULD_NOT_BE_READ);
            return (StatusCode::SERVICE_UNAVAILABLE, axum::Json(error)).into_response();
        }
    };
    // As detected from the bytes; a text is never anything else.
    let kind = match file.kind.as_str() {
        "image/png" => "image/png",
        "image/jpeg" => "image/jpeg",
        "image/gif" => "image/gif",
        "image/webp" => "image/webp",
        _ => "text/plain; charset=utf-8",
    };
    let content = Bytes::from_owner(Sent {
        content: file.content,
        _permit: permit,
    });
    let mut response = Response::new(Body::from(content));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, "inline"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // The content under an id never changes; the sign-in is checked again after a while.
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
