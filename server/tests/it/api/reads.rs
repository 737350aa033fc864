//! Reads besides conversations: tools, systems, the head of the audit chain, the feed.

use std::collections::HashSet;

use protocol::Role;
use reqwest::Method;
use serde_json::{Value, json};
use store::{AuditReader, Verified};

use super::{code, get, program};
use crate::{
    client::{Browser, send},
    harness::{Folder, QUIET, Server, add_user, soon},
    tokens::token,
};

const LAMPS: &str = "[notices]\nenabled = false\n[lamps]\nenabled = true\n";
const FEED: &str = "/api/v1/feed";
const AUDIT: &str = "/api/v1/audit/head";

async fn refused(program: &Browser, path: &str) -> String {
    code(send(program.request(Method::GET, path)).await).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_sees_the_tools_and_systems_that_it_covers() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, LAMPS).await;
    let owner = server.sign_in().await;
    let all = program(&server, &owner, "viewer", &[]).await;
    let lamps = program(&server, &owner, "operator", &["lamps"]).await;
    let names = |list: &Value, field: &str| -> HashSet<String> {
        let lines = list.as_array().unwrap().iter();
        lines
            .map(|line| line[field].as_str().unwrap().to_owned())
            .collect()
    };
    let tools = get(&all, "/api/v1/tools").await;
    assert!(names(&tools["tools"], "toolset").contains("homelab"));
    let mut lines = tools["tools"].as_array().unwrap().iter();
    let start = lines.find(|tool| tool["name"] == "start_container");
    let start = start.unwrap();
    assert_eq!(start["tier"], "red");
    assert_eq!(start["input"]["additionalProperties"], false);

    let tools = get(&lamps, "/api/v1/tools").await;
    let only = HashSet::from(["lamps".to_owned()]);
    assert_eq!(names(&tools["tools"], "toolset"), only);
    let systems = get(&lamps, "/api/v1/systems").await;
    assert_eq!(names(&systems["systems"], "toolset"), only);
    let systems = get(&all, "/api/v1/systems").await;
    let mut lines = systems["systems"].as_array().unwrap().iter();
    let homelab = lines.find(|line| line["toolset"] == "homelab");
    assert_eq!(homelab.unwrap()["simulated"], true);

    // These are about all toolsets.
    for path in [FEED, AUDIT] {
        assert_eq!(refused(&lamps, path).await, "role_not_enough", "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_head_that_a_program_notes_is_in_the_chain() {
    let folder = Folder::new();
    let server = Server::start_with(&folder, QUIET).await;
    let owner = server.sign_in().await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let noted = get(&reader, AUDIT).await;
    token(&owner, "viewer", &[]).await.unwrap();
    let later = get(&reader, AUDIT).await;
    assert!(later["rows"].as_i64() > noted["rows"].as_i64());
    assert_ne!(later["hash"], noted["hash"]);
    server.stop().await;
    let hash = noted["hash"].as_str().unwrap().parse().unwrap();
    let mut chain = AuditReader::open(&folder.data()).await.unwrap();
    let found = chain.verify(Some(hash)).await.unwrap();
    assert!(matches!(found, Verified::Sound { .. }), "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_the_feed_have_each_entry_once_and_go_on() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let otto = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start_with(&folder, QUIET).await;
    let owner = server.sign_in().await;
    let other = Browser::sign_in(&format!("{}{otto}", server.url())).await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let stranger = program(&server, &other, "viewer", &[]).await;
    for _ in 0..3 {
        token(&owner, "viewer", &[]).await.unwrap();
    }
    let path = format!("{FEED}?kind=configuration&limit=2");
    let ids = |page: &Value| -> Vec<String> {
        let entries = page["entries"].as_array().unwrap().iter();
        entries
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = get(&reader, &path).await;
    let (mut page, mut seen) = (first.clone(), Vec::new());
    loop {
        seen.extend(ids(&page));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        let next = format!("{path}&cursor={next}");
        assert_eq!(refused(&stranger, &next).await, "cursor_invalid");
        page = get(&reader, &next).await;
    }
    let different: HashSet<_> = seen.iter().collect();
    assert!(seen.len() >= 5 && different.len() == seen.len(), "{seen:?}");

    // What came since, and nothing else.
    let newer = first["newer"].as_str().unwrap();
    let newer = format!("{path}&cursor={newer}");
    let none = get(&reader, &newer).await;
    assert_eq!(none["entries"], json!([]));
    assert_eq!(none["newer"], first["newer"]);
    token(&owner, "viewer", &[]).await.unwrap();
    let came = soon("a new entry", async {
        loop {
            let page = get(&reader, &newer).await;
            if page["entries"] != json!([]) {
                return page;
            }
            tokio::task::yield_now().await;
        }
    });
    let came = came.await;
    assert_eq!(ids(&came).len(), 1);
    assert!(!seen.contains(&ids(&came)[0]));
    assert_ne!(came["newer"], first["newer"]);

    for (query, expect) in [
        ("cursor=AAAA", "cursor_invalid"),
        ("kind=everything", "malformed"),
        ("kind=", "malformed"),
        ("kind=unknown", "malformed"),
        ("tier=green,grey", "malformed"),
        ("limit=0", "malformed"),
        ("limit=101", "malformed"),
        ("from=soon", "malformed"),
        ("user=Otto", "malformed"),
    ] {
        let path = format!("{FEED}?{query}");
        assert_eq!(refused(&reader, &path).await, expect, "{query}");
    }
    server.stop().await;
}
