//! `jarvis mcp`: a client on standard streams, over a running server.

use std::process::Stdio;

use mcp_stdio::BridgeTarget;
use protocol::ConversationId;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex,
    split,
};

use super::{APPROVE, DENY, decide, state};
use crate::{
    binary::{jarvis, run},
    confirm::effects,
    harness::{Folder, Server, soon},
    tokens::token,
};

/// A client on standard streams, line by line.
struct StreamClient {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    output: WriteHalf<DuplexStream>,
}

impl StreamClient {
    fn new(stream: DuplexStream) -> Self {
        let (input, output) = split(stream);
        let lines = BufReader::new(input).lines();
        Self { lines, output }
    }

    async fn says(&mut self, message: Value) {
        let line = format!("{message}\n");
        self.output.write_all(line.as_bytes()).await.unwrap();
    }

    async fn hears(&mut self) -> Value {
        let line = soon("a line", self.lines.next_line()).await.unwrap();
        serde_json::from_str(&line.expect("the bridge is there")).unwrap()
    }
}

/// The server has no session in which it could ask an older client; its standard streams are one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_client_is_asked_to_open_the_card() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = token(&owner, "operator", &[]).await.unwrap();
    let target = BridgeTarget::new(server.url(), None, &token, None).unwrap();
    let (ours, theirs) = duplex(64 * 1024);
    let (input, output) = split(theirs);
    let bridge = mcp_stdio::relay(&target, BufReader::new(input), output);
    let story = async {
        let mut client = StreamClient::new(ours);
        let begins = json!({
            "protocolVersion": "2025-11-25", "capabilities": { "elicitation": { "url": {} } },
            "clientInfo": { "name": "test", "version": "1" },
        });
        let begins = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": begins });
        client.says(begins).await;
        let begun = client.hears().await;
        assert_eq!(begun["result"]["protocolVersion"], "2025-11-25");
        let start = json!({ "node": "pve", "vmid": 213 });
        let start = json!({ "name": "start_container", "arguments": start });
        for (id, action, decision, expect) in [
            (1, "decline", None, "waiting"),
            (2, "accept", Some(DENY), "denied"),
            (3, "accept", Some(APPROVE), "succeeded"),
        ] {
            let call =
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": start });
            client.says(call).await;
            let question = client.hears().await;
            assert_eq!(question["method"], "elicitation/create", "{question:#}");
            assert_eq!(question["params"]["mode"], "url");
            let page = question["params"]["url"].as_str().unwrap();
            let call: ConversationId = page.rsplit('/').next().unwrap().parse().unwrap();
            let opened = json!({ "action": action, "content": { "approved": true } });
            let opened = json!({ "jsonrpc": "2.0", "id": question["id"], "result": opened });
            client.says(opened).await;
            if let Some(decision) = decision {
                // The page is open, and that is all: the person decides there.
                let mut tab = owner.socket().await;
                decide(&mut tab, call, decision).await;
                let settled = client.hears().await;
                assert_eq!(settled["method"], "notifications/elicitation/complete");
                assert_eq!(settled["params"]["elicitationId"], json!(call));
            }
            let answer = client.hears().await;
            assert_eq!(answer["id"], id, "{answer:#}");
            assert_eq!(state(&answer["result"]), expect, "{answer:#}");
        }
        assert_eq!(effects(&server, 213), 1);
    };
    let (ended, ()) = tokio::join!(bridge, story);
    ended.unwrap();
    server.stop().await;
}

/// The command itself, as an assistant starts it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_on_standard_streams_lists_and_calls() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = token(&owner, "operator", &[]).await.unwrap();
    std::fs::write(folder.path().join("token"), token).unwrap();
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
    let arguments = ["mcp", "--url", server.url(), "--token-file", "token"];
    let mut bridge = jarvis(folder.path(), &arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = bridge.stdin.take().unwrap();
    input.write_all(lines.join("\n").as_bytes()).await.unwrap();
    drop(input);
    let ended = soon("the end of the input", bridge.wait_with_output()).await;
    let ended = ended.unwrap();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{told}");
    let answers: Vec<Value> = String::from_utf8(ended.stdout)
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
