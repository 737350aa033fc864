//! A server that stops in the middle, and the next one on the same folder.

use protocol::{CloseCode, ErrorCode, EventBody, Seq};
use rehearsal::{Block, Fault, Scripted};
use serde_json::json;

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_goes_on_after_a_restart() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let script = server.script();
    script.reply([
        Block::text("Let me see."),
        Block::tool_use("get_cluster_status", json!({})),
    ]);
    let cut = "The first half of an answer, the rest of which never comes.";
    script.push(Scripted::reply([Block::text(cut)]).with(Fault::Stall { after: 3 }));
    let browser = server.sign_in().await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "How is the cluster?").await;
    let messages = |body: &EventBody| matches!(body, EventBody::StepStarted { .. });
    tab.see(|view| view.count(messages) == 2 && view.streamed().contains("The first"))
        .await;

    let (code, ()) = tokio::join!(tab.closed(), server.stop());
    assert_eq!(code, Some(CloseCode::Restart.number()));
    let before = tab.view.events;

    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    assert_eq!(
        tab.view.events[..before.len()],
        before,
        "what was seen stands"
    );
    // From here on the rehearsal model plans for itself; it may read more.
    let rest = &tab.view.kinds()[before.len()..];
    assert_eq!(rest[..2], ["step_interrupted", "step_started"]);
    assert_eq!(rest.last().map(String::as_str), Some("turn_finished"));
    assert_eq!(tab.view.said().first(), Some(&"Let me see."));
    assert!(!tab.view.said().concat().contains("never comes"));
    let once = tab.view.calls().iter().all(|calls| *calls == (1, 1));
    assert!(
        once,
        "what was done is not done again: {:?}",
        tab.view.calls()
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_cannot_share_a_folder() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let refused = store::Store::open(&folder.data()).await;
    assert!(matches!(refused, Err(store::Error::InUse(_))));
    let unknown = server.sign_in().await;
    let error = unknown
        .call::<serde_json::Value>("conversation", &json!({"id": new_conversation()}))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ConversationNotFound);
    server.stop().await;
}
