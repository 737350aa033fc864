//! One span and one log line per request.

use std::sync::Arc;

use agent::ports::Correlation;
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode},
    middleware::Next,
    response::Response,
};
use protocol::ErrorCode;
use tokio::time::Instant;
use tracing::Instrument;

use super::api;
use crate::outcomes::code_word;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The id of a request: in its log lines, its answer and, for programs, its error; and in everything that
/// the engine records of it.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) Correlation);

/// Marks an answer whose status is an error, and a valid answer: the log has it as no fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoFault;

/// Marks an answer to somebody who is signed in, or to a program with a token. What strangers are refused could
/// fill the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToSignedIn;

/// The code of an error that is the answer to a request.
#[derive(Debug, Clone)]
pub(super) struct AnsweredCode(pub(super) Arc<str>);

/// Logs what was refused by an answer without a status of its own: a command, a frame, a call. `correlation` is the
/// id that the answer has.
pub(crate) fn log_refusal(of: &'static str, correlation: &str, error: ErrorCode) {
    let code = code_word(&error);
    let code = &*code;
    // A program that goes on asking is refused any number of times.
    if error == ErrorCode::RateLimited {
        tracing::debug!(of, code, correlation, "refused");
    } else {
        tracing::info!(of, code, correlation, "refused");
    }
}

/// Returns the id that a client has given, if there is exactly one that can be taken.
fn given(headers: &HeaderMap) -> Option<Correlation> {
    let mut ids = headers.get_all(REQUEST_ID).iter();
    let id = Correlation::parse(ids.next()?.to_str().ok()?)?;
    ids.next().is_none().then_some(id)
}

/// Returns a path for the log: the token of a shared conversation is left out.
fn shown(path: &str) -> &str {
    const SHARED: &str = "/shared/";
    if path.starts_with(SHARED) {
        SHARED
    } else {
        path
    }
}

/// Gives the request an id, logs it with its status and duration, and returns the id to the client. A
/// program may bring its own, so that its log and this one can be read together. The query is not
/// logged: that of a sign-in link contains its token.
pub(super) async fn request(mut request: Request, next: Next) -> Response {
    let given = api::is_for_programs(request.uri().path()).then(|| given(request.headers()));
    let id = given.flatten();
    let id = id.unwrap_or_else(|| Correlation::made(rand::random()));
    request.extensions_mut().insert(RequestId(id.clone()));
    let span = tracing::info_span!(
        "request",
        id = id.as_str(),
        method = %request.method(),
        path = shown(request.uri().path()),
    );
    let begun = Instant::now();
    async move {
        let mut response = store::of_request(id.clone(), next.run(request)).await;
        let status = response.status();
        let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let is_no_fault = response.extensions().get::<NoFault>().is_some();
        let to_signed_in = response.extensions().get::<ToSignedIn>().is_some();
        let code = response.extensions().get::<AnsweredCode>();
        let code = code.map(|code| &*code.0);
        if status.is_server_error() && !is_no_fault {
            tracing::warn!(status = status.as_u16(), code, ms, "answered");
        } else if status.is_client_error()
            && status != StatusCode::TOO_MANY_REQUESTS
            && to_signed_in
        {
            tracing::info!(status = status.as_u16(), code, ms, "request refused");
        } else {
            tracing::debug!(status = status.as_u16(), code, ms, "answered");
        }
        if let Ok(value) = HeaderValue::from_str(id.as_str()) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    }
    .instrument(span)
    .await
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{REQUEST_ID, given, shown};

    #[test]
    fn an_id_from_outside_is_a_word_or_it_is_not_taken() {
        let longest = "x".repeat(64);
        let too_long = "x".repeat(65);
        for (sent, taken) in [
            (&["a-1._Z"][..], true),
            (&[&longest], true),
            (&[&too_long], false),
            (&[""], false),
            (&[" "], false),
            (&["a b"], false),
            (&["a\tb"], false),
            (&["id=1"], false),
            (&["\"x\""], false),
            (&["ünicode"], false),
            (&["one", "two"], false),
            (&[], false),
        ] {
            let mut headers = HeaderMap::new();
            for id in sent {
                let id = HeaderValue::from_bytes(id.as_bytes()).unwrap();
                headers.append(REQUEST_ID, id);
            }
            assert_eq!(given(&headers).is_some(), taken, "{sent:?}");
        }
    }

    #[test]
    fn no_log_has_what_opens_a_shared_conversation() {
        for (path, expect) in [
            ("/chat/cnv_x", "/chat/cnv_x"),
            ("/shared/secret", "/shared/"),
            ("/shared", "/shared"),
        ] {
            assert_eq!(shown(path), expect);
        }
    }
}
