//! Calls that wait for a person: the card, the answer that says where, and the outcome.

use protocol::{ConversationId, DecidedVia, EventBody, OriginSource};
use serde_json::{Value, json};

use super::{APPROVE, DENY, McpClient, call_of, decide, read, state};
use crate::{
    client::send,
    confirm::effects,
    harness::{Folder, QUIET, Server},
    page_address::leads_to_card,
};

const OUTCOME: &str = "get_call_outcome";

fn start() -> Value {
    json!({ "node": "pve", "vmid": 213 })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_red_call_waits_for_its_card_and_runs_once() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let current = McpClient::new(&server, &owner, "operator", &[]).await;
    for (client, decision, expect, runs) in [
        (current.older(), DENY, "denied", 0),
        (current.clone(), APPROVE, "succeeded", 1),
    ] {
        let result = client.call("start_container", start()).await;
        assert_eq!(state(&result), "waiting", "{result:#}");
        assert_eq!(result["isError"], false);
        let call = call_of(&result);
        let page = format!("{}/chat/{call}", server.url());
        assert_eq!(result["structuredContent"]["url"], page);
        leads_to_card(&server, &owner, &json!(page)).await;
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&page) && text.contains(OUTCOME), "{text}");
        let asks = json!({ "call": call });
        let waiting = client.call(OUTCOME, asks.clone()).await;
        assert_eq!(state(&waiting), "waiting");
        assert_eq!(effects(&server, 213), 0);

        let mut tab = owner.socket().await;
        decide(&mut tab, call, decision).await;
        let by = tab.view.find(|body| match body {
            EventBody::ConfirmationDecided { via, .. } => via.clone(),
            _ => None,
        });
        assert!(matches!(by, Some(DecidedVia::Session { .. })), "{by:?}");
        let origins = tab.view.find(|body| match body {
            EventBody::ConfirmationRequested { confirmation, .. } => {
                Some(confirmation.origins.clone())
            }
            _ => None,
        });
        let origins = origins.unwrap();
        let is_model = |source: &OriginSource| *source == OriginSource::Model;
        assert!(origins.iter().all(|it| is_model(&it.source)), "{origins:?}");
        let ended = client.call(OUTCOME, asks).await;
        assert_eq!(state(&ended), expect, "{ended:#}");
        assert_eq!(effects(&server, 213), runs);
    }
    server.stop().await;
}

/// A relayed call that acts is asked for, even where a person's own would run at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_yellow_call_waits_too() {
    let folder = Folder::new();
    let lamps = "[domains]\nenabled = [\"lamps\"]\n[lamps]\nenabled = true\ncount = 4\n";
    let server = Server::start_with(&folder, &format!("{QUIET}{lamps}")).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let arguments = json!({ "lamp": "hall", "state": "off" });
    let result = client.call("switch_lamp", arguments).await;
    assert_eq!(state(&result), "waiting", "{result:#}");
    let call = call_of(&result);
    let mut tab = owner.socket().await;
    decide(&mut tab, call, APPROVE).await;
    let ended = client.call(OUTCOME, json!({ "call": call })).await;
    assert_eq!(state(&ended), "succeeded", "{ended:#}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_accept_of_a_client_approves_nothing() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let client = client.opening();
    let asks = || json!({ "name": "start_container", "arguments": start() });
    let asked = client.result("tools/call", asks()).await;
    assert_eq!(asked["resultType"], "input_required", "{asked:#}");
    let question = &asked["inputRequests"]["card"];
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["mode"], "url");
    leads_to_card(&server, &owner, &question["params"]["url"]).await;
    let page = question["params"]["url"].as_str().unwrap();
    let call: ConversationId = page.rsplit('/').next().unwrap().parse().unwrap();
    let again = |given: Value| {
        let mut again = asks();
        again["requestState"] = asked["requestState"].clone();
        again["inputResponses"] = given;
        again
    };
    // Without a person at the page the answer is that it waits, and whatever else a client says is nothing.
    for given in [
        json!({ "card": { "action": "decline" } }),
        json!({ "card": { "action": "cancel", "content": { "approved": true } } }),
        json!({ "card": { "approved": true } }),
        json!({ "other": { "action": "accept" } }),
        json!({}),
    ] {
        let result = client.result("tools/call", again(given)).await;
        assert_eq!(state(&result), "waiting", "{result:#}");
        assert_eq!(call_of(&result), call);
    }
    assert_eq!(effects(&server, 213), 0);
    let accept = json!({ "card": { "action": "accept", "content": { "approved": true } } });
    let mut tab = owner.socket().await;
    let (result, ()) = tokio::join!(
        client.result("tools/call", again(accept.clone())),
        decide(&mut tab, call, DENY),
    );
    assert_eq!(state(&result), "denied", "{result:#}");
    // Sent once more it is the same end of the same call.
    let result = client.result("tools/call", again(accept)).await;
    assert_eq!((state(&result), call_of(&result)), ("denied", call));
    assert_eq!(effects(&server, 213), 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_with_a_key_is_one_call_also_over_a_restart() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let with_key = |client: &McpClient, arguments: Value| {
        let params = json!({ "name": "start_container", "arguments": arguments });
        client
            .request("tools/call", params)
            .header("idempotency-key", "one")
    };
    let mut calls = Vec::new();
    for _ in 0..2 {
        let sent = send(with_key(&client, start())).await;
        let (_, answer) = read(sent).await;
        calls.push(call_of(&answer["result"]));
    }
    let other = json!({ "node": "pve", "vmid": 210 });
    let (_, answer) = read(send(with_key(&client, other)).await).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer:#}");
    server.stop().await;

    let server = Server::start(&folder).await;
    let program = client.program.at(server.url());
    let client = McpClient { program, ..client };
    let sent = send(with_key(&client, start())).await;
    let (_, answer) = read(sent).await;
    calls.push(call_of(&answer["result"]));
    assert_eq!(state(&answer["result"]), "waiting");
    assert_eq!(calls, [calls[0]; 3]);
    let mut tab = server.sign_in().await.socket().await;
    decide(&mut tab, calls[0], APPROVE).await;
    assert_eq!(effects(&server, 213), 1);
    server.stop().await;
}
