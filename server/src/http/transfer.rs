//! The export of a conversation.

use agent::Sight;
use axum::{
    Extension,
    body::Body,
    extract::{Path, RawQuery, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{ConversationId, ConversationSummary, ErrorBody, ErrorCode, Seq};
use sign_in::SignedIn;
use store::Error;

use super::{
    Http, bearer,
    feed::{named_format, unknown_format},
};
use crate::{
    texts,
    transfer::{Format, export},
};

/// The longest part of a file name that comes from the title, in bytes.
const MAX_SLUG: usize = 60;

/// Returns one of the user's conversations, as `format=md` or `format=json`.
pub(super) async fn file(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let (format, kind, extension) = match named_format(&query) {
        Some("md") => (Format::Markdown, "text/markdown; charset=utf-8", "md"),
        Some("json") => (Format::Json, "application/json", "json"),
        _ => {
            return unknown_format(texts::http::FORMATS_OF_CONVERSATION);
        }
    };
    let (summary, head, sight) = match find(&http, &signed_in, &id).await {
        Ok(found) => found,
        Err(refusal) => return *refusal,
    };
    // Only the file's first owner knows whose words an imported file contains.
    let person = match summary.imported {
        Some(_) => "User".to_owned(),
        None => signed_in.user.name,
    };
    let name = format!("{}.{extension}", slug(&summary.title));
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    let text = export(http.store.clone(), summary, head, sight, person, format);
    let mut response = Response::new(Body::from_stream(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // It consists of letters, digits and hyphens.
    let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
    headers.insert(header::CONTENT_DISPOSITION, disposition);
    response
}

/// Returns the conversation, if it is the user's and within the scope of the sign-in, and the sight of
/// it that the sign-in has.
async fn find(
    http: &Http,
    signed_in: &SignedIn,
    id: &str,
) -> Result<(ConversationSummary, Seq, Sight), Box<Response>> {
    let missing = || {
        let message = texts::http::CONVERSATION_NOT_FOUND;
        let error = ErrorBody::new(ErrorCode::ConversationNotFound, message);
        Box::new((StatusCode::NOT_FOUND, axum::Json(error)).into_response())
    };
    let id: ConversationId = id.parse().map_err(|_| missing())?;
    let failed = |error: Error| match error {
        Error::NotFound => missing(),
        error => {
            tracing::error!(%error, "a conversation could not be read");
            let message = texts::http::DATABASE_COULD_NOT_BE_READ;
            let error =
                ErrorBody::new(ErrorCode::StorageFailed, message).with_help(texts::http::SEE_LOG);
            Box::new((StatusCode::SERVICE_UNAVAILABLE, axum::Json(error)).into_response())
        }
    };
    let found = http.store.conversation_head(signed_in.user.id, id).await;
    let (summary, head) = found.map_err(failed)?;
    if let Some(toolsets) = &signed_in.user.toolsets {
        let within = http.store.within(vec![summary.clone()], toolsets).await;
        if within.map_err(failed)?.is_empty() {
            let refusal = bearer::refuse(texts::http::TOKEN_LACKS_TOOLSETS);
            return Err(Box::new(refusal));
        }
    }
    let role = signed_in.user.role.min(signed_in.limit);
    let sight = http.engine.sight(role, id).await.map_err(|error| {
        Box::new((StatusCode::SERVICE_UNAVAILABLE, axum::Json(error)).into_response())
    })?;
    Ok((summary, head, sight))
}

/// Turns a title into a file name: no character in it has a meaning for a shell, a header or a
/// disk.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars() {
        if slug.len() >= MAX_SLUG {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "conversation".to_owned()
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        for (title, name) in [
            ("How is the cluster?", "how-is-the-cluster"),
            ("../../etc/passwd", "etc-passwd"),
            ("a\"; filename=\"b.exe\r\nx: y", "a-filename-b-exe-x-y"),
            ("Übersicht", "bersicht"),
            ("…", "conversation"),
            ("", "conversation"),
        ] {
            assert_eq!(slug(title), name, "{title:?}");
        }
        assert!(slug(&"x ".repeat(500)).len() <= MAX_SLUG);
    }
}
