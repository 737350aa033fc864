//! The id of a request in everything that comes of its run.

use protocol::{ConversationId, Seq};
use rehearsal::Block;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Stream, program, says};
use crate::{
    api::trace::{audited, is_traced},
    client::{Browser, send},
    harness::{Folder, Server},
};

/// Begins a run under an id of its own, and reads it to its end.
async fn run(program: &Browser, body: &Value, id: &str) -> Stream {
    let request = program.request(Method::POST, "/agui").json(body);
    let answer = send(request.header("x-request-id", id)).await;
    assert_eq!(answer.headers()["x-request-id"], id);
    let mut stream = Stream::of(answer);
    stream.end().await;
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_found_again_in_journal_and_audit() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let (program, _) = program(&server, &owner, &[], true).await;
    let start = json!({ "node": "pve", "vmid": 213 });
    let script = server.script();
    script.reply([Block::tool_use("start_container", start)]);
    script.reply([Block::text("It runs.")]);
    let asks = says("t", "1", "Do that with 213 on pve: start_container.");
    let asked = run(&program, &asks, "run-17").await;
    let last = asked.seen.last().unwrap();
    let interrupt = &last["outcome"]["interrupts"][0];
    assert!(interrupt["id"].is_string(), "{last:#}");
    let mut resumes = says("t", "2", "");
    resumes["messages"] = json!([]);
    resumes["resume"] = json!([{
        "interruptId": interrupt["id"], "status": "resolved", "payload": { "approved": true },
    }]);
    run(&program, &resumes, "run-18").await;

    let id = &asked.seen[0]["metadata"]["jarvis"]["conversation"];
    let conversation: ConversationId = id.as_str().unwrap().parse().unwrap();
    let mut tab = owner.socket().await;
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    let events = tab.view.events.clone();
    server.stop().await;

    is_traced(
        &folder,
        (conversation, events.as_slice()),
        "run-17",
        "run-18",
    )
    .await;
    let audited = audited(&folder).await;
    for (kind, id) in [
        ("confirmation_requested", "run-17"),
        ("confirmation_decided", "run-18"),
        ("tool_started", "run-17"),
        ("tool_finished", "run-17"),
    ] {
        let row = (kind.to_owned(), id.to_owned());
        assert!(audited.contains(&row), "{row:?}: {audited:?}");
    }
}
