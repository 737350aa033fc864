//! Every failed response, in its category.

use agent::ports::ModelErrorKind::{self as Kind, *};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use super::Failure;
use crate::accumulate::StreamFault;
use crate::event::VendorError;
use crate::key::ModelKey;

fn response(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Failure {
    let headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
        .collect();
    let key = ModelKey::new("sk-secret").unwrap();
    Failure::response(
        StatusCode::from_u16(status).unwrap(),
        &headers,
        body,
        Some(&key),
    )
}

#[test]
fn categories() {
    let check = |status: u16, kind: &str, expect: Kind, retryable: bool| {
        let body = format!(r#"{{"type":"error","error":{{"type":"{kind}","message":"Words."}}}}"#);
        let failure = response(status, &[], &body);
        assert_eq!(
            (failure.kind, failure.retryable),
            (expect, retryable),
            "{status} {kind}"
        );
        assert_eq!(failure.status, Some(status));
        // The same without a useful body, unless the type said more than the status.
        if !kind.is_empty() && !["billing_error", "overloaded_error"].contains(&kind) {
            let failure = response(status, &[("content-type", "text/html")], "<html>");
            assert_eq!(
                (failure.kind, failure.retryable),
                (expect, retryable),
                "{status}"
            );
        }
    };
    check(400, "invalid_request_error", InvalidRequest, false);
    check(400, "billing_error", Permission, false);
    check(401, "authentication_error", Authentication, false);
    check(401, "invalid_request_error", Authentication, false);
    check(402, "billing_error", Permission, false);
    check(403, "permission_error", Permission, false);
    check(404, "not_found_error", NotFound, false);
    check(404, "NotFoundError", NotFound, false);
    check(408, "timeout_error", Timeout, true);
    check(409, "conflict_error", Failed, true);
    check(413, "request_too_large", ContextOverflow, false);
    check(422, "unprocessable_entity_error", InvalidRequest, false);
    check(429, "rate_limit_error", RateLimited, true);
    check(500, "api_error", Failed, true);
    check(500, "overloaded_error", Overloaded, true);
    check(502, "bad_gateway", Failed, true);
    check(503, "", Overloaded, true);
    check(504, "timeout_error", Timeout, true);
    check(529, "overloaded_error", Overloaded, true);
    check(307, "", Address, false);
    check(301, "invalid_request_error", Address, false);
}

#[test]
fn overflow_is_told_by_words() {
    for message in [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "This model's maximum context length is 8192 tokens.",
    ] {
        let body =
            format!(r#"{{"error":{{"type":"invalid_request_error","message":"{message}"}}}}"#);
        assert_eq!(response(400, &[], &body).kind, ContextOverflow);
    }
}

#[test]
fn the_server_has_the_last_word_on_retries() {
    for code in [
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
        "ramp_limit_exceeded",
    ] {
        let body = format!(
            r#"{{"error":{{"type":"rate_limit_error","message":"m","details":{{"error_code":"{code}"}}}}}}"#
        );
        let failure = response(429, &[], &body);
        assert_eq!((failure.kind, failure.retryable), (RateLimited, false));
        assert!(
            failure.message.starts_with("A spend limit"),
            "{}",
            failure.message
        );
    }
    assert!(response(400, &[("x-should-retry", "true")], "").retryable);
    assert!(!response(529, &[("x-should-retry", "false")], "").retryable);
}

#[test]
fn messages() {
    let check = |failure: Failure, expect: &str| assert_eq!(failure.message, expect);
    check(
        response(
            401,
            &[("request-id", "req_1")],
            r#"{"error":{"type":"authentication_error","message":"bad\n key: sk-secret."}}"#,
        ),
        "The model's server refused the key: 401, authentication_error, bad key: [key].",
    );
    check(
        response(502, &[], ""),
        "The model's server failed: 502, no body.",
    );
    check(
        response(502, &[("content-type", "text/html")], "<html><script>"),
        "The model's server failed: 502, text/html.",
    );
    check(
        response(500, &[], r#"{"error":"boom"}"#),
        "The model's server failed: 500, boom.",
    );
    check(
        response(307, &[("location", "https://elsewhere.example/")], ""),
        "The model's base URL is wrong: the server answered with a redirect (307).",
    );
    assert!(!response(302, &[("x-should-retry", "true")], "").retryable);
    check(
        response(
            400,
            &[],
            r#"{"error":{"message":"too old, see https://docs.example/x?y (or [this](http://a))"}}"#,
        ),
        "The model's server refused the request as invalid: 400, too old, see [link] (or [link].",
    );
    let long = format!(r#"{{"error":{{"message":"{}"}}}}"#, "é".repeat(1000));
    assert!(response(500, &[], &long).message.chars().count() < 400);
    let failure = response(529, &[], r#"{"error":{},"request_id":"req_2"}"#);
    assert_eq!(failure.request_id.as_deref(), Some("req_2"));
}

#[test]
fn errors_in_mid_stream() {
    let check = |kind: Option<&str>, expect: Kind, retryable: bool| {
        let error = VendorError {
            kind: kind.map(str::to_owned),
            ..VendorError::default()
        };
        let failure = Failure::fault(StreamFault::Vendor(error), None);
        assert_eq!(
            (failure.kind, failure.retryable),
            (expect, retryable),
            "{kind:?}"
        );
    };
    check(Some("overloaded_error"), Overloaded, true);
    check(Some("rate_limit_error"), RateLimited, true);
    check(Some("api_error"), Failed, true);
    check(Some("future_error"), Failed, true);
    check(None, Failed, true);
    check(Some("invalid_request_error"), InvalidRequest, false);
    check(Some("authentication_error"), Authentication, false);
    check(Some("timeout_error"), Timeout, true);
    assert_eq!(
        Failure::fault(StreamFault::Protocol("x"), None).kind,
        Protocol
    );
}
