//! The board over the socket and in the first HTML.

use std::time::{Duration, Instant};

use protocol::{BoardPage, Command, ErrorCode, FromJson, Notice, ServerFrame, Topic};
use serde_json::{Value, json};
use store::{Store, SystemEvent};

use crate::{
    harness::{Folder, Server},
    socket::Socket,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_poller_serves_page_and_tabs() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let started = Instant::now();
    let browser = server.sign_in().await;
    let asked = || {
        let requests = server.simlab().control().requests();
        let overview = requests.iter();
        overview
            .filter(|request| request.path == "/cluster/resources")
            .count()
    };
    let page = browser.get("/hud").await;
    assert_eq!(page.status(), 200);
    let html = page.text().await.unwrap();
    for text in [
        "quorate",
        "agent1",
        "4 of 4 nodes online",
        "GET /nodes/pve/status",
        "Simulated",
    ] {
        assert!(html.contains(text), "{text} is not in the first HTML");
    }
    assert!(
        !html.contains("style=\""),
        "the policy allows no such attribute"
    );

    let mut tabs = Vec::new();
    for _ in 0..3 {
        let mut tab = browser.socket().await;
        tab.send(&protocol::ClientFrame::Subscribe {
            topic: Topic::Board {
                board: "homelab".to_owned(),
            },
        })
        .await;
        let parts = tab
            .until(|frame| match frame {
                ServerFrame::Board {
                    whole: true, put, ..
                } => Some(put.len()),
                _ => None,
            })
            .await;
        assert!(parts > 20, "{parts} parts");
        tabs.push(tab);
    }
    // A change is sent as a change, to all.
    server.simlab().control().set_offline("agent", true);
    for tab in &mut tabs {
        tab.until(|frame| match frame {
            ServerFrame::Board {
                whole: false, put, ..
            } => put
                .iter()
                .any(|part| part.key == "node/agent" && part.value["state"] == "offline")
                .then_some(()),
            _ => None,
        })
        .await;
    }
    // A few looks, and one more in each interval; not one for each tab.
    let intervals = started.elapsed().as_secs() as usize / 5;
    assert!(asked() < 8 + intervals, "{} requests", asked());

    let page: BoardPage = browser
        .call("board", &json!({"name": "homelab"}))
        .await
        .unwrap();
    assert!(page.system.simulated);
    assert!(page.parts.iter().any(|part| part.key == "cluster"));
    let error = browser
        .call::<Value>("board", &json!({"name": "greenhouse"}))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::BoardNotFound);
    let stop = tokio::time::Instant::now();
    server.stop().await;
    assert!(
        stop.elapsed() < Duration::from_secs(5),
        "a board does not hold up the end"
    );
}

/// A node that dies raises a notice for everybody, which a person acknowledges and which is
/// resolved; over a restart it is still raised once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notice_from_its_telling_to_its_end() {
    let folder = Folder::new();
    let quick = "[notices]\nhold_seconds = 0\nclear_seconds = 0\noff = [\"task\", \"backup\", \"storage\"]\n";
    let server = Server::start_with(&folder, quick).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    watch(&mut tab).await;
    server.simlab().control().set_offline("agent1", true);
    let fire = notice(&mut tab, |notice| notice.key == "node/agent1/down").await;
    assert_eq!(
        (fire.text.as_str(), fire.grave),
        ("Node agent1 is offline.", true)
    );
    // From another tab: waiting for an answer here would skip the frames meanwhile.
    let mut other = browser.socket().await;
    other
        .command(Command::Acknowledge { notice: fire.id })
        .await
        .unwrap();
    let known = notice(&mut tab, |notice| notice.acknowledged.is_some()).await;
    assert_eq!(known.id, fire.id);
    let page = browser.get("/hud").await.text().await.unwrap();
    assert!(
        page.contains("acknowledged by"),
        "who knows of it is in the first HTML"
    );
    server.stop().await;

    // The simulated cluster starts anew with the server, so the node is there again.
    let server = Server::start_with(&folder, quick).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    watch(&mut tab).await;
    let ended = notice(&mut tab, |notice| notice.ended.is_some()).await;
    assert_eq!(ended.id, fire.id);
    server.stop().await;
    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(100).await.unwrap();
    let told = events
        .iter()
        .filter(|(_, event)| matches!(event, SystemEvent::NoticeRaised { .. }));
    assert_eq!(told.count(), 1);
}

async fn watch(tab: &mut Socket) {
    tab.send(&protocol::ClientFrame::Subscribe {
        topic: Topic::Board {
            board: "homelab".to_owned(),
        },
    })
    .await;
}

/// Waits for a notice on the board.
async fn notice(tab: &mut Socket, is: impl Fn(&Notice) -> bool) -> Notice {
    tab.until(|frame| match frame {
        ServerFrame::Board { put, .. } => put
            .iter()
            .filter(|part| part.key.starts_with("notice/"))
            .filter_map(|part| Notice::from_json(part.value.clone()))
            .find(|notice| is(notice)),
        _ => None,
    })
    .await
}
