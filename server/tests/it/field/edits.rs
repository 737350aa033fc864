//! A person writes a version of a proposal over the real server; a model, a program and a viewer do not.

use protocol::{Command, ConversationId, ErrorCode, EventBody, Role, Seq};
use serde_json::{Value, json};

use super::{data, nothing_leaked, office, start};
use crate::{
    api::program,
    client::{Browser, new_conversation},
    harness::{Folder, Server, add_user},
    tokens::token_with,
};

/// A call of a person's own, with its journal.
fn own(conversation: ConversationId, input: &Value) -> Command {
    Command::Act {
        conversation,
        tool: "edit_proposal".to_owned(),
        input: input.clone(),
    }
}

/// The page of a proposal after a call of this person has ended.
async fn edited(browser: &Browser, input: &Value) -> Value {
    let mut tab = browser.socket().await;
    let journal = new_conversation();
    tab.command(own(journal, input)).await.unwrap();
    tab.subscribe(journal, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    shown(browser, input).await
}

async fn shown(browser: &Browser, input: &Value) -> Value {
    let query = json!({
        "board": "field", "kind": "proposal", "name": input["proposal"], "part": "proposal",
    });
    let answer: Value = browser.call("page", &query).await.unwrap();
    answer["value"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_people_write_versions_of_a_proposal() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let server = start(&folder).await;
    let ada = server.sign_in().await;
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let room = office(&ada).await.device("Meeting room");

    let mut tab = ada.socket().await;
    let conversation = new_conversation();
    let proposal = json!({
        "device": room, "title": "Check the routes", "why": "It is slow.",
        "steps": [{ "run": "routes" }],
    });
    let asked = "Propose a check of its routes.";
    let call = [("propose_script", proposal)];
    let made = tab.turn(&server, conversation, asked, &call).await;
    let id = data(&made[0])["proposal"].clone();
    let edit = |version: u64, text: &str| {
        json!({
            "proposal": id, "version": version, "device": room, "why": "By hand.",
            "free_text": text,
        })
    };

    let call = [("edit_proposal", edit(1, "reboot\n"))];
    tab.turn(&server, conversation, "Make it reboot.", &call)
        .await;
    let blocked = |body: &EventBody| matches!(body, EventBody::ToolBlocked { .. });
    assert_eq!(tab.view.count(blocked), 1, "no model has this tool");
    // A program with the right to decide speaks for its person elsewhere, and one without it relays.
    let token = token_with(&ada, "operator", &["field"], true);
    let decider = Browser::new(server.url()).bearing(&token.await.unwrap());
    for (who, code) in [
        (&vera, ErrorCode::RoleNotEnough),
        (&decider, ErrorCode::TokenCannotDecide),
    ] {
        let mut tab = who.socket().await;
        let call = own(new_conversation(), &edit(1, "reboot\n"));
        let refused = tab.command(call).await;
        assert_eq!(refused.unwrap_err().code, code);
    }
    let relay = program(&server, &ada, "operator", &["field"]).await;
    let page = edited(&relay, &edit(1, "reboot\n")).await;
    assert_eq!(page["version"], 1);
    assert_eq!(shown(&ada, &edit(1, "")).await["version"], 1);

    // A person does, on top of the newest version alone.
    let page = edited(&ada, &edit(1, "ping -c 1 192.168.41.1\n")).await;
    assert_eq!((&page["version"], &page["steps"]), (&json!(2), &json!([])));
    assert!(page["person"].is_string(), "{page}");
    assert_eq!(page["risk"]["level"], "high");
    assert_eq!(page["risk"]["persons"], 2);
    assert_eq!(edited(&ada, &edit(1, "id\n")).await["version"], 2);
    let theirs = shown(&vera, &edit(2, "")).await;
    assert_eq!(theirs["version"], 2);
    assert!(!theirs.to_string().contains("192.168."), "{theirs}");
    nothing_leaked(&server);
    server.stop().await;
}
