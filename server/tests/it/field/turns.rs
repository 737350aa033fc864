//! Conversations of several turns: names that are words, and names that become known late, stop none.

use protocol::{Command, EventBody, TurnOutcome};
use rehearsal::Block;
use reqwest::Method;
use serde_json::{Value, json};

use super::{data, nothing_leaked, office, start, token};
use crate::{
    client::{Browser, new_conversation, send},
    harness::Folder,
    socket::Socket,
    tokens,
};

/// The outcomes of all turns.
fn turns(tab: &Socket) -> Vec<TurnOutcome> {
    let events = tab.view.events.iter();
    let outcomes = events.filter_map(|event| match &event.body {
        EventBody::TurnFinished { outcome, .. } => Some(outcome.clone()),
        _ => None,
    });
    outcomes.collect()
}

/// Brings diagnostics in which neighbours and machines have these names.
async fn bring(program: &Browser, text: &str) {
    let body = json!({ "site": "nordlicht", "sections": [{ "name": "scan", "text": text }] });
    let request = program.request(Method::POST, "/api/v1/field/diagnostics");
    let brought = send(request.json(&body)).await;
    assert!(brought.status().is_success(), "{}", brought.status());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_goes_on_whatever_networks_are_called() {
    let folder = Folder::new();
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    let room = office(&browser).await.device("Meeting room");
    let secret = tokens::token(&browser, "operator", &["field"])
        .await
        .unwrap();
    let program = Browser::new(server.url()).bearing(&secret);
    // Words of the instructions, of the tools and of the request itself, a number of a typed field, and
    // words that the conversation is about to use.
    bring(
        &program,
        "SSID: diagnostics\nSSID: tokens\nSSID: tool_result\nSSID: content\nSSID: 2437\nhostname: step",
    )
    .await;

    let mut tab = browser.socket().await;
    let conversation = new_conversation();
    let probe = json!({ "device": room, "step": { "run": "routes" } });
    let asked = "Which routes has Meeting room?";
    let ran = tab
        .turn(&server, conversation, asked, &[("run_probe", probe)])
        .await;
    let gateway = token(&data(&ran[0]).to_string(), "ip");
    let probe = json!({ "device": room, "step": { "run": "ping", "target": gateway } });
    let asked = "Ping its gateway.";
    let ran = tab
        .turn(&server, conversation, asked, &[("run_probe", probe)])
        .await;
    let text = data(&ran[0]).to_string();
    assert!(text.contains("packets transmitted"), "{text}");

    // What the probe said becomes the names of networks, of which the first is also a word of a tool; the
    // model's answer names one, too.
    bring(&program, "SSID: packets\nSSID: transmitted").await;
    let said = "SSID: ssid-s1-1, seen from Meeting room. 4 packets transmitted.";
    server.script().reply([Block::text(said)]);
    let send = Command::Send {
        conversation,
        text: "What did the ping say?".to_owned(),
        withdraw: false,
        references: Vec::new(),
    };
    tab.command(send).await.unwrap();
    tab.see(|view| view.finished() == 3).await;
    let links = json!({ "device": room, "step": { "run": "links" } });
    let ran = tab
        .turn(
            &server,
            conversation,
            "And its links?",
            &[("run_probe", links)],
        )
        .await;
    assert!(data(&ran[0]).to_string().contains("mac-s1-"));
    tab.turn(&server, conversation, "Anything else?", &[]).await;

    assert_eq!(turns(&tab), vec![TurnOutcome::Answered; 5]);
    nothing_leaked(&server);
    let requests = server.script().requests();
    let last = requests
        .iter()
        .rev()
        .find(|request| request.body["tools"].is_array())
        .unwrap();
    let messages: &Value = &last.body["messages"];
    let messages = messages.to_string();
    assert!(!messages.contains("packets transmitted"), "{messages}");
    // What is said behind a token is no name.
    assert!(messages.contains("seen from Meeting room"), "{messages}");
    server.stop().await;
}
