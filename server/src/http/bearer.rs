//! The requests that tokens of programs may make.

use axum::{
    Extension,
    extract::Request,
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode, Role};
use sign_in::SignedIn;

use crate::texts;

/// Server functions that only read.
const READING: [&str; 22] = [
    "code",
    "trace",
    "shares",
    "shared",
    "shared_history",
    "history",
    "models",
    "spending",
    "frame",
    "forks",
    "effects",
    "status",
    "conversations",
    "conversation",
    "board",
    "page",
    "feed",
    "feed_entry",
    "archived",
    "folders",
    "in_folder",
    "search",
];

/// True for paths of server functions that only read.
pub(super) fn only_reads(path: &str) -> bool {
    let function = path.strip_prefix("/api/");
    function.is_some_and(|function| READING.contains(&function))
}

/// Server functions that respect the toolsets of a token. Others concern all of them, and refuse a
/// token limited to some.
const SCOPED: [&str; 24] = [
    "share",
    "shares",
    "unshare",
    "shared",
    "shared_history",
    "history",
    "models",
    "frame",
    "forks",
    "effects",
    "status",
    "to_front",
    "conversations",
    "conversation",
    "board",
    "page",
    "rename",
    "delete",
    "shelve",
    "seen",
    "archived",
    "in_folder",
    "put_in_folder",
    "search",
];

/// Keeps programs from functions for people: a token cannot create another, nor change a password.
pub(super) async fn people_only(
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    if signed_in.is_program() {
        return refuse(texts::http::FOR_PEOPLE_ONLY);
    }
    next.run(request).await
}

/// Keeps read-only tokens from functions that change something.
pub(super) async fn may_call(
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    let function = request.uri().path().strip_prefix("/api/");
    let among = |list: &[&str]| function.is_some_and(|function| list.contains(&function));
    if signed_in.is_program() {
        if !among(&READING) && signed_in.limit < Role::Operator {
            return refuse_reader();
        }
        if signed_in.user.toolsets.is_some() && !among(&SCOPED) {
            return refuse(texts::http::NEEDS_ALL_TOOLSETS);
        }
    }
    next.run(request).await
}

/// Refuses a token that only reads.
pub(super) fn refuse_reader() -> Response {
    let error = ErrorBody::new(
        ErrorCode::RoleNotEnough,
        texts::http::THIS_TOKEN_IS_READ_ONLY,
    );
    let error = error.with_help(texts::http::CREATE_AN_OPERATORS_TOKEN);
    (StatusCode::FORBIDDEN, axum::Json(error)).into_response()
}

pub(super) fn refuse(message: &str) -> Response {
    let error = ErrorBody::new(ErrorCode::RoleNotEnough, message);
    (StatusCode::FORBIDDEN, axum::Json(error)).into_response()
}
