//! `jarvis mcp`: a client on standard streams, over a running server.

use mcp_stdio::BridgeTarget;
use serde_json::{Value, json};

use crate::{
    binary::{jarvis, run},
    harness::{Folder, Server, soon},
    tokens::token,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_on_standard_streams_lists_and_calls() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = token(&owner, "operator", &[]).await.unwrap();
    let target = BridgeTarget::new(server.url(), None, &token, None).unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": "three", "method": "tools/call", "params": {
            "name": "get_cluster_status", "arguments": {}, "_meta": meta,
        } }),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/dance", "params": { "_meta": meta } }),
    ];
    let lines: Vec<_> = messages.iter().map(Value::to_string).collect();
    let input = lines.join("\n");
    let mut output = Vec::new();
    let relayed = mcp_stdio::relay(&target, input.as_bytes(), &mut output);
    soon("the end of the input", relayed).await.unwrap();
    let answers: Vec<Value> = String::from_utf8(output)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 4, "{answers:#?}");
    let answer = |id: Value| {
        let found = answers.iter().find(|answer| answer["id"] == id);
        found.unwrap_or_else(|| panic!("no answer to {id}: {answers:#?}"))
    };
    let begun = &answer(json!(1))["result"];
    assert_eq!(begun["protocolVersion"], "2025-11-25");
    let tools = answer(json!(2))["result"]["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["name"] == "start_container"));
    let result = &answer(json!("three"))["result"];
    assert_eq!(result["structuredContent"]["state"], "succeeded");
    assert_eq!(answer(json!(4))["error"]["code"], -32601);

    // What the server refuses before the protocol is an answer too.
    let stranger = BridgeTarget::new(server.url(), None, "jarvis_token_none", None).unwrap();
    let mut output = Vec::new();
    let asks = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    let relayed = mcp_stdio::relay(&stranger, &asks[..], &mut output);
    soon("the end of the input", relayed).await.unwrap();
    let answer: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(answer["id"], 1);
    assert!(answer["error"]["message"].is_string(), "{answer}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_subcommand_needs_a_token_and_an_address_that_keeps_it() {
    let folder = Folder::new();
    let at = folder.path();
    let (code, out, err) = run(&mut jarvis(at, &["mcp"])).await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("JARVIS_TOKEN"), "{err}");
    let mut plain = jarvis(at, &["mcp", "--url", "http://jarvis.lan"]);
    let (code, _, err) = run(plain.env("JARVIS_TOKEN", "jarvis_token_hush")).await;
    assert_eq!(code, Some(1));
    assert!(err.contains("https") && !err.contains("hush"), "{err}");
    // Its input has ended, and with it the bridge.
    std::fs::write(at.join("token"), "jarvis_token_hush\n").unwrap();
    let mut ends = jarvis(at, &["mcp", "--token-file", "token"]);
    let (code, out, err) = run(&mut ends).await;
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""));
}
