//! Clients that generators make of the description, against a real server.

use std::path::Path;

use rehearsal::Block;
use serde_json::{Value, json};

use crate::{
    client::new_conversation,
    confirm::effects,
    harness::{Folder, Server, soon},
    node_script::{answer_of, variable},
    tokens::token,
};

/// Fails unless a client had the conversation and its own call, and read cards, records and refusals.
fn has_read_all(read: &Value) {
    assert!(read["conversation"].as_str().unwrap().starts_with("cnv_"));
    assert_eq!(read["sent"], read["conversation"]);
    let first = read["first"].as_array().unwrap().iter();
    let mut said = first.filter(|event| event["type"] == "assistant_message");
    let said = said.next().unwrap().to_string();
    assert!(said.contains("All is well, sir."), "{said}");
    // Nothing is missing between two streams, and nothing comes twice.
    let head = read["head"].as_u64().unwrap();
    let second = read["second"].as_array().unwrap();
    for (number, expect) in second.iter().zip(head + 1..) {
        assert_eq!(number.as_u64(), Some(expect), "{second:?}");
    }
    assert!(!second.is_empty());
    let [card] = &read["cards"].as_array().unwrap()[..] else {
        panic!("{read:#}");
    };
    assert_eq!(card["conversation"], read["conversation"]);
    assert!(card["sentence"].as_str().is_some_and(|it| !it.is_empty()));
    assert!(!read["feed"].as_array().unwrap().is_empty());
    assert_eq!(read["gone"]["code"], "conversation_not_found");
    assert_eq!(read["gone"]["request_id"], read["gone_id"]);
    let tools = read["tools"].as_array().unwrap();
    assert!(tools.contains(&json!("start_container")), "{tools:?}");
    let mut systems = read["systems"].as_array().unwrap().iter();
    let homelab = systems.find(|system| system["toolset"] == "homelab");
    assert_eq!(homelab.unwrap()["simulated"], true);
    assert!(read["audit"]["rows"].as_u64() > Some(0), "{read:#}");
    // A call of its own, on whose card its token may not decide.
    assert_eq!(read["run"]["state"], "waiting", "{read:#}");
    let input = json!({ "node": "pve", "vmid": 213 });
    assert_eq!(read["card"]["card"]["input"], input);
    assert_eq!(read["card"]["decidable"], false);
    assert_eq!(read["refused"]["code"], "token_cannot_decide");
}

/// Has a client, a script for an interpreter, hold a conversation.
async fn holds_a_conversation(interpreter: &Path, script: &str) {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = token(&owner, "operator", &[]).await.unwrap();
    let made = tempfile::tempdir().unwrap();
    let model = server.script();
    model.reply([Block::text("All is well, sir.")]);
    let stop = json!({ "node": "pve", "vmid": 210 });
    model.reply([Block::tool_use("stop_container", stop)]);
    let task = json!({
        "url": server.url(),
        "token": token,
        "folder": made.path(),
        "say": "Hello",
        "order": "Stop container 210 on pve.",
        "gone": new_conversation(),
    });
    let read = soon("the client", answer_of(interpreter, script, &task)).await;
    assert_eq!(read["warnings"], json!([]));
    has_read_all(&read);
    for guest in [210, 213] {
        assert_eq!(effects(&server, guest), 0);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_made_for_python_holds_a_conversation() {
    holds_a_conversation(&variable("JARVIS_PYTHON"), "clients/client.py").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_made_for_typescript_holds_a_conversation() {
    holds_a_conversation(&variable("JARVIS_NODE"), "clients/client.mjs").await;
}
