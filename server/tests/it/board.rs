//! The board over the socket and in the first HTML.

use std::time::Duration;

use protocol::{BoardPage, ErrorCode, ServerFrame, Topic};
use serde_json::{Value, json};

use crate::harness::{Folder, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_poller_serves_page_and_tabs() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let asked = || {
        let requests = server.simlab().control().requests();
        let overview = requests.iter();
        overview
            .filter(|request| request.path == "/cluster/resources")
            .count()
    };
    assert_eq!(asked(), 0, "nobody looks");

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
    // A change comes as a change, to all.
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
    // Two looks or three, not one for each of those who look.
    assert!(asked() < 8, "{} requests", asked());

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
