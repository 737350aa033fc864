//! Every example question of every tool leads the rehearsal model to that tool, with an input that
//! fits, and to a first sentence that answers.

use std::collections::BTreeSet;

use protocol::{BlockedReason, Command, EventBody, Mode, Reference, Seq};

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
    socket::Socket,
    suggestions::{first_sentence, tools},
};

/// Questions that only a real model leads to their tool: they are about what is seen in candles, or
/// about a drawing that is not there. This list may only become shorter.
const NOT_YET: [&str; 0] = [];

/// How an answer begins that is none.
const NO_ANSWERS: [&str; 6] = [
    "That needs a real model",
    "This is what I have found",
    "I find nothing called",
    "I am not certain",
    "I should gladly look",
    "I could not",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_leads_to_its_tool() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let mut wrong = Vec::new();
    let mut failed = BTreeSet::new();
    for area in server.areas() {
        let is_chart = area.page.as_ref().is_some_and(|(_, path)| path == "/chart");
        let about = match is_chart {
            true => vec![Reference::new("chart", "EURUSD/H4")],
            false => Vec::new(),
        };
        for (tool, examples) in &area.tools {
            assert!((2..=3).contains(&examples.len()), "{tool}");
            for question in examples {
                let mut tab = browser.socket().await;
                if let Some(fault) = check(&mut tab, tool, question, about.clone()).await {
                    wrong.push(format!("{question} ({tool})\n{fault}"));
                    failed.insert(question.as_str());
                }
            }
        }
    }
    assert_eq!(failed, BTreeSet::from(NOT_YET), "{}", wrong.join("\n\n"));
    server.stop().await;
}

/// Asks, and returns what is wrong.
async fn check(
    tab: &mut Socket,
    tool: &str,
    question: &str,
    references: Vec<Reference>,
) -> Option<String> {
    let conversation = new_conversation();
    tab.command(Command::Start {
        conversation,
        mode: Mode::Default,
        text: question.to_owned(),
        from: None,
        plan: None,
        choice: None,
        references,
    })
    .await
    .unwrap();
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    let asks = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
    tab.see(|view| view.finished() == 1 || view.count(asks) > 0)
        .await;
    let called = tools(&tab.view);
    if !called.contains(&tool) {
        return Some(format!("{called:?}\n{}", tab.view.said().join("\n")));
    }
    let misfit = |body: &EventBody| {
        matches!(
            body,
            EventBody::ToolBlocked {
                reason: BlockedReason::InvalidInput,
                ..
            }
        )
    };
    if tab.view.count(misfit) > 0 {
        return Some(format!("an input does not fit: {:?}", tab.view.events));
    }
    // What waits for a person has no answer yet.
    if tab.view.count(asks) > 0 {
        return None;
    }
    let said = tab.view.said();
    let answer = said.last().copied().unwrap_or_default();
    let first = first_sentence(answer);
    let is_none = first.is_empty() || NO_ANSWERS.iter().any(|begin| first.starts_with(begin));
    is_none.then(|| format!("{called:?}\n{answer}"))
}
