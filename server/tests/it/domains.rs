//! A server without some of its domains, and without any.

use protocol::{BlockedReason, Command, ErrorCode, EventBody, Seq};
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::domains::sections;

use crate::{
    client::{new_conversation, refusal},
    harness::{Folder, QUIET, Server},
};

/// Settings that turn on the domains which are off by default.
const ALL: &str = "[erp]\nsimulated = true\n[field]\nsimulated = true\n[lamps]\nenabled = true\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_any_domain_it_is_a_plain_chat() {
    let folder = Folder::new();
    let more = format!("{QUIET}[domains]\nenabled = []\n");
    let server = Server::start_with(&folder, &more).await;
    let browser = server.sign_in().await;
    let html = browser.get("/").await.text().await.unwrap();
    assert!(html.contains("No systems connected"), "{html}");
    for named in ["href=\"/hud", "href=\"/chart", "Simulated", "cluster"] {
        assert!(!html.contains(named), "{named}: {html}");
    }
    for path in ["/hud", "/node/pve", "/chart/EURUSD/H1"] {
        let html = browser.get(path).await.text().await.unwrap();
        assert!(html.contains("Page not found"), "{path}: {html}");
    }
    let policy = browser.get("/settings/policy").await;
    assert_eq!(policy.status(), StatusCode::OK);
    let policy = policy.text().await.unwrap();
    assert!(policy.contains("there are no tools") && !policy.contains("Protected targets"));
    let systems = browser.get("/settings/systems").await.text().await.unwrap();
    assert!(systems.contains("there are no systems"), "{systems}");
    let board = browser
        .request(Method::POST, "/api/board")
        .json(&json!({ "name": "homelab" }));
    let gone = (StatusCode::NOT_FOUND, ErrorCode::BoardNotFound);
    assert_eq!(refusal(board).await, gone);

    // The description has the addresses of all domains, wherever it is read.
    let off = browser.get("/api/v1/field/devices").await;
    assert_eq!(off.status(), StatusCode::NOT_FOUND);
    let off = off.text().await.unwrap();
    assert!(off.contains("without the domain field"), "{off}");

    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "Hello there").await;
    tab.see(|view| view.finished() == 1).await;
    assert!(!tab.view.said().concat().is_empty());
    let conversation = new_conversation();
    let act = Command::Act {
        conversation,
        tool: "stop_vm".to_owned(),
        input: json!({ "node": "pve", "vmid": 112 }),
    };
    tab.command(act).await.unwrap();
    let mut own = browser.socket().await;
    own.subscribe(conversation, Seq(0)).await.unwrap();
    own.see(|view| view.finished() == 1).await;
    let blocked = own.view.find(|event| match event {
        EventBody::ToolBlocked { reason, .. } => Some(*reason),
        _ => None,
    });
    assert_eq!(blocked, Some(BlockedReason::UnknownTool));
    server.stop().await;
}

/// All but a company, which needs a line, and the sample domain.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_start_demonstrates_domains_without_a_line_of_configuration() {
    let folder = Folder::new();
    // An empty section, so that the harness leaves the default.
    let server = Server::start_with(&folder, &format!("{QUIET}[field]\n")).await;
    let browser = server.sign_in().await;
    let html = browser.get("/").await.text().await.unwrap();
    for section in sections() {
        let (_, path) = app::tab(section.name).unwrap();
        let is_linked = html.contains(&format!("href=\"{path}\""));
        let is_demonstrated = ["homelab", "field", "markets"].contains(&section.name);
        assert_eq!(is_linked, is_demonstrated, "{}", section.name);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_domain_can_be_left_out_alone() {
    let names: Vec<&str> = sections().iter().map(|section| section.name).collect();
    for left_out in names.iter().copied() {
        let folder = Folder::new();
        let mut enabled = names.clone();
        enabled.retain(|name| *name != left_out);
        let more = format!("{QUIET}[domains]\nenabled = {enabled:?}\n{ALL}");
        let server = Server::start_with(&folder, &more).await;
        let browser = server.sign_in().await;
        let html = browser.get("/").await.text().await.unwrap();
        for name in names.iter().copied() {
            let (_, path) = app::tab(name).unwrap();
            let is_linked = html.contains(&format!("href=\"{path}\""));
            assert_eq!(is_linked, name != left_out, "{name} without {left_out}");
        }
        // The page names the scripts of the domains that are there.
        let has_script = html.contains("\"jarvis-chart\"");
        assert_eq!(has_script, left_out != "markets", "{left_out}");
        let (_, path) = app::tab(left_out).unwrap();
        let html = browser.get(path).await.text().await.unwrap();
        assert!(html.contains("Page not found"), "{left_out}: {html}");
        server.stop().await;
    }
}
