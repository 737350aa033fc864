//! Pace, control over HTTP, markers, the log, start and stop.

use std::time::{Duration, Instant};

use futures::StreamExt;
use rehearsal::{Block, Error, Fault, Options, Outcome, Pace, Rehearsal, Scripted};
use serde_json::{Value, json};

use crate::{ask, body, client, post, start, start_with};

fn says(text: &str) -> Value {
    let mut body = body();
    body["messages"][0]["content"] = json!(text);
    body["max_tokens"] = json!(8000);
    body
}

async fn control(server: &Rehearsal, script: &Value) -> reqwest::Response {
    let url = format!("{}/control/script", server.base_url());
    client().post(url).json(script).send().await.unwrap()
}

#[tokio::test]
async fn scripts_over_http() {
    let server = start().await;
    let script = json!([
        { "blocks": [{ "type": "text", "text": "First." }], "when": "one" },
        { "blocks": [{ "type": "text", "text": "Second." }, { "type": "tool_use", "name": "look", "input": {} }], "times": 2 },
        { "blocks": [{ "type": "hologram", "frames": 3 }], "stop_reason": "end_turn", "pace": { "first_token_ms": 0 } },
    ]);
    assert_eq!(control(&server, &script).await.status(), 200);
    let answers = [
        ask(&server, &says("two")).await,
        ask(&server, &says("one")).await,
        ask(&server, &says("two")).await,
        ask(&server, &says("three")).await,
    ];
    let content: Vec<&Value> = answers.iter().map(|answer| &answer["content"][0]).collect();
    assert_eq!(content[0]["text"], "Second.");
    assert_eq!(content[1]["text"], "First.");
    assert_eq!(content[2]["text"], "Second.");
    assert_eq!(*content[3], json!({ "type": "hologram", "frames": 3 }));
    assert_eq!(answers[0]["stop_reason"], "tool_use");

    for wrong in [
        json!({ "blocks": 1 }),
        json!({ "fault": {} }),
        json!([{ "faults": [{ "type": "rain" }] }]),
    ] {
        assert_eq!(control(&server, &wrong).await.status(), 400, "{wrong}");
    }

    let url = format!("{}/control/requests", server.base_url());
    let seen: Vec<Value> = client()
        .get(&url)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(seen.len(), 4);
    assert_eq!(seen[1]["body"]["messages"][0]["content"], "one");
    assert_eq!(seen[3]["outcome"], "completed");
    assert!(!seen[0].to_string().contains(crate::KEY));
    let url = format!("{}/control/script", server.base_url());
    assert_eq!(client().delete(url).send().await.unwrap().status(), 204);
    assert!(server.script().requests().is_empty());
    server.shutdown().await;
}

#[tokio::test]
async fn markers_act_only_under_control() {
    let server = start().await;
    let answer = ask(&server, &says("Write. [[tokens:5000]] [[rate:0]]")).await;
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert_eq!(answer["usage"]["output_tokens"], 5000);
    assert!(text.contains("| --- |") && text.contains("```rust") && text.contains("## Section 9"));
    let refused = post(&server, &says("Hello [[fault:overloaded]]")).await;
    assert_eq!(refused.status(), 529);
    let json = r#"[[fault:{"type":"rate_limit","retry_after":{"seconds":3}}]]"#;
    assert_eq!(
        post(&server, &says(json)).await.headers()["retry-after"],
        "3"
    );
    server.shutdown().await;

    let server = start_with(|options| options.control = false).await;
    assert_eq!(
        post(&server, &says("Hello [[fault:overloaded]]"))
            .await
            .status(),
        200
    );
    assert_eq!(control(&server, &json!([])).await.status(), 404);
    let mut vendor = says("Hello");
    vendor["model"] = json!("claude-sonnet-5-5");
    assert_eq!(post(&server, &vendor).await.status(), 404);
    server.shutdown().await;
}

#[tokio::test]
async fn the_pace_is_kept() {
    let server = start().await;
    let pace = Pace {
        first_token_ms: 60,
        tokens_per_second: 200,
    };
    server
        .script()
        .push(Scripted::reply([Block::text("word ".repeat(32))]).pace(pace));
    let mut body = says("Slowly");
    body["stream"] = json!(true);
    let begun = Instant::now();
    let response = post(&server, &body).await;
    response.bytes().await.unwrap();
    // 40 tokens at 200 per second after 60 ms; no upper bound, because the machine may be busy.
    assert!(
        begun.elapsed() >= Duration::from_millis(240),
        "{:?}",
        begun.elapsed()
    );
    server.shutdown().await;
}

/// A client that leaves is noticed, and a stalled answer does not delay the server's shutdown.
#[tokio::test]
async fn broken_answers_are_logged_and_stop_with_the_server() {
    let server = start().await;
    server
        .script()
        .push(Scripted::fault(Fault::Stall { after: 2 }).times(2));
    let mut body = says("Hello");
    body["stream"] = json!(true);
    let mut left = post(&server, &body).await.bytes_stream();
    left.next().await.unwrap().unwrap();
    assert_eq!(server.script().requests()[0].outcome, Outcome::Answering);
    drop(left);
    while server.script().requests()[0].outcome != Outcome::Broken {
        tokio::task::yield_now().await;
    }
    let stalled = tokio::spawn(async move {
        let mut kept = post_stream(&body, &server).await;
        kept.next().await.unwrap().unwrap();
        server.shutdown().await;
        while let Some(chunk) = kept.next().await {
            if chunk.is_err() {
                break;
            }
        }
    });
    tokio::time::timeout(Duration::from_secs(10), stalled)
        .await
        .unwrap()
        .unwrap();
}

async fn post_stream(
    body: &Value,
    server: &Rehearsal,
) -> impl futures::Stream<Item = reqwest::Result<bytes::Bytes>> + Unpin + use<> {
    Box::pin(post(server, body).await.bytes_stream())
}

#[tokio::test]
async fn what_does_not_start() {
    let refused = |options: Options| async move { rehearsal::start(options).await.err().unwrap() };
    let everywhere = Options {
        listen: "0.0.0.0:0".parse().unwrap(),
        ..Options::default()
    };
    assert!(matches!(refused(everywhere).await, Error::NotLoopback(_)));
    let spaced = Options {
        key: Some("two words".to_owned()),
        ..Options::default()
    };
    assert!(matches!(refused(spaced).await, Error::BadKey));
    let server = rehearsal::start(Options::default()).await.unwrap();
    assert!(server.api_key().len() > 20);
    let taken = Options {
        listen: server.addr(),
        ..Options::default()
    };
    assert!(matches!(refused(taken).await, Error::Listen { .. }));
    server.shutdown().await;
}
