//! The client against a server over HTTP. Time is paused only while nothing is under way on the
//! network, so that no timer runs ahead of it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may fail by panicking"
)]

use std::time::Duration;

use agent::ports::{ModelErrorKind, ModelEvent};
use futures::{FutureExt as _, StreamExt as _};
use model::{AuthStyle, ModelConfig, ModelKey, ProfileKind};
use protocol::{BlockKind, ErrorCode, StopReason, Timestamp, Usage};
use tokio::sync::mpsc;
use tokio::time::{advance, pause, resume};

use support::{Answer, Answers, END, HELLO, NOW, START, Server, ask, client, rest};

mod local;
mod local_server;
mod support;
mod trials;

const ERROR: &str =
    "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy\"}}\n\n";

/// Takes a `Waiting` and lets its time pass, to the millisecond.
async fn wait(answers: &mut Answers, millis: u64) -> ErrorCode {
    let Some(Ok(ModelEvent::Waiting { error, until })) = answers.next().await else {
        panic!("no waiting");
    };
    assert_eq!(until, Timestamp(NOW.0 + i64::try_from(millis).unwrap()));
    pause();
    assert!(answers.next().now_or_never().is_none());
    advance(Duration::from_millis(millis - 1)).await;
    assert!(answers.next().now_or_never().is_none());
    advance(Duration::from_millis(2)).await;
    resume();
    error.code
}

#[tokio::test]
async fn an_answer() {
    let mut server = Server::start([Answer::events(&[START, HELLO, END])]).await;
    let config = ModelConfig {
        key: Some(ModelKey::new("sk-secret").unwrap()),
        ..server.config()
    };
    let (mut events, error) = rest(&mut support::ask_all(config)).await;
    assert!(error.is_none());
    assert!(matches!(events.remove(0), ModelEvent::Usage(usage) if usage.input == 9));
    let [started, delta, finished, ModelEvent::Finished(reply)] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(
        *started,
        ModelEvent::BlockStarted {
            index: 0,
            kind: BlockKind::Text
        }
    );
    assert_eq!(
        *delta,
        ModelEvent::Delta {
            index: 0,
            text: "Hello".to_owned()
        }
    );
    assert_eq!(*finished, ModelEvent::BlockFinished { index: 0 });
    assert_eq!(reply.stop, StopReason::EndTurn);
    assert_eq!(reply.request_id.as_deref(), Some("req_1"));
    assert_eq!((reply.usage.input, reply.usage.output), (9, 5));
    let sent = server.sent().await;
    assert_eq!(sent.uri, "/v1/messages");
    assert_eq!(sent.headers["x-api-key"], "sk-secret");
    assert_eq!(sent.headers["anthropic-version"], "2026-10-21");
    assert_eq!(sent.headers["content-type"], "application/json");
    assert!(!sent.headers.contains_key("authorization"));
    let body: serde_json::Value = serde_json::from_slice(&sent.body).unwrap();
    assert_eq!(body["messages"][0]["content"][0]["text"], "Hi");
}

#[tokio::test]
async fn the_lenient_profile_and_a_bearer() {
    let repaired = [START, HELLO, END.split_inclusive("\n\n").next().unwrap()];
    let mut server = Server::start([Answer::events(&repaired), Answer::events(&repaired)]).await;
    let config = ModelConfig {
        key: Some(ModelKey::new("sk-secret").unwrap()),
        auth: AuthStyle::Bearer,
        profile: ProfileKind::Lenient,
        ..server.config()
    };
    let (events, _) = rest(&mut ask(config)).await;
    assert!(matches!(events.last(), Some(ModelEvent::Finished(_))));
    let sent = server.sent().await;
    assert_eq!(sent.headers["authorization"], "Bearer sk-secret");
    assert_eq!(sent.headers["anthropic-version"], "2023-06-01");
    assert!(!sent.headers.contains_key("x-api-key"));

    let (events, error) = rest(&mut ask(server.config())).await;
    assert_eq!(events.len(), 3);
    let error = error.unwrap();
    assert_eq!(error.kind, ModelErrorKind::Protocol);
    assert_eq!(error.partial[0].get(), r#"{"type":"text","text":"Hello"}"#);
    assert_eq!(error.request_id.as_deref(), Some("req_1"));
    let usage = Usage {
        input: 9,
        output: 5,
        ..Usage::default()
    };
    assert_eq!(error.usage, usage);
}

#[tokio::test]
async fn retries_until_it_answers() {
    use ErrorCode::{ModelFailed, ModelOverloaded, ModelRateLimited, ModelTimeout};
    let date = "Fri, 15 Jan 2027 08:00:59 GMT";
    for (status, headers, millis, code) in [
        (429, &[("retry-after", "7")][..], 7_000, ModelRateLimited),
        (
            429,
            &[("retry-after-ms", "1500"), ("retry-after", "9")],
            1_500,
            ModelRateLimited,
        ),
        (429, &[("retry-after", date)], 59_000, ModelRateLimited),
        (429, &[("retry-after", "0")], 500, ModelRateLimited),
        (408, &[], 500, ModelTimeout),
        (409, &[], 500, ModelFailed),
        (500, &[], 500, ModelFailed),
        (529, &[], 500, ModelOverloaded),
        (
            418,
            &[("x-should-retry", "true")],
            500,
            ErrorCode::ModelInvalidRequest,
        ),
    ] {
        let answers = [
            Answer::status(status, headers),
            Answer::events(&[START, HELLO, END]),
        ];
        let mut server = Server::start(answers).await;
        let mut answers = ask(server.config());
        assert_eq!(wait(&mut answers, millis).await, code, "{status}");
        let (events, error) = rest(&mut answers).await;
        assert!(error.is_none(), "{status}: {error:?}");
        assert!(matches!(events.last(), Some(ModelEvent::Finished(_))));
        let (first, second) = (server.sent().await, server.sent().await);
        assert_eq!(first.body, second.body);
        assert_eq!(server.unasked(), 0);
    }
}

#[tokio::test]
async fn retries_end() {
    let mut server = Server::start((0..3).map(|_| Answer::status(529, &[]))).await;
    let mut answers = ask(server.config());
    wait(&mut answers, 500).await;
    wait(&mut answers, 1000).await;
    let (events, error) = rest(&mut answers).await;
    assert!(events.is_empty());
    let error = error.unwrap();
    assert_eq!(
        (error.kind, error.status),
        (ModelErrorKind::Overloaded, Some(529))
    );
    assert_eq!(server.unasked(), 3);
}

#[tokio::test]
async fn no_retry() {
    let redirect = Answer::status(307, &[("location", "http://127.0.0.1:9/")]);
    let html = Answer::Plain(
        200,
        vec![("content-type", "text/html".to_owned())],
        "<html>".to_owned(),
    );
    for (answer, kind, message) in [
        (
            Answer::status(400, &[]),
            ModelErrorKind::InvalidRequest,
            "400, no body",
        ),
        (
            Answer::status(401, &[]),
            ModelErrorKind::Authentication,
            "401",
        ),
        (
            Answer::status(529, &[("x-should-retry", "false")]),
            ModelErrorKind::Overloaded,
            "529",
        ),
        (
            Answer::status(429, &[("retry-after", "61")]),
            ModelErrorKind::RateLimited,
            "Try again after Fri, 15 Jan 2027 08:01:01 GMT.",
        ),
        (
            Answer::status(429, &[("retry-after", "1e300")]),
            ModelErrorKind::RateLimited,
            "Try again after",
        ),
        (
            redirect,
            ModelErrorKind::Address,
            "The model's base URL is wrong: the server answered with a redirect (307).",
        ),
        (html, ModelErrorKind::Protocol, "text/html"),
    ] {
        let mut server = Server::start([answer]).await;
        let (events, error) = rest(&mut ask(server.config())).await;
        assert!(events.is_empty(), "{message}: {events:?}");
        let error = error.unwrap();
        assert_eq!(error.kind, kind, "{message}");
        assert!(error.message.contains(message), "{}", error.message);
        assert_eq!(server.unasked(), 1, "{message}");
    }
}

#[tokio::test]
async fn an_unreachable_server_is_tried_again() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = ModelConfig {
        base_url: format!("http://{}", closed.local_addr().unwrap()),
        ..ModelConfig::default()
    };
    drop(closed);
    let mut answers = ask(config);
    assert_eq!(wait(&mut answers, 500).await, ErrorCode::ModelUnreachable);
    wait(&mut answers, 1000).await;
    let (_, error) = rest(&mut answers).await;
    let error = error.unwrap();
    assert_eq!(error.kind, ModelErrorKind::Unreachable);
    assert_eq!(
        error.message,
        "There is no connection to the model's server: the connection was refused."
    );
}

/// A server that sends fixed bytes, whatever was asked, and hangs up.
async fn raw(bytes: &'static str) -> ModelConfig {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        // The whole request, or closing the socket would reset the connection.
        let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
        while !seen.ends_with(b"}") {
            let read = stream.read(&mut buffer).await.unwrap();
            seen.extend_from_slice(&buffer[..read]);
        }
        stream.write_all(bytes.as_bytes()).await.unwrap();
    });
    ModelConfig {
        base_url,
        max_retries: 0,
        ..ModelConfig::default()
    }
}

#[tokio::test]
async fn an_error_has_no_word_of_a_library() {
    const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                          transfer-encoding: chunked\r\n\r\n";
    for (bytes, expect) in [
        (
            EVENTS,
            "The model's answer broke the protocol or ended early: the connection was closed \
             before the end.",
        ),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
             transfer-encoding: chunked\r\n\r\nzz\r\n",
            "The model's answer broke the protocol or ended early: what came back cannot be read.",
        ),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9\r\n\r\nx",
            "The model's answer broke the protocol or ended early: the connection was closed \
             before the end.",
        ),
        (
            "",
            "There is no connection to the model's server: the connection was closed before the \
             end.",
        ),
        (
            "SSH-2.0-OpenSSH_9\r\n",
            "There is no connection to the model's server: the connection was closed before the \
             end.",
        ),
    ] {
        let (_, error) = rest(&mut ask(raw(bytes).await)).await;
        assert_eq!(error.unwrap().message, expect, "{bytes:?}");
    }
}

#[tokio::test]
async fn an_error_event_is_retried_only_before_the_first_block() {
    let answers = [
        Answer::events(&[START, ERROR]),
        Answer::events(&[START, HELLO, ERROR]),
    ];
    let mut server = Server::start(answers).await;
    let mut answers = ask(server.config());
    assert_eq!(wait(&mut answers, 500).await, ErrorCode::ModelOverloaded);
    let (events, error) = rest(&mut answers).await;
    assert_eq!(events.len(), 3);
    let error = error.unwrap();
    assert_eq!(
        (error.kind, error.status),
        (ModelErrorKind::Overloaded, Some(200))
    );
    assert_eq!(error.partial.len(), 1);
    assert_eq!(error.usage.input, 9);
    assert_eq!(server.unasked(), 2);
}

#[tokio::test]
async fn silence_ends_a_call_and_any_byte_resets_it() {
    let (sender, parts) = mpsc::channel(8);
    let mut server = Server::start([Answer::Stream(parts)]).await;
    let mut answers = ask(server.config());
    let start = HELLO.split_inclusive("\n\n").next().unwrap();
    sender.send(format!("{START}{start}")).await.unwrap();
    assert!(matches!(
        answers.next().await,
        Some(Ok(ModelEvent::BlockStarted { .. }))
    ));
    for _ in 0..3 {
        pause();
        assert!(answers.next().now_or_never().is_none());
        advance(Duration::from_secs(119)).await;
        assert!(answers.next().now_or_never().is_none());
        resume();
        // A piece of a comment, and nothing else: the next event shows that it was read.
        sender.send(":".to_owned()).await.unwrap();
        let delta = HELLO.split_inclusive("\n\n").nth(1).unwrap();
        sender.send(format!("\n{delta}")).await.unwrap();
        assert!(matches!(
            answers.next().await,
            Some(Ok(ModelEvent::Delta { .. }))
        ));
    }
    pause();
    assert!(answers.next().now_or_never().is_none());
    advance(Duration::from_secs(121)).await;
    let (events, error) = rest(&mut answers).await;
    assert!(events.is_empty());
    let error = error.unwrap();
    assert_eq!(error.kind, ModelErrorKind::Timeout);
    assert!(error.message.contains("120 s"), "{}", error.message);
    assert!(error.partial.is_empty());
    assert_eq!(server.unasked(), 1);
}

#[tokio::test]
async fn silence_before_the_first_byte_is_not_sent_again() {
    let (held, _gone) = mpsc::channel(1);
    let mut server = Server::start([Answer::Silence(held)]).await;
    let mut answers = ask(server.config());
    tokio::select! {
        _ = answers.next() => panic!("an answer"),
        _ = server.sent() => {}
    }
    pause();
    advance(Duration::from_secs(121)).await;
    let (events, error) = rest(&mut answers).await;
    assert!(events.is_empty());
    assert_eq!(error.unwrap().kind, ModelErrorKind::Timeout);
    assert_eq!(server.unasked(), 0);
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    // In mid-answer.
    let (sender, parts) = mpsc::channel(1);
    let server = Server::start([Answer::Stream(parts)]).await;
    let mut answers = ask(server.config());
    sender.send(format!("{START}{HELLO}")).await.unwrap();
    assert!(answers.next().await.is_some());
    drop(answers);
    sender.closed().await;

    // Before the first byte.
    let (held, mut gone) = mpsc::channel(1);
    let mut server = Server::start([Answer::Silence(held)]).await;
    let mut answers = ask(server.config());
    tokio::select! {
        _ = answers.next() => panic!("an answer"),
        _ = server.sent() => {}
    }
    drop(answers);
    assert_eq!(gone.recv().await, None);

    // While it waits: nothing is ever sent again.
    let mut server = Server::start([Answer::status(529, &[])]).await;
    let mut answers = ask(server.config());
    assert!(matches!(
        answers.next().await,
        Some(Ok(ModelEvent::Waiting { .. }))
    ));
    pause();
    assert!(answers.next().now_or_never().is_none());
    drop(answers);
    advance(Duration::from_secs(10)).await;
    assert_eq!(server.unasked(), 1);
}

#[tokio::test]
async fn a_finished_answer_gives_its_connection_back() {
    let mut server = Server::start((0..3).map(|_| {
        let (sender, parts) = mpsc::channel(1);
        sender.try_send([START, HELLO, END].concat()).unwrap();
        Answer::Stream(parts)
    }))
    .await;
    let client = client(server.config());
    let mut peers = Vec::new();
    for _ in 0..3 {
        let mut answers = agent::ports::Model::ask(&client, support::request());
        let (_, error) = rest(&mut answers).await;
        assert!(error.is_none());
        peers.push(server.sent().await.peer);
    }
    peers.dedup();
    assert_eq!(peers.len(), 1);
}

#[tokio::test]
async fn models_that_the_key_can_use() {
    let page = |body: serde_json::Value| Answer::Plain(200, Vec::new(), body.to_string());
    let pages = [
        page(serde_json::json!({
            "data": [{
                "type": "model", "id": "claude-sonnet-5-5", "display_name": "Claude Sonnet 5.5",
                "lifecycle": "active", "retires_at": null, "max_input_tokens": 7, "max_tokens": 7,
            }],
            "has_more": true, "first_id": "claude-sonnet-5-5", "last_id": "claude-sonnet-5-5",
        })),
        page(serde_json::json!({
            "data": [{
                "id": "claude-new", "max_input_tokens": 500_000, "max_tokens": 1000,
                "capabilities": {
                    "thinking": {"supported": true, "types": {"adaptive": {"supported": true}}},
                    "effort": {"supported": false},
                },
            }],
            "has_more": false,
        })),
        Answer::status(404, &[]),
    ];
    let mut server = Server::start(pages).await;
    let client = client(server.config());
    let models = client.models().await.unwrap();
    assert_eq!(server.sent().await.uri, "/v1/models?limit=1000");
    assert_eq!(
        server.sent().await.uri,
        "/v1/models?limit=1000&after_id=claude-sonnet-5-5"
    );
    let [sonnet, new] = &models[..] else {
        panic!("{models:?}");
    };
    assert_eq!(sonnet.name.as_deref(), Some("Claude Sonnet 5.5"));
    assert_eq!(sonnet.entry.context_window, Some(1_000_000));
    assert_eq!(sonnet.entry.prices.len(), 1);
    assert_eq!(new.entry.context_window, Some(500_000));
    assert_eq!(new.entry.thinking, Some(model::ThinkingSupport::Adaptive));
    assert_eq!(new.entry.effort, Some(false));
    assert_eq!(client.model("claude-new").as_ref(), Some(&new.entry));
    let error = client.models().await.unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::NotFound);
}
