//! A server that stops in the middle, and the next one on the same folder.

use futures::future::join;
use protocol::{CloseCode, ErrorCode, EventBody, Seq};
use rehearsal::{Block, Fault, Scripted};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    client::{Browser, new_conversation},
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
async fn a_server_that_stops_says_so_and_answers_what_has_begun() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let (address, browser) = (server.address(), Browser::new(server.url()));
    // The server waits for the rest of it, also when it stops.
    let head = format!(
        "POST /sign-in HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: 6\r\n\
         expect: 100-continue\r\nconnection: close\r\n\r\n"
    );
    let mut begun = TcpStream::connect(&address).await.unwrap();
    begun.write_all(head.as_bytes()).await.unwrap();
    let mut goes_on = [0; 12];
    begun.read_exact(&mut goes_on).await.unwrap();
    assert_eq!(&goes_on, b"HTTP/1.1 100");

    let asks = async {
        let ready = browser.get("/readyz").await;
        assert_eq!(ready.status(), StatusCode::SERVICE_UNAVAILABLE);
        let ready: Value = ready.json().await.unwrap();
        assert_eq!(ready["status"], "unavailable");
        assert_eq!(ready["problems"][0]["code"], "stopping");
        assert_eq!(browser.get("/healthz").await.status(), StatusCode::OK);
        for path in ["/", "/api/v1/tools"] {
            let refused = browser.get(path).await;
            assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
            let refused: Value = refused.json().await.unwrap();
            assert_eq!(refused["code"], json!(ErrorCode::ShuttingDown), "{path}");
            assert!(refused["request_id"].is_string(), "{path}");
        }
        begun.write_all(b"name=x").await.unwrap();
        let mut answer = String::new();
        begun.read_to_string(&mut answer).await.unwrap();
        answer
    };
    // The stop has begun before anything is asked.
    let ((), answer) = join(Box::pin(server.stop()), asks).await;
    let (_, status) = answer.split_once("HTTP/1.1 ").unwrap();
    assert!(status.starts_with('4'), "{answer}");
    assert!(TcpStream::connect(&address).await.is_err());
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
