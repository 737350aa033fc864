//! Every example question of every tool leads the rehearsal model to that tool, with an input that
//! fits, and to a first sentence that answers.

use protocol::{BlockedReason, Command, EventBody, Mode, Reference, Seq};

use crate::{
    client::new_conversation,
    harness::{Folder, Server},
    socket::Socket,
    suggestions::{first_sentence, tools},
};

/// Questions that need not lead to their tool yet: their rules were added last. This list may only become
/// shorter.
const NOT_YET: [&str; 24] = [
    "Reboot pve.",
    "Shut the node pve down.",
    "Show the last 24 hours of EURUSD.",
    "How far does the price move after Initial jobless claims?",
    "Draw a ray from today's high.",
    "Mark the high of the release from there on.",
    "Mark the retracements of this rise.",
    "Draw a trendline through the last two lows.",
    "Draw an arrow to the target.",
    "Mark the range of this week.",
    "Draw a box around the demand zone.",
    "Circle the false break.",
    "Point at the newest high.",
    "Plan a long from here with 1 % at risk.",
    "Draw a long position at the support.",
    "Plan a short from here with 1 % at risk.",
    "Draw a short position at the resistance.",
    "Mark Nonfarm payrolls on the chart.",
    "Write \"entry\" at the last low.",
    "Make the trendline dashed.",
    "Remove the trendline.",
    "Take the marker off the chart.",
    "Show the chart on 10 March 2017.",
    "Go back to the newest bar.",
];

/// Questions that cannot: what a turn drew is not told to a later one. The list may only become shorter.
const CANNOT: [&str; 2] = ["Take back what you just drew.", "Undo the last drawings."];

/// The tool that only an open page can carry out.
const NEEDS_PAGE: &str = "scroll_chart";

/// Beginnings of sentences that answer nothing.
const NO_ANSWERS: [&str; 6] = [
    "That needs a real model",
    "This is what I have found",
    "I find nothing called",
    "I am not certain",
    "I should gladly look",
    "I could not",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_systems_leads_to_its_tool() {
    let all = |path: &str, _: &str| path != "/chart";
    assert_eq!(strays(all, &[]).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_prices_leads_to_its_tool() {
    let reads = |path: &str, tool: &str| path == "/chart" && tool.starts_with("get_");
    assert_eq!(strays(reads, &["EURUSD/H4"]).await, [""; 0]);
}

/// Each is asked with a chart of its own, so that none finds drawn what it asks for, and what changes a
/// drawing finds one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_about_a_chart_leads_to_its_tool() {
    let draws = |path: &str, tool: &str| path == "/chart" && !tool.starts_with("get_");
    assert_eq!(strays(draws, &["EURUSD/H4", "GBPUSD/H4"]).await, [""; 0]);
}

/// The examples of some tools that do not lead to them and are in no list.
async fn strays(is_meant: fn(&str, &str) -> bool, charts: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let all = server.areas().iter().flat_map(|area| {
        let path = area.page.as_ref().map_or("", |(_, path)| path);
        area.tools
            .iter()
            .map(move |(tool, examples)| (path, tool, examples))
    });
    let mut strays = Vec::new();
    for (_, tool, examples) in all.filter(|(path, tool, _)| is_meant(path, tool)) {
        assert!((2..=3).contains(&examples.len()), "{tool}");
        for (number, question) in examples.iter().enumerate() {
            let chart = charts.iter().cycle().nth(number);
            let about = chart.map(|chart| Reference::new("chart", *chart));
            let mut tab = browser.socket().await;
            let fault = check(&mut tab, tool, question, about.into_iter().collect()).await;
            if let Some(fault) = fault {
                let mut known = NOT_YET.iter().chain(&CANNOT);
                if !known.any(|known| known == question) {
                    strays.push(format!("{question} ({tool})\n{fault}"));
                }
            }
        }
    }
    server.stop().await;
    strays
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
    // A call that waits for a page which nobody has open runs for half a minute.
    let runs = |body: &EventBody| matches!(body, EventBody::ToolStarted { .. });
    let waits = tool == NEEDS_PAGE;
    tab.see(|view| view.finished() == 1 || view.count(asks) > 0 || waits && view.count(runs) > 0)
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
    // What waits for a person or a page has no answer yet.
    if waits || tab.view.count(asks) > 0 {
        return None;
    }
    let said = tab.view.said();
    let answer = said.last().copied().unwrap_or_default();
    let first = first_sentence(answer);
    let is_none = first.is_empty() || NO_ANSWERS.iter().any(|begin| first.starts_with(begin));
    is_none.then(|| format!("{called:?}\n{answer}"))
}
