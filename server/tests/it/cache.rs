//! The prompt cache keeps hitting: each request repeats the last one byte for byte.

use protocol::{Command, EventBody, Usage};

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
};

/// Ten plain questions that the rehearsal model answers by reading the simulated cluster.
const QUESTIONS: [&str; 10] = [
    "How is the cluster doing?",
    "Which VMs are stopped?",
    "List the containers on pve.",
    "Is any storage filling up?",
    "How is node agent1 doing?",
    "What failed in the last day?",
    "Show the backups.",
    "Which VMs run on pve?",
    "How warm is pve?",
    "How is the cluster doing now?",
];

/// The whole input of the turns after the first, and the part of it that came from the cache.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nine_tenths_of_a_long_conversation_come_from_the_cache() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, QUESTIONS[0]).await;
    tab.see(|view| view.finished() == 1).await;
    let first_turn = tab.view.events.len();
    for (turn, question) in QUESTIONS.iter().enumerate().skip(1) {
        let text = (*question).to_owned();
        tab.command(Command::Send {
            conversation,
            text,
            withdraw: false,
            references: Vec::new(),
        })
        .await
        .expect("accepted");
        tab.see(|view| view.finished() == turn + 1).await;
    }

    let mut sum = Usage::default();
    for event in &tab.view.events[first_turn..] {
        if let EventBody::AssistantMessage { usage, .. } = &event.body {
            sum += *usage;
        }
    }
    let calls = tab
        .view
        .count(|body| matches!(body, EventBody::ToolFinished { .. }));
    assert!(calls >= QUESTIONS.len(), "only {calls} tool calls");
    let share = sum.cache_read as f64 / sum.total_input() as f64;
    assert!(share >= 0.9, "{share:.3} of {sum:?}");
    server.stop().await;
}
