use crate::{
    client::new_conversation,
    harness::{Folder, Server},
    suggestions::tools,
};
use protocol::{Command, Decision, EventBody, Mode, Reference, Seq};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transcript() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let text = std::fs::read_to_string("/tmp/q.txt").unwrap();
    let mut number = 0;
    let mut out = String::new();
    for block in text.split("\n\n") {
        let mut tab = browser.socket().await;
        let conversation = new_conversation();
        let mut references = Vec::new();
        let mut first = true;
        let mut turns = 0;
        for line in block
            .lines()
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
        {
            if let Some(r) = line.strip_prefix('@') {
                let (k, i) = r.split_once(' ').unwrap();
                references.push(Reference::new(k, i));
                continue;
            }
            let line = line.trim_start_matches("~");
            let before = tab.view.events.len();
            let refs = std::mem::take(&mut references);
            if first {
                tab.command(Command::Start {
                    conversation,
                    mode: Mode::Default,
                    text: line.to_owned(),
                    from: None,
                    plan: None,
                    choice: None,
                    references: refs,
                })
                .await
                .unwrap();
                tab.subscribe(conversation, Seq(0)).await.unwrap();
                first = false;
            } else {
                tab.command(Command::Send {
                    conversation,
                    text: line.to_owned(),
                    withdraw: false,
                    references: refs,
                })
                .await
                .unwrap();
            }
            turns += 1;
            eprintln!("{line}");
            number += 1;
            let asks = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
            let cards0 = tab.view.events[..before]
                .iter()
                .filter(|e| asks(&e.body))
                .count();
            let waiting_next = block.contains(&format!("{line}\n~"));
            let runs = |body: &EventBody| matches!(body, EventBody::ToolStarted { .. });
            let _ = runs;
            out.push_str(&format!("=== {number} {line}\n"));
            let mut seen = cards0;
            loop {
                tab.see(|view| view.finished() >= turns || view.count(asks) > seen)
                    .await;
                let cards: Vec<_> = tab
                    .view
                    .events
                    .iter()
                    .filter_map(|e| match &e.body {
                        EventBody::ConfirmationRequested {
                            call, confirmation, ..
                        } => Some((*call, (**confirmation).clone())),
                        _ => None,
                    })
                    .skip(seen)
                    .collect();
                seen += cards.len();
                for (call, card) in cards {
                    out.push_str(&format!("CARD {}\n", card.sentence));
                    if !waiting_next {
                        let _ = tab
                            .command(Command::Decide {
                                conversation,
                                call,
                                digest: card.digest.clone(),
                                decision: Decision::Deny { comment: None },
                            })
                            .await;
                    }
                }
                if waiting_next || tab.view.finished() >= turns {
                    break;
                }
            }
            let calls: Vec<String> = tab.view.events[before..]
                .iter()
                .filter_map(|e| match &e.body {
                    EventBody::AssistantMessage { blocks, .. } => Some(
                        blocks
                            .iter()
                            .filter_map(|b| match b {
                                protocol::ContentBlock::ToolUse { name, input, .. } => {
                                    Some(format!("{name}{input}"))
                                }
                                protocol::ContentBlock::Text { text } => {
                                    Some(format!("\n    | {}", text.replace('\n', "\n    | ")))
                                }
                                _ => None,
                            })
                            .collect::<Vec<_>>()
                            .join("; "),
                    ),
                    _ => None,
                })
                .collect();
            out.push_str(&format!("{}\n", calls.join("; ")));
            let _ = tools(&tab.view).len();
        }
        out.push('\n');
        std::fs::write("/tmp/a.txt", &out).unwrap();
    }
    server.stop().await;
}
