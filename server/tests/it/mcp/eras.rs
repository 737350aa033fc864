//! Both eras of the protocol, and the lists of tools.

use std::collections::BTreeSet;

use protocol::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{CURRENT, McpClient, OLDER, read, state};
use crate::{
    client::{Browser, send},
    harness::{Folder, QUIET, Server, add_user},
};

const READING: &str = "get_cluster_status";
const ACTING: &str = "start_container";
const OUTCOME: &str = "get_call_outcome";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_of_both_eras_list_and_call() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let current = McpClient::new(&server, &owner, "operator", &[]).await;
    let older = current.older();

    let begin = json!({
        "protocolVersion": OLDER, "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let begun = older.result("initialize", begin).await;
    assert_eq!(begun["protocolVersion"], OLDER);
    assert_eq!(begun["serverInfo"]["name"], "jarvis");
    assert!(begun["capabilities"]["tools"].is_object());
    let request = older.program.request(Method::POST, "/mcp");
    let request = request.header("accept", "application/json, text/event-stream");
    let noted = request.json(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let noted = send(noted).await;
    assert_eq!(noted.status(), StatusCode::ACCEPTED);
    assert!(!noted.headers().contains_key("mcp-session-id"));
    older.result("ping", json!({})).await;

    let found = current.result("server/discover", json!({})).await;
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(CURRENT)), "{found:#}");
    let list = current.result("tools/list", json!({})).await;
    assert_eq!(list["cacheScope"], "private");
    assert_eq!(list["ttlMs"], 0);

    for client in [&current, &older] {
        let tools = client.tools().await;
        let tool = |name: &str| {
            let found = tools.iter().find(|tool| tool["name"] == name);
            found.unwrap_or_else(|| panic!("no {name} in {tools:#?}"))
        };
        assert_eq!(tool(READING)["annotations"]["readOnlyHint"], true);
        assert_eq!(tool(READING)["inputSchema"]["type"], "object");
        assert_eq!(tool(ACTING)["annotations"]["readOnlyHint"], false);
        assert_eq!(tool(ACTING)["_meta"]["jarvis/tier"], "red");
        assert_eq!(tool(OUTCOME)["annotations"]["readOnlyHint"], true);
        let result = client.call(READING, json!({})).await;
        assert_eq!(result["isError"], false, "{result:#}");
        assert_eq!(state(&result), "succeeded");
        let text = result["content"][0]["text"].as_str().unwrap();
        let data: Value = serde_json::from_str(text).unwrap();
        assert_eq!(data, result["structuredContent"]["result"]);
    }
    let result = current.call(READING, json!({})).await;
    assert_eq!(result["resultType"], "complete");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_protocol_refuses_is_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    for method in [Method::GET, Method::DELETE] {
        let refused = send(client.program.request(method, "/mcp")).await;
        assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
    let unknown = client.error("tools/dance", json!({})).await;
    assert_eq!(unknown, (StatusCode::NOT_FOUND, -32601));
    let request = client.request("tools/list", json!({}));
    let (status, answer) = read(send(request.header("mcp-method", "tools/call")).await).await;
    let code = answer["error"]["code"].as_i64();
    assert_eq!((status, code), (StatusCode::BAD_REQUEST, Some(-32020)));
    let future = McpClient {
        version: "2099-01-01",
        ..client.clone()
    };
    let refused = future.error("tools/list", json!({})).await;
    assert_eq!(refused, (StatusCode::BAD_REQUEST, -32022));
    let unknown = client.error("tools/call", json!({ "name": "dance" })).await;
    assert_eq!(unknown.1, -32602);
    server.stop().await;
}

/// Every error has the id under which the log has its request, also an error that the library made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_of_the_protocol_has_the_id_of_its_request() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let older = client.older();
    let other = client.request("tools/list", json!({}));
    let nothing = json!({ "name": "dance", "arguments": {} });
    let posted = |kind: &'static str, body: &'static str| {
        let request = client.program.request(Method::POST, "/mcp");
        let request = request.header("accept", "application/json, text/event-stream");
        request.header("content-type", kind).body(body)
    };
    let body = |body| posted("application/json; charset=utf-8", body);
    for (request, status, code) in [
        (client.request("tools/dance", json!({})), 404, -32601),
        (older.request("tools/dance", json!({})), 200, -32601),
        // The library knows these, and this server has none.
        (client.request("resources/list", json!({})), 404, -32601),
        (older.request("resources/list", json!({})), 200, -32601),
        (other.header("mcp-method", "tools/call"), 400, -32020),
        (client.request("tools/call", nothing.clone()), 200, -32602),
        (older.request("tools/call", nothing), 200, -32602),
        // Without a name.
        (client.request("tools/call", json!({})), 200, -32602),
        (older.request("tools/call", json!({})), 200, -32602),
        (body("{"), 400, -32700),
        (body(""), 400, -32700),
        (body("[]"), 400, -32600),
        (body("{}"), 400, -32600),
    ] {
        let named = format!("{request:?}");
        let answer = send(request).await;
        let id = answer.headers()["x-request-id"].clone();
        let (told, answer) = read(answer).await;
        let error = &answer["error"];
        assert_eq!(
            (told.as_u16(), &error["code"]),
            (status, &json!(code)),
            "{named}"
        );
        assert_eq!(
            error["data"]["request_id"],
            id.to_str().unwrap(),
            "{answer:#}"
        );
        if code == -32601 {
            let message = error["message"].as_str().unwrap();
            assert!(message.starts_with("There is no method "), "{message}");
        }
    }
    let other_type = send(posted("text/plain", "{}")).await;
    assert_eq!(other_type.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn role_and_scope_of_a_token_decide_its_list() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let viewer = add_user(&folder, "Vera", Role::Viewer).await;
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let reader = McpClient::new(&server, &owner, "viewer", &[]).await;
    let vera = Browser::sign_in(&format!("{}{viewer}", server.url())).await;
    let of_viewer = McpClient::new(&server, &vera, "viewer", &[]).await;
    for client in [&reader, &of_viewer] {
        let tools = client.tools().await;
        assert!(tools.iter().any(|tool| tool["name"] == READING));
        for tool in &tools {
            assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool:#}");
        }
        let result = client.call(READING, json!({})).await;
        assert_eq!(state(&result), "succeeded");
        // It is none to this token, whatever it knows from elsewhere.
        let refused = client.error("tools/call", json!({ "name": ACTING })).await;
        assert_eq!(refused.1, -32602);
    }
    let markets = McpClient::new(&server, &owner, "operator", &["markets"]).await;
    // Charts stand alone: their tools are in no list of all.
    assert_eq!(markets.names().await, [OUTCOME]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_has_a_door_with_its_tools_alone() {
    const DOOR: &str = "/mcp/network-tools";
    let folder = Folder::new();
    let more = "[domains]\nenabled = [\"homelab\", \"field\"]\n[field]\nsimulated = true\n";
    let server = Server::start_with(&folder, &format!("{QUIET}{more}")).await;
    let owner = server.sign_in().await;
    let all = McpClient::new(&server, &owner, "operator", &[]).await;
    let door = all.at(DOOR);
    let names = door.names().await;
    assert!(names.iter().any(|name| name == "list_devices"), "{names:?}");
    assert!(names.iter().any(|name| name == OUTCOME), "{names:?}");
    assert!(!names.iter().any(|name| name == READING), "{names:?}");
    // What stands alone in conversations stands alone here, and tools of people are in no list.
    assert!(!all.names().await.iter().any(|name| name == "list_devices"));
    let people = ["enrol_device", "edit_proposal"];
    assert!(
        !names.iter().any(|name| people.contains(&name.as_str())),
        "{names:?}"
    );
    let found = door.result("server/discover", json!({})).await;
    let about = &found["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(about["name"], "jarvis-network-tools", "{found:#}");
    assert_eq!(about["version"], "1", "{found:#}");

    let result = door.call("list_devices", json!({})).await;
    assert_eq!(state(&result), "succeeded", "{result:#}");
    // Models elsewhere read of a site what models here read of it.
    let mut read = vec![result.to_string()];
    for device in named(&result, "dev_") {
        for tool in ["get_device", "get_diagnostics"] {
            let of_device = door.call(tool, json!({ "device": device })).await;
            read.push(of_device.to_string());
            for bundle in named(&of_device, "bun_") {
                let bundle = door
                    .call("get_diagnostics", json!({ "bundle": bundle }))
                    .await;
                read.push(bundle.to_string());
            }
        }
    }
    assert!(read.len() > 2, "{read:?}");
    for text in read {
        for value in ["192.168.", "Nordlicht-", "7c:10:c9:"] {
            assert!(!text.contains(value), "{value} in {text}");
        }
    }
    // A call of this door is none of another.
    let call = result["structuredContent"]["call"].clone();
    let outcome = door.call(OUTCOME, json!({ "call": call })).await;
    assert_eq!(state(&outcome), "succeeded");
    let elsewhere = all.call(OUTCOME, json!({ "call": call })).await;
    assert_eq!(state(&elsewhere), "refused", "{elsewhere:#}");

    let other = McpClient::new(&server, &owner, "operator", &["homelab"]).await;
    assert_eq!(other.at(DOOR).names().await, [OUTCOME]);
    let nowhere = send(all.at("/mcp/none").request("tools/list", json!({}))).await;
    assert_eq!(nowhere.status(), StatusCode::NOT_FOUND);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_domain_has_its_tools_at_a_door() {
    const DOORS: [(&str, &str); 3] = [
        ("/mcp/homelab-tools", READING),
        ("/mcp/market-tools", "get_candles"),
        ("/mcp/erp-tools", "get_doc"),
    ];
    let folder = Folder::new();
    let more =
        "[domains]\nenabled = [\"homelab\", \"markets\", \"erp\"]\n[erp]\nsimulated = true\n";
    let server = Server::start_with(&folder, &format!("{QUIET}{more}")).await;
    let owner = server.sign_in().await;
    let all = McpClient::new(&server, &owner, "operator", &[]).await;
    for (path, own) in DOORS {
        let names = all.at(path).names().await;
        for (_, tool) in DOORS {
            let is_there = names.iter().any(|name| name == tool);
            assert_eq!(is_there, tool == own, "{tool} at {path}: {names:?}");
        }
        assert!(names.iter().any(|name| name == OUTCOME), "{names:?}");
    }
    // It runs, with candles or without.
    let arguments = json!({ "symbol": "EURUSD", "timeframe": "H1", "count": 2 });
    let door = all.at("/mcp/market-tools");
    let result = door.call("get_candles", arguments).await;
    assert!(
        ["succeeded", "failed"].contains(&state(&result)),
        "{result:#}"
    );
    server.stop().await;
}

/// The names of a kind in an answer, each once.
fn named(answer: &Value, prefix: &str) -> BTreeSet<String> {
    let text = answer["structuredContent"]["result"].to_string();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| word.starts_with(prefix) && word.len() == prefix.len() + 26);
    names.map(str::to_owned).collect()
}
