//! What each program reaches: its person's conversations, within its toolsets.

use protocol::{Timestamp, TurnId};
use rehearsal::Block;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{CONVERSATIONS, TwoSignedIn, code, get, post, program, started, with_otto};
use crate::{
    client::{Browser, send},
    harness::{Folder, Server},
};

/// Every operation on a conversation, with the status of a refusal.
async fn refused(who: &Browser, address: &str, status: StatusCode, expect: &str) {
    let message = json!({ "message": "Hello" });
    for (path, body) in [
        (address.to_owned(), None),
        (format!("{address}/events"), None),
        (format!("{address}/messages"), Some(message)),
        (format!("{address}/stop"), Some(json!({}))),
    ] {
        let answer = match body {
            Some(body) => post(who, &path, "", &body).await,
            None => send(who.request(Method::GET, &path)).await,
        };
        assert_eq!(answer.status(), status, "{path}");
        assert_eq!(code(answer).await, expect, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_reaches_what_is_its_own() {
    let folder = Folder::new();
    let TwoSignedIn {
        server,
        owner,
        other,
    } = with_otto(&folder).await;
    server.script().reply([Block::text("Sir.")]);
    let all = program(&server, &owner, "operator", &[]).await;
    let lamps = program(&server, &owner, "operator", &["lamps"]).await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let stranger = program(&server, &other, "operator", &[]).await;
    let address = started(&all, "Hello").await;

    // It holds more than the token's toolsets.
    refused(&lamps, &address, StatusCode::FORBIDDEN, "role_not_enough").await;
    refused(
        &stranger,
        &address,
        StatusCode::NOT_FOUND,
        "conversation_not_found",
    )
    .await;
    for (who, expect) in [(&all, 1), (&reader, 1), (&lamps, 0), (&stranger, 0)] {
        let list = get(who, CONVERSATIONS).await;
        assert_eq!(list["conversations"].as_array().unwrap().len(), expect);
    }
    get(&reader, &address).await;
    let message = json!({ "message": "Hello" });
    let stop = json!({ "turn": TurnId::new(Timestamp(1), 1) });
    for (path, body) in [
        (CONVERSATIONS, &message),
        (&format!("{address}/messages"), &message),
        (&format!("{address}/stop"), &stop),
    ] {
        let refused = post(&reader, path, "key", body).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{path}");
        assert_eq!(code(refused).await, "role_not_enough", "{path}");
    }
    // What it begins holds its own toolset alone.
    server.script().reply([Block::text("Sir.")]);
    let own = started(&lamps, "Hello").await;
    let end = get(&lamps, &own).await;
    assert_eq!(end["events"][0]["toolsets"], json!(["lamps"]));
    // It may choose less than the token has, and never more.
    for (who, chosen) in [
        (&all, json!(["lamps"])),
        (&lamps, json!(["homelab", "lamps"])),
    ] {
        server.script().reply([Block::text("Sir.")]);
        let body = json!({ "message": "Hello", "toolsets": chosen });
        let begun = post(who, CONVERSATIONS, "", &body).await;
        let address = begun.headers()["location"].to_str().unwrap();
        let end = get(who, address).await;
        assert_eq!(end["events"][0]["toolsets"], json!(["lamps"]));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_have_each_conversation_once_and_cursors_have_one_reader() {
    let folder = Folder::new();
    let TwoSignedIn {
        server,
        owner,
        other,
    } = with_otto(&folder).await;
    let all = program(&server, &owner, "operator", &[]).await;
    let stranger = program(&server, &other, "viewer", &[]).await;
    let mut begun = Vec::new();
    for n in 0..5 {
        server.script().reply([Block::text("Sir.")]);
        begun.push(started(&all, &format!("Hello {n}")).await);
    }
    let pinned = begun[1].rsplit('/').next().unwrap();
    let pin = json!({ "id": pinned, "shelf": "pinned" });
    owner.call::<()>("shelve", &pin).await.unwrap();
    for address in &begun {
        while get(&all, address).await["conversation"]["running"] == true {
            tokio::task::yield_now().await;
        }
    }
    let mut seen: Vec<String> = Vec::new();
    let mut path = format!("{CONVERSATIONS}?limit=2");
    loop {
        let page = get(&all, &path).await;
        let lines = page["conversations"].as_array().unwrap();
        let id = |line: &Value| line["id"].as_str().unwrap().to_owned();
        seen.extend(lines.iter().map(id));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("{CONVERSATIONS}?limit=2&cursor={next}");
        let foreign = send(stranger.request(Method::GET, &path)).await;
        assert_eq!(code(foreign).await, "cursor_invalid");
    }
    let mut expect: Vec<_> = begun
        .iter()
        .map(|it| it.rsplit('/').next().unwrap())
        .collect();
    expect.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, expect);
    server.stop().await;
}

/// The description names every operation and no other, and the page for people has each.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_is_described() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let api = get(&owner, "/api/v1/openapi.json").await;
    assert_eq!(api["openapi"], "3.1.0");
    let page = owner.get("/settings/api").await.text().await.unwrap();
    let mut described = Vec::new();
    for (path, methods) in api["paths"].as_object().unwrap() {
        let methods = methods.as_object().unwrap();
        for method in methods.keys() {
            let request = format!("<code>{} {path}</code>", method.to_uppercase());
            assert!(page.contains(&request), "{request} is not on the page");
        }
        described.extend(methods.keys().map(|method| (method.clone(), path.clone())));
    }
    let own = crate::matrix::operations();
    // Each domain tests its own, which are below its name or its door's.
    let area = |path: &str| path.split('/').nth(3).map(str::to_owned);
    let areas: Vec<_> = own.iter().map(|(_, path)| area(path)).collect();
    described.retain(|(_, path)| areas.contains(&area(path)));
    described.sort();
    assert_eq!(described, own);
    server.stop().await;
}
