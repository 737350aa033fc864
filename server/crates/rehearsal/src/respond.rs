//! Headers of every answer, and the responses that come instead of one.

use axum::{
    body::Body,
    http::{HeaderValue, Response, header},
};

use crate::{
    clock,
    fault::{Fault, RetryAfter},
    refusal::{Refusal, json_response, set_header},
    script::Outcome,
    shared::Shared,
};

/// Notes how a request without an answer of the model ended.
pub(crate) fn settle(shared: &Shared, number: u64, status: u16, error: Option<&str>) {
    shared.script.update(number, |seen| {
        seen.status = status;
        seen.error = error.map(str::to_owned);
        seen.outcome = if error.is_some() {
            Outcome::Refused
        } else {
            Outcome::Completed
        };
    });
}

/// The response that a fault puts in place of an answer.
pub(crate) fn instead(
    shared: &Shared,
    faults: &[Fault],
    number: u64,
    id: &str,
) -> Option<Response<Body>> {
    let fault = faults.iter().find(|fault| fault.is_response())?;
    let response = match fault {
        Fault::RateLimit { retry_after } => {
            let refusal = Refusal::new(429, "This request would exceed your rate limit");
            let mut response = refusal.into_response(id);
            if let Some(retry_after) = retry_after {
                let (name, value) = match retry_after {
                    RetryAfter::Milliseconds(ms) => ("retry-after-ms", ms.to_string()),
                    RetryAfter::Seconds(seconds) => ("retry-after", seconds.to_string()),
                    RetryAfter::DateIn(seconds) => {
                        let then = shared.clock.now() + std::time::Duration::from_secs(*seconds);
                        ("retry-after", clock::http_date(then))
                    }
                    RetryAfter::Raw(text) => ("retry-after", text.clone()),
                };
                set_header(&mut response, name, &value);
            }
            response
        }
        Fault::SpendCap { code } => {
            let code = code.as_deref().unwrap_or("enforced_spend_limit_reached");
            let mut refusal = Refusal::new(429, "You have reached your spend limit");
            refusal.details = Some(serde_json::json!({ "error_code": code }));
            refusal.into_response(id)
        }
        Fault::Overloaded => Refusal::new(529, "Overloaded").into_response(id),
        Fault::Status {
            status,
            message,
            should_retry,
        } => {
            let message = message.as_deref().unwrap_or("Asked for by the rehearsal");
            let mut response = Refusal::new(*status, message).into_response(id);
            if let Some(retry) = should_retry {
                set_header(&mut response, "x-should-retry", &retry.to_string());
            }
            response
        }
        Fault::Html { status } => {
            let page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\
                        <body><h1>Bad Gateway</h1></body></html>\n";
            let mut response = json_response(*status, &serde_json::Value::Null, id);
            *response.body_mut() = Body::from(page);
            response
                .headers_mut()
                .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
            response
        }
        Fault::EmptyBody { status } => {
            let mut response = json_response(*status, &serde_json::Value::Null, id);
            *response.body_mut() = Body::empty();
            response.headers_mut().remove(header::CONTENT_TYPE);
            response
        }
        _ => return None,
    };
    let status = response.status().as_u16();
    settle(shared, number, status, Some("asked for by the script"));
    Some(response)
}

/// Adds what every answer of the model carries.
pub(crate) fn finish(shared: &Shared, mut response: Response<Body>, id: &str) -> Response<Body> {
    set_header(&mut response, "request-id", id);
    let reset = clock::rfc3339(shared.clock.now());
    for (limit, remaining, reset_name, most) in [
        (
            "anthropic-ratelimit-requests-limit",
            "anthropic-ratelimit-requests-remaining",
            "anthropic-ratelimit-requests-reset",
            4_000_u64,
        ),
        (
            "anthropic-ratelimit-tokens-limit",
            "anthropic-ratelimit-tokens-remaining",
            "anthropic-ratelimit-tokens-reset",
            2_400_000,
        ),
        (
            "anthropic-ratelimit-input-tokens-limit",
            "anthropic-ratelimit-input-tokens-remaining",
            "anthropic-ratelimit-input-tokens-reset",
            2_000_000,
        ),
        (
            "anthropic-ratelimit-output-tokens-limit",
            "anthropic-ratelimit-output-tokens-remaining",
            "anthropic-ratelimit-output-tokens-reset",
            400_000,
        ),
    ] {
        // Nothing is ever used up: the stand-in limits nobody unless it is told to.
        set_header(&mut response, limit, &most.to_string());
        set_header(&mut response, remaining, &most.to_string());
        set_header(&mut response, reset_name, &reset);
    }
    response
}
