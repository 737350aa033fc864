//! Tokens of programs: what they say, what they reach, and what is none.

use protocol::{Command, ConversationPage, ConversationSummary, ErrorCode, EventBody};
use rehearsal::Block;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    client::{Browser, new_conversation, refusal, send},
    harness::{Folder, Server},
    socket::Socket,
};

/// Makes a token in the settings.
async fn token(owner: &Browser, role: &str, toolsets: &[&str]) -> Result<String, String> {
    let mut fields = vec![
        ("do", "add"),
        ("name", "A program"),
        ("role", role),
        ("days", "1"),
        ("scope", if toolsets.is_empty() { "all" } else { "some" }),
    ];
    fields.extend(toolsets.iter().map(|toolset| ("toolset", *toolset)));
    let response = owner.post("/settings/tokens", &fields).await;
    let status = response.status();
    let page = response.text().await.unwrap();
    match page.split_once("plain-secret\">") {
        Some((_, rest)) => Ok(rest.split_once('<').unwrap().0.to_owned()),
        None => Err(format!("{status}: {page}")),
    }
}

/// A part of a token, read.
fn part(token: &str, at: usize) -> Value {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    let part = token.split('.').nth(at).unwrap();
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_says_what_it_is_and_only_ours_are_taken() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    for none in [vec!["nowhere"], vec!["homelab", "nowhere"]] {
        let refused = token(&owner, "viewer", &none).await.unwrap_err();
        assert!(refused.contains("Choose at least one"), "{refused}");
    }
    let good = token(&owner, "viewer", &["homelab"]).await.unwrap();
    assert_eq!(part(&good, 0), json!({ "alg": "HS256", "typ": "JWT" }));
    let claims = part(&good, 1);
    assert_eq!(
        (&claims["iss"], &claims["role"], &claims["toolsets"]),
        (&json!("jarvis"), &json!("viewer"), &json!(["homelab"]))
    );
    let life = claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap();
    assert_eq!(life, 24 * 60 * 60);

    let asks = |token: &str| {
        let program = Browser::new(server.url()).bearing(token);
        program
            .request(Method::POST, "/api/status")
            .json(&json!({}))
    };
    assert_eq!(send(asks(&good)).await.status(), StatusCode::OK);
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let (_, body) = signed.split_once('.').unwrap();
    let other = token(&owner, "operator", &[]).await.unwrap();
    for wrong in [
        format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{body}."),
        format!("{}.{signature}", other.rsplit_once('.').unwrap().0),
        signed.to_owned(),
        "jarvis_0123".to_owned(),
    ] {
        let nobody = (StatusCode::UNAUTHORIZED, ErrorCode::NotSignedIn);
        assert_eq!(refusal(asks(&wrong)).await, nobody, "{wrong}");
    }
    let old = send(asks("jarvis_0123")).await.text().await.unwrap();
    assert!(old.contains("not good any more"), "{old}");
    server.stop().await;

    // The key is the folder's: a token outlives the server, and is none of another's.
    let server = Server::start(&folder).await;
    let program = Browser::new(server.url()).bearing(&good);
    let status = program
        .request(Method::POST, "/api/status")
        .json(&json!({}));
    assert_eq!(send(status).await.status(), StatusCode::OK);
    server.stop().await;
    let elsewhere = Folder::new();
    let server = Server::start(&elsewhere).await;
    let program = Browser::new(server.url()).bearing(&good);
    let status = program.request(Method::POST, "/api/status");
    assert_eq!(refusal(status).await.0, StatusCode::UNAUTHORIZED);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_of_one_toolset_begins_what_holds_it_alone() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = token(&owner, "operator", &["homelab"]).await.unwrap();
    let program = Browser::new(server.url()).bearing(&token);

    server.script().reply([Block::text("Sir.")]);
    let mut tab = Socket::open(&program).await;
    let conversation = new_conversation();
    tab.start(conversation, "Hello").await;
    tab.see(|view| view.finished() == 1).await;
    let page: ConversationPage = program
        .call("conversation", &json!({ "id": conversation }))
        .await
        .unwrap();
    let EventBody::ConversationStarted { toolsets, .. } = &page.events[0].body else {
        panic!("{:?}", page.events[0]);
    };
    assert_eq!(toolsets, &["homelab"]);
    let list: Vec<ConversationSummary> = program
        .call("conversations", &json!({ "before": null }))
        .await
        .unwrap();
    assert_eq!(list.len(), 1);
    // Everything may be stopped; to let it go on takes more.
    tab.command(Command::KillSwitch { on: true }).await.unwrap();
    server.stop().await;
}
