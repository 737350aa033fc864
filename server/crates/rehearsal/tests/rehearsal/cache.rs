//! The emulated prompt cache, checked through the usage.

use std::sync::Arc;

use rehearsal::{Block, Fault, ManualClock, Rehearsal};
use serde_json::{Value, json};

use crate::{ask, post, start_with};

/// Read, written and fresh tokens.
fn bill(answer: &Value) -> (u64, u64, u64) {
    let usage = &answer["usage"];
    let tokens = |key: &str| usage[key].as_u64().unwrap();
    (
        tokens("cache_read_input_tokens"),
        tokens("cache_creation_input_tokens"),
        tokens("input_tokens"),
    )
}

fn marked(text: &str, ttl: &str) -> Value {
    json!({ "type": "text", "text": text, "cache_control": { "type": "ephemeral", "ttl": ttl } })
}

fn plain(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn request(system: &Value, messages: &[(&str, Value)]) -> Value {
    let messages: Vec<Value> = messages
        .iter()
        .map(|(role, content)| json!({ "role": role, "content": content }))
        .collect();
    json!({ "model": "rehearsal-1", "max_tokens": 100, "system": system, "messages": messages })
}

async fn server() -> (Rehearsal, ManualClock) {
    let clock = ManualClock::at(1_795_309_323);
    let given = Arc::new(clock.clone());
    (start_with(|options| options.clock = given).await, clock)
}

fn long(word: &str) -> String {
    format!("{word} ").repeat(800)
}

#[tokio::test]
async fn a_prefix_is_read_until_it_expires() {
    let (server, clock) = server().await;
    let body = request(
        &json!([marked(&long("rule"), "5m")]),
        &[("user", json!("Hello"))],
    );
    let (read, written, fresh) = bill(&ask(&server, &body).await);
    assert_eq!(read, 0);
    assert!(
        written > 900 && fresh > 0 && fresh < 50,
        "{written} {fresh}"
    );
    assert_eq!(bill(&ask(&server, &body).await), (written, 0, fresh));

    // Each use extends its life by another five minutes.
    for _ in 0..3 {
        clock.advance(299);
        assert_eq!(bill(&ask(&server, &body).await), (written, 0, fresh));
    }
    clock.advance(301);
    assert_eq!(bill(&ask(&server, &body).await), (0, written, fresh));

    let hour = request(
        &json!([marked(&long("hour"), "1h")]),
        &[("user", json!("Hello"))],
    );
    let answer = ask(&server, &hour).await;
    let split = &answer["usage"]["cache_creation"];
    assert_eq!(split["ephemeral_5m_input_tokens"], 0);
    let written = split["ephemeral_1h_input_tokens"].as_u64().unwrap();
    clock.advance(3_000);
    assert_eq!(bill(&ask(&server, &hour).await).0, written);
    server.shutdown().await;
}

#[tokio::test]
async fn any_change_before_the_breakpoint_misses() {
    let (server, _) = server().await;
    let system = json!([marked(&long("rule"), "5m")]);
    let tools = json!([{ "name": "look", "input_schema": { "type": "object" } }]);
    let mut body = request(&system, &[("user", json!("Hello"))]);
    body["tools"] = tools;
    let (_, written, fresh) = bill(&ask(&server, &body).await);
    let same = (written, 0, fresh);
    let table: Vec<(&str, Box<dyn Fn(&mut Value)>, bool)> = vec![
        ("nothing", Box::new(|_| {}), true),
        (
            "max_tokens",
            Box::new(|body| body["max_tokens"] = json!(99)),
            true,
        ),
        (
            "choice of tools",
            Box::new(|body| body["tool_choice"] = json!({ "type": "none" })),
            true,
        ),
        (
            "a later message",
            Box::new(|body| body["messages"][0]["content"] = json!("Howdy")),
            true,
        ),
        (
            "string or block",
            Box::new(|body| body["messages"][0]["content"] = json!([plain("Hello")])),
            true,
        ),
        (
            "one letter of system",
            Box::new(|body| body["system"][0]["text"] = json!(long("Rule"))),
            false,
        ),
        (
            "a tool",
            Box::new(|body| body["tools"][0]["description"] = json!("Looks.")),
            false,
        ),
        (
            "the model",
            Box::new(|body| body["model"] = json!("claude-sonnet-5-5")),
            false,
        ),
    ];
    for (name, change, hit) in table {
        let mut changed = body.clone();
        change(&mut changed);
        let bill = bill(&ask(&server, &changed).await);
        assert_eq!(bill.0 > 0, hit, "{name}: {bill:?}");
        if hit {
            assert_eq!(bill.0, same.0, "{name}");
        }
    }
    server.shutdown().await;
}

#[tokio::test]
async fn settings_spoil_messages_but_not_system() {
    let (server, _) = server().await;
    let system = json!([marked(&long("rule"), "5m")]);
    let mut body = request(&system, &[("user", json!([marked(&long("word"), "5m")]))]);
    body["tools"] = json!([{ "name": "look", "input_schema": { "type": "object" } }]);
    let (_, all, _) = bill(&ask(&server, &body).await);
    assert_eq!(bill(&ask(&server, &body).await).0, all);
    body["tool_choice"] = json!({ "type": "none" });
    let (read, written, _) = bill(&ask(&server, &body).await);
    assert!(read > 900 && written > 900, "{read} {written}");
    assert_eq!(read + written, all);
    server.shutdown().await;
}

#[tokio::test]
async fn short_prefixes_and_failed_requests_are_not_cached() {
    let (server, _) = server().await;
    let short = request(
        &json!([marked("Be brief.", "5m")]),
        &[("user", json!("Hello"))],
    );
    for _ in 0..2 {
        let (read, written, fresh) = bill(&ask(&server, &short).await);
        assert_eq!((read, written), (0, 0));
        assert!(fresh > 0);
    }
    let body = request(
        &json!([marked(&long("rule"), "5m")]),
        &[("user", json!("Hello"))],
    );
    server.script().fault(Fault::Overloaded);
    assert_eq!(post(&server, &body).await.status(), 529);
    assert_eq!(bill(&ask(&server, &body).await).0, 0);
    server.shutdown().await;
}

/// A breakpoint finds a cached prefix at most 20 blocks back.
#[tokio::test]
async fn the_look_back_ends_after_20_blocks() {
    let (server, _) = server().await;
    for (blocks, hit) in [(19, true), (20, false)] {
        let first = format!("{} {blocks}", long("start"));
        let body = request(&json!("Serve."), &[("user", json!([marked(&first, "5m")]))]);
        let (_, written, _) = bill(&ask(&server, &body).await);
        let mut content = vec![plain(&first)];
        content.extend((1..blocks).map(|block| plain(&format!("block {block}"))));
        content.push(marked("end", "5m"));
        let body = request(&json!("Serve."), &[("user", json!(content))]);
        let (read, _, _) = bill(&ask(&server, &body).await);
        assert_eq!(read, if hit { written } else { 0 }, "{blocks}");
    }
    server.shutdown().await;
}

/// A typical chat: breakpoints on system and on the newest message, with a growing history.
#[tokio::test]
async fn a_growing_conversation_reads_nearly_everything() {
    let (server, _) = server().await;
    let system = json!([marked(&long("rule"), "5m")]);
    let mut history: Vec<(&str, Value)> = Vec::new();
    let (mut total, mut read_all) = (0, 0);
    for turn in 0..10 {
        server
            .script()
            .reply([Block::text(format!("Answer {turn}, sir."))]);
        let question = format!("Question {turn}?");
        history.push(("user", json!([marked(&question, "5m")])));
        let answer = ask(&server, &request(&system, &history)).await;
        let (read, written, fresh) = bill(&answer);
        if turn > 0 {
            total += read + written + fresh;
            read_all += read;
        }
        history.pop();
        history.push(("user", json!([plain(&question)])));
        history.push(("assistant", answer["content"].clone()));
    }
    assert!(read_all * 100 >= total * 90, "{read_all} of {total}");
    server.shutdown().await;
}

#[tokio::test]
async fn warming_writes_and_says_nothing() {
    let (server, _) = server().await;
    let mut body = request(
        &json!([marked(&long("rule"), "5m")]),
        &[("user", json!("Hello"))],
    );
    body["max_tokens"] = json!(0);
    let answer = ask(&server, &body).await;
    assert_eq!(answer["content"], json!([]));
    assert_eq!(answer["stop_reason"], "max_tokens");
    let (_, written, _) = bill(&answer);
    body["max_tokens"] = json!(10);
    assert_eq!(bill(&ask(&server, &body).await).0, written);
    server.shutdown().await;
}
