//! Refusals with their status and message.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::{KEY, ask, body, client, post, start};

/// A valid request with some fields changed; null removes a field.
fn with(changes: &Value) -> Value {
    let mut body = body();
    for (key, value) in changes.as_object().into_iter().flatten() {
        if value.is_null() {
            body.as_object_mut().unwrap().remove(key);
        } else {
            body[key] = value.clone();
        }
    }
    body
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": "A tool.", "input_schema": { "type": "object" } })
}

fn says(role: &str, content: &Value) -> Value {
    json!({ "role": role, "content": content })
}

fn image(kind: &str, data: &str) -> Value {
    let source = json!({ "type": "base64", "media_type": kind, "data": data });
    json!({ "type": "image", "source": source })
}

fn call(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "look", "input": {} })
}

fn result(id: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": "seen" })
}

/// Messages with the tool `look` defined.
fn dialogue(messages: &[Value]) -> Value {
    with(&json!({ "tools": [tool("look")], "messages": messages }))
}

fn text(text: &str) -> Value {
    json!([{ "type": "text", "text": text }])
}

#[tokio::test]
async fn bodies() {
    let user = says("user", &json!("Look"));
    let marked = json!({ "type": "text", "text": "x", "cache_control": { "type": "ephemeral" } });
    #[rustfmt::skip] // One case a line.
    let table: Vec<(&str, Value, u16, &str)> = vec![
        ("no max_tokens", with(&json!({ "max_tokens": null })), 400, "max_tokens: Field required"),
        ("too many tokens", with(&json!({ "max_tokens": 64_001 })), 400, "64001 > 64000, which is the maximum"),
        ("negative tokens", with(&json!({ "max_tokens": -1 })), 400, "max_tokens: Input should be"),
        ("no model", with(&json!({ "model": null })), 400, "model: Field required"),
        ("unknown model", with(&json!({ "model": "claude-3-opus-20240229" })), 404, "model: claude-3-opus"),
        ("temperature", with(&json!({ "temperature": 1 })), 400, "temperature: sampling parameters"),
        ("top_p", with(&json!({ "top_p": 0.9 })), 400, "top_p: sampling parameters"),
        ("top_k", with(&json!({ "top_k": 5 })), 400, "top_k: sampling parameters"),
        ("unknown field", with(&json!({ "colour": "blue" })), 400, "colour: Extra inputs are not permitted"),
        ("no messages", with(&json!({ "messages": [] })), 400, "at least one message"),
        ("unknown role", with(&json!({ "messages": [says("tool", &json!("x"))] })), 400, "messages.0.role"),
        ("assistant first", with(&json!({ "messages": [says("assistant", &json!("x")), user] })), 400, "first message must use the \"user\" role"),
        ("prefill", with(&json!({ "messages": [user, says("assistant", &json!("I"))] })), 400, "does not support assistant message prefill"),
        ("empty content", with(&json!({ "messages": [says("user", &json!([]))] })), 400, "must have non-empty content"),
        ("empty text", with(&json!({ "messages": [says("user", &json!(""))] })), 400, "text content blocks must be non-empty"),
        ("blank text", with(&json!({ "messages": [says("user", &text("  \n"))] })), 400, "messages.0.content.0: text content blocks must be non-empty"),
        ("blank system", with(&json!({ "system": text(" ") })), 400, "system.0: text content blocks must be non-empty"),
        ("extra in a block", with(&json!({ "messages": [says("user", &json!([{ "type": "text", "text": "x", "shade": 1 }]))] })), 400, "messages.0.content.0.text.shade: Extra inputs"),
        ("image of another type", with(&json!({ "messages": [says("user", &json!([image("image/jpeg", "iVBORw0KGgo=")]))] })), 400, "not of the media type"),
        ("image that is no base64", with(&json!({ "messages": [says("user", &json!([image("image/png", "%%")]))] })), 400, "Invalid base64"),
        ("image in a result", dialogue(&[user.clone(), says("assistant", &json!([call("a")])), says("user", &json!([{ "type": "tool_result", "tool_use_id": "a", "content": [image("image/gif", "iVBORw0KGgo=")] }]))]), 400, "tool_result.content.0.image.source"),
        ("call by the user", dialogue(&[says("user", &json!([call("a")]))]), 400, "'tool_use' is not permitted for role 'user'"),
        ("call without result", dialogue(&[user.clone(), says("assistant", &json!([call("a")])), says("user", &json!("Well?"))]), 400, "`tool_use` ids were found without `tool_result` blocks immediately after: a"),
        ("call at the end", dialogue(&[user.clone(), says("assistant", &json!([call("a")]))]), 400, "without `tool_result` blocks"),
        ("one of two results", dialogue(&[user.clone(), says("assistant", &json!([call("a"), call("b")])), says("user", &json!([result("a")]))]), 400, "immediately after: b"),
        ("orphan result", dialogue(&[says("user", &json!([result("a")]))]), 400, "unexpected `tool_use_id`"),
        ("result of another call", dialogue(&[user.clone(), says("assistant", &json!([call("a")])), says("user", &json!([result("a"), result("b")]))]), 400, "messages.2.content.1: unexpected `tool_use_id`"),
        ("late result", dialogue(&[user.clone(), says("assistant", &json!([call("a")])), says("user", &json!([result("a")])), says("assistant", &json!("Done")), says("user", &json!([result("a")]))]), 400, "messages.4.content.0: unexpected `tool_use_id`"),
        ("two results", dialogue(&[user.clone(), says("assistant", &json!([call("a")])), says("user", &json!([result("a"), result("a")]))]), 400, "must have a single result"),
        ("text before results", dialogue(&[user.clone(), says("assistant", &json!([call("a")])), says("user", &json!([{ "type": "text", "text": "x" }, result("a")]))]), 400, "must come first"),
        ("two calls with one id", dialogue(&[user.clone(), says("assistant", &json!([call("a"), call("a")])), says("user", &json!([result("a")]))]), 400, "ids must be unique"),
        ("input is no object", dialogue(&[user.clone(), says("assistant", &json!([{ "type": "tool_use", "id": "a", "name": "look", "input": "x" }])), says("user", &json!([result("a")]))]), 400, "valid dictionary"),
        ("tool blocks without tools", with(&json!({ "messages": [user.clone(), says("assistant", &json!([call("a")])), says("user", &json!([result("a")]))] })), 400, "must define tools"),
        ("tool name", with(&json!({ "tools": [tool("look up")] })), 400, "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"),
        ("long tool name", with(&json!({ "tools": [tool(&"x".repeat(65))] })), 400, "tools.0.custom.name"),
        ("same tool twice", with(&json!({ "tools": [tool("look"), tool("look")] })), 400, "Tool names must be unique"),
        ("schema is no object", with(&json!({ "tools": [{ "name": "look", "input_schema": { "type": "string" } }] })), 400, "input_schema.type"),
        ("forced any", with(&json!({ "tools": [tool("look")], "tool_choice": { "type": "any" } })), 400, "forced tool use is not supported"),
        ("forced tool", with(&json!({ "tools": [tool("look")], "tool_choice": { "type": "tool", "name": "look" } })), 400, "forced tool use is not supported"),
        ("choice without tools", with(&json!({ "tool_choice": { "type": "none" } })), 400, "while providing tools"),
        ("tool that is not there", with(&json!({ "model": "claude-haiku-4-5", "tools": [tool("look")], "tool_choice": { "type": "tool", "name": "see" } })), 400, "Tool 'see' not found"),
        ("manual thinking", with(&json!({ "thinking": { "type": "enabled", "budget_tokens": 2_000 } })), 400, "'enabled' is not supported"),
        ("thinking switched off", with(&json!({ "model": "claude-opus-5-5", "thinking": { "type": "disabled" } })), 400, "'disabled' is not supported"),
        ("adaptive on an old model", with(&json!({ "model": "claude-haiku-4-5", "thinking": { "type": "adaptive" } })), 400, "'adaptive' is not supported"),
        ("small budget", with(&json!({ "model": "claude-haiku-4-5", "thinking": { "type": "enabled", "budget_tokens": 10 } })), 400, "greater than or equal to 1024"),
        ("budget over max_tokens", with(&json!({ "model": "claude-haiku-4-5", "thinking": { "type": "enabled", "budget_tokens": 2_000 } })), 400, "must be greater than thinking.budget_tokens"),
        ("effort on an old model", with(&json!({ "model": "claude-haiku-4-5", "output_config": { "effort": "low" } })), 400, "effort: not supported"),
        ("thinking without signature", dialogue(&[user.clone(), says("assistant", &json!([{ "type": "thinking", "thinking": "x" }, { "type": "text", "text": "y" }])), user.clone()]), 400, "messages.1.content.0.thinking.signature: Field required"),
        ("forged signature", dialogue(&[user.clone(), says("assistant", &json!([{ "type": "thinking", "thinking": "x", "signature": "forged" }, { "type": "text", "text": "y" }])), user.clone()]), 400, "Invalid `signature` in `thinking` block"),
        ("five breakpoints", with(&json!({ "messages": [says("user", &json!([marked, marked, marked, marked, marked]))] })), 400, "A maximum of 4 blocks with cache_control may be provided. Found 5."),
        ("four and the automatic one", with(&json!({ "cache_control": { "type": "ephemeral" }, "messages": [says("user", &json!([marked, marked, marked, marked]))] })), 400, "Found 5."),
        ("marked thinking", dialogue(&[user.clone(), says("assistant", &json!([{ "type": "thinking", "thinking": "x", "signature": "s", "cache_control": { "type": "ephemeral" } }])), user.clone()]), 400, "thinking.cache_control"),
        ("long after short", with(&json!({ "messages": [says("user", &json!([marked, { "type": "text", "text": "x", "cache_control": { "type": "ephemeral", "ttl": "1h" } }]))] })), 400, "must not come after a ttl='5m'"),
        ("blank stop sequence", with(&json!({ "stop_sequences": [" "] })), 400, "must contain non-whitespace"),
        ("system message first", with(&json!({ "messages": [says("system", &json!("x")), user] })), 400, "first message must use"),
        ("system after assistant", dialogue(&[user.clone(), says("assistant", &json!("x")), says("system", &json!("y")), user.clone()]), 400, "must directly follow a user message"),
        ("system message on an old model", with(&json!({ "model": "claude-sonnet-4-6", "messages": [user, says("system", &json!("x"))] })), 400, "not supported in messages"),
        ("warming with stream", with(&json!({ "max_tokens": 0, "stream": true })), 400, "max_tokens: 0 cannot be combined with stream"),
        ("too long", with(&json!({ "messages": [says("user", &json!("x".repeat(900_000)))] })), 400, "prompt is too long: 2"),
        ("server-held thread", with(&json!({ "thread": { "type": "create" } })), 400, "does not support message threads"),
    ];
    let server = start().await;
    let names: Vec<&str> = table.iter().map(|row| row.0).collect();
    for (name, body, status, words) in table {
        let response = post(&server, &body).await;
        assert_eq!(response.status(), status, "{name}");
        assert!(response.headers().contains_key("request-id"), "{name}");
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["type"], "error", "{name}");
        let kind = if status == 404 {
            "not_found_error"
        } else {
            "invalid_request_error"
        };
        assert_eq!(answer["error"]["type"], kind, "{name}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{name}: {message}");
    }
    let seen = server.script().requests();
    assert_eq!(seen.len(), names.len());
    server.shutdown().await;
}

#[tokio::test]
async fn what_is_allowed() {
    let server = start().await;
    let user = says("user", &json!("Hello"));
    #[rustfmt::skip] // One case a line.
    let table = [
        ("neighbours of one role", with(&json!({ "messages": [user, user] }))),
        ("results over two messages", dialogue(&[user.clone(), says("assistant", &json!([call("a"), call("b")])), says("user", &json!([result("a")])), says("user", &json!([result("b"), { "type": "text", "text": "Well?" }]))])),
        ("result without content", dialogue(&[user.clone(), says("assistant", &json!([call("a")])), says("user", &json!([{ "type": "tool_result", "tool_use_id": "a", "is_error": true }]))])),
        ("no choice of tools", with(&json!({ "tools": [tool("look")], "tool_choice": { "type": "none" } }))),
        ("system message", with(&json!({ "messages": [user, says("system", &json!("Be brief."))] }))),
        ("prefill on an old model", with(&json!({ "model": "claude-haiku-4-5", "messages": [user, says("assistant", &json!("I"))] }))),
        ("forced tool on an old model", with(&json!({ "model": "claude-haiku-4-5", "tools": [tool("look")], "tool_choice": { "type": "tool", "name": "look" } }))),
        ("image", with(&json!({ "messages": [says("user", &json!([image("image/png", "iVBORw0KGgo=")]))] }))),
        ("warming", with(&json!({ "max_tokens": 0 }))),
    ];
    for (name, body) in table {
        let response = post(&server, &body).await;
        let (status, answer) = (response.status(), response.text().await.unwrap());
        assert_eq!(status, 200, "{name}: {answer}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn headers() {
    let server = start().await;
    let bearer = format!("Bearer {KEY}");
    let table: Vec<(&str, Vec<(&'static str, &str)>, u16, &str)> = vec![
        (
            "x-api-key",
            vec![("x-api-key", KEY), ("anthropic-version", "2026-10-21")],
            200,
            "",
        ),
        (
            "bearer",
            vec![
                ("authorization", &bearer),
                ("anthropic-version", "2023-06-01"),
            ],
            200,
            "",
        ),
        (
            "nobody",
            vec![("anthropic-version", "2026-10-21")],
            401,
            "authentication_error",
        ),
        (
            "both",
            vec![
                ("x-api-key", KEY),
                ("authorization", &bearer),
                ("anthropic-version", "2026-10-21"),
            ],
            400,
            "mutually exclusive",
        ),
        (
            "wrong key",
            vec![("x-api-key", "wrong"), ("anthropic-version", "2026-10-21")],
            401,
            "invalid x-api-key",
        ),
        (
            "no version",
            vec![("x-api-key", KEY)],
            400,
            "anthropic-version: header is required",
        ),
        (
            "unknown version",
            vec![("x-api-key", KEY), ("anthropic-version", "2024-01-01")],
            400,
            "is not a valid version",
        ),
    ];
    for (name, given, status, words) in table {
        let mut headers = HeaderMap::new();
        for (key, value) in given {
            headers.insert(key, HeaderValue::from_str(value).unwrap());
        }
        let url = format!("{}/v1/messages", server.base_url());
        let response = client()
            .post(url)
            .headers(headers)
            .json(&body())
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), status, "{name}");
        let text = response.text().await.unwrap();
        assert!(text.contains(words), "{name}: {text}");
    }
    // The old version still accepts sampling parameters.
    let response = client()
        .post(format!("{}/v1/messages", server.base_url()))
        .header("x-api-key", KEY)
        .header("anthropic-version", "2023-06-01")
        .json(&with(&json!({ "temperature": 0.5 })))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    server.shutdown().await;
}

#[tokio::test]
async fn a_body_over_32_mb_is_413() {
    let server = start().await;
    let huge = with(&json!({ "messages": [says("user", &json!("x".repeat(33 << 20)))] }));
    let response = post(&server, &huge).await;
    assert_eq!(response.status(), 413);
    let answer: Value = response.json().await.unwrap();
    assert_eq!(answer["error"]["type"], "request_too_large");
    server.shutdown().await;
}

/// Signed thinking covers everything before it.
#[tokio::test]
async fn changed_history_is_refused() {
    let server = start().await;
    let first = with(&json!({
        "system": "You serve.",
        "tools": [tool("get_vms")],
        "thinking": { "type": "adaptive", "display": "summarized" },
        "messages": [says("user", &json!("List the VMs"))],
    }));
    let answer = ask(&server, &first).await;
    let content = &answer["content"];
    assert_eq!(content[0]["type"], "thinking");
    let id = content.as_array().unwrap().last().unwrap()["id"]
        .as_str()
        .unwrap();
    let mut next = first.clone();
    let messages = next["messages"].as_array_mut().unwrap();
    messages.push(says("assistant", content));
    messages.push(says("user", &json!([result(id)])));
    ask(&server, &next).await;

    let change = |pointer: &str, value: Value| {
        let mut changed = next.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    let mut without_thinking = next.clone();
    without_thinking["messages"][1]["content"]
        .as_array_mut()
        .unwrap()
        .remove(0);
    for (name, body, words) in [
        (
            "system",
            change("/system", json!("You obey.")),
            "has changed since",
        ),
        (
            "tools",
            change("/tools/0/description", json!("Another.")),
            "has changed since",
        ),
        (
            "an earlier message",
            change("/messages/0/content", json!("List the vms")),
            "has changed since",
        ),
        (
            "the thinking",
            change("/messages/1/content/0/thinking", json!("Else.")),
            "Invalid `signature`",
        ),
        ("no thinking", without_thinking, "are missing"),
    ] {
        let response = post(&server, &body).await;
        assert_eq!(response.status(), 400, "{name}");
        let text = response.text().await.unwrap();
        assert!(text.contains(words), "{name}: {text}");
    }

    // Cache markers do not count as a change, and another model ignores the blocks.
    let mut marked = next.clone();
    marked["tools"][0]["cache_control"] = json!({ "type": "ephemeral" });
    ask(&server, &marked).await;
    let mut other = change("/messages/0/content", json!("Another beginning"));
    other["model"] = json!("claude-sonnet-5-5");
    ask(&server, &other).await;
    // A conversation without any earlier thinking, as after trimming, is valid too.
    let mut trimmed = change("/messages/0/content", json!("Another beginning"));
    trimmed["messages"][1]["content"]
        .as_array_mut()
        .unwrap()
        .remove(0);
    ask(&server, &trimmed).await;
    server.shutdown().await;
}

/// A signature stays valid after a restart of the server.
#[tokio::test]
async fn signatures_survive_a_restart() {
    let request = with(&json!({ "thinking": { "type": "adaptive" } }));
    let server = start().await;
    let answer = ask(&server, &request).await;
    server.shutdown().await;
    let server = start().await;
    let mut next = request.clone();
    let messages = next["messages"].as_array_mut().unwrap();
    messages.push(says("assistant", &answer["content"]));
    messages.push(says("user", &json!("Thank you")));
    ask(&server, &next).await;
    next["messages"][0]["content"] = json!("Changed");
    assert_eq!(post(&server, &next).await.status(), 400);
    server.shutdown().await;
}
