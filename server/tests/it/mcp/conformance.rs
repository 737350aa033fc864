//! The protocol's own conformance suite, and the official client.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};

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

/// Scenarios that are run, with their revisions.
const SCENARIOS: [(&str, &str); 11] = [
    ("server-initialize", OLDER),
    ("ping", OLDER),
    ("tools-list", OLDER),
    ("dns-rebinding-protection", OLDER),
    ("tools-list", CURRENT),
    ("dns-rebinding-protection", CURRENT),
    ("server-stateless", CURRENT),
    ("http-header-validation", CURRENT),
    ("caching", CURRENT),
    ("server-sse-multiple-streams", CURRENT),
    ("input-required-result-unsupported-methods", CURRENT),
];

/// Scenarios that are not run, in one revision or in any, with the reason in front. One that the suite adds has to go
/// to the one list or the other, and one that it drops has to go.
const LEFT_OUT: [(&str, &[&str]); 8] = [
    (
        "there are no sessions",
        &["server-session-lifecycle", "server-sse-multiple-streams"],
    ),
    (
        "wants tools of the suite's own, which answer with fixed content",
        &[
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-error",
            "tools-call-with-progress",
            "json-schema-2020-12",
            "http-custom-header-server-validation",
            "server-sse-polling",
        ],
    ),
    (
        "wants tools of the suite's own, which ask the client for a form, its model or its folders: only an address \
         is ever shown to its person",
        &[
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums",
            "input-required-result-basic-elicitation",
            "input-required-result-basic-sampling",
            "input-required-result-basic-list-roots",
            "input-required-result-request-state",
            "input-required-result-multiple-input-requests",
            "input-required-result-multi-round",
            "input-required-result-missing-input-response",
            "input-required-result-result-type",
            "input-required-result-tampered-state",
            "input-required-result-capability-check",
            "input-required-result-ignore-extra-params",
            "input-required-result-validate-input",
        ],
    ),
    (
        "there are no log messages for clients, and none are declared",
        &["logging-set-level", "tools-call-with-logging"],
    ),
    (
        "there are no resources, and none are declared",
        &[
            "resources-list",
            "resources-read-text",
            "resources-read-binary",
            "resources-templates-read",
            "resources-subscribe",
            "resources-unsubscribe",
            "sep-2164-resource-not-found",
        ],
    ),
    (
        "there are no prompts, and none are declared",
        &[
            "prompts-list",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-embedded-resource",
            "prompts-get-with-image",
            "input-required-result-non-tool-request",
            "completion-complete",
        ],
    ),
    (
        "an extension that is not declared: a call that goes on is read with get_call_outcome",
        &[
            "tasks-lifecycle",
            "tasks-capability-negotiation",
            "tasks-wire-fields",
            "tasks-request-state-removal",
            "tasks-mrtr-input",
            "tasks-request-headers",
            "tasks-dispatch-and-envelope",
            "tasks-status-notifications",
            "tasks-required-task-error",
            "tasks-mrtr-composition",
        ],
    ),
    (
        "an extension that is not declared: there are no skills",
        &[
            "sep-2640-skills-directory",
            "sep-2640-skills-enumeration",
            "sep-2640-skills-manifest",
        ],
    ),
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

/// Checks for which the suite wants a tool of its own in a scenario that is run, and what it would look at.
const UNTESTABLE: [(&str, &str); 4] = [
    (
        "sep-2575-server-rejects-undeclared-capability",
        "a tool that needs a capability of the client; none of ours does",
    ),
    (
        "sep-2575-missing-capability-http-400",
        "the status of the same refusal",
    ),
    (
        "sep-2575-http-server-no-independent-requests-on-stream",
        "a stream of events in answer to a call; ours are answered with JSON",
    ),
    (
        "sep-2575-server-no-log-without-loglevel",
        "log messages during a call; there are none",
    ),
];

/// Names of the suite's scenarios that are not run in every revision that has them, or not at all.
fn not_run(suite: &Value) -> BTreeSet<&str> {
    let names = |of: &str| {
        let names = suite[of].as_array().unwrap().iter();
        names.map(|name| name.as_str().unwrap())
    };
    let in_none = names("all").filter(|name| SCENARIOS.iter().all(|(run, _)| run != name));
    let not_in = |version: &'static str| {
        names(version).filter(move |name| !SCENARIOS.contains(&(*name, version)))
    };
    in_none
        .chain(not_in(OLDER))
        .chain(not_in(CURRENT))
        .collect()
}

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
        "url": server.url(), "token": token, "jarvis": env!("CARGO_BIN_EXE_jarvis"),
        "modules": modules, "node": node, "scenarios": scenarios,
    });
    let answer = answer_of(&node, "mcp/conformance.mjs", &task);
    let read = tokio::time::timeout(PATIENCE, answer).await;
    let read = read.expect("the clients end");

    let left_out = LEFT_OUT.iter().flat_map(|(_, names)| names.iter().copied());
    let left_out: BTreeSet<_> = left_out.collect();
    assert_eq!(not_run(&read["scenarios"]), left_out);

    let (mut failed, mut untestable) = (Vec::new(), BTreeSet::new());
    for run in read["runs"].as_array().unwrap() {
        let checks = run["checks"].as_array().unwrap();
        assert!(!checks.is_empty(), "{run:#}");
        for check in checks {
            let id = check["id"].as_str().unwrap();
            if check["untestable"] == true {
                untestable.insert(id);
            } else if check["status"] == "FAILURE" {
                failed.push(id);
                let why = EXPECTED.iter().find(|(expected, _)| *expected == id);
                assert!(why.is_some(), "{}: {check:#}", run["name"]);
            }
        }
        let passed = checks.iter().filter(|check| check["status"] == "SUCCESS");
        assert!(passed.count() > 0, "{run:#}");
    }
    for (expected, why) in EXPECTED {
        assert!(failed.contains(&expected), "{expected}: {why}");
    }
    let known: BTreeSet<_> = UNTESTABLE.iter().map(|(id, _)| *id).collect();
    assert_eq!(untestable, known);

    for way in ["http", "bridge"] {
        let client = &read["clients"][way];
        assert_eq!(client["info"]["name"], "jarvis", "{way}");
        let names = client["names"].as_array().unwrap();
        assert!(names.contains(&json!("get_call_outcome")), "{names:?}");
        let state = |answer: &str| client[answer]["structuredContent"]["state"].clone();
        assert_eq!(state("read"), "succeeded", "{way}");
        assert_eq!(state("asked"), "waiting", "{way}");
    }
    assert_eq!(effects(&server, 213), 0);
    server.stop().await;
}
