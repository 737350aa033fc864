//! A conversation over the websocket: the stream, and the frames for a late or lost tab.

use std::collections::BTreeMap;

use protocol::{
    BlockKind, ClientFrame, Command, ContentBlock, EventBody, Seq, ServerFrame, StopReason, Tier,
    ToolOutcome, TurnOutcome,
};
use rehearsal::{Block, Fault, Pace, Scripted};
use serde_json::json;

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
    socket::{new_command, start},
    view::View,
};

const ANSWER: &str = "All four nodes are up, sir. **Nothing** burns — naïve as that sounds ✓.\n\n\
                      - storage: 42 %\n- backups: done\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_with_tools_streams() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    server.script().reply([
        Block::thinking("The cluster and its machines."),
        Block::text("One moment, sir."),
        Block::tool_use("get_cluster_status", json!({})),
        Block::tool_use("get_vms", json!({"node": "pve"})),
        Block::tool_use("no_such_tool", json!({})),
    ]);
    server.script().reply([Block::text(ANSWER)]);

    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    let mut follower = browser.socket().await;
    follower.subscribe_list().await;
    let conversation = new_conversation();
    tab.start(conversation, "How is the cluster?").await;
    tab.see(|view| view.finished() == 1).await;

    let view = &tab.view;
    assert_eq!(view.said(), ["One moment, sir.", ANSWER]);
    let mut kinds = view.kinds();
    // The calls run at the same time.
    kinds[4..9].sort();
    assert_eq!(
        kinds,
        [
            "conversation_started",
            "turn_started",
            "step_started",
            "assistant_message",
            "tool_blocked",
            "tool_finished",
            "tool_finished",
            "tool_started",
            "tool_started",
            "step_started",
            "assistant_message",
            "turn_finished",
        ]
    );
    let mut calls = BTreeMap::new();
    for event in &view.events {
        match &event.body {
            EventBody::AssistantMessage { blocks, .. } => {
                for block in blocks {
                    if let ContentBlock::ToolUse { call, name, .. } = block {
                        calls.insert(*call, vec![name.clone()]);
                    }
                }
            }
            EventBody::ToolStarted { call, tier, .. } => {
                assert_eq!(*tier, Tier::Green);
                calls.get_mut(call).unwrap().push("started".to_owned());
            }
            EventBody::ToolBlocked { call, .. } => {
                calls.get_mut(call).unwrap().push("blocked".to_owned());
            }
            EventBody::ToolFinished { call, outcome, .. } => {
                let ToolOutcome::Succeeded { output } = outcome else {
                    panic!("{outcome:?}");
                };
                assert!(!output.summary.is_empty());
                calls.get_mut(call).unwrap().push("finished".to_owned());
            }
            _ => {}
        }
    }
    let mut cards: Vec<_> = calls.into_values().collect();
    cards.sort();
    assert_eq!(
        cards,
        [
            vec!["get_cluster_status", "started", "finished"],
            vec!["get_vms", "started", "finished"],
            vec!["no_such_tool", "blocked"],
        ]
    );
    assert!(matches!(
        view.events.last().map(|event| &event.body),
        Some(EventBody::TurnFinished { outcome: TurnOutcome::Answered, usage, cost: Some(_), .. })
            if usage.output > 0
    ));

    // The other tab's list ends with the same conversation, at rest.
    let summary = follower
        .until(|frame| match frame {
            ServerFrame::Conversation { summary } if !summary.running => Some(summary),
            _ => None,
        })
        .await;
    assert_eq!(summary.id, conversation);
    assert_eq!(summary.title, "How is the cluster?");
    assert_eq!(summary.messages, 2);

    // The page made on the server says the same.
    let page = browser.get(&format!("/chat/{conversation}")).await;
    assert_eq!(page.status(), 200);
    let html = page.text().await.unwrap();
    // Without the marks that hydration needs.
    let html = html.replace("<!>", "").replace("<!---->", "");
    for text in ["One moment, sir.", "<strong>Nothing</strong>"] {
        assert!(html.contains(text), "{text} in {html}");
    }
    server.stop().await;
}

/// A long answer whose pace leaves half a minute for the middle of a test.
fn long_answer() -> (String, Scripted) {
    let text: String = (0..1500).map(|n| format!("word{n} ")).collect();
    let pace = Pace {
        first_token_ms: 0,
        tokens_per_second: 100,
    };
    let scripted = Scripted::reply([Block::text(text.clone())]).pace(pace);
    (text, scripted)
}

/// The text of the only block, if it is longer than `bytes`.
fn longer_than(view: &View, bytes: usize) -> bool {
    view.streamed().len() > bytes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tab_that_joins_in_mid_stream_has_all_of_it() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let (whole, scripted) = long_answer();
    server.script().push(scripted);
    let browser = server.sign_in().await;
    let conversation = new_conversation();

    let mut first = browser.socket().await;
    first.start(conversation, "Tell me a story.").await;
    first.see(|view| longer_than(view, 40)).await;
    let mut second = browser.socket().await;
    second.subscribe(conversation, Seq(0)).await.unwrap();
    second.see(|view| longer_than(view, 0)).await;
    let joined_at = second.view.blocks.values().next().unwrap().joined_at;
    assert!(
        joined_at >= 40,
        "the text so far comes at once: {joined_at}"
    );
    // Both continue live, and a third comes and goes.
    second.see(|view| longer_than(view, joined_at + 100)).await;
    let mut third = browser.socket().await;
    third.subscribe(conversation, Seq(2)).await.unwrap();
    third.see(|view| longer_than(view, joined_at + 100)).await;
    drop(third);

    let turn = first.view.turn();
    let stop = Command::Stop { conversation, turn };
    second.command(stop).await.unwrap();
    for tab in [&mut first, &mut second] {
        tab.see(|view| view.finished() == 1).await;
        let said = tab.view.said().concat();
        // The view checks that it is the streamed text.
        assert!(whole.starts_with(&said) && said.len() < whole.len());
        assert!(said.len() > joined_at + 100);
        let stop = tab.view.find(|body| match body {
            EventBody::AssistantMessage { stop, .. } => Some(*stop),
            _ => None,
        });
        assert_eq!(stop, Some(StopReason::Cancelled));
    }
    assert_eq!(first.view.events, second.view.events);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tab_that_comes_back_gets_exactly_what_it_missed() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let conversation = new_conversation();
    for answer in ["First.", "Second.", "Third."] {
        server.script().reply([Block::text(answer)]);
    }
    let mut tab = browser.socket().await;
    tab.start(conversation, "One").await;
    tab.see(|view| view.finished() == 1).await;
    let left_at = tab.unsubscribed(conversation).await;

    // Another tab continues; this one, which follows nothing, gets nothing of it.
    let mut other = browser.socket().await;
    other.subscribe(conversation, left_at).await.unwrap();
    assert_eq!(other.view.events, [], "nothing was missed");
    for (text, finished) in [("Two", 1), ("Three", 2)] {
        let text = text.to_owned();
        let send = Command::Send {
            conversation,
            text,
            withdraw: false,
            references: Vec::new(),
        };
        other.command(send).await.unwrap();
        other.see(|view| view.finished() == finished).await;
    }
    tab.alive().await;
    assert_eq!(tab.view.head, left_at);

    let head = tab.subscribe(conversation, left_at).await.unwrap();
    assert_eq!(head, other.view.head);
    assert_eq!(tab.view.head, head);
    assert_eq!(tab.view.said(), ["First.", "Second.", "Third."]);
    let missed = usize::try_from(left_at.0).unwrap();
    assert_eq!(tab.view.events[missed..], other.view.events);

    // Once more on the same socket, from the start: all of it, once.
    tab.view = View::default();
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    assert_eq!(tab.view.events.len() as u64, head.0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_is_sent_again_is_the_same_command() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;

    let starting = new_command();
    for _ in 0..2 {
        let command = start(conversation, "How is the storage?");
        tab.command_as(starting, command).await.unwrap();
    }
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;

    let sending = new_command();
    let again = || Command::Send {
        conversation,
        text: "And the backups?".to_owned(),
        withdraw: false,
        references: Vec::new(),
    };
    tab.command_as(sending, again()).await.unwrap();
    // From a tab that has reconnected, while it runs or later, and both before any answer.
    let mut late = browser.socket().await;
    let (id, command) = (sending, again());
    late.send(&ClientFrame::Command { id, command }).await;
    late.command_as(starting, start(conversation, "How is the storage?"))
        .await
        .unwrap();
    tab.see(|view| view.finished() == 2).await;
    late.command_as(sending, again()).await.unwrap();

    late.subscribe(conversation, Seq(0)).await.unwrap();
    let turns = |body: &EventBody| matches!(body, EventBody::TurnStarted { .. });
    let queued = |body: &EventBody| matches!(body, EventBody::MessageQueued { .. });
    assert_eq!((late.view.count(turns), late.view.count(queued)), (2, 0));
    assert_eq!(late.view.finished(), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_of_the_model_can_be_tried_again() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let script = server.script();
    script.fault(Fault::Status {
        status: 401,
        message: Some("invalid x-api-key".to_owned()),
        should_retry: None,
    });
    let browser = server.sign_in().await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "How is the cluster?").await;
    tab.see(|view| view.finished() == 1).await;
    let (turn, outcome) = tab
        .view
        .find(|body| match body {
            EventBody::TurnFinished { turn, outcome, .. } => Some((*turn, outcome.clone())),
            _ => None,
        })
        .unwrap();
    let TurnOutcome::Failed { error } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.code, protocol::ErrorCode::ModelAuthentication);
    let asked = error.request_id.unwrap_or_default();
    assert!(asked.starts_with("cmd_"), "{asked}");

    script.reply([Block::text("Here I am again, sir.")]);
    let retry = Command::Retry { conversation, turn };
    tab.command(retry).await.unwrap();
    tab.see(|view| view.finished() == 2).await;
    assert_eq!(tab.view.said(), ["Here I am again, sir."]);
    server.stop().await;
}

/// A stalled answer keeps the turn open for as long as the test needs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_waits_for_the_turn_and_can_be_taken_back() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let script = server.script();
    let text = "Words that never come to an end, sir, because they are cut.";
    script.push(Scripted::reply([Block::text(text)]).with(Fault::Stall { after: 2 }));
    let browser = server.sign_in().await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "Begin.").await;
    tab.see(|view| longer_than(view, 0)).await;
    assert!(
        tab.view
            .blocks
            .values()
            .all(|live| live.kind == BlockKind::Text)
    );

    for text in ["Taken back.", "Kept."] {
        let text = text.to_owned();
        let send = Command::Send {
            conversation,
            text,
            withdraw: false,
            references: Vec::new(),
        };
        tab.command(send).await.unwrap();
    }
    let queued = |body: &EventBody| matches!(body, EventBody::MessageQueued { .. });
    tab.see(|view| view.count(queued) == 2).await;
    let message = tab
        .view
        .find(|body| match body {
            EventBody::MessageQueued { message, text, .. } if text == "Taken back." => {
                Some(*message)
            }
            _ => None,
        })
        .unwrap();
    let withdraw = || Command::Withdraw {
        conversation,
        message,
    };
    tab.command(withdraw()).await.unwrap();
    let twice = tab.command(withdraw()).await.unwrap_err();
    assert_eq!(twice.code, protocol::ErrorCode::MessageNotQueued);

    script.reply([Block::text("Kept, and answered.")]);
    let turn = tab.view.turn();
    tab.command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    tab.see(|view| view.finished() == 2).await;
    let asked: Vec<_> = tab
        .view
        .events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::TurnStarted { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(asked, ["Begin.", "Kept."]);
    assert_eq!(tab.view.said().last(), Some(&"Kept, and answered."));
    server.stop().await;
}
