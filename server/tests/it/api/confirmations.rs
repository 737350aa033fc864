//! Confirmations, as programs read them and decide on them: by the one rule for every program.

use rehearsal::Block;
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use super::{TwoSignedIn, code, get, post, program, started, with_otto};
use crate::{
    client::{Browser, send},
    confirm::effects,
    harness::{Folder, Server},
    page_address::leads_to_card,
    tokens::token_with,
};

const CONFIRMATIONS: &str = "/api/v1/confirmations";

/// A program whose token may decide.
async fn decider(server: &Server, owner: &Browser) -> Browser {
    let token = token_with(owner, "operator", &[], true).await.unwrap();
    Browser::new(server.url()).bearing(&token)
}

/// Has a call asked for; returns its card in the list, once it waits.
async fn asked(server: &Server, program: &Browser, tool: &str, vmid: u32) -> Value {
    let input = json!({ "node": "pve", "vmid": vmid });
    server.script().reply([Block::tool_use(tool, input)]);
    server.script().reply([Block::text("That was that.")]);
    started(program, &format!("Do that with {vmid} on pve: {tool}.")).await;
    loop {
        let list = get(program, CONFIRMATIONS).await;
        if let Some(card) = list["confirmations"].get(0) {
            return card.clone();
        }
        tokio::task::yield_now().await;
    }
}

fn address(card: &Value) -> String {
    format!("{CONFIRMATIONS}/{}", card["id"].as_str().unwrap())
}

/// Waits for the end of the turn of a card.
async fn ended(program: &Browser, card: &Value) {
    let id = card["conversation"].as_str().unwrap();
    let conversation = format!("/api/v1/conversations/{id}");
    while get(program, &conversation).await["conversation"]["running"] == true {
        tokio::task::yield_now().await;
    }
}

/// A refusal that leads to the page of a card.
async fn leads_to_page(answer: Response, card: &Value) {
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let error: Value = answer.json().await.unwrap();
    assert_eq!(error["code"], "token_cannot_decide", "{error}");
    let help = error["help"].as_str().unwrap();
    assert!(help.ends_with(card["page"].as_str().unwrap()), "{help}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_with_the_right_decides_once() {
    let folder = Folder::new();
    let TwoSignedIn {
        server,
        owner,
        other,
    } = with_otto(&folder).await;
    let decides = decider(&server, &owner).await;
    let plain = program(&server, &owner, "operator", &[]).await;
    let lamps = program(&server, &owner, "operator", &["lamps"]).await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let stranger = decider(&server, &other).await;
    let card = asked(&server, &decides, "start_container", 213).await;
    let path = address(&card);
    let page = card["page"].as_str().unwrap();
    assert!(page.starts_with(&format!("{}/chat/", server.url())));
    leads_to_card(&server, &owner, &card["page"]).await;

    let shown = get(&decides, &path).await;
    assert_eq!(shown["state"], "waiting");
    assert_eq!(shown["decidable"], true);
    assert_eq!(shown["tool"], "start_container");
    assert_eq!(
        shown["card"]["input"],
        json!({ "node": "pve", "vmid": 213 })
    );
    assert_eq!(shown["card"]["sentence"], card["sentence"]);
    for who in [&plain, &reader] {
        assert_eq!(get(who, &path).await["decidable"], false);
    }
    for who in [&lamps, &stranger] {
        let list = get(who, CONFIRMATIONS).await;
        assert_eq!(list, json!({ "confirmations": [] }));
    }

    let digest = shown["card"]["digest"].as_str().unwrap();
    let approve = json!({ "decision": "approve", "digest": digest });
    leads_to_page(post(&plain, &path, "", &approve).await, &card).await;
    let forged = json!({ "decision": "approve", "digest": "0".repeat(64) });
    let none = json!({ "decision": "approve" });
    let graver = json!({ "decision": "approve", "digest": digest, "grant": { "uses": 9 } });
    let typed = json!({ "decision": "approve", "digest": digest, "word": "nextcloud" });
    let said = json!({ "decision": "approve", "digest": digest, "comment": "Yes." });
    let odd = json!({ "decision": "Approve", "digest": digest });
    let long = json!({ "decision": "deny", "digest": digest, "comment": "x".repeat(20_000) });
    for (who, body, status, expect) in [
        (&reader, &approve, 403, "role_not_enough"),
        (&lamps, &approve, 403, "role_not_enough"),
        (&stranger, &approve, 404, "confirmation_not_found"),
        (&decides, &forged, 409, "card_changed"),
        (&decides, &none, 422, "body_invalid"),
        (&decides, &graver, 422, "body_invalid"),
        (&decides, &typed, 422, "body_invalid"),
        (&decides, &said, 422, "body_invalid"),
        (&decides, &odd, 422, "body_invalid"),
        (&decides, &long, 413, "body_too_large"),
    ] {
        let refused = post(who, &path, "", body).await;
        assert_eq!(refused.status().as_u16(), status, "{body}");
        assert_eq!(code(refused).await, expect, "{body}");
    }
    let foreign = send(stranger.request(reqwest::Method::GET, &path)).await;
    assert_eq!(code(foreign).await, "confirmation_not_found");
    assert_eq!(effects(&server, 213), 0);

    // The same request has one effect and one answer.
    for replayed in [false, true] {
        let taken = post(&decides, &path, "a-key", &approve).await;
        assert_eq!(taken.status(), StatusCode::ACCEPTED);
        let is_replayed = taken.headers().contains_key("idempotent-replayed");
        assert_eq!(is_replayed, replayed);
        let taken: Value = taken.json().await.unwrap();
        assert_eq!(taken["confirmation"], path);
    }
    let deny = json!({ "decision": "deny", "digest": digest });
    for (key, body, expect) in [
        ("a-key", &deny, "idempotency_key_reused"),
        ("", &deny, "already_decided"),
        ("", &approve, "already_decided"),
        ("another", &approve, "already_decided"),
    ] {
        let refused = post(&decides, &path, key, body).await;
        assert_eq!(code(refused).await, expect, "{key} {body}");
    }
    ended(&decides, &card).await;
    assert_eq!(effects(&server, 213), 1);
    let shown = get(&decides, &path).await;
    assert_eq!(shown["state"], "approved");
    assert_eq!(shown["decidable"], false);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_denies_and_leaves_a_held_card_to_the_page() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let decides = decider(&server, &owner).await;
    let card = asked(&server, &decides, "start_container", 213).await;
    let path = address(&card);
    let digest = get(&decides, &path).await["card"]["digest"].clone();
    let deny = json!({ "decision": "deny", "digest": digest, "comment": "Not now." });
    let taken = post(&decides, &path, "", &deny).await;
    assert_eq!(taken.status(), StatusCode::ACCEPTED);
    ended(&decides, &card).await;
    assert_eq!(get(&decides, &path).await["state"], "denied");
    assert_eq!(effects(&server, 213), 0);

    let card = asked(&server, &decides, "stop_container", 210).await;
    let path = address(&card);
    let shown = get(&decides, &path).await;
    assert_eq!(shown["decidable"], false);
    let digest = shown["card"]["digest"].clone();
    // Nor does a session: no request shows that a button was held.
    for who in [&decides, &owner] {
        for word in ["approve", "deny"] {
            let body = json!({ "decision": word, "digest": digest });
            leads_to_page(post(who, &path, "", &body).await, &card).await;
        }
    }
    assert_eq!(get(&decides, &path).await["state"], "waiting");
    assert_eq!(effects(&server, 210), 0);
    server.stop().await;
}
