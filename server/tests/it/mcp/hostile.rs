//! Clients that forge, replay, and ask for what is not theirs.

use protocol::{Command, ConversationId, ErrorCode, Role, Seq};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{APPROVE, McpClient, call_of, decide, read, state};
use crate::{
    client::{Browser, new_conversation, send},
    confirm::effects,
    harness::{Folder, QUIET, Server, add_user},
};

const OUTCOME: &str = "get_call_outcome";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_state_leads_nowhere() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    // At a door of a domain no other rules hold.
    for path in ["/mcp", "/mcp/homelab-tools"] {
        let client = McpClient::new(&server, &owner, "operator", &[]).await;
        let client = client.at(path).opening();
        // Of the same person, and all the same another principal.
        let other = McpClient::new(&server, &owner, "operator", &[]).await;
        let other = other.at(path).opening();
        let start = json!({ "node": "pve", "vmid": 213 });
        let call = |arguments: &Value, state: &Value| {
            json!({
                "name": "start_container", "arguments": arguments, "requestState": state,
                "inputResponses": { "card": { "action": "accept" } },
            })
        };
        let params = json!({ "name": "start_container", "arguments": start });
        let asked = client.result("tools/call", params).await;
        let good = asked["requestState"].clone();
        let text = good.as_str().unwrap();
        let last = if text.ends_with('0') { "1" } else { "0" };
        let changed = format!("{}{last}", &text[..text.len() - 1]);
        for forged in [
            json!(changed),
            json!(""),
            json!("x"),
            json!(format!("{text} ")),
        ] {
            let refused = client.error("tools/call", call(&start, &forged)).await;
            assert_eq!(refused.1, -32602, "{forged}");
        }
        let refused = other.error("tools/call", call(&start, &good)).await;
        assert_eq!(refused.1, -32602, "another principal");
        let decline = |arguments: Value| {
            let mut params = call(&arguments, &good);
            params["inputResponses"] = json!({});
            params
        };
        for arguments in [json!({ "node": "pve", "vmid": 210 }), json!({})] {
            let refused = client.error("tools/call", decline(arguments)).await;
            assert_eq!(refused.1, -32602, "other arguments");
        }
        let result = client.result("tools/call", decline(start)).await;
        assert_eq!(state(&result), "waiting");
        assert_eq!(effects(&server, 213) + effects(&server, 210), 0);
    }
    server.stop().await;
}

/// An approval is used up by its call: its state leads to that call's end and to no other call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_of_what_was_approved_runs_nothing() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let client = client.opening();
    let other = McpClient::new(&server, &owner, "operator", &[]).await;
    let start = json!({ "node": "pve", "vmid": 213 });
    let params = json!({ "name": "start_container", "arguments": start });
    let asked = client.result("tools/call", params.clone()).await;
    let page = asked["inputRequests"]["card"]["params"]["url"].as_str();
    let call: ConversationId = page.unwrap().rsplit('/').next().unwrap().parse().unwrap();
    let mut tab = owner.socket().await;
    decide(&mut tab, call, APPROVE).await;
    let mut again = params;
    again["requestState"] = asked["requestState"].clone();
    again["inputResponses"] = json!({ "card": { "action": "accept" } });
    for _ in 0..2 {
        let result = client.result("tools/call", again.clone()).await;
        assert_eq!((state(&result), call_of(&result)), ("succeeded", call));
    }
    let refused = other.error("tools/call", again.clone()).await;
    assert_eq!(refused.1, -32602, "another principal");
    assert_eq!(effects(&server, 213), 1);
    server.stop().await;

    // Another process, whose simulated cluster has started nothing.
    let server = Server::start(&folder).await;
    let program = client.program.at(server.url());
    let client = McpClient { program, ..client };
    let result = client.result("tools/call", again).await;
    assert_eq!((state(&result), call_of(&result)), ("succeeded", call));
    assert_eq!(effects(&server, 213), 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_reads_anything_but_calls_of_their_own() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let link = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let otto = Browser::sign_in(&format!("{}{link}", server.url())).await;
    let of_otto = McpClient::new(&server, &otto, "operator", &[]).await;
    let limited = McpClient::new(&server, &owner, "operator", &["markets"]).await;
    let result = client.call("get_cluster_status", json!({})).await;
    let call = json!({ "call": call_of(&result) });
    assert_eq!(
        state(&client.call(OUTCOME, call.clone()).await),
        "succeeded"
    );
    for other in [&of_otto, &limited] {
        let refused = other.call(OUTCOME, call.clone()).await;
        assert_eq!(state(&refused), "refused", "{refused:#}");
        assert_eq!(refused["isError"], true);
        // Who reads of it finds it in the log.
        let id = &refused["structuredContent"]["request_id"];
        assert!(id.is_string(), "{refused:#}");
    }
    // A conversation, and a call of the person's own on a page, are for nobody here.
    let mut tab = owner.socket().await;
    let [conversation, page] = [new_conversation(), new_conversation()];
    server.script().reply([rehearsal::Block::text("Sir.")]);
    tab.start(conversation, "My secret is swordfish").await;
    tab.see(|view| view.finished() == 1).await;
    let act = Command::Act {
        conversation: page,
        tool: "get_cluster_status".to_owned(),
        input: json!({}),
    };
    let mut tab = owner.socket().await;
    tab.command(act).await.unwrap();
    tab.subscribe(page, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    for other in [conversation, page, new_conversation()] {
        let refused = client.call(OUTCOME, json!({ "call": other })).await;
        assert_eq!(state(&refused), "refused", "{refused:#}");
        assert!(!refused.to_string().contains("swordfish"));
    }
    // Its address is that of a call for its own person alone.
    let asks = json!({ "id": page });
    for (person, code) in [
        (&owner, ErrorCode::NotAConversation),
        (&otto, ErrorCode::ConversationNotFound),
    ] {
        let refused = person.call::<Value>("conversation", &asks).await;
        assert_eq!(refused.unwrap_err().code, code);
    }
    for malformed in [
        json!({}),
        json!({ "call": 1 }),
        json!({ "call": "x", "y": 1 }),
    ] {
        let params = json!({ "name": OUTCOME, "arguments": malformed });
        assert_eq!(client.error("tools/call", params).await.1, -32602);
    }
    server.stop().await;
}

/// An assistant in a loop reads journals without end, and its owner goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outcomes_have_a_quota_of_their_own() {
    let folder = Folder::new();
    let more = format!("{QUIET}[limits]\nuser_commands = 20\n");
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let client = client.opening();
    let start = json!({ "node": "pve", "vmid": 213 });
    let params = json!({ "name": "start_container", "arguments": start });
    let asked = client.result("tools/call", params.clone()).await;
    let page = asked["inputRequests"]["card"]["params"]["url"].as_str();
    let call = json!({ "call": page.unwrap().rsplit('/').next() });
    let mut again = params;
    again["requestState"] = asked["requestState"].clone();
    again["inputResponses"] = json!({});
    let mut refused = Vec::new();
    // Both ways to ask share it: ten at once, and some more if the machine is slow.
    for _ in 0..15 {
        let told = client.call(OUTCOME, call.clone()).await;
        let repeated = client.result("tools/call", again.clone()).await;
        for result in [told, repeated] {
            if state(&result) == "refused" {
                refused.push(result["structuredContent"]["code"].clone());
            }
        }
    }
    assert!(refused.len() >= 10, "{refused:?}");
    assert!(refused.iter().all(|code| code == "rate_limited"));
    let mut tab = owner.socket().await;
    tab.command(Command::KillSwitch { on: true }).await.unwrap();
    tab.command(Command::KillSwitch { on: false })
        .await
        .unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_client_adds_to_a_call_decides_nothing() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    for extra in ["confirmed", "approved", "force", "_meta"] {
        let mut arguments = json!({ "node": "pve", "vmid": 213 });
        arguments[extra] = json!(true);
        let result = client.call("start_container", arguments).await;
        assert_eq!(state(&result), "blocked", "{result:#}");
        let told = &result["structuredContent"];
        assert_eq!(told["reason"], "invalid_input");
        assert!(told["request_id"].is_string(), "{result:#}");
    }
    let hostile = "start_container\u{202e}\u{0}".repeat(100);
    let (_, answer) = client
        .ask("tools/call", json!({ "name": "x", "arguments": {} }))
        .await;
    assert_eq!(answer["error"]["code"], -32602);
    let older = client.older();
    let (_, answer) = older.ask("tools/call", json!({ "name": hostile })).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.len() < 1000 && !message.contains('\u{202e}'),
        "{message}"
    );
    assert_eq!(effects(&server, 213), 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_tokens_and_listed_origins_come_in_and_requests_are_bounded() {
    let folder = Folder::new();
    let listed = "https://front.lan";
    let more = format!("{QUIET}[server]\nallowed_origins = [\"{listed}\"]\n");
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let list = || client.request("tools/list", json!({}));
    for foreign in ["https://elsewhere.example", "null"] {
        let refused = send(list().header("origin", foreign)).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{foreign}");
        let headers = refused.headers();
        assert!(!headers.contains_key("access-control-allow-origin"));
    }
    let refused = send(list().header("host", "elsewhere.example")).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let allowed = send(list().header("origin", listed)).await;
    assert_eq!(allowed.status(), StatusCode::OK);
    assert_eq!(allowed.headers()["access-control-allow-origin"], listed);

    // A session is none, and without a token the way in is named.
    let session = owner.request(Method::POST, "/mcp").json(&json!({}));
    let nobody = Browser::new(server.url()).bearing("jarvis_token_none");
    let nobody = nobody.request(Method::POST, "/mcp").json(&json!({}));
    for request in [session, nobody] {
        let refused = send(request).await;
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(refused.headers()["www-authenticate"], "Bearer");
    }

    let long = json!({ "node": "x".repeat(300 * 1024) });
    let params = json!({ "name": "start_container", "arguments": long });
    let refused = send(client.request("tools/call", params)).await;
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    // More than an own call may have, and less than a request.
    let long = json!({ "node": "x".repeat(100 * 1024), "vmid": 213 });
    let params = json!({ "name": "start_container", "arguments": long });
    let result = client.result("tools/call", params).await;
    assert_eq!(
        state(&result),
        "refused",
        "{}",
        result["content"][0]["text"]
    );

    let post = |body: String| {
        let request = client.program.request(Method::POST, "/mcp");
        let request = request.header("accept", "application/json, text/event-stream");
        send(
            request
                .header("content-type", "application/json")
                .body(body),
        )
    };
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    for body in ["", "{", "[]", "[{}]", "1", &deep] {
        let refused = post(body.to_owned()).await;
        assert!(refused.status().is_client_error(), "{}", refused.status());
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_has_ended_reads_nothing_more() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let params = json!({ "node": "pve", "vmid": 213 });
    let call = call_of(&client.call("start_container", params).await);
    let page = owner.get("/settings/tokens").await.text().await.unwrap();
    let (_, rest) = page.split_once("name=\"token\" value=\"").unwrap();
    let (id, _) = rest.split_once('"').unwrap();
    let form = [("do", "revoke"), ("token", id)];
    let revoked = owner.post("/settings/tokens", &form).await;
    assert_eq!(revoked.status(), StatusCode::SEE_OTHER);
    let request = client.request(
        "tools/call",
        json!({ "name": OUTCOME, "arguments": { "call": call } }),
    );
    let (status, answer) = read(send(request).await).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "{answer}");
    server.stop().await;
}
