//! The rehearsal model over real HTTP: validation, cache, faults on demand, and the official SDKs.
#![expect(
    clippy::unwrap_used,
    clippy::type_complexity,
    reason = "helpers and tables of tests"
)]

mod cache;
mod faults;
mod sdk;
mod server;
mod validation;

use rehearsal::{Options, Pace, Rehearsal};
use serde_json::{Value, json};

/// The key of test servers.
const KEY: &str = "test-key";

/// A server without delays, with control.
async fn start() -> Rehearsal {
    start_with(|_| {}).await
}

async fn start_with(change: impl FnOnce(&mut Options)) -> Rehearsal {
    let mut options = Options {
        pace: Pace::INSTANT,
        control: true,
        key: Some(KEY.to_owned()),
        ..Options::default()
    };
    change(&mut options);
    rehearsal::start(options).await.unwrap()
}

/// A valid request.
fn body() -> Value {
    json!({
        "model": "rehearsal-1",
        "max_tokens": 1000,
        "messages": [{ "role": "user", "content": "Hello" }],
    })
}

fn client() -> reqwest::Client {
    // Another test may have installed it first; either provider will do.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// POSTs JSON to `/v1/messages` with valid headers.
async fn post(server: &Rehearsal, body: &Value) -> reqwest::Response {
    client()
        .post(format!("{}/v1/messages", server.base_url()))
        .header("x-api-key", KEY)
        .header("anthropic-version", "2026-10-21")
        .json(body)
        .send()
        .await
        .unwrap()
}

/// The answer to a request without streaming.
async fn ask(server: &Rehearsal, body: &Value) -> Value {
    let response = post(server, body).await;
    let status = response.status();
    let answer: Value = response.json().await.unwrap();
    assert_eq!(status, 200, "{answer}");
    answer
}
