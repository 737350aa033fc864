//! Runs: own calls of a person, begun by a program, with the gate in front of them.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{LAMPS, TwoSignedIn, code, get, post, program, started, with_otto};
use crate::{
    client::{Browser, send},
    confirm::effects,
    harness::{Folder, Server, soon},
    page_address::leads_to_card,
    tokens::token_with,
};

const RUNS: &str = "/api/v1/runs";

/// Begins a call; returns its address.
async fn begun(program: &Browser, key: &str, body: &Value) -> String {
    let answer = post(program, RUNS, key, body).await;
    assert_eq!(answer.status(), StatusCode::CREATED, "{body}");
    let address = answer.headers()["location"].to_str().unwrap().to_owned();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["run"], address);
    address
}

/// Waits until a call is no longer in a state.
async fn past(program: &Browser, run: &str, states: &[&str]) -> Value {
    soon("the state of a run", async {
        loop {
            let run = get(program, run).await;
            if !states.iter().any(|state| run["state"] == *state) {
                return run;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_waits_for_its_card_and_acts_once() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = token_with(&owner, "operator", &[], true).await.unwrap();
    let decides = Browser::new(server.url()).bearing(&token);
    let body = json!({ "tool": "start_container", "input": { "node": "pve", "vmid": 213 } });
    let run = begun(&decides, "a-key", &body).await;
    let waiting = past(&decides, &run, &["running"]).await;
    assert_eq!(waiting["state"], "waiting", "{waiting}");
    assert_eq!(waiting["tool"], "start_container");
    assert_eq!(effects(&server, 213), 0);
    // Sent again, it is the same call.
    assert_eq!(begun(&decides, "a-key", &body).await, run);
    let other = json!({ "tool": "start_container", "input": { "node": "pve", "vmid": 210 } });
    let reused = post(&decides, RUNS, "a-key", &other).await;
    assert_eq!(code(reused).await, "idempotency_key_reused");
    let list = get(&decides, "/api/v1/confirmations").await;
    assert_eq!(list["confirmations"].as_array().unwrap().len(), 1);
    leads_to_card(&server, &owner, &list["confirmations"][0]["page"]).await;

    let card = waiting["confirmation"].as_str().unwrap();
    let shown = get(&decides, card).await;
    assert_eq!(shown["tool"], "start_container");
    let digest = &shown["card"]["digest"];
    let approve = json!({ "decision": "approve", "digest": digest });
    let taken = post(&decides, card, "", &approve).await;
    assert_eq!(taken.status(), StatusCode::ACCEPTED);
    let ended = past(&decides, &run, &["running", "waiting"]).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert!(ended["message"].is_string() && !ended["data"].is_null());
    assert_eq!(effects(&server, 213), 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_goes_around_no_rule() {
    let folder = Folder::new();
    let TwoSignedIn {
        server,
        owner,
        other,
    } = with_otto(&folder).await;
    let writer = program(&server, &owner, "operator", &[]).await;
    let lamps = program(&server, &owner, "operator", &["lamps"]).await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let stranger = program(&server, &other, "operator", &[]).await;
    let start = |more: Value| {
        let mut body =
            json!({ "tool": "start_container", "input": { "node": "pve", "vmid": 213 } });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let long = json!({ "tool": "x".repeat(70_000), "input": {} });
    let huge = json!({ "tool": "x", "input": { "text": "x".repeat(1 << 20) } });
    for (who, body, expect) in [
        (&reader, start(json!({})), "role_not_enough"),
        (&lamps, start(json!({})), "role_not_enough"),
        (&writer, start(json!({ "confirmed": true })), "body_invalid"),
        (&writer, start(json!({ "input": [] })), "body_invalid"),
        (&writer, start(json!({ "input": null })), "body_invalid"),
        (&writer, json!({ "input": {} }), "body_invalid"),
        (&writer, long, "message_too_long"),
        (&writer, huge, "body_too_large"),
    ] {
        let refused = post(who, RUNS, "", &body).await;
        assert_eq!(code(refused).await, expect);
    }
    // What the gate refuses has ended at once.
    let confirmed = json!({ "node": "pve", "vmid": 213, "confirmed": true });
    for (body, reason) in [
        (start(json!({ "input": confirmed })), "invalid_input"),
        (json!({ "tool": "rm_rf", "input": {} }), "unknown_tool"),
    ] {
        let run = begun(&writer, "", &body).await;
        let ended = past(&writer, &run, &["running"]).await;
        assert_eq!(ended["state"], "blocked", "{ended}");
        assert_eq!(ended["code"], reason, "{ended}");
        assert!(ended["request_id"].is_string(), "{ended}");
        let foreign = send(stranger.request(Method::GET, &run)).await;
        assert_eq!(code(foreign).await, "run_not_found");
    }
    assert_eq!(effects(&server, 213), 0);

    // A conversation is no run.
    server.script().reply([rehearsal::Block::text("Sir.")]);
    let conversation = started(&writer, "Hello").await;
    let id = conversation.rsplit('/').next().unwrap();
    for id in [id, "nonsense", "..%2Fconversations"] {
        let none = send(writer.request(Method::GET, &format!("{RUNS}/{id}"))).await;
        assert_eq!(code(none).await, "run_not_found", "{id}");
    }
    server.stop().await;
}

/// An assistant elsewhere may know the token of its own connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_without_the_right_to_decide_speaks_for_nobody() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, LAMPS).await;
    let owner = server.sign_in().await;
    let decides = token_with(&owner, "operator", &[], true).await.unwrap();
    let decides = Browser::new(server.url()).bearing(&decides);
    let speaks = program(&server, &owner, "operator", &[]).await;
    let body = json!({ "tool": "switch_lamp", "input": { "lamp": "hall", "state": "off" } });
    let run = begun(&decides, "", &body).await;
    let ended = past(&decides, &run, &["running"]).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");

    let run = begun(&speaks, "", &body).await;
    let waiting = past(&speaks, &run, &["running"]).await;
    assert_eq!(waiting["state"], "waiting", "{waiting}");
    // Nor does a program with that right decide on it: a person does, on the page.
    let card = waiting["confirmation"].as_str().unwrap();
    // The answer says so before it tries.
    let shown = get(&decides, card).await;
    assert_eq!(shown["card"]["assurance"]["type"], "press", "{shown}");
    assert_eq!(shown["decidable"], false, "{shown}");
    assert_eq!(get(&owner, card).await["decidable"], true);
    let digest = &shown["card"]["digest"];
    let approve = json!({ "decision": "approve", "digest": digest });
    let refused = post(&decides, card, "", &approve).await;
    assert_eq!(code(refused).await, "token_cannot_decide");
    let still = get(&speaks, &run).await;
    assert_eq!(still["state"], "waiting", "{still}");
    server.stop().await;
}

/// The call that a domain's route begins is the one that could have been begun here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_route_of_a_domain_begins_a_call_and_goes_around_no_rule() {
    const SWITCH: &str = "/api/v1/lamps/lamps/hall/state";
    let folder = Folder::new();
    let TwoSignedIn {
        server,
        owner,
        other,
    } = with_otto(&folder).await;
    let decides = token_with(&owner, "operator", &[], true).await.unwrap();
    let decides = Browser::new(server.url()).bearing(&decides);
    let speaks = program(&server, &owner, "operator", &["lamps"]).await;
    let stranger = program(&server, &other, "operator", &[]).await;
    let ordered = async |program: &Browser, key: &str, state: &str| {
        let answer = post(program, SWITCH, key, &json!({ "state": state })).await;
        assert_eq!(answer.status(), StatusCode::CREATED, "{state}");
        answer.headers()["location"].to_str().unwrap().to_owned()
    };
    let run = ordered(&decides, "a-key", "off").await;
    let ended = past(&decides, &run, &["running"]).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert_eq!(ended["tool"], "switch_lamp");
    assert_eq!(ordered(&decides, "a-key", "off").await, run);
    let foreign = send(stranger.request(Method::GET, &run)).await;
    assert_eq!(code(foreign).await, "run_not_found");

    let run = ordered(&speaks, "", "on").await;
    let waiting = past(&speaks, &run, &["running"]).await;
    assert_eq!(
        waiting["state"], "waiting",
        "it speaks for nobody: {waiting}"
    );
    // What the tool does not take, the gate refuses there.
    let run = ordered(&decides, "", "away").await;
    let ended = past(&decides, &run, &["running"]).await;
    assert_eq!(ended["state"], "blocked", "{ended}");
    for (who, toolsets) in [("viewer", &[][..]), ("operator", &["homelab"][..])] {
        let refused = program(&server, &owner, who, toolsets).await;
        let refused = post(&refused, SWITCH, "", &json!({ "state": "off" })).await;
        assert_eq!(code(refused).await, "role_not_enough");
    }
    server.stop().await;
}
