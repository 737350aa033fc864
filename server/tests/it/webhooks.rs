//! Webhooks of a whole server: the messages that a receiver gets, also over a restart.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use protocol::{Command, Decision};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use crate::{
    binary::{jarvis, run},
    client::new_conversation,
    harness::{Folder, QUIET, Server, soon},
    page_address::leads_to_card,
};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A request as it came in.
struct Message {
    headers: HeaderMap,
    body: String,
}

impl Message {
    fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

#[derive(Clone)]
struct ReceiverState {
    received: UnboundedSender<Message>,
    /// True if the next request gets no answer.
    hangs: Arc<AtomicBool>,
}

/// A program that takes messages.
struct Receiver {
    url: String,
    received: UnboundedReceiver<Message>,
}

impl Receiver {
    async fn start(hangs_at_first: bool) -> Self {
        let (sender, received) = unbounded_channel();
        let state = ReceiverState {
            received: sender,
            hangs: Arc::new(AtomicBool::new(hangs_at_first)),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let router = Router::new().route("/hook", post(take)).with_state(state);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, received }
    }

    /// The configuration of a server that sends here.
    fn configuration(&self) -> String {
        format!("{QUIET}{}", self.section())
    }

    /// The section of the endpoint alone.
    fn section(&self) -> String {
        let url = &self.url;
        format!("[webhooks.chat]\nurl = \"{url}\"\nsecret = \"{SECRET}\"\n")
    }

    async fn next(&mut self) -> Message {
        soon("a message", self.received.recv()).await.unwrap()
    }

    /// The next message of a type whose data are as wanted.
    async fn of(&mut self, kind: &str, is_wanted: impl Fn(&Value) -> bool) -> Message {
        loop {
            let message = self.next().await;
            let body = message.json();
            if body["type"] == kind && is_wanted(&body["data"]) {
                return message;
            }
        }
    }
}

async fn take(State(state): State<ReceiverState>, headers: HeaderMap, body: String) -> StatusCode {
    state.received.send(Message { headers, body }).unwrap();
    if state.hangs.swap(false, Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
    StatusCode::NO_CONTENT
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_hears_of_a_card_its_decision_and_the_end_of_the_turn() {
    let folder = Folder::new();
    let mut receiver = Receiver::start(false).await;
    let server = Server::start_with(&folder, &receiver.configuration()).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    let conversation = new_conversation();
    tab.start(conversation, "Please restart container 210 on pve")
        .await;
    let asked = tab.question().await;
    let waiting = receiver.next().await;
    let page = format!("{}/chat/{conversation}", server.url());
    let body = waiting.json();
    assert_eq!(body["type"], "confirmation.waiting");
    let data = &body["data"];
    assert_eq!(data["call"], json!(asked.0));
    assert_eq!(data["sentence"], asked.1.sentence);
    assert_eq!(data["url"], format!("{page}#{}", asked.0));
    leads_to_card(&server, &browser, &data["url"]).await;
    for part in ["input", "facts", "digest", asked.1.digest.as_str()] {
        assert!(!waiting.body.contains(part), "{part}: {}", waiting.body);
    }
    let signature = waiting.header("webhook-signature");
    assert!(signature.starts_with("v1,"), "{signature}");
    assert!(waiting.header("webhook-timestamp").parse::<i64>().is_ok());
    assert!(waiting.header("webhook-id").starts_with("msg_"));

    let approve = Decision::Approve {
        grant: None,
        word: None,
    };
    tab.decide(conversation, &asked, approve).await.unwrap();
    // They may come in any order.
    let mut bodies = [receiver.next().await.json(), receiver.next().await.json()];
    bodies.sort_by_key(|body| body["type"].to_string());
    let [decided, ended] = bodies;
    assert_eq!(decided["type"], "confirmation.decided");
    assert_eq!(decided["data"]["verdict"], "approved");
    assert_eq!(ended["type"], "turn.ended");
    assert_eq!(ended["data"]["outcome"], "answered");
    assert_eq!(ended["data"]["url"], page);

    let own = new_conversation();
    let act = Command::Act {
        conversation: own,
        tool: "start_container".to_owned(),
        input: json!({ "node": "pve", "vmid": 213 }),
    };
    tab.command(act).await.unwrap();
    let waiting = receiver.next().await.json();
    assert_eq!(waiting["data"]["conversation"], json!(own));
    leads_to_card(&server, &browser, &waiting["data"]["url"]).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_hears_of_a_node_that_goes_and_comes_back() {
    let folder = Folder::new();
    let mut receiver = Receiver::start(false).await;
    let notices = "[notices]\nhold_seconds = 0\nclear_seconds = 0\n\
                   off = [\"task\", \"backup\", \"storage\"]\n";
    let configuration = format!("{notices}{}", receiver.section());
    let server = Server::start_with(&folder, &configuration).await;
    let browser = server.sign_in().await;
    // The cluster is read more often for a while after each look.
    let look = json!({ "name": "homelab" });
    browser.call::<Value>("board", &look).await.unwrap();
    server.simlab().control().set_offline("agent1", true);
    // Its guests may be worth notices of their own.
    let is_node = |data: &Value| data["sentence"] == "Node agent1 is offline.";
    let raised = receiver.of("notice.raised", is_node).await;
    let data = raised.json()["data"].clone();
    assert_eq!(data["system"], "homelab");
    assert_eq!(data["kind"], "node");
    assert_eq!(data["grave"], true);
    let page = format!("{}/feed?kind=notice", server.url());
    assert_eq!(data["url"], page);
    assert!(raised.header("webhook-signature").starts_with("v1,"));

    browser.call::<Value>("board", &look).await.unwrap();
    server.simlab().control().set_offline("agent1", false);
    let is_end = |end: &Value| end["notice"] == data["notice"];
    let resolved = receiver.of("notice.resolved", is_end).await;
    let end = resolved.json()["data"].clone();
    assert_eq!(end["about"], data["about"]);
    assert_eq!(end["url"], page);
    assert_ne!(resolved.header("webhook-id"), raised.header("webhook-id"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_was_under_way_comes_again_after_a_restart() {
    let folder = Folder::new();
    let mut receiver = Receiver::start(true).await;
    let configuration = receiver.configuration();
    let server = Server::start_with(&folder, &configuration).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    server.script().reply([rehearsal::Block::text("Yes, sir.")]);
    tab.start(new_conversation(), "Are you there?").await;
    tab.see(|view| view.finished() == 1).await;
    let first = receiver.next().await;
    server.stop().await;
    let server = Server::start_with(&folder, &configuration).await;
    let again = receiver.next().await;
    assert_eq!(again.json()["type"], "turn.ended");
    assert_eq!(again.header("webhook-id"), first.header("webhook-id"));
    assert_eq!(again.body, first.body);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_an_unreadable_secret_does_not_start() {
    let folder = Folder::new();
    let file = folder.path().join("missing");
    let more = format!(
        "{QUIET}[webhooks.chat]\nurl = \"https://chat.lan/\"\nsecret_file = \"{}\"\n",
        file.display()
    );
    let started = Server::try_start(&folder, &more).await;
    let error = format!("{:#}", started.err().unwrap());
    for part in [
        "the webhook chat cannot be started",
        "missing (jarvis.toml, line ",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_message_is_sent_without_a_server() {
    let folder = Folder::new();
    let mut receiver = Receiver::start(false).await;
    // Nobody listens on that port.
    let away = "[webhooks.pager]\nurl = \"http://127.0.0.1:1/\"\n";
    let configuration = receiver.configuration();
    let configuration = format!("{configuration}{away}secret = \"{SECRET}\"\n");
    let file = folder.path().join("jarvis.toml");
    fs::write(&file, configuration).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();

    let (code, out, err) = run(&mut jarvis(folder.path(), &["webhooks", "check"])).await;
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    assert_eq!(
        out,
        "chat: delivered\npager: not delivered, no connection\n"
    );
    let test = receiver.next().await;
    assert_eq!(test.json()["type"], "test");
    assert_eq!(test.json()["data"]["endpoint"], "chat");
    assert!(test.header("webhook-id").starts_with("msg_test_"));
    assert!(test.header("webhook-signature").starts_with("v1,"));
    for (name, expect) in [("chat", Some(0)), ("desk", Some(2))] {
        let (code, out, err) = run(&mut jarvis(folder.path(), &["webhooks", "check", name])).await;
        assert_eq!(code, expect, "{out} {err}");
        assert_eq!(err.contains(name), expect == Some(2), "{err}");
    }
}
