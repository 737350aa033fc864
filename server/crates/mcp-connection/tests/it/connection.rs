//! The connection alone.

use std::{
    collections::BTreeMap,
    env, fs,
    os::unix::fs::MetadataExt as _,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use agent::ports::Progress;
use mcp_client::{ServerFault, ToolServer};
use mcp_connection::{
    ChildBounds, ChildRoom, CommandSettings, ConnectFault, ConnectionState, McpConnection,
    SandboxLimits, ServerSettings, ServerTransport,
};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::evil::{Evil, tool, until};

async fn call(evil: &Evil, tool: &str) -> Result<Value, ServerFault> {
    let progress = Progress::ignored();
    let answer = evil.connection.call(tool, json!({}), &progress).await;
    answer.map(|answer| answer.content)
}

#[tokio::test]
async fn it_lists_calls_and_keeps_standard_error() {
    let mut evil = Evil::connected(&[tool("act", "Acts.")]).await;
    let names: Vec<_> = evil.listed.lock().unwrap()[0]
        .iter()
        .map(|tool| tool.name.clone())
        .collect();
    assert_eq!(names, ["act"]);
    assert_eq!(call(&evil, "act").await, Ok(json!("done")));
    assert_eq!(evil.file("effects"), "act\n");
    until("standard error", || !evil.connection.log().is_empty()).await;
    assert_eq!(evil.connection.log(), ["evil started"]);
    evil.stop().await;
    assert_eq!(call(&evil, "act").await, Err(ServerFault::NotSent));
    assert_eq!(evil.file("effects"), "act\n");
}

#[tokio::test]
async fn what_it_asks_for_is_refused() {
    let evil = Evil::connected(&[]).await;
    assert_eq!(call(&evil, "ask").await, Ok(json!("done")));
    until("three answers", || {
        evil.file("answers").lines().count() == 3
    })
    .await;
    for answer in evil.file("answers").lines() {
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert!(answer.get("error").is_some(), "{answer}");
        assert!(answer.get("result").is_none(), "{answer}");
    }
}

#[tokio::test]
async fn a_call_without_an_answer_holds_up_no_other() {
    let evil = Evil::connected(&[]).await;
    for silent in ["hang", "huge"] {
        let waited = timeout(Duration::from_secs(1), call(&evil, silent)).await;
        assert!(waited.is_err(), "{silent}");
    }
    // A hundred megabytes were passed over, and the connection stands.
    assert_eq!(call(&evil, "act").await, Ok(json!("done")));
    assert_eq!(evil.connection.state(), ConnectionState::Connected);
}

#[tokio::test]
async fn progress_is_of_its_own_call() {
    let evil = Evil::connected(&[]).await;
    let lines = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&lines);
    let progress = Progress::new(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let answer = evil.connection.call("flood", json!({}), &progress).await;
    assert_eq!(answer.unwrap().content, "done");
    let during = lines.load(Ordering::Relaxed);
    assert!(during <= 2000, "{during}");
    // What comes after the answer belongs to nobody.
    assert_eq!(call(&evil, "act").await, Ok(json!("done")));
    assert_eq!(lines.load(Ordering::Relaxed), during);
}

#[tokio::test]
async fn it_dies_with_all_that_it_has_started() {
    let mut evil = Evil::connected(&[]).await;
    assert_eq!(call(&evil, "fork").await, Ok(json!("done")));
    assert!(evil.has_fork());
    evil.stop().await;
    until("the fork is gone", || !evil.has_fork()).await;
}

#[tokio::test]
async fn it_is_started_again_and_says_meanwhile_that_it_is_away() {
    let evil = Evil::connected(&[]).await;
    assert_eq!(call(&evil, "end").await, Err(ServerFault::Lost));
    let listed = || evil.listed.lock().unwrap().len();
    until("it is away", || {
        matches!(evil.connection.state(), ConnectionState::Down(_)) || listed() > 1
    })
    .await;
    until("a second list", || listed() > 1).await;
    until("connected", || {
        evil.connection.state() == ConnectionState::Connected
    })
    .await;
    assert_eq!(call(&evil, "act").await, Ok(json!("done")));
}

#[tokio::test]
async fn what_is_no_server_is_not_connected() {
    for (program, expect) in [
        ("/nonexistent/server", "could not be started"),
        ("/bin/true", "ended before it answered"),
    ] {
        let evil = Evil::new(&[], |command| {
            command.program = program.into();
            command.args.clear();
        });
        let fault = evil.connection.listed_once().await.unwrap_err();
        assert!(fault.to_string().contains(expect), "{fault:?}");
    }
}

/// Returns whether this machine lets an unprivileged process make namespaces. In CI it must.
pub(crate) fn has_namespaces() -> bool {
    let mut command = Command::new("bwrap");
    command.args([
        "--unshare-user",
        "--unshare-net",
        "--ro-bind",
        "/",
        "/",
        "true",
    ]);
    let lack = match command.output() {
        Ok(output) if output.status.success() => return true,
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(
        env::var_os("CI").is_none(),
        "CI needs bubblewrap and user namespaces: {lack}"
    );
    eprintln!(
        "\n!!! SKIPPED: no sandbox of an MCP server is tested here. It needs bubblewrap and user \
         namespaces: {lack} !!!\n"
    );
    false
}

#[tokio::test]
async fn in_its_sandbox_it_sees_no_network_no_homes_and_no_environment() {
    let mut evil = Evil::new(&[], |command| command.sandbox = true);
    if !has_namespaces() {
        let fault = evil.connection.listed_once().await;
        let is_refused = matches!(
            fault,
            Err(ConnectFault::NoSandbox
                | ConnectFault::NoServer(_)
                | ConnectFault::EndedEarly(_)
                | ConnectFault::Ended)
        );
        assert!(is_refused, "it was started without its sandbox");
        return;
    }
    evil.run(|_| {}).await;
    let seen = call(&evil, "look").await.unwrap();
    let seen = seen.as_str().unwrap();
    let (variables, rest) = seen.split_once(" | ").unwrap();
    assert_eq!(rest, "0 | 1", "{seen}");
    let mut variables = variables.split_whitespace();
    let known = ["ALLOWED", "HOME", "OLDPWD", "PATH", "PWD", "SHLVL", "_"];
    assert!(variables.all(|name| known.contains(&name)), "{seen}");
    assert!(seen.contains("ALLOWED"), "{seen}");
}

#[tokio::test]
async fn beyond_the_bounds_of_all_sandboxes_it_is_not_started() {
    let settings = ServerSettings {
        name: "full".to_owned(),
        transport: ServerTransport::Command(CommandSettings {
            program: "/bin/true".into(),
            args: Vec::new(),
            environment: BTreeMap::new(),
            sandbox: true,
            network: false,
            readable: Vec::new(),
            writable: Vec::new(),
            limits: SandboxLimits::default(),
        }),
        start_timeout: Duration::from_secs(30),
        message_bytes: 1024,
    };
    let full = ChildRoom::new(ChildBounds {
        children: 0,
        ..ChildBounds::default()
    });
    let connection = McpConnection::within(settings, &full);
    let fault = connection.listed_once().await.unwrap_err();
    // Without bubblewrap it is not started either.
    let is_refused =
        fault == ConnectFault::NoRoom || (fault == ConnectFault::NoSandbox && !has_namespaces());
    assert!(is_refused, "{fault:?}");
}

/// The number of processes that sleep for so long.
fn sleepers(seconds: &str) -> usize {
    let expected = format!("sleep\0{seconds}\0");
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let sleeping = processes.filter(|process| {
        let command = fs::read_to_string(process.path().join("cmdline"));
        command.is_ok_and(|command| command == expected)
    });
    sleeping.count()
}

#[tokio::test]
async fn a_fork_bomb_in_its_sandbox_is_small_and_ends_with_it() {
    const MOST: u32 = 50;
    if !has_namespaces() {
        return;
    }
    // A time that no other process has.
    let seconds = (100_000 + std::process::id()).to_string();
    let mut evil = Evil::new(&[], |command| {
        command.sandbox = true;
        command.args.push(seconds.clone());
        command.limits.processes = MOST;
    });
    evil.run(|_| {}).await;
    // A server that cannot start a process any longer may end over it.
    let _answer = call(&evil, "bomb").await;
    // The kernel limits everybody but the system administrator.
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let running = sleepers(&seconds);
    assert!(is_root || running <= MOST as usize, "{running}");
    evil.stop().await;
    until("the bomb is gone", || sleepers(&seconds) == 0).await;
}

#[tokio::test]
async fn in_its_sandbox_it_gets_no_more_memory_than_it_was_given() {
    if !has_namespaces() {
        return;
    }
    let mut evil = Evil::new(&[], |command| {
        command.sandbox = true;
        command.limits.memory_bytes = 64 * 1024 * 1024;
    });
    evil.run(|_| {}).await;
    let eighth = 8 * 1024 * 1024;
    let expected = format!("0 {eighth} {eighth} 0");
    assert_eq!(call(&evil, "eat").await, Ok(json!(expected)));
}
