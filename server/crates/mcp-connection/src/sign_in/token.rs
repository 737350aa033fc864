//! A token: the request for it, and how long it is used.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, StatusCode, header::ACCEPT};
use serde_json::Value;
use tokio::time::Instant;

use super::{
    OauthSettings,
    address::shown,
    assertion::{self, Statements},
    fault::SignInFault,
    metadata::{ClientAuthentication, REQUEST, TokenDoor, bounded, unreachable},
    texts,
};

/// The longest token, in bytes.
const MAX_TOKEN: usize = 8 * 1024;
/// The longest time before its end at which a token is renewed.
const MARGIN: Duration = Duration::from_secs(60);
/// The longest lifetime that is believed; also what keeps an instant from overflowing.
const MAX_LIFETIME: u64 = 30 * 24 * 60 * 60;

/// All but the letters, digits and marks that no form encodes, and `~`, which every server reads as it is.
const FORM: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Codes of errors of RFC 6749 and 8707. Any other word is the stranger's own, and is not repeated.
const CODES: [&str; 10] = [
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "invalid_scope",
    "invalid_target",
    "access_denied",
    "server_error",
    "temporarily_unavailable",
];

/// A token in memory. It has no debug form.
#[derive(Clone)]
pub(crate) struct ServerToken {
    pub(crate) value: Arc<str>,
    pub(crate) scope: Option<String>,
    times: Option<TokenTimes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TokenTimes {
    /// The time at which it is renewed.
    due: Instant,
    end: Instant,
}

impl ServerToken {
    /// True if it is to be renewed.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.times.is_some_and(|times| now >= times.due)
    }

    pub(crate) fn has_ended(&self, now: Instant) -> bool {
        self.times.is_some_and(|times| now >= times.end)
    }

    /// Its end, if it was given one.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.times.map(|times| times.end)
    }
}

/// Asks for a token for one server, and for no other one (RFC 8707).
pub(crate) async fn fetch(
    client: &Client,
    door: &TokenDoor,
    settings: &OauthSettings,
    resource: &str,
) -> Result<ServerToken, SignInFault> {
    let id = settings.client_id.as_str();
    let signed;
    let mut form = vec![("grant_type", "client_credentials"), ("resource", resource)];
    if let Some(scope) = &settings.scope {
        form.push(("scope", scope.as_str()));
    }
    let request = client
        .post(door.endpoint.clone())
        .header(ACCEPT, "application/json");
    let request = match &door.authentication {
        ClientAuthentication::Basic(secret) => {
            request.basic_auth(encoded(id), Some(encoded(secret.expose())))
        }
        ClientAuthentication::Post(secret) => {
            form.extend([("client_id", id), ("client_secret", secret.expose())]);
            request
        }
        ClientAuthentication::Assertion {
            key,
            algorithm,
            audience,
        } => {
            let statements = Statements {
                client_id: id,
                audience,
                algorithm,
            };
            let new = key.sign(&statements, SystemTime::now());
            signed = new.ok_or(SignInFault::NotSigned)?;
            form.extend([
                ("client_id", id),
                ("client_assertion_type", assertion::KIND),
                ("client_assertion", signed.as_str()),
            ]);
            request
        }
    };
    let sent = request.form(&form).timeout(REQUEST).send().await;
    let response = sent.map_err(|error| unreachable(&error, &door.endpoint))?;
    let status = response.status();
    let body = bounded(response, &door.endpoint).await?;
    let answer = serde_json::from_slice::<Value>(&body).unwrap_or_default();
    if status == StatusCode::OK {
        return read(&answer, Instant::now());
    }
    let told = answer.get("error").and_then(Value::as_str);
    let code = CODES.into_iter().find(|code| told == Some(*code));
    Err(SignInFault::Refused(code.map_or_else(
        || texts::status(status.as_u16()),
        str::to_owned,
    )))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, FORM).to_string()
}

fn read(answer: &Value, now: Instant) -> Result<ServerToken, SignInFault> {
    let text = |field: &str| answer.get(field).and_then(Value::as_str);
    let is_bearer = text("token_type").is_some_and(|kind| kind.eq_ignore_ascii_case("bearer"));
    let value = text("access_token").unwrap_or_default();
    let is_value = (1..=MAX_TOKEN).contains(&value.len());
    if !is_bearer || !is_value || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(SignInFault::NoToken);
    }
    let lifetime = answer.get("expires_in").and_then(Value::as_u64);
    let times = lifetime.map(|seconds| {
        let lifetime = Duration::from_secs(seconds.min(MAX_LIFETIME));
        TokenTimes {
            due: now + (lifetime - MARGIN.min(lifetime / 2)),
            end: now + lifetime,
        }
    });
    Ok(ServerToken {
        value: value.into(),
        scope: text("scope").map(shown),
        times,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_is_renewed_before_its_end() {
        let now = Instant::now();
        let after = |seconds: u64| now + Duration::from_secs(seconds);
        for (lifetime, due) in [(3600, 3540), (60, 30), (1, 0), (0, 0)] {
            let answer = json!({
                "access_token": "abc", "token_type": "bearer", "expires_in": lifetime,
            });
            let token = read(&answer, now).ok().unwrap();
            assert!(token.is_due(after(due + 1)), "{lifetime}");
            assert!(due == 0 || !token.is_due(after(due - 1)), "{lifetime}");
            assert!(token.has_ended(after(lifetime)), "{lifetime}");
        }
        let endless = json!({ "access_token": "abc", "token_type": "Bearer" });
        let token = read(&endless, now).ok().unwrap();
        assert!(!token.is_due(after(1_000_000)) && token.end().is_none());
    }

    #[test]
    fn what_is_no_bearer_token_is_refused() {
        for answer in [
            json!({}),
            json!({ "access_token": "abc" }),
            json!({ "access_token": "", "token_type": "Bearer" }),
            json!({ "access_token": "a\nb", "token_type": "Bearer" }),
            json!({ "access_token": "abc", "token_type": "DPoP" }),
            json!({ "access_token": "a".repeat(MAX_TOKEN + 1), "token_type": "Bearer" }),
        ] {
            let read = read(&answer, Instant::now());
            assert_eq!(read.err(), Some(SignInFault::NoToken), "{answer}");
        }
    }

    #[test]
    fn a_secret_is_encoded_as_in_a_form() {
        assert_eq!(encoded("a:b %~-é"), "a%3Ab%20%25~-%C3%A9");
    }
}
