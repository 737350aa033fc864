//! The id of a request in everything that comes of its call.

use protocol::Seq;
use serde_json::json;

use super::{APPROVE, McpClient, call_of, decide, read, state};
use crate::{
    api::trace::{audited, is_traced},
    client::send,
    harness::{Folder, Server},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_is_found_again_in_journal_and_audit() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let client = McpClient::new(&server, &owner, "operator", &[]).await;
    let start = json!({ "node": "pve", "vmid": 213 });
    let mut begun = Vec::new();
    for (client, tool, arguments, expect) in [
        (client.clone(), "get_cluster_status", json!({}), "succeeded"),
        (client.older(), "start_container", start, "waiting"),
    ] {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = send(client.request("tools/call", params)).await;
        let id = answer.headers()["x-request-id"].clone();
        let (_, answer) = read(answer).await;
        assert_eq!(state(&answer["result"]), expect, "{answer:#}");
        let call = call_of(&answer["result"]);
        let mut tab = owner.socket().await;
        if expect == "waiting" {
            decide(&mut tab, call, APPROVE).await;
        } else {
            tab.subscribe(call, Seq(0)).await.unwrap();
            tab.see(|view| view.finished() == 1).await;
        }
        let id = id.to_str().unwrap().to_owned();
        begun.push((call, id, tab.view.events.clone()));
    }
    server.stop().await;

    for (call, id, events) in &begun {
        is_traced(&folder, (*call, events.as_slice()), id, "cmd_").await;
    }
    let audited = audited(&folder).await;
    let has = |kind: &str, id: &str| {
        let mut rows = audited.iter();
        rows.any(|(its, found)| its == kind && found.starts_with(id))
    };
    let (read, acted) = (begun[0].1.as_str(), begun[1].1.as_str());
    for (kind, id) in [
        ("tool_started", read),
        ("tool_finished", read),
        ("confirmation_requested", acted),
        ("confirmation_decided", "cmd_"),
        ("tool_started", acted),
        ("tool_finished", acted),
    ] {
        assert!(has(kind, id), "{kind} {id}: {audited:?}");
    }
}
