//! Failures of a call, classified once.

use std::sync::Arc;
use std::time::Duration;

use agent::ports::{ModelError, ModelErrorKind};
use protocol::Usage;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::value::RawValue;

use crate::accumulate::StreamFault;
use crate::event::VendorError;
use crate::key::ModelKey;
use crate::texts;

/// Characters of the vendor's own text that a person is shown.
const MAX_DETAIL: usize = 300;

/// A failed attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) kind: ModelErrorKind,
    pub(crate) message: String,
    pub(crate) status: Option<u16>,
    pub(crate) request_id: Option<String>,
    /// True if the same request may succeed later.
    pub(crate) retryable: bool,
    /// The headers that say when to retry; empty without a response.
    pub(crate) headers: HeaderMap,
}

impl Failure {
    fn new(kind: ModelErrorKind, detail: &str) -> Self {
        Self {
            kind,
            message: texts::with_detail(texts::of_failure(kind), detail),
            status: None,
            request_id: None,
            retryable: false,
            headers: HeaderMap::new(),
        }
    }

    /// No bytes for this long, counted from the request or from the last byte.
    ///
    /// Not retried: the other side may be at work on the request, and would do and bill it twice.
    pub(crate) fn silence(limit: Duration) -> Self {
        let detail = format!("nothing came for {} s", limit.as_secs());
        Self::new(ModelErrorKind::Timeout, &detail)
    }

    /// The request did not reach the other side, or its answer did not come back.
    pub(crate) fn transport(error: &reqwest::Error) -> Self {
        Self {
            retryable: !error.is_builder(),
            ..Self::new(ModelErrorKind::Unreachable, cause(error))
        }
    }

    /// The connection broke inside the answer.
    pub(crate) fn broken(error: &reqwest::Error) -> Self {
        Self::new(ModelErrorKind::Protocol, cause(error))
    }

    /// A redirect. It is not followed: another address is another server.
    fn redirect(status: StatusCode, headers: &HeaderMap) -> Self {
        let detail = format!("the server answered with a redirect ({})", status.as_u16());
        Self {
            status: Some(status.as_u16()),
            request_id: request_id(headers),
            headers: headers.clone(),
            ..Self::new(ModelErrorKind::Address, &detail)
        }
    }

    /// An invalid answer.
    pub(crate) fn fault(fault: StreamFault, key: Option<&ModelKey>) -> Self {
        match fault {
            StreamFault::Vendor(error) => Self::vendor(error, key),
            fault => Self::new(ModelErrorKind::Protocol, &fault.to_string()),
        }
    }

    /// An error that came as an event after the response had begun.
    fn vendor(error: VendorError, key: Option<&ModelKey>) -> Self {
        let verdict = RetryVerdict::of(&error, None);
        Self {
            message: texts::with_detail(verdict.sentence(), &detail(&error, None, "", key)),
            retryable: matches!(
                verdict.kind,
                ModelErrorKind::Overloaded
                    | ModelErrorKind::RateLimited
                    | ModelErrorKind::Timeout
                    | ModelErrorKind::Failed
            ) && !verdict.spend_limit,
            request_id: error.request_id,
            ..Self::new(verdict.kind, "")
        }
    }

    /// A response that is not the answer. `body` may be anything.
    pub(crate) fn response(
        status: StatusCode,
        headers: &HeaderMap,
        body: &str,
        key: Option<&ModelKey>,
    ) -> Self {
        if status.is_redirection() {
            return Self::redirect(status, headers);
        }
        let error = VendorError::parse(body).unwrap_or_default();
        let verdict = RetryVerdict::of(&error, Some(status));
        let retryable = match header(headers, "x-should-retry") {
            Some("true") => true,
            Some("false") => false,
            _ => {
                (matches!(status.as_u16(), 408 | 409 | 429) || status.as_u16() >= 500)
                    && !verdict.spend_limit
            }
        };
        let kind_of_body = match (
            body.trim().is_empty(),
            header(headers, CONTENT_TYPE.as_str()),
        ) {
            (true, _) => "no body",
            (false, Some(kind)) => kind,
            (false, None) => "an unknown body",
        };
        let detail = detail(&error, Some(status), kind_of_body, key);
        Self {
            kind: verdict.kind,
            message: texts::with_detail(verdict.sentence(), &detail),
            status: Some(status.as_u16()),
            request_id: request_id(headers).or(error.request_id),
            retryable,
            headers: headers.clone(),
        }
    }

    /// A successful response that is no event stream.
    pub(crate) fn not_a_stream(
        status: StatusCode,
        headers: &HeaderMap,
        body: &str,
        key: Option<&ModelKey>,
    ) -> Self {
        let kind = header(headers, CONTENT_TYPE.as_str()).unwrap_or("something else");
        let failure = match VendorError::parse(body) {
            Some(error) => Self::vendor(error, key),
            None => Self::new(
                ModelErrorKind::Protocol,
                &clean(
                    &format!("it answered with {kind}, not with an event stream"),
                    key,
                ),
            ),
        };
        Self {
            status: Some(status.as_u16()),
            request_id: request_id(headers),
            retryable: false,
            ..failure
        }
    }

    /// A request that is longer than the API takes.
    pub(crate) fn too_large(bytes: usize) -> Self {
        let detail = format!("the request has {bytes} bytes");
        Self::new(ModelErrorKind::ContextOverflow, &detail)
    }

    /// A request that a local server would cut without a word. Both figures are tokens; that of the
    /// request is an estimate.
    pub(crate) fn beyond_window(prompt: u64, window: u64) -> Self {
        let detail = format!("about {prompt} tokens, and the server runs it with {window}");
        Self::new(ModelErrorKind::ContextOverflow, &detail)
    }

    /// The error that ends the call.
    pub(crate) fn into_error(self, partial: Vec<Arc<RawValue>>, usage: Usage) -> ModelError {
        ModelError {
            kind: self.kind,
            message: self.message,
            status: self.status,
            request_id: self.request_id,
            partial,
            usage,
        }
    }
}

/// The vendor's id of a request.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<String> {
    header(headers, "request-id").map(|id| clean(id, None))
}

pub(crate) fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

struct RetryVerdict {
    kind: ModelErrorKind,
    spend_limit: bool,
}

impl RetryVerdict {
    /// Types with one clear meaning decide before the status, the status before vague types.
    fn of(error: &VendorError, status: Option<StatusCode>) -> Self {
        use ModelErrorKind as Kind;
        let kind = error.kind.as_deref().unwrap_or_default();
        let code = error
            .details
            .as_ref()
            .and_then(|details| details.error_code.as_deref())
            .unwrap_or_default();
        let by_type = match kind {
            "authentication_error" => Some(Kind::Authentication),
            "permission_error" | "billing_error" => Some(Kind::Permission),
            "not_found_error" => Some(Kind::NotFound),
            "request_too_large" | "exceed_context_size_error" => Some(Kind::ContextOverflow),
            "rate_limit_error" => Some(Kind::RateLimited),
            "overloaded_error" => Some(Kind::Overloaded),
            "timeout_error" => Some(Kind::Timeout),
            _ => None,
        };
        let by_status = || {
            Some(match status?.as_u16() {
                401 => Kind::Authentication,
                402 | 403 => Kind::Permission,
                404 => Kind::NotFound,
                408 | 504 => Kind::Timeout,
                413 => Kind::ContextOverflow,
                429 => Kind::RateLimited,
                503 | 529 => Kind::Overloaded,
                409 | 500.. => Kind::Failed,
                _ => Kind::InvalidRequest,
            })
        };
        let by_vague_type = || match kind {
            "invalid_request_error" => Kind::InvalidRequest,
            _ => Kind::Failed,
        };
        let decided = by_type.or_else(by_status).unwrap_or_else(by_vague_type);
        let decided = if matches!(decided, Kind::InvalidRequest | Kind::Failed)
            && error.message.as_deref().is_some_and(tells_of_overflow)
        {
            Kind::ContextOverflow
        } else {
            decided
        };
        Self {
            kind: decided,
            spend_limit: code.ends_with("spend_limit_reached") || code == "ramp_limit_exceeded",
        }
    }

    fn sentence(&self) -> &'static str {
        if self.spend_limit {
            texts::SPEND_LIMIT_REACHED
        } else {
            texts::of_failure(self.kind)
        }
    }
}

/// No code says so: these words of the vendor and of vLLM are the only sign.
fn tells_of_overflow(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    message.contains("prompt is too long") || message.contains("maximum context length is")
}

/// The vendor's text, in one line.
fn detail(
    error: &VendorError,
    status: Option<StatusCode>,
    otherwise: &str,
    key: Option<&ModelKey>,
) -> String {
    let status = status.map(|status| status.as_u16().to_string());
    let words = match (&error.kind, &error.message) {
        (None, None) => Some(otherwise),
        (_, message) => message.as_deref().map(|text| text.trim_end_matches('.')),
    };
    let parts: Vec<&str> = [status.as_deref(), error.kind.as_deref(), words]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    clean(&parts.join(", "), key)
}

/// A text from elsewhere for one line: short, without control characters, links and the key.
fn clean(text: &str, key: Option<&ModelKey>) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| key.removed_from(text));
    let line = text
        .split(|char: char| char.is_whitespace() || char.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let mut line = agent::cause::without_links(&line);
    if let Some((end, _)) = line.char_indices().nth(MAX_DETAIL) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// The cause of a failed connection, in our words: those of the libraries below name their inner
/// workings and the address.
fn cause(error: &reqwest::Error) -> &'static str {
    tracing::debug!(?error, "connection to the model's server failed");
    if refuses_certificate(error) {
        return "its certificate is not trusted, or its TLS cannot be used";
    }
    if let Some(cause) = agent::cause::of_connection(error) {
        return cause;
    }
    if error.is_timeout() {
        "the connection timed out"
    } else if error.is_connect() {
        "the connection failed"
    } else if error.is_builder() {
        "the request could not be sent"
    } else {
        "the connection was closed before the end"
    }
}

fn refuses_certificate(error: &reqwest::Error) -> bool {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if error.is::<rustls::Error>() {
            return true;
        }
        // An I/O error hides what it wraps from `source`.
        next = match error.downcast_ref::<std::io::Error>() {
            Some(io) => io
                .get_ref()
                .map(|inner| inner as &(dyn std::error::Error + 'static)),
            None => error.source(),
        };
    }
    false
}

#[cfg(test)]
mod tests;
