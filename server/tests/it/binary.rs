//! The `jarvis` command as a process: its flags, its exit codes, and its death in the middle.

use std::{
    path::Path,
    process::{ExitStatus, Output, Stdio},
};

use protocol::{EventBody, Seq, TurnOutcome};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, ChildStderr, ChildStdout, Command},
};

use crate::{
    client::{Browser, new_conversation},
    harness::{Folder, soon},
};

/// The command in a folder, with nothing of our environment.
pub(crate) fn jarvis(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jarvis"));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", folder)
        .env("JARVIS_REHEARSAL_RATE", "0")
        .env("JARVIS_REHEARSAL_FIRST_TOKEN_MS", "0")
        // The office goes on in the background, which no test of the program wants.
        .env("JARVIS_SIMULATED_FIELD", "false")
        .current_dir(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}

pub(crate) async fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = soon("the end of the command", command.output())
        .await
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// The arguments for a server on a free port.
pub(crate) const SERVE: [&str; 4] = ["serve", "--listen", "127.0.0.1:0", "--rehearsal-control"];

/// `jarvis serve` as a process.
pub(crate) struct Process {
    child: Child,
    lines: tokio::io::Lines<BufReader<ChildStdout>>,
    pub(crate) link: String,
    /// None if another model answers.
    rehearsal: Option<String>,
}

impl Process {
    /// Starts it on a folder and reads what it prints until the sign-in link.
    pub(crate) async fn start(folder: &Folder) -> Self {
        Self::spawned(jarvis(folder.path(), &SERVE).stderr(Stdio::inherit())).await
    }

    /// The same for a prepared command.
    pub(crate) async fn spawned(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut rehearsal = None;
        loop {
            let line = soon("a line", lines.next_line()).await.unwrap();
            let line = line.expect("the link is printed");
            if let Some((_, url)) = line.split_once("the rehearsal model answers (") {
                rehearsal = url.strip_suffix(").").map(str::to_owned);
            }
            if let Some((_, link)) = line.split_once("Sign in once with this link: ") {
                return Self {
                    child,
                    lines,
                    link: link.to_owned(),
                    rehearsal,
                };
            }
        }
    }

    /// Scripts the rehearsal model.
    pub(crate) async fn script(&self, entry: &serde_json::Value) {
        let request = reqwest::Client::builder().no_proxy().build().unwrap();
        let rehearsal = self.rehearsal.as_ref();
        let rehearsal = rehearsal.expect("the rehearsal model is said to be one");
        let request = request
            .post(format!("{rehearsal}/control/script"))
            .body(entry.to_string());
        let response = soon("an answer", request.send()).await.unwrap();
        assert!(response.status().is_success(), "{}", response.status());
    }

    /// Its log, if it was started with a pipe for it.
    pub(crate) fn stderr(&mut self) -> ChildStderr {
        self.child.stderr.take().unwrap()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    pub(crate) async fn signal(&self, signal: &str) {
        let id = self.id();
        // The shell's own, so that no package is needed.
        let status = Command::new("sh")
            .args(["-c", "kill \"$0\" \"$1\"", signal, &id.to_string()])
            .status()
            .await;
        assert!(status.unwrap().success());
    }

    /// Waits for its end; returns the exit code.
    pub(crate) async fn exit(self) -> Option<i32> {
        self.ended().await.code()
    }

    /// Waits for its end.
    pub(crate) async fn ended(mut self) -> ExitStatus {
        while soon("its last lines", self.lines.next_line())
            .await
            .unwrap()
            .is_some()
        {}
        soon("its end", self.child.wait()).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn version_help_and_check() {
    let folder = Folder::new();
    let at = folder.path();
    let (code, out, _) = run(&mut jarvis(at, &["--version"])).await;
    assert_eq!(
        (code, out),
        (Some(0), format!("jarvis {}\n", server::VERSION))
    );
    let (code, out, _) = run(&mut jarvis(at, &["--help"])).await;
    assert_eq!(code, Some(0));
    assert!(out.contains("serve") && out.contains("config"), "{out}");
    let (code, _, err) = run(&mut jarvis(at, &["dance"])).await;
    assert_eq!(code, Some(2));
    assert!(err.contains("dance"), "{err}");

    let check = ["config", "check"];
    let (code, out, err) = run(&mut jarvis(at, &check)).await;
    assert_eq!((code, err), (Some(0), String::new()));
    assert!(out.contains("server.listen"), "{out}");
    std::fs::write(at.join("jarvis.toml"), "[agent]\nmax_steps = 4\n").unwrap();
    let mut secret = jarvis(at, &check);
    let (code, out, _) = run(secret.env("ANTHROPIC_API_KEY", "sk-hush")).await;
    assert_eq!(code, Some(0));
    assert!(out.contains("jarvis.toml, line 2"), "{out}");
    assert!(!out.contains("hush"), "{out}");

    let (code, example, err) = run(&mut jarvis(at, &["config", "example"])).await;
    assert_eq!((code, err), (Some(0), String::new()));
    assert!(example.contains("# max_steps = 10 "), "{example}");

    let wrong = "[agent]\nmax_steps = 4\n\n[server]\nport = 80\n";
    std::fs::write(at.join("jarvis.toml"), wrong).unwrap();
    for command in [&check[..], &["serve"]] {
        let (code, out, err) = run(&mut jarvis(at, command)).await;
        assert_eq!((code, out), (Some(2), String::new()), "{command:?}");
        assert!(err.contains("jarvis.toml, line 5"), "{err}");
        assert!(err.contains("server.port"), "{err}");
    }
    // A missing secret is reported before a start, and a table shown by its names.
    let webhook = "[webhooks.pager]\nurl = \"https://pager.lan/\"\nsecret_file = \"/no/secret\"\n";
    std::fs::write(at.join("jarvis.toml"), webhook).unwrap();
    for (command, expect) in [(&check[..], 2), (&["serve"], 1)] {
        let (code, out, err) = run(&mut jarvis(at, command)).await;
        assert_eq!(code, Some(expect), "{command:?}: {err}");
        assert!(err.contains("pager") && err.contains("/no/secret"), "{err}");
        assert_eq!(out.contains("  pager  ("), expect == 2, "{out}");
    }
    let (code, _, err) = run(&mut jarvis(at, &["config", "check", "--config", "no.toml"])).await;
    assert_eq!(code, Some(2));
    assert!(err.contains("no.toml"), "{err}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_is_refused_and_sigterm_ends_the_first() {
    let folder = Folder::new();
    let first = Process::start(&folder).await;
    let arguments = ["serve", "--listen", "127.0.0.1:0"];
    let (code, out, err) = run(&mut jarvis(folder.path(), &arguments)).await;
    assert_eq!((code, out), (Some(1), String::new()));
    assert!(err.contains("another server is using"), "{err}");

    let browser = Browser::sign_in(&first.link).await;
    let mut tab = browser.socket().await;
    first.signal("-TERM").await;
    assert_eq!(tab.closed().await, Some(1012));
    assert_eq!(first.exit().await, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_made_on_demand_beside_a_server_and_without_one() {
    let folder = Folder::new();
    let server = Process::start(&folder).await;
    let printed = server.link.clone();
    let (url, _) = printed.split_once("/sign-in").unwrap();
    let listen = url.strip_prefix("http://").unwrap();
    let arguments = ["sign-in-link", "--listen", listen];
    let (code, link, err) = run(&mut jarvis(folder.path(), &arguments)).await;
    assert_eq!(code, Some(0), "{err}");
    let link = link.trim();
    assert!(link.starts_with(&format!("{url}/sign-in?token=")), "{link}");
    let browser = Browser::sign_in(link).await;
    assert_eq!(browser.get("/settings/users").await.status(), 200);
    // The former link is still good.
    Browser::sign_in(&server.link).await;

    let nobody = ["sign-in-link", "--listen", listen, "--user", "Eve"];
    let (code, out, err) = run(&mut jarvis(folder.path(), &nobody)).await;
    assert_eq!((code, out), (Some(1), String::new()));
    assert!(err.contains("no user \"Eve\" may sign in"), "{err}");
    let nowhere = ["sign-in-link", "--listen", "127.0.0.1:0"];
    let (code, _, err) = run(&mut jarvis(folder.path(), &nowhere)).await;
    assert_eq!(code, Some(1));
    assert!(err.contains("--listen"), "{err}");

    server.signal("-TERM").await;
    assert_eq!(server.exit().await, Some(0));
    let (code, link, _) = run(&mut jarvis(folder.path(), &arguments)).await;
    assert_eq!((code, link.contains("/sign-in?token=")), (Some(0), true));
    let (code, out, _) = run(&mut jarvis(folder.path(), &["audit", "verify"])).await;
    assert_eq!(code, Some(0), "{out}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_goes_on_when_it_starts_again() {
    let folder = Folder::new();
    let first = Process::start(&folder).await;
    let browser = Browser::sign_in(&first.link).await;
    first
        .script(&json!([
            {"blocks": [
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "name": "get_cluster_status", "input": {}},
            ]},
            {
                "blocks": [{"type": "text", "text": "Half an answer, and then the lights go out."}],
                "faults": [{"type": "stall", "after": 3}],
            },
        ]))
        .await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "How is the cluster?").await;
    tab.see(|view| view.streamed().contains("Half an")).await;
    first.signal("-KILL").await;
    assert_eq!(tab.closed().await, None);
    assert_eq!(first.exit().await, None);
    let mut view = tab.view;

    // The tab comes back with its cookie and its events.
    let second = Process::start(&folder).await;
    let (url, _) = second.link.split_once("/sign-in").unwrap();
    let (_, secret) = browser.cookie().unwrap().split_once('=').unwrap();
    let mut tab = Browser::with_secret(url, secret).socket().await;
    let seen = view.head;
    // Names of live blocks count for one socket.
    view.blocks.clear();
    tab.view = view;
    tab.subscribe(conversation, seen).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
    let interrupted = |body: &EventBody| matches!(body, EventBody::StepInterrupted { .. });
    assert_eq!(tab.view.count(interrupted), 1);
    let once = tab.view.calls().iter().all(|calls| *calls == (1, 1));
    assert!(
        once,
        "what was done is not done again: {:?}",
        tab.view.calls()
    );
    assert!(!tab.view.said().concat().contains("lights go out"));
    let answered = |body: &EventBody| {
        let outcome = TurnOutcome::Answered;
        matches!(body, EventBody::TurnFinished { outcome: have, .. } if *have == outcome)
    };
    assert_eq!(tab.view.count(answered), 1);
    let mut reader = Browser::with_secret(url, secret).socket().await;
    reader.subscribe(conversation, Seq(0)).await.unwrap();
    assert_eq!(reader.view.events, tab.view.events, "what was seen stands");
    second.signal("-TERM").await;
    assert_eq!(second.exit().await, Some(0));
}
