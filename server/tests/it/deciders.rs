//! Many tabs at once: deciding on one card, opening; and a server that hangs.

use futures::future::join_all;
use protocol::{Command, Decision, ErrorCode, EventBody, Seq, Verdict};
use rehearsal::Block;
use serde_json::json;

use crate::{
    binary::{Process, jarvis, run},
    client::{Browser, new_conversation},
    harness::{Folder, Server},
};

const DECIDERS: usize = 32;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_32_decides_and_the_others_learn_who() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let script = server.script();
    let input = json!({ "node": "pve", "vmid": 213 });
    script.reply([Block::tool_use("start_container", input)]);
    script.reply([Block::text("That was that.")]);
    let browser = server.sign_in().await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "Start downloads, 213 on pve.")
        .await;
    let asked = |body: &EventBody| match body {
        EventBody::ConfirmationRequested {
            call, confirmation, ..
        } => Some((*call, confirmation.digest.clone())),
        _ => None,
    };
    tab.see(|view| view.find(asked).is_some()).await;
    let (call, digest) = tab.view.find(asked).unwrap();

    let decide = |n: usize| {
        let decision = match n % 2 {
            0 => Decision::Approve {
                grant: None,
                word: None,
            },
            _ => Decision::Deny {
                comment: Some(n.to_string()),
            },
        };
        Command::Decide {
            conversation,
            call,
            digest: digest.clone(),
            decision,
        }
    };
    let mut tabs = Vec::new();
    for _ in 0..DECIDERS {
        tabs.push(browser.socket().await);
    }
    let racing = tabs
        .iter_mut()
        .enumerate()
        .map(|(n, tab)| tab.command(decide(n)));
    let answers = join_all(racing).await;
    let winners: Vec<usize> = (0..DECIDERS).filter(|n| answers[*n].is_ok()).collect();
    let [winner] = winners[..] else {
        panic!("one decides, not {winners:?}");
    };
    let word = ["approved", "denied"][winner % 2];
    for refused in answers.into_iter().filter_map(Result::err) {
        assert_eq!(refused.code, ErrorCode::AlreadyDecided);
        assert_eq!(
            refused.message,
            format!("This request was already {word} by Operator.")
        );
    }

    tab.see(|view| view.finished() == 1).await;
    let verdicts: Vec<_> = tab
        .view
        .events
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::ConfirmationDecided { verdict, by, .. } => Some((verdict, by.as_deref())),
            _ => None,
        })
        .collect();
    let verdict = match winner % 2 {
        0 => Verdict::Approved,
        _ => Verdict::Denied {
            comment: Some(winner.to_string()),
        },
    };
    assert_eq!(verdicts, [(&verdict, Some("Operator"))]);
    let started = |body: &EventBody| matches!(body, EventBody::ToolStarted { .. });
    assert_eq!(tab.view.count(started), usize::from(winner % 2 == 0));
    // A late decider is told the verdict or that nothing waits.
    let late = tabs[0].command(decide(0)).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::AlreadyDecided);
    server.stop().await;
}

/// A tab asks for its missed events while the server still looks its session up: each of the two
/// takes a connection of the database, of which there are fewer than tabs.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_tabs_open_at_once() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let tabs = (0..4 * DECIDERS).map(|_| async {
        let mut tab = browser.socket().await;
        tab.subscribe_list().await;
    });
    join_all(tabs).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stands_still_keeps_its_folder_and_goes_on() {
    let folder = Folder::new();
    let frozen = Process::start(&folder).await;
    let browser = Browser::sign_in(&frozen.link).await;
    let stall = json!({"blocks": [{"type": "text", "text": "Half an answer, and then a pause."}],
                       "faults": [{"type": "stall", "after": 3}]});
    frozen.script(&stall).await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "How is the cluster?").await;
    tab.see(|view| view.streamed().contains("Half")).await;

    frozen.signal("-STOP").await;
    let arguments = ["serve", "--listen", "127.0.0.1:0"];
    let (code, _, err) = run(&mut jarvis(folder.path(), &arguments)).await;
    assert_eq!(code, Some(1));
    assert!(err.contains("another server is using"), "{err}");
    // The audit chain proves the actions.
    let (code, ..) = run(&mut jarvis(folder.path(), &["audit", "verify"])).await;
    assert_eq!(code, Some(0));

    frozen.signal("-CONT").await;
    tab.alive().await;
    let turn = tab.view.turn();
    tab.command(Command::Stop { conversation, turn })
        .await
        .unwrap();
    tab.see(|view| view.finished() == 1).await;
    let mut reader = browser.socket().await;
    reader.subscribe(conversation, Seq(0)).await.unwrap();
    assert_eq!(reader.view.events, tab.view.events);
    frozen.signal("-TERM").await;
    assert_eq!(frozen.exit().await, Some(0));
}
