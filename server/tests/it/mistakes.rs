//! Mistakes of clients, and the clear answer to each.

use agent::ports::{Append, Durability, Epoch, Journal, NewRecord, StoredConversation};
use protocol::{
    ClientFrame, CloseCode, Command, ConversationId, ErrorCode, EventBody, MAX_FRAME_BYTES,
    MAX_MESSAGE_BYTES, Mode, Seq, ServerFrame, Timestamp, UserId,
};
use rehearsal::Block;
use serde_json::{Value, json};
use store::Store;
use tokio_tungstenite::tungstenite::Message;

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
    socket::{new_command, start},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_that_cannot_be_read() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let mut tab = server.sign_in().await.socket().await;
    let id = new_command().to_string();
    for wrong in [
        "".to_owned(),
        "{".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "\"ping\"".to_owned(),
        json!({"type": "dance"}).to_string(),
        json!({"type": "ping"}).to_string(),
        json!({"type": "ping", "n": -1}).to_string(),
        json!({"type": "subscribe", "topic": {"type": "weather"}}).to_string(),
        json!({"type": "subscribe", "topic": {"type": "conversation", "conversation": "x"}})
            .to_string(),
        json!({"type": "command", "id": "cmd_1", "command": {"type": "stop"}}).to_string(),
        json!({"type": "command", "id": id, "command": {"type": "start", "text": "Hi"}})
            .to_string(),
        "[".repeat(10_000),
    ] {
        tab.text(wrong.clone()).await;
        let code = tab
            .until(|frame| match frame {
                ServerFrame::Error { error } => Some(error.code),
                _ => None,
            })
            .await;
        assert_eq!(code, ErrorCode::Malformed, "{wrong:.100}");
        tab.alive().await;
    }
    tab.raw(Message::Binary(
        b"{\"type\":\"ping\",\"n\":1}".as_slice().into(),
    ))
    .await;
    assert!(
        matches!(tab.next().await, ServerFrame::Error { error } if error.code == ErrorCode::Malformed)
    );
    tab.alive().await;

    tab.text(json!({"type": "command", "id": id, "command": {"type": "dance"}}).to_string())
        .await;
    let refused = tab.answer(id.parse().unwrap()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownCommand);
    tab.alive().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_that_cannot_be_sent() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    for (text, code) in [
        (String::new(), ErrorCode::MessageEmpty),
        (" \n\t ".to_owned(), ErrorCode::MessageEmpty),
        ("x".repeat(MAX_MESSAGE_BYTES + 1), ErrorCode::MessageTooLong),
    ] {
        let command = start(new_conversation(), &text);
        assert_eq!(tab.command(command).await.unwrap_err().code, code);
    }
    let unknown_mode = Command::Start {
        conversation: new_conversation(),
        mode: Mode::Unknown,
        text: "Hello".to_owned(),
        from: None,
        plan: None,
        choice: None,
        references: Vec::new(),
        packs: None,
    };
    let error = tab.command(unknown_mode).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Malformed);
    let list: Vec<Value> = browser
        .call("conversations", &json!({"before": null}))
        .await
        .unwrap();
    assert_eq!(list, [] as [Value; 0], "nothing was begun");

    // The longest message, in the characters that JSON writes longest.
    server.script().reply([Block::text("Noted, sir.")]);
    let conversation = new_conversation();
    let longest = "\u{1}".repeat(MAX_MESSAGE_BYTES);
    tab.start(conversation, &longest).await;
    tab.see(|view| view.finished() == 1).await;
    let text = tab.view.find(|body| match body {
        EventBody::TurnStarted { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert!(
        text == Some(longest),
        "the message is kept as it was written"
    );
    server.stop().await;
}

/// Writes a conversation of another person into the database.
async fn somebody_elses(folder: &Folder) -> ConversationId {
    let store = Store::open(&folder.data()).await.unwrap();
    let now = Timestamp(1_700_000_000_000);
    let id = new_conversation();
    let stored = StoredConversation {
        id,
        owner: UserId::new(now, rand::random()),
        mode: Mode::Default,
        model: "rehearsal-1".to_owned(),
    };
    let started = EventBody::ConversationStarted {
        title: "Nobody's business".to_owned(),
        model: stored.model.clone(),
        mode: stored.mode,
        toolsets: Vec::new(),
        from: None,
    };
    let append = Append {
        conversation: id,
        epoch: Epoch(0),
        head: Seq(0),
        at: now,
        records: vec![NewRecord::event(started)],
        command: None,
        durability: Durability::Process,
    };
    store.create(stored, append).await.unwrap();
    store.close().await.unwrap();
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conversations_that_are_not_there_or_not_yours() {
    let folder = Folder::new();
    let foreign = somebody_elses(&folder).await;
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    tab.subscribe_list().await;
    for conversation in [new_conversation(), foreign] {
        let refused = tab.subscribe(conversation, Seq(0)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::ConversationNotFound);
        let turn = "trn_01HF7YAT0004HMASW9NF6YY093".parse().unwrap();
        let message = "msg_01HF7YAT0004HMASW9NF6YY093".parse().unwrap();
        let text = "Hello?".to_owned();
        for command in [
            Command::Send {
                conversation,
                text,
                withdraw: false,
                references: Vec::new(),
            },
            Command::Stop { conversation, turn },
            Command::Retry { conversation, turn },
            Command::Withdraw {
                conversation,
                message,
            },
        ] {
            let refused = tab.command(command.clone()).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::ConversationNotFound, "{command:?}");
        }
        for (function, input) in [
            ("conversation", json!({"id": conversation})),
            (
                "history",
                json!({"id": conversation, "place": {"type": "after", "seq": 0}}),
            ),
            ("rename", json!({"id": conversation, "title": "Mine"})),
            ("delete", json!({"id": conversation})),
        ] {
            let refused = browser.call::<Value>(function, &input).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::ConversationNotFound, "{function}");
        }
        let page = browser.get(&format!("/chat/{conversation}")).await;
        assert_eq!(page.status(), 404);
        assert!(!page.text().await.unwrap().contains("Nobody's business"));
    }
    assert!(tab.command(start(foreign, "Hello?")).await.is_err());
    let list: Vec<Value> = browser
        .call("conversations", &json!({"before": null}))
        .await
        .unwrap();
    assert_eq!(list, [] as [Value; 0]);
    tab.alive().await;
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    assert_eq!(
        store.events_after(foreign, Seq(0), 9).await.unwrap().len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_much_at_once() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;

    let mut tab = browser.socket().await;
    let mut n = 0;
    // Far more than one may send at once; at some point the server stops reading.
    while n < 5_000 && tab.feed(&ClientFrame::Ping { n }).await {
        n += 1;
    }
    assert_eq!(tab.closed().await, Some(CloseCode::RateLimited.number()));

    let mut tab = browser.socket().await;
    let large = "x".repeat(MAX_FRAME_BYTES + 1);
    // The server may have hung up before all of it was sent.
    let sent = tab.try_raw(Message::Text(large.into())).await;
    let code = tab.closed().await;
    assert_eq!(code, None, "{sent:?}");

    // One socket's mistakes do not affect another.
    browser.socket().await.alive().await;
    server.stop().await;
}
