//! The protocol's own conformance suite, and the official client.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::json;

use crate::{
    confirm::effects,
    harness::{Folder, Server},
    node_script::{answer_of, variable},
    tokens::token,
};

/// Each scenario starts a program, and waits for streams of a second in it.
const PATIENCE: Duration = Duration::from_secs(300);
const CURRENT: &str = "2026-07-28";
const OLDER: &str = "2025-11-25";

/// Scenarios that need no tools, prompts or resources of the suite's own, with their revisions.
const SCENARIOS: [(&str, &str); 9] = [
    ("server-initialize", OLDER),
    ("ping", OLDER),
    ("tools-list", OLDER),
    ("dns-rebinding-protection", OLDER),
    ("tools-list", CURRENT),
    ("dns-rebinding-protection", CURRENT),
    ("server-stateless", CURRENT),
    ("http-header-validation", CURRENT),
    ("caching", CURRENT),
];

/// Checks that fail, and why. One that does not fail any longer has to go.
const EXPECTED: [(&str, &str); 3] = [
    (
        "sep-2549-prompts-list-caching-hints",
        "there are no prompts, and none are declared",
    ),
    (
        "sep-2549-resources-list-caching-hints",
        "there are no resources, and none are declared",
    ),
    (
        "sep-2549-resources-templates-list-caching-hints",
        "there are no resources, and none are declared",
    ),
];

/// Node 22 of the installed packages, or else the installed one.
fn node(modules: &Path) -> PathBuf {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        _ => "arm64",
    };
    let package = format!("node-{}-{arch}", std::env::consts::OS);
    let packed = modules.join(package).join("bin/node");
    if packed.exists() {
        packed
    } else {
        variable("JARVIS_NODE")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_conformance_suite_and_the_official_client_are_content() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let token = token(&owner, "operator", &[]).await.unwrap();
    let modules = variable("JARVIS_MCP");
    let node = node(&modules);
    let scenarios = SCENARIOS.map(|(name, version)| json!({ "name": name, "version": version }));
    let task = json!({
        "url": server.url(), "token": token, "modules": modules, "node": node,
        "scenarios": scenarios,
    });
    let answer = answer_of(&node, "mcp/conformance.mjs", &task);
    let read = tokio::time::timeout(PATIENCE, answer).await;
    let read = read.expect("the clients end");

    let mut failed = Vec::new();
    for run in read["runs"].as_array().unwrap() {
        let checks = run["checks"].as_array().unwrap();
        assert!(!checks.is_empty(), "{run:#}");
        for check in checks.iter().filter(|check| check["status"] == "FAILURE") {
            // One for which the suite wants a tool of its own says so.
            if check["untestable"] != true {
                failed.push(check["id"].as_str().unwrap().to_owned());
                let id = failed.last().unwrap();
                let why = EXPECTED.iter().find(|(expected, _)| expected == id);
                assert!(why.is_some(), "{}: {check:#}", run["name"]);
            }
        }
        let passed = checks.iter().filter(|check| check["status"] == "SUCCESS");
        assert!(passed.count() > 0, "{run:#}");
    }
    for (expected, why) in EXPECTED {
        assert!(failed.iter().any(|id| id == expected), "{expected}: {why}");
    }

    let client = &read["client"];
    assert_eq!(client["info"]["name"], "jarvis");
    let names = client["names"].as_array().unwrap();
    assert!(names.contains(&json!("get_call_outcome")), "{names:?}");
    let state = |answer: &str| client[answer]["structuredContent"]["state"].clone();
    assert_eq!(state("read"), "succeeded");
    assert_eq!(state("asked"), "waiting");
    assert_eq!(effects(&server, 213), 0);
    server.stop().await;
}
