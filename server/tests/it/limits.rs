//! Quotas of one person or address, and that others are not affected.

use protocol::{
    Command, ConversationPage, ErrorBody, ErrorCode, EventBody, NewShare, Role, TurnId,
};
use reqwest::{
    Method, StatusCode,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::{Value, json};
use store::{Store, SystemEvent};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::{
    api::program,
    client::{Browser, new_conversation, refusal, send},
    harness::{Folder, QUIET, Server, add_user, soon},
};

fn act(tool: &str, input: Value) -> Command {
    Command::Act {
        conversation: new_conversation(),
        tool: tool.to_owned(),
        input,
    }
}

fn code(answer: Result<(), ErrorBody>) -> Option<ErrorCode> {
    answer.err().map(|error| error.code)
}

async fn with_user(name: &str, role: Role, more: &str) -> (Folder, Server, Browser) {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let link = add_user(&folder, name, role).await;
    let server = Server::start_with(&folder, &format!("{QUIET}{more}")).await;
    let browser = Browser::sign_in(&format!("{}{link}", server.url())).await;
    (folder, server, browser)
}

/// Seen on a running server: 17.9 MB/s of journals and audit rows with the input, forever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_who_asks_to_act_fills_no_disk() {
    let (folder, server, vera) = with_user("Vera", Role::Viewer, "").await;
    let mut tab = vera.socket().await;
    for _ in 0..40 {
        let large = json!({ "node": "pve", "service": "x".repeat(60_000) });
        let refused = tab.command(act("restart_service", large)).await;
        assert_eq!(code(refused), Some(ErrorCode::RoleNotEnough));
    }
    server.stop().await;
    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(1000).await.unwrap();
    let refused = events
        .iter()
        .filter(|(_, event)| matches!(event, SystemEvent::ActRefused { .. }));
    assert_eq!(refused.count(), 20, "the others are counted");
    store.close().await.unwrap();
    let size = std::fs::metadata(folder.data().join("jarvis.db"))
        .unwrap()
        .len();
    assert!(size < 1_500_000, "{size}");
}

/// A quota is a user's, and not each tab's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tabs_share_what_their_user_may_use() {
    let limits = "[limits]\nuser_sockets = 4\nuser_commands = 20\n";
    let (_folder, server, otto) = with_user("Otto", Role::Operator, limits).await;
    let mut tabs = Vec::new();
    for _ in 0..4 {
        tabs.push(otto.socket().await);
    }
    let upgrade = otto.upgrade().header("origin", server.url());
    let limited = (StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited);
    assert_eq!(refusal(upgrade).await, limited);
    let mut other = server.sign_in().await.socket().await;

    let mut answers = Vec::new();
    for tab in &mut tabs {
        for _ in 0..4 {
            let nobody = Command::Withdraw {
                conversation: new_conversation(),
                message: protocol::MessageId::new(protocol::Timestamp(0), 1),
            };
            answers.push(code(tab.command(nobody).await));
        }
    }
    let of = |code| {
        answers
            .iter()
            .filter(|answer| **answer == Some(code))
            .count()
    };
    let taken = of(ErrorCode::ConversationNotFound);
    // Ten at once, and some more if the machine is slow.
    assert!((10..16).contains(&taken), "{answers:?}");
    assert_eq!(taken + of(ErrorCode::RateLimited), answers.len());
    let stop = Command::Stop {
        conversation: new_conversation(),
        turn: TurnId::new(protocol::Timestamp(0), 1),
    };
    let stopped = code(tabs[0].command(stop).await);
    assert_eq!(
        stopped,
        Some(ErrorCode::ConversationNotFound),
        "it is let through"
    );
    let free = other.command(act("get_nothing", json!({}))).await;
    assert_eq!(code(free), None, "another user is not held back");
    server.stop().await;
}

/// The tabs have the cards and the emergency stop: no program takes their places.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_leave_places_to_the_tabs_of_their_user() {
    let limits = "[limits]\nuser_sockets = 4\n";
    let (_folder, server, otto) = with_user("Otto", Role::Operator, limits).await;
    let program = program(&server, &otto, "viewer", &[]).await;
    let followers = [program.socket().await, program.socket().await];
    let upgrade = program.upgrade().header("origin", server.url());
    let limited = (StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited);
    assert_eq!(refusal(upgrade).await, limited);
    let conversations = new_conversation();
    let path = format!("/api/v1/conversations/{conversations}/events");
    let stream = send(program.request(Method::GET, &path)).await;
    assert_eq!(stream.status(), StatusCode::TOO_MANY_REQUESTS);
    let tabs = [otto.socket().await, otto.socket().await];
    drop((followers, tabs));
    server.stop().await;
}

/// Seen on a running server: four stalled uploads blocked everybody's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_uploads_hold_up_nobody_else() {
    let (_folder, server, otto) = with_user("Otto", Role::Operator, "").await;
    let admin = server.sign_in().await;
    let host = server.url().trim_start_matches("http://");
    let mut slow = Vec::new();
    for path in ["/files?name=a.txt", "/chat/import"].repeat(8) {
        let mut tcp = TcpStream::connect(host).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: {}\r\ncookie: {}\r\n\
             content-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n--x",
            server.url(),
            otto.cookie().unwrap(),
        );
        tcp.write_all(head.as_bytes()).await.unwrap();
        slow.push(tcp);
    }
    let upload = admin
        .request(Method::POST, "/files?name=b.txt")
        .body("Hello");
    assert_eq!(send(upload).await.status(), StatusCode::OK);
    let import = admin
        .request(Method::POST, "/chat/import")
        .header(CONTENT_TYPE, "multipart/form-data; boundary=x")
        .body("--x\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\n{}\r\n--x--\r\n");
    let answer = send(import).await.text().await.unwrap();
    assert!(answer.contains("import_refused"), "it was read: {answer}");
    server.stop().await;
}

/// Files are sent from memory, which a client that does not read would keep for as long as it likes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_nobody_reads_hold_up_nobody_else() {
    const SIZE: usize = 3_500_000;
    // As many as do not fit into the buffers of a connection.
    const EACH: usize = 4;
    let (_folder, server, otto) = with_user("Otto", Role::Operator, "").await;
    let admin = server.sign_in().await;
    let host = server.url().trim_start_matches("http://");
    let mut image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0".to_vec();
    image.resize(SIZE, 0);
    let keep = async |browser: &Browser| -> String {
        let upload = browser.request(Method::POST, "/files?name=a.png");
        let kept = send(upload.body(image.clone())).await;
        assert_eq!(kept.status(), StatusCode::OK);
        let kept: Value = kept.json().await.unwrap();
        format!("/files/{}", kept["id"].as_str().unwrap())
    };
    let path = keep(&otto).await;
    let mut silent = Vec::new();
    for n in 0..8 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(16 * 1024).unwrap();
        let mut tcp = socket.connect(host.parse().unwrap()).await.unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {}\r\n\r\n",
            otto.cookie().unwrap(),
        );
        tcp.write_all(head.repeat(EACH).as_bytes()).await.unwrap();
        let mut begun = [0; 12];
        soon("an answer", tcp.read_exact(&mut begun)).await.unwrap();
        assert_eq!(&begun, b"HTTP/1.1 200", "{n}");
        silent.push(tcp);
    }
    // Each connection gets stuck as soon as its buffers are full.
    let limited = soon("a refusal", async {
        loop {
            let answer = otto.get(&path).await;
            if answer.status() != StatusCode::OK {
                break answer;
            }
        }
    });
    let limited = limited.await;
    assert_eq!(limited.status(), StatusCode::TOO_MANY_REQUESTS);
    let limited: ErrorBody = limited.json().await.unwrap();
    assert_eq!(limited.code, ErrorCode::RateLimited);
    let other = admin.get(&keep(&admin).await).await;
    assert_eq!(other.status(), StatusCode::OK);
    assert_eq!(other.bytes().await.unwrap().len(), SIZE);
    drop(silent.pop());
    let again = otto.get(&path).await;
    assert_eq!(again.status(), StatusCode::OK, "there is room again");
    server.stop().await;
}

/// A branch copies the whole history above its message, and one of a few bytes made megabytes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_branch_counts_what_it_copies() {
    let limits = "[limits]\nuser_stored_mb = 16\n";
    let (folder, server, vera) = with_user("Vera", Role::Viewer, limits).await;
    let mut tab = vera.socket().await;
    let from = new_conversation();
    let long = "x".repeat(60_000);
    tab.start(from, &long).await;
    for n in 1..=16 {
        tab.see(|view| view.finished() == n).await;
        let text = if n == 16 { "Hello" } else { &long };
        let sent = Command::Send {
            conversation: from,
            text: text.to_owned(),
            withdraw: false,
            references: Vec::new(),
        };
        assert_eq!(code(tab.command(sent).await), None);
    }
    tab.see(|view| view.finished() == 17).await;
    let started = tab.view.events.iter().rev();
    let mut messages = started.filter_map(|event| match &event.body {
        EventBody::TurnStarted { message, .. } => Some(*message),
        _ => None,
    });
    let message = messages.next().unwrap();

    let mut answers = Vec::new();
    for _ in 0..30 {
        let branch = Command::Branch {
            conversation: new_conversation(),
            from,
            message,
            text: Some("Hello again".to_owned()),
            known: Vec::new(),
        };
        answers.push(code(tab.command(branch).await));
    }
    let limited = Some(ErrorCode::RateLimited);
    assert_eq!(answers.first(), Some(&None), "{answers:?}");
    assert_eq!(answers.last(), Some(&limited), "{answers:?}");
    server.stop().await;
    let size = |name: &str| std::fs::metadata(folder.data().join(name)).map_or(0, |it| it.len());
    let size = size("jarvis.db") + size("jarvis.db-wal");
    assert!(size < 24 << 20, "{size}");
}

/// Mistakes of users are not server errors.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_of_server_functions_have_their_own_status() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let nobody = new_conversation();
    for (function, input, expect) in [
        (
            "rename",
            json!({ "id": nobody, "title": "x" }),
            (StatusCode::NOT_FOUND, ErrorCode::ConversationNotFound),
        ),
        (
            "rename",
            json!({ "nonsense": 1 }),
            (StatusCode::BAD_REQUEST, ErrorCode::Malformed),
        ),
    ] {
        let request = browser
            .request(Method::POST, &format!("/api/{function}"))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .body(input.to_string());
        assert_eq!(refusal(request).await, expect, "{function} {input}");
    }
    server.stop().await;
}

/// Each change leaves a row in the audit chain, whoever makes it and by whichever way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_by_request_count_as_commands_do() {
    let limits = "[limits]\nuser_commands = 20\n";
    let (folder, server, vera) = with_user("Vera", Role::Viewer, limits).await;
    let owner = server.sign_in().await;
    let conversation = new_conversation();
    let mut tab = owner.socket().await;
    tab.start(conversation, "Hello").await;
    tab.see(|view| view.finished() == 1).await;
    let shared: NewShare = owner
        .call("share", &json!({ "id": conversation, "days": 1 }))
        .await
        .unwrap();

    let mut codes = Vec::new();
    for function in ["rename", "share", "delete", "restore"].repeat(5) {
        let input = json!({ "id": new_conversation(), "title": "x", "days": 1 });
        let answer = vera.call::<Value>(function, &input).await;
        codes.push(answer.err().map(|error| error.code));
    }
    for _ in 0..5 {
        let fields = [("current", "no"), ("new", "no"), ("again", "no")];
        let answer = vera.post("/settings", &fields).await;
        let limited = answer.status() == StatusCode::TOO_MANY_REQUESTS;
        codes.push(limited.then_some(ErrorCode::RateLimited));
    }
    let of = |code| codes.iter().filter(|it| **it == Some(code)).count();
    let limited = of(ErrorCode::RateLimited);
    // Ten at once, and some more if the machine is slow.
    assert!((9..=15).contains(&limited), "{codes:?}");
    let rename = json!({ "id": conversation, "title": "x" });
    let other = owner.call::<Value>("rename", &rename).await;
    assert!(other.is_ok(), "another user is not held back");

    // Reading and signing out are free.
    for _ in 0..30 {
        let input = json!({ "token": shared.token });
        let read: Result<ConversationPage, _> = vera.call("shared", &input).await;
        assert_eq!(code(read.map(drop)), None);
    }
    let out = vera.post("/sign-out", &[]).await;
    assert_eq!(out.status(), StatusCode::SEE_OTHER);
    for _ in 0..5 {
        let on = Command::KillSwitch { on: true };
        assert_eq!(code(tab.command(on).await), None);
    }
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(1000).await.unwrap();
    let count = |is: fn(&SystemEvent) -> bool| events.iter().filter(|(_, it)| is(it)).count();
    assert_eq!(
        count(|it| matches!(it, SystemEvent::ShareOpened { .. })),
        1,
        "a reader leaves one record an hour"
    );
    assert_eq!(
        count(|it| matches!(it, SystemEvent::KillSwitchSet { .. })),
        1,
        "to switch on what is on changes nothing"
    );
}
