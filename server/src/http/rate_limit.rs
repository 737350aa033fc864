//! `RateLimit-Policy` and `RateLimit`: a user's quotas and what is left of them, on each answer to a program.
//!
//! The fields are those of draft-ietf-httpapi-ratelimit-headers. `changes` counts requests that change
//! something, `bytes` what is stored of them; both are shared by all tokens and tabs of the user. The
//! answers to a feed have its own quota in their place, as `feed`.

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use sign_in::SignedIn;

use super::Http;
use crate::bucket::QuotaLevel;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// Adds the fields to the answer.
pub(super) async fn add_fields(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let feed = response.extensions_mut().remove::<QuotaLevel>();
    let fields = match feed {
        Some(feed) => [
            (POLICY, format!("\"feed\";{}", policy_of(&feed))),
            (LEFT, format!("\"feed\";{}", left_of(&feed))),
        ],
        None => {
            let [changes, bytes] = http.allowances.levels(signed_in.user.id);
            [
                (POLICY, policy(&changes, &bytes)),
                (LEFT, left(&changes, &bytes)),
            ]
        }
    };
    for (name, text) in fields {
        match HeaderValue::try_from(text) {
            Ok(value) => {
                response.headers_mut().insert(name, value);
            }
            Err(error) => tracing::error!(%error, "a quota is not a valid header value"),
        }
    }
    response
}

fn policy(changes: &QuotaLevel, bytes: &QuotaLevel) -> String {
    let (changes, bytes) = (policy_of(changes), policy_of(bytes));
    format!("\"changes\";{changes}, \"bytes\";qu=\"content-bytes\";{bytes}")
}

fn left(changes: &QuotaLevel, bytes: &QuotaLevel) -> String {
    let (changes, bytes) = (left_of(changes), left_of(bytes));
    format!("\"changes\";{changes}, \"bytes\";{bytes}")
}

fn policy_of(level: &QuotaLevel) -> String {
    let window = level.fills_in.as_secs_f64().ceil();
    format!("q={:.0};w={window:.0}", level.capacity.floor())
}

fn left_of(level: &QuotaLevel) -> String {
    let reset = level.full_in.as_secs_f64().ceil();
    format!("r={:.0};t={reset:.0}", level.left.floor())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_fields_are_whole_numbers() {
        let changes = QuotaLevel {
            capacity: 120.0,
            fills_in: Duration::from_secs(30),
            left: 3.9,
            full_in: Duration::from_millis(29_025),
        };
        let bytes = QuotaLevel {
            capacity: 1_073_741_824.0,
            fills_in: Duration::from_secs(86_400),
            left: 1_073_741_824.0,
            full_in: Duration::ZERO,
        };
        assert_eq!(
            policy(&changes, &bytes),
            "\"changes\";q=120;w=30, \"bytes\";qu=\"content-bytes\";q=1073741824;w=86400"
        );
        assert_eq!(
            left(&changes, &bytes),
            "\"changes\";r=3;t=30, \"bytes\";r=1073741824;t=0"
        );
    }
}
