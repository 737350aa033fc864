//! Tokens of programs: valid ones, their reach, their decisions, and invalid ones.

use protocol::{
    CallId, Command, Confirmation, ConversationPage, ConversationSummary, DecidedVia, Decision,
    ErrorCode, EventBody,
};
use rehearsal::Block;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::json;

use crate::{
    client::{Browser, new_conversation, refusal, send},
    harness::{Folder, Server},
    socket::Socket,
};

/// Makes a token in the settings.
pub(crate) async fn token(
    owner: &Browser,
    role: &str,
    toolsets: &[&str],
) -> Result<String, String> {
    token_with(owner, role, toolsets, false).await
}

pub(crate) async fn token_with(
    owner: &Browser,
    role: &str,
    toolsets: &[&str],
    decides: bool,
) -> Result<String, String> {
    let mut fields = vec![
        ("do", "add"),
        ("name", "A program"),
        ("role", role),
        ("days", "1"),
        ("scope", if toolsets.is_empty() { "all" } else { "some" }),
    ];
    if decides {
        fields.push(("decides", "on"));
    }
    fields.extend(toolsets.iter().map(|toolset| ("toolset", *toolset)));
    let response = owner.post("/settings/tokens", &fields).await;
    let status = response.status();
    let page = response.text().await.unwrap();
    match page.split_once("plain-secret\">") {
        Some((_, rest)) => Ok(rest.split_once('<').unwrap().0.to_owned()),
        None => Err(format!("{status}: {page}")),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_route_of_a_domain_needs_a_token_that_covers_it() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, "[lamps]\nenabled = true\n").await;
    let owner = server.sign_in().await;
    for (toolsets, expect) in [
        (&["lamps"][..], StatusCode::OK),
        (&["homelab"], StatusCode::FORBIDDEN),
    ] {
        let token = token(&owner, "viewer", toolsets).await.unwrap();
        let program = Browser::new(server.url()).bearing(&token);
        let answer = program.get("/api/v1/lamps/lamps/hall").await;
        assert_eq!(answer.status(), expect, "{toolsets:?}");
    }
    server.stop().await;
}

fn asks(server: &Server, token: &str) -> RequestBuilder {
    let program = Browser::new(server.url()).bearing(token);
    program
        .request(Method::POST, "/api/status")
        .json(&json!({}))
}

/// All bytes under a folder, file by file.
fn bytes_under(folder: &std::path::Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                bytes_under(&path)
            } else {
                vec![std::fs::read(&path).unwrap()]
            }
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_a_secret_of_which_only_the_hash_is_kept() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    for none in [vec!["nowhere"], vec!["homelab", "nowhere"]] {
        let refused = token(&owner, "viewer", &none).await.unwrap_err();
        assert!(refused.contains("Choose at least one"), "{refused}");
    }
    let good = token(&owner, "viewer", &["homelab"]).await.unwrap();
    let digits = good.strip_prefix("jarvis_token_").unwrap().to_owned();
    assert_eq!(digits.len(), 64);
    assert_ne!(good, token(&owner, "viewer", &[]).await.unwrap());
    assert_eq!(send(asks(&server, &good)).await.status(), StatusCode::OK);

    let nobody = (StatusCode::UNAUTHORIZED, ErrorCode::NotSignedIn);
    // A database of version 28 could have this one.
    let signed = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJqYXJ2aXMifQ.AAAA";
    for older in ["jarvis_0123", signed] {
        let text = send(asks(&server, older)).await.text().await.unwrap();
        assert!(text.contains("no longer work"), "{text}");
        assert_eq!(refusal(asks(&server, older)).await, nobody, "{older}");
    }
    for wrong in [
        digits.clone(),
        format!("jarvis_token_{}", digits.to_uppercase()),
        format!("{good}0"),
        good[..good.len() - 1].to_owned(),
        format!("jarvis_token_{}", "0".repeat(64)),
        "jarvis_token_".to_owned(),
    ] {
        assert_eq!(refusal(asks(&server, &wrong)).await, nobody, "{wrong}");
    }
    server.stop().await;

    let holds = |bytes: &[u8], text: &str| {
        let mut windows = bytes.windows(text.len());
        windows.any(|window| window == text.as_bytes())
    };
    for bytes in bytes_under(&folder.data()) {
        assert!(!holds(&bytes, &digits));
    }
    // It outlives the server, and belongs to no other user.
    let server = Server::start(&folder).await;
    assert_eq!(send(asks(&server, &good)).await.status(), StatusCode::OK);
    server.stop().await;
    let elsewhere = Folder::new();
    let server = Server::start(&elsewhere).await;
    assert_eq!(refusal(asks(&server, &good)).await, nobody);
    server.stop().await;
}

/// A card that a program may decide on takes one press: a start does, a shut down is held.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_decides_on_a_press_if_it_was_given_the_right() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let refused = token_with(&owner, "viewer", &[], true).await.unwrap_err();
    assert!(refused.contains("role of an operator"), "{refused}");
    let page = owner.get("/settings/tokens").await.text().await.unwrap();
    assert!(page.contains("It may approve and deny"), "{page}");
    let plain = token(&owner, "operator", &[]).await.unwrap();
    let page = owner.get("/settings/tokens").await.text().await.unwrap();
    assert!(!page.contains("operator · decides"), "{page}");
    let decides = token_with(&owner, "operator", &[], true).await.unwrap();
    let page = owner.get("/settings/tokens").await.text().await.unwrap();
    assert!(page.contains("operator · decides"), "{page}");
    let mut without = Socket::open(&Browser::new(server.url()).bearing(&plain)).await;
    let mut with = Socket::open(&Browser::new(server.url()).bearing(&decides)).await;

    let asked = |body: &EventBody| match body {
        EventBody::ConfirmationRequested {
            call, confirmation, ..
        } => Some((*call, (**confirmation).clone())),
        _ => None,
    };
    let script = server.script();
    for (tool, vmid, held) in [
        ("start_container", 213, false),
        ("stop_container", 210, true),
    ] {
        let mut tab = owner.socket().await;
        let input = json!({ "node": "pve", "vmid": vmid });
        script.reply([Block::tool_use(tool, input)]);
        script.reply([Block::text("That was that.")]);
        let conversation = new_conversation();
        let words = format!("Please {tool} {vmid} on pve");
        tab.start(conversation, &words).await;
        tab.see(|view| view.find(asked).is_some()).await;
        let (call, card): (CallId, Confirmation) = tab.view.find(asked).unwrap();
        let approve = || Command::Decide {
            conversation,
            call,
            digest: card.digest.clone(),
            decision: Decision::Approve {
                grant: None,
                word: None,
            },
        };
        let refused = without.command(approve()).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::TokenCannotDecide);
        let decided = with.command(approve()).await;
        assert_eq!(decided.is_err(), held, "{tool}: {decided:?}");
        if held {
            assert_eq!(decided.unwrap_err().code, ErrorCode::TokenCannotDecide);
            tab.command(approve()).await.unwrap();
        }
        tab.see(|view| view.finished() == 1).await;
        let via = tab.view.find(|body| match body {
            EventBody::ConfirmationDecided { via, .. } => via.clone(),
            _ => None,
        });
        match via.unwrap() {
            DecidedVia::Token { id } => assert!(!held && id.starts_with("tok_"), "{id}"),
            DecidedVia::Session { began, .. } => assert!(held && began == "link", "{began}"),
            DecidedVia::Unknown => panic!("{tool}: by whom?"),
        }
    }
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
    // Stopping everything is allowed; lifting that takes more.
    tab.command(Command::KillSwitch { on: true }).await.unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_of_one_toolset_sees_only_its_own_in_a_folder() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, "[lamps]\nenabled = true\n").await;
    let owner = server.sign_in().await;
    let token = token(&owner, "operator", &["homelab"]).await.unwrap();
    let program = Browser::new(server.url()).bearing(&token);

    let mut conversations = Vec::new();
    for begun_by in [&owner, &program] {
        server.script().reply([Block::text("Sir.")]);
        let mut tab = Socket::open(begun_by).await;
        let conversation = new_conversation();
        tab.start(conversation, "Hello").await;
        tab.see(|view| view.finished() == 1).await;
        conversations.push(conversation);
    }
    let [of_all, of_one] = conversations[..] else {
        panic!("{conversations:?}");
    };
    let put = |id, folder: &'static str| json!({ "id": id, "folder": folder });
    owner
        .call::<()>("put_in_folder", &put(of_all, "Work"))
        .await
        .unwrap();
    program
        .call::<()>("put_in_folder", &put(of_one, "Work"))
        .await
        .unwrap();
    let here = json!({ "folder": "Work", "before": null });
    let ids = |list: Vec<ConversationSummary>| -> Vec<_> { list.iter().map(|it| it.id).collect() };
    assert_eq!(ids(owner.call("in_folder", &here).await.unwrap()).len(), 2);
    assert_eq!(
        ids(program.call("in_folder", &here).await.unwrap()),
        [of_one]
    );

    // It moves nothing that it does not see, and hears no names of folders.
    let moved = program
        .call::<()>("put_in_folder", &put(of_all, "Mine"))
        .await;
    assert_eq!(moved.unwrap_err().code, ErrorCode::RoleNotEnough);
    let names = program
        .call::<Vec<protocol::Folder>>("folders", &json!({}))
        .await;
    assert_eq!(names.unwrap_err().code, ErrorCode::RoleNotEnough);
    server.stop().await;
}
