//! A figure reads the same on the HUD, on its own page and in an answer.

use std::time::Duration;

use protocol::{Command, Mode};

use crate::{
    client::{Browser, new_conversation},
    harness::{Folder, Server},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hud_page_and_answer_say_the_same() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    // Figures that do not change while the test runs. A page before the first look has none yet.
    let hud = loop {
        let hud = text(&browser, "/hud").await;
        if !hud.contains("No data yet.") {
            break hud;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let running = answer(&browser, "What is running?").await;
    // `17 of the 21 guests are running, sir.`
    let [count, total] = numbers(running.lines().next().unwrap_or_default())[..] else {
        panic!("{running}");
    };
    let both = format!("{count} of {total} guests running");
    assert!(hud.contains(&both), "{both}\n{hud}");

    let storages = answer(&browser, "How full is the storage?").await;
    let nas = text(&browser, "/storage/nas").await;
    for (place, text) in [("HUD", hud), ("page", nas), ("answer", storages)] {
        assert!(text.contains("14.6 TiB"), "{place}: {text}");
    }
    server.stop().await;
}

/// The answer of the rehearsal model to a question.
async fn answer(browser: &Browser, question: &str) -> String {
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.command(Command::Start {
        conversation,
        mode: Mode::Default,
        text: question.to_owned(),
        from: None,
        plan: None,
        choice: None,
        references: Vec::new(),
        packs: None,
    })
    .await
    .unwrap();
    tab.subscribe(conversation, protocol::Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    let said = tab.view.said();
    said.last().copied().unwrap_or_default().to_owned()
}

fn numbers(text: &str) -> Vec<u32> {
    let words = text.split_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

/// The text of a page's first HTML, without what its scripts hold.
async fn text(browser: &Browser, path: &str) -> String {
    let html = browser.get(path).await.text().await.unwrap();
    let pieces = html.split('<').filter(|piece| !piece.starts_with("script"));
    let texts = pieces.filter_map(|piece| Some(piece.split_once('>')?.1.trim()));
    let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
