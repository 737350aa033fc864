//! The process as the machine sees it: the mode of its files, its limit of open files, and its log.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Stdio};

use protocol::{ConversationId, Seq};
use rehearsal::{Fault, RetryAfter, Scripted};
use reqwest::{
    Method,
    header::{CONTENT_TYPE, ORIGIN},
};
use serde_json::{Value, json};
use tokio::{io::AsyncReadExt, process::Command};

use crate::{
    binary::{Process, SERVE},
    client::{Browser, new_conversation, send},
    harness::{Folder, soon},
    tokens::token,
};

/// The server, started by a shell after a setting.
fn after(setting: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{setting}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_jarvis"))
        .args(SERVE)
        .env_clear()
        .env("HOME", folder)
        .env("JARVIS_REHEARSAL_RATE", "0")
        .env("JARVIS_REHEARSAL_FIRST_TOKEN_MS", "0")
        .env("JARVIS_SIMULATED_FIELD", "false")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Every file and folder below one, with its mode.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let kind = entry.metadata().unwrap();
        let mut found = vec![(
            entry.path().display().to_string(),
            kind.permissions().mode(),
        )];
        if kind.is_dir() {
            found.extend(modes(&entry.path()));
        }
        found
    });
    entries.flatten().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_are_the_owners_alone_and_as_many_as_the_system_allows() {
    let folder = Folder::new();
    let mut command = after("umask 0; ulimit -S -n 256", folder.path());
    let server = Process::spawned(&mut command).await;
    let browser = Browser::sign_in(&server.link).await;
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "Hello").await;
    tab.see(|view| view.finished() == 1).await;

    let data = folder.path().join(".local/share/jarvis");
    let found = modes(&data);
    assert!(found.len() > 2, "{found:?}");
    for (path, mode) in found {
        assert_eq!(mode & 0o077, 0, "{path}: {mode:o}");
    }
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let figures: Vec<u64> = line
        .unwrap()
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    assert_eq!(figures[0], figures[1].min(65_536), "{limits}");

    server.signal("-TERM").await;
    assert_eq!(server.exit().await, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_of_others_are_no_warnings_and_an_unlisted_proxy_is_one() {
    let folder = Folder::new();
    let mut server = Process::spawned(&mut after(":", folder.path())).await;
    let mut log = server.stderr();
    let browser = Browser::sign_in(&server.link).await;
    let function = |body: &'static str| {
        let request = browser.request(Method::POST, "/api/conversations");
        request.header(CONTENT_TYPE, "application/json").body(body)
    };
    let from_elsewhere = browser.request(Method::POST, "/settings/users");
    for request in [
        browser.request(Method::GET, "/nowhere"),
        browser.request(Method::GET, "/chat/x/export?format=md"),
        from_elsewhere.header(ORIGIN, "https://evil.example"),
        browser
            .request(Method::POST, "/files?name=x.png")
            .body(vec![0; 64]),
        browser.request(Method::POST, "/chat/import").body("{"),
        browser.request(Method::DELETE, "/ws"),
        function("{"),
    ] {
        let answer = send(request).await;
        assert!(answer.status().is_client_error(), "{answer:?}");
    }
    let mut tab = browser.socket().await;
    tab.text("{").await;
    tab.alive().await;
    for _ in 0..2 {
        let page = browser.request(Method::GET, "/");
        send(page.header("x-forwarded-for", "203.0.113.7")).await;
    }
    server.signal("-TERM").await;
    assert_eq!(server.exit().await, Some(0));

    let mut text = String::new();
    log.read_to_string(&mut text).await.unwrap();
    let loud: Vec<_> = text
        .lines()
        .filter(|line| line.contains(" WARN ") || line.contains("ERROR"))
        .collect();
    assert_eq!(loud.len(), 1, "{text}");
    assert!(loud[0].contains("X-Forwarded-For"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_of_the_log_name_the_request_that_they_are_about() {
    let folder = Folder::new();
    let mut command = after(":", folder.path());
    command
        .env("JARVIS_LOG", "info,model=debug,server=debug")
        .env("JARVIS_LOG_FORMAT", "json");
    let mut server = Process::spawned(&mut command).await;
    let mut log = server.stderr();
    // As it is written: a pipe that nobody reads would hold the server up.
    let reading = tokio::spawn(async move {
        let mut text = String::new();
        log.read_to_string(&mut text).await.unwrap();
        text
    });
    let browser = Browser::sign_in(&server.link).await;
    let token = token(&browser, "operator", &[]).await.unwrap();
    let program = Browser::new(&browser.url).bearing(&token);
    let again = Fault::RateLimit {
        retry_after: Some(RetryAfter::Milliseconds(1)),
    };
    let fails = Fault::Status {
        status: 400,
        message: None,
        should_retry: None,
    };
    for (id, fault) in [("job-17", again), ("job-18", fails)] {
        server.script(&json!(Scripted::fault(fault))).await;
        let request = program.request(Method::POST, "/api/v1/conversations");
        let request = request.header("x-request-id", id);
        let answer = send(request.json(&json!({ "message": "How is the cluster?" }))).await;
        assert!(answer.status().is_success(), "{}", answer.status());
        let answer: Value = answer.json().await.unwrap();
        let conversation = answer["conversation"].as_str().unwrap();
        let conversation: ConversationId = conversation.parse().unwrap();
        let mut tab = browser.socket().await;
        tab.subscribe(conversation, Seq(0)).await.unwrap();
        tab.see(|view| view.finished() == 1).await;
    }
    // A call that the gate refuses, and a request that names nothing.
    let request = program.request(Method::POST, "/api/v1/runs");
    let request = request.header("x-request-id", "job-19");
    let answer = send(request.json(&json!({ "tool": "rm_rf", "input": {} }))).await;
    let run = answer.headers()["location"].to_str().unwrap();
    let run: ConversationId = run.rsplit('/').next().unwrap().parse().unwrap();
    let mut tab = browser.socket().await;
    tab.subscribe(run, Seq(0)).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    let nowhere = format!("/api/v1/conversations/{}", new_conversation());
    let request = program.request(Method::GET, &nowhere);
    send(request.header("x-request-id", "job-20")).await;
    server.signal("-TERM").await;
    assert_eq!(server.exit().await, Some(0));

    let text = soon("the end of the log", reading).await.unwrap();
    let lines: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    for (message, ids) in [
        ("the model is asked again", &["job-17"][..]),
        ("the model failed", &["job-18"]),
        ("a turn failed", &["job-18"]),
        ("a call was blocked", &["job-19"]),
    ] {
        let found = lines.iter().filter(|line| line["message"] == message);
        let found: Vec<_> = found.map(|line| &line["correlation"]).collect();
        assert_eq!(found, ids, "{message}: {text}");
    }
    let answers =
        |line: &Value| line["message"] == "the model answers" && line["correlation"] == "job-17";
    assert!(lines.iter().any(answers), "{text}");
    // Of what a model or a program made up there is a code alone.
    let blocked = lines
        .iter()
        .find(|line| line["message"] == "a call was blocked");
    let blocked = blocked.unwrap();
    assert_eq!(blocked["level"], "INFO");
    assert_eq!(blocked["reason"], "unknown_tool");
    assert!(!text.contains("rm_rf"), "{text}");
    let refused = |line: &Value| {
        line["message"] == "request refused"
            && line["level"] == "INFO"
            && line["span"]["id"] == "job-20"
            && line["code"] == "conversation_not_found"
    };
    assert!(lines.iter().any(refused), "{text}");
    // What is said while a request is answered has the id in its span.
    for id in ["job-17", "job-18"] {
        let of_request = |line: &Value| {
            let span = json!({ "name": line["span"]["name"], "id": line["span"]["id"] });
            line["message"] == "answered" && span == json!({ "name": "request", "id": id })
        };
        assert!(lines.iter().any(of_request), "{id}: {text}");
    }
}
