//! The sample domain, through the server: its tools, board, page, notice, table and protection.

use protocol::{
    BlockedReason, Command, ContentBlock, EventBody, FromJson, Notice, Seq, ServerFrame, Topic,
};
use rehearsal::Block;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    client::new_conversation,
    harness::{Folder, QUIET, Server},
    policy,
    socket::Socket,
};

const LAMPS: &str = "[domains]\nenabled = [\"lamps\"]\n[lamps]\nenabled = true\ncount = 4\n";

/// A person's own call; returns its result, or the reason why it was blocked.
async fn act(tab: &mut Socket, input: Value) -> Result<Value, BlockedReason> {
    let conversation = new_conversation();
    let act = Command::Act {
        conversation,
        tool: "switch_lamp".to_owned(),
        input,
    };
    tab.command(act).await.unwrap();
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    let done = tab.view.find(|event| match event {
        EventBody::ToolFinished { outcome, .. } => Some(Ok(json!(outcome))),
        EventBody::ToolBlocked { reason, .. } => Some(Err(*reason)),
        _ => None,
    });
    done.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_of_a_test_is_asked_shown_and_acted_on() {
    let folder = Folder::new();
    // A database that never heard of lamps.
    Server::start(&folder).await.stop().await;
    let more = format!("{LAMPS}[notices]\nhold_seconds = 0\n");
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;

    let mut board = browser.socket().await;
    let topic = Topic::Board {
        board: "lamps".to_owned(),
    };
    board
        .send(&protocol::ClientFrame::Subscribe { topic })
        .await;
    let notice = part(&mut board, |key, value| {
        key.starts_with("notice/").then(|| Notice::from_json(value))
    })
    .await
    .unwrap();
    assert_eq!(notice.text, "Lamp cellar has failed.");

    // The rehearsal model asks the tool for its example question.
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "Which lamps are on?").await;
    tab.see(|view| view.finished() == 1).await;
    let called = tab.view.find(|event| match event {
        EventBody::AssistantMessage { blocks, .. } => blocks.iter().find_map(|block| match block {
            ContentBlock::ToolUse { name, .. } => Some(name.clone()),
            _ => None,
        }),
        _ => None,
    });
    assert_eq!(called.as_deref(), Some("get_lamps"));

    // A model's call with the person's words runs at once.
    server.script().reply([Block::tool_use(
        "switch_lamp",
        json!({"lamp": "kitchen", "state": "on"}),
    )]);
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "Switch the kitchen lamp on.")
        .await;
    tab.see(|view| view.finished() == 1).await;
    part(&mut board, |key, value| {
        (key == "lamp/kitchen" && value["state"] == "on").then_some(())
    })
    .await;

    // So does a person's from the page.
    let html = browser.get("/lamps").await.text().await.unwrap();
    for text in [
        "Simulated house",
        "kitchen",
        "Switch off",
        "Lamp cellar has failed.",
    ] {
        assert!(html.contains(text), "{text} is not in {html}");
    }
    assert!(!html.contains("porch"), "there are four lamps");
    for (lamp, state) in [("hall", "off"), ("desk", "on")] {
        let mut tab = browser.socket().await;
        act(&mut tab, json!({"lamp": lamp, "state": state}))
            .await
            .unwrap();
    }
    // What is not there is said by the route itself.
    let attic = browser.get("/api/v1/lamps/lamps/attic").await;
    assert_eq!(attic.status(), StatusCode::NOT_FOUND);
    let kitchen = browser.get("/api/v1/lamps/lamps/kitchen").await;
    let kitchen: Value = kitchen.json().await.unwrap();
    assert_eq!(kitchen["lamps"][0]["state"], "on", "{kitchen}");
    server.stop().await;
    let stopped = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis();

    // The switches outlive the server, and the task in the background has recorded the last one.
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    let readings = browser.get("/api/v1/lamps/readings").await;
    let readings = readings.text().await.unwrap();
    let of_the_first = readings.lines().skip(1).filter_map(|line| {
        let (at, on) = line.split_once(',')?;
        (at.parse::<u128>().unwrap() < stopped).then_some(on)
    });
    assert_eq!(of_the_first.last(), Some("2"), "{readings}");
    let page: protocol::BoardPage = browser
        .call("board", &json!({"name": "lamps"}))
        .await
        .unwrap();
    let state = |name: &str| {
        let key = format!("lamp/{name}");
        let part = page.parts.iter().find(|part| part.key == key);
        part.unwrap().value["state"].clone()
    };
    assert_eq!(
        (state("hall"), state("kitchen")),
        (json!("off"), json!("on"))
    );
    // A policy protects a lamp, from everybody.
    let (status, form) = policy::preview(&browser, &[("lamp", "Hall")]).await;
    assert_eq!(status, StatusCode::OK, "{form}");
    assert_eq!(policy::save(&browser, &form).await, StatusCode::SEE_OTHER);
    let mut tab = browser.socket().await;
    let again = act(&mut tab, json!({"lamp": "hall", "state": "on"})).await;
    assert_eq!(again, Err(BlockedReason::Protected));
    server.stop().await;
    // Without the domain its table is in nobody's way.
    Server::start(&folder).await.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_switch_the_domain_is_not_there() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, QUIET).await;
    let html = server.sign_in().await.get("/lamps").await;
    assert!(html.text().await.unwrap().contains("Page not found"));
    server.stop().await;
}

/// Waits for a part of the board.
async fn part<T>(board: &mut Socket, want: impl Fn(&str, Value) -> Option<T>) -> T {
    board
        .until(|frame| match frame {
            ServerFrame::Board { put, .. } => {
                put.into_iter().find_map(|part| want(&part.key, part.value))
            }
            _ => None,
        })
        .await
}
