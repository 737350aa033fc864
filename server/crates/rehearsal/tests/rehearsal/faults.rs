//! The bytes of every fault.

use futures::StreamExt;
use rehearsal::{Block, Fault, InputForm, Rehearsal, RetryAfter, Scripted};
use serde_json::{Value, json};

use crate::{body, post, start};

/// The response to a streamed request.
struct Wire {
    chunks: Vec<Vec<u8>>,
    /// True if the connection broke.
    broken: bool,
}

impl Wire {
    fn bytes(&self) -> Vec<u8> {
        self.chunks.concat()
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }

    /// The data of all complete frames.
    fn events(&self) -> Vec<Value> {
        self.text()
            .replace("\r\n", "\n")
            .split("\n\n")
            .filter_map(|frame| frame.lines().find_map(|line| line.strip_prefix("data: ")))
            .filter_map(|data| serde_json::from_str(data).ok())
            .collect()
    }

    fn kinds(&self) -> Vec<String> {
        let kind = |event: &Value| event["type"].as_str().unwrap().to_owned();
        self.events().iter().map(kind).collect()
    }

    fn count(&self, kind: &str) -> usize {
        self.kinds().iter().filter(|k| *k == kind).count()
    }

    fn last(&self, kind: &str) -> Value {
        let found = self
            .events()
            .into_iter()
            .rev()
            .find(|event| event["type"] == kind);
        found.unwrap_or_else(|| panic!("no {kind} in {:?}", self.kinds()))
    }

    fn deltas(&self, kind: &str, field: &str) -> Vec<String> {
        self.events()
            .iter()
            .filter(|event| event["delta"]["type"] == kind)
            .map(|event| event["delta"][field].as_str().unwrap().to_owned())
            .collect()
    }
}

const TEXT: &str = "All four nodes are online, sir, and the quorum holds — which is a relief.";

async fn play(server: &Rehearsal, scripted: Scripted) -> Wire {
    let blocks = vec![
        Block::thinking("The operator asks. I shall answer."),
        Block::text(TEXT),
        Block::ToolUse {
            id: Some("toolu_x".to_owned()),
            name: "look".to_owned(),
            input: json!({ "node": "pve", "depth": 2 }),
        },
    ];
    let scripted = Scripted {
        blocks: Some(scripted.blocks.unwrap_or(blocks)),
        ..scripted
    };
    server.script().push(scripted);
    let mut body = body();
    body["stream"] = json!(true);
    body["thinking"] = json!({ "type": "adaptive", "display": "summarized" });
    body["tools"] = json!([{ "name": "look", "input_schema": { "type": "object" } }]);
    let response = post(server, &body).await;
    assert_eq!(response.status(), 200);
    let mut wire = Wire {
        chunks: Vec::new(),
        broken: false,
    };
    let mut stream = response.bytes_stream();
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(chunk) => wire.chunks.push(chunk.to_vec()),
            Err(_) => wire.broken = true,
        }
    }
    wire
}

async fn with(server: &Rehearsal, fault: Fault) -> Wire {
    play(server, Scripted::fault(fault)).await
}

#[tokio::test]
async fn a_healthy_stream() {
    let server = start().await;
    let wire = play(&server, Scripted::default()).await;
    assert!(!wire.broken);
    let text = wire.text();
    assert!(
        text.ends_with("data: {\"type\":\"message_stop\"}\n\n"),
        "{text}"
    );
    for frame in text.trim_end().split("\n\n") {
        let data: Value = serde_json::from_str(
            frame
                .lines()
                .nth(1)
                .unwrap()
                .strip_prefix("data: ")
                .unwrap(),
        )
        .unwrap();
        assert_eq!(
            frame.lines().next().unwrap(),
            format!("event: {}", data["type"].as_str().unwrap())
        );
        assert_eq!(frame.lines().count(), 2);
    }
    let kinds = wire.kinds();
    assert_eq!(
        (kinds[0].as_str(), kinds[1].as_str(), kinds[2].as_str()),
        ("message_start", "content_block_start", "ping")
    );
    assert_eq!(wire.deltas("text_delta", "text").concat(), TEXT);
    assert!(wire.deltas("text_delta", "text").len() > 6);
    assert_eq!(wire.deltas("signature_delta", "signature").len(), 1);
    let input = wire.deltas("input_json_delta", "partial_json");
    assert!(input.len() > 2 && input[0].is_empty());
    assert_eq!(input.concat(), r#"{"node":"pve","depth":2}"#);
    let starts: Vec<Value> = wire
        .events()
        .into_iter()
        .filter(|event| event["type"] == "content_block_start")
        .collect();
    assert_eq!(
        starts[2]["content_block"],
        json!({ "type": "tool_use", "id": "toolu_x", "name": "look", "input": {} })
    );
    assert_eq!(starts[2]["index"], 2);
    let end = wire.last("message_delta");
    assert_eq!(end["delta"]["stop_reason"], "tool_use");
    assert!(end["usage"]["output_tokens"].as_u64().unwrap() > 20);
    server.shutdown().await;
}

#[tokio::test]
async fn responses_instead_of_an_answer() {
    let server = start().await;
    let limit = |retry_after| Fault::RateLimit { retry_after };
    let table: Vec<(Fault, u16, Option<(&str, &str)>, &str)> = vec![
        (limit(None), 429, None, "rate_limit_error"),
        (
            limit(Some(RetryAfter::Milliseconds(1500))),
            429,
            Some(("retry-after-ms", "1500")),
            "rate_limit_error",
        ),
        (
            limit(Some(RetryAfter::Seconds(7))),
            429,
            Some(("retry-after", "7")),
            "rate_limit_error",
        ),
        (
            limit(Some(RetryAfter::DateIn(90))),
            429,
            Some(("retry-after", " GMT")),
            "rate_limit_error",
        ),
        (
            limit(Some(RetryAfter::Raw("soon".to_owned()))),
            429,
            Some(("retry-after", "soon")),
            "rate_limit_error",
        ),
        (
            Fault::SpendCap { code: None },
            429,
            None,
            "enforced_spend_limit_reached",
        ),
        (
            Fault::SpendCap {
                code: Some("ramp_limit_exceeded".to_owned()),
            },
            429,
            None,
            "ramp_limit_exceeded",
        ),
        (Fault::Overloaded, 529, None, "overloaded_error"),
        (
            Fault::Status {
                status: 500,
                message: Some("Oh".to_owned()),
                should_retry: Some(false),
            },
            500,
            Some(("x-should-retry", "false")),
            "\"Oh\"",
        ),
        (
            Fault::Status {
                status: 402,
                message: None,
                should_retry: None,
            },
            402,
            None,
            "billing_error",
        ),
        (
            Fault::Html { status: 502 },
            502,
            Some(("content-type", "text/html")),
            "<!DOCTYPE html>",
        ),
        (Fault::EmptyBody { status: 503 }, 503, None, ""),
    ];
    for (fault, status, header, words) in table {
        server.script().fault(fault.clone());
        let response = post(&server, &body()).await;
        assert_eq!(response.status(), status, "{fault:?}");
        if let Some((name, value)) = header {
            let found = response.headers()[name].to_str().unwrap();
            assert!(found.contains(value), "{fault:?}: {found}");
        } else {
            assert!(!response.headers().contains_key("retry-after"), "{fault:?}");
        }
        let text = response.text().await.unwrap();
        assert!(text.contains(words), "{fault:?}: {text}");
        // Then success.
        assert_eq!(post(&server, &body()).await.status(), 200);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn streams_that_end_badly() {
    let server = start().await;
    let wire = with(
        &server,
        Fault::ErrorEvent {
            after: 9,
            kind: None,
        },
    )
    .await;
    assert_eq!(wire.count("content_block_delta"), 9);
    assert_eq!(wire.last("error")["error"]["type"], "overloaded_error");
    assert_eq!(wire.count("message_stop"), 0);

    let wire = with(&server, Fault::NoMessageStop { after: None }).await;
    assert_eq!(
        wire.last("message_delta")["delta"]["stop_reason"],
        "tool_use"
    );
    assert!(wire.count("message_stop") == 0 && !wire.broken);

    let wire = with(&server, Fault::NoMessageStop { after: Some(3) }).await;
    assert_eq!(
        (
            wire.count("content_block_delta"),
            wire.count("message_delta")
        ),
        (3, 0)
    );

    let wire = with(&server, Fault::CutFrame { after: 3 }).await;
    let text = wire.text();
    assert!(
        !text.ends_with("\n\n")
            && text
                .rsplit("\n\n")
                .next()
                .unwrap()
                .starts_with("event: content_block_delta"),
        "{text}"
    );

    let wire = with(&server, Fault::CutUtf8 { after: 8 }).await;
    assert_eq!(wire.bytes().last(), Some(&0xC3));
    assert!(String::from_utf8(wire.bytes()).is_err() && !wire.broken);

    let wire = with(&server, Fault::Reset { after: 3 }).await;
    assert!(wire.broken);
    server.shutdown().await;
}

#[tokio::test]
async fn streams_in_odd_dress() {
    let server = start().await;
    let plain = play(&server, Scripted::default()).await;
    let whole = |wire: &Wire| wire.deltas("text_delta", "text").concat();

    let wire = with(&server, Fault::OneByte).await;
    assert!(
        wire.chunks.len() > wire.bytes().len() / 2,
        "{}",
        wire.chunks.len()
    );
    assert_eq!(wire.kinds(), plain.kinds());

    let wire = with(&server, Fault::Crlf).await;
    assert!(wire.text().ends_with("\r\n\r\n"));
    assert_eq!(wire.kinds(), plain.kinds());

    let wire = with(&server, Fault::Bom).await;
    assert!(
        wire.bytes()
            .starts_with(b"\xEF\xBB\xBFevent: message_start")
    );

    let wire = with(&server, Fault::Pings).await;
    assert_eq!(wire.count("ping"), wire.count("content_block_delta") + 1);

    let wire = with(&server, Fault::Unknown).await;
    assert!(wire.count("weather") == 3 && whole(&wire) == TEXT);
    assert_eq!(wire.events()[1]["content_block"]["type"], "hologram");
    let indices: Vec<u64> = wire
        .events()
        .iter()
        .filter(|event| event["type"] == "content_block_start")
        .map(|event| event["index"].as_u64().unwrap())
        .collect();
    assert_eq!(indices, [0, 1, 2, 3]);

    let wire = with(&server, Fault::SeveralMessageDeltas).await;
    assert_eq!(wire.count("message_delta"), 3);
    assert_eq!(
        wire.last("message_delta")["delta"]["stop_reason"],
        "tool_use"
    );

    let wire = with(&server, Fault::MissingUsage).await;
    assert!(wire.last("message_delta").get("usage").is_none());
    assert!(wire.last("message_start")["message"].get("usage").is_none());

    let wire = with(&server, Fault::UnnamedEvents).await;
    assert!(!wire.text().contains("event:") && whole(&wire) == TEXT);

    let wire = with(&server, Fault::DeltaWithoutStart).await;
    assert!(wire.count("content_block_start") == 0 && whole(&wire) == TEXT);

    let wire = with(&server, Fault::OpenBlocks).await;
    assert_eq!(wire.count("content_block_stop"), 0);

    let wire = with(&server, Fault::RepeatedStart).await;
    assert_eq!(wire.count("message_start"), 2);

    let wire = with(&server, Fault::UnsignedThinking).await;
    assert!(wire.deltas("signature_delta", "signature").is_empty());
    server.shutdown().await;
}

#[tokio::test]
async fn stop_reasons() {
    let server = start().await;
    for (fault, reason) in [
        (
            Fault::StopReason {
                reason: Some("novel_reason".to_owned()),
            },
            json!("novel_reason"),
        ),
        (Fault::StopReason { reason: None }, Value::Null),
        (
            Fault::StopReason {
                reason: Some(String::new()),
            },
            json!(""),
        ),
        (Fault::PauseTurn, json!("pause_turn")),
        (Fault::Refusal, json!("refusal")),
        (Fault::CutToolUse, json!("max_tokens")),
    ] {
        let wire = with(&server, fault.clone()).await;
        let end = wire.last("message_delta");
        assert_eq!(end["delta"]["stop_reason"], reason, "{fault:?}");
        if fault == Fault::Refusal {
            assert_eq!(end["delta"]["stop_details"]["category"], "cyber");
        }
        if fault == Fault::CutToolUse {
            let input = wire.deltas("input_json_delta", "partial_json").concat();
            assert!(
                !input.is_empty() && serde_json::from_str::<Value>(&input).is_err(),
                "{input}"
            );
            assert_eq!(wire.count("content_block_stop"), 2);
        }
    }
    let wire = play(
        &server,
        Scripted::default().stop_reason("model_context_window_exceeded"),
    )
    .await;
    assert_eq!(
        wire.last("message_delta")["delta"]["stop_reason"],
        "model_context_window_exceeded"
    );
    server.shutdown().await;
}

#[tokio::test]
async fn forms_of_tool_input() {
    let server = start().await;
    let whole = r#"{"node":"pve","depth":2}"#;
    for (form, pieces) in [
        (InputForm::Empty, vec![]),
        (InputForm::EmptyDelta, vec![""]),
        (InputForm::OnePiece, vec![whole]),
        (InputForm::InStart, vec![]),
        (InputForm::NotObject, vec!["[1, 2]"]),
        (InputForm::Invalid, vec!["{\"name\": \"pve\", ", "oops]}"]),
    ] {
        let wire = with(&server, Fault::ToolInput { form }).await;
        assert_eq!(
            wire.deltas("input_json_delta", "partial_json"),
            pieces,
            "{form:?}"
        );
        let start = wire
            .events()
            .into_iter()
            .find(|event| event["content_block"]["type"] == "tool_use")
            .unwrap();
        let input = if form == InputForm::InStart {
            json!({ "node": "pve", "depth": 2 })
        } else {
            json!({})
        };
        assert_eq!(start["content_block"]["input"], input, "{form:?}");
    }
    server.shutdown().await;
}

/// Limits cut text exactly at their position.
#[tokio::test]
async fn max_tokens_and_stop_sequences_end_an_answer() {
    let server = start().await;
    let mut request = body();
    request["max_tokens"] = json!(5);
    server.script().reply([Block::text(TEXT)]);
    let answer: Value = post(&server, &request).await.json().await.unwrap();
    assert_eq!(
        (
            answer["stop_reason"].as_str(),
            answer["usage"]["output_tokens"].as_u64()
        ),
        (Some("max_tokens"), Some(5))
    );
    assert_eq!(answer["content"][0]["text"], TEXT[..20]);

    let mut request = body();
    request["stop_sequences"] = json!(["sir", "quorum"]);
    server.script().reply([Block::text(TEXT)]);
    let answer: Value = post(&server, &request).await.json().await.unwrap();
    assert_eq!(answer["stop_sequence"], "sir");
    assert_eq!(answer["content"][0]["text"], "All four nodes are online, ");
    server.shutdown().await;
}
