//! A failing database under the real binary: no room, and an index file that fails.

use std::{fs::File, os::unix::process::ExitStatusExt, process::Stdio, sync::Arc};

use axum::{Router, http::header::CONTENT_TYPE, routing::post};
use protocol::{ClientFrame, Command, ErrorCode, EventBody, Seq, ServerFrame};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tokio::sync::Semaphore;

use crate::{
    binary::{Process, SERVE, jarvis, run},
    client::{Browser, new_conversation},
    harness::{Folder, soon},
    socket::new_command,
};

/// An answer of the model as it is on the wire.
const ANSWER: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"All is well, sir."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

"#;

/// A model that answers when the test allows it.
struct Model {
    url: String,
    asked: Arc<Semaphore>,
    may_answer: Arc<Semaphore>,
}

impl Model {
    async fn start() -> Self {
        let (asked, may_answer) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
        let gates = (Arc::clone(&asked), Arc::clone(&may_answer));
        let answer = move || {
            let (asked, may_answer) = gates.clone();
            async move {
                asked.add_permits(1);
                may_answer.acquire().await.unwrap().forget();
                ([(CONTENT_TYPE, "text/event-stream")], ANSWER)
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/v1/messages", post(answer));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            url,
            asked,
            may_answer,
        }
    }
}

/// Starts a server whose files the kernel can keep from growing, without killing it for that.
async fn start(folder: &Folder, model: &Model) -> Process {
    let jarvis = jarvis(folder.path(), &SERVE);
    let mut command = tokio::process::Command::new("/bin/sh");
    command
        .args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#])
        .arg(jarvis.as_std().get_program())
        .args(jarvis.as_std().get_args())
        .env_clear()
        .env("HOME", folder.path())
        .env("ANTHROPIC_BASE_URL", &model.url)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        // A file would be full as well.
        .stderr(Stdio::null())
        .kill_on_drop(true);
    Process::spawned(&mut command).await
}

/// Simulates a disk without any room, or one with room again.
fn fill_disk(server: &Process, full: bool) {
    let pid = Pid::from_raw(server.id().try_into().unwrap()).unwrap();
    let limit = Rlimit {
        current: full.then_some(0),
        maximum: None,
    };
    prlimit(Some(pid), Resource::Fsize, limit).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_waits_for_room_on_the_disk_and_everybody_hears_of_it() {
    let folder = Folder::new();
    let model = Model::start().await;
    let server = start(&folder, &model).await;
    let browser = Browser::sign_in(&server.link).await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "Is all well?").await;
    let mut other = browser.socket().await;
    other.subscribe_list().await;
    soon("the question", model.asked.acquire())
        .await
        .unwrap()
        .forget();
    assert_eq!(browser.get("/readyz").await.status(), 200);

    fill_disk(&server, true);
    model.may_answer.add_permits(1);
    let outage = other.until(|frame| match frame {
        ServerFrame::Storage { error } => error,
        _ => None,
    });
    let error = outage.await;
    assert_eq!(error.code, ErrorCode::StorageFailed);
    let raised = other.until(|frame| match frame {
        ServerFrame::Notices { count, raised } => Some((count, raised?.text)),
        _ => None,
    });
    let (count, text) = raised.await;
    assert_eq!(text, error.message);
    assert!(count.grave > 0);
    let ready = browser.get("/readyz").await;
    assert_eq!(ready.status(), 503);
    let ready: serde_json::Value = ready.json().await.unwrap();
    assert_eq!(ready["status"], "unavailable");
    assert_eq!(ready["problems"][0]["code"], "database_not_writable");
    assert_eq!(ready["problems"][0]["message"], error.message.as_str());
    assert_eq!(browser.get("/healthz").await.status(), 200);
    // A command that cannot be stored is refused and not lost.
    let more = Command::Send {
        conversation,
        text: "And now?".to_owned(),
        withdraw: false,
        references: Vec::new(),
    };
    let refused = tab.command(more.clone()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::StorageFailed);
    assert_eq!(tab.view.finished(), 0);

    fill_disk(&server, false);
    let over = other.until(|frame| match frame {
        ServerFrame::Storage { error: None } => Some(()),
        _ => None,
    });
    over.await;
    tab.see(|view| view.finished() == 1).await;
    assert_eq!(browser.get("/readyz").await.status(), 200);
    model.may_answer.add_permits(1);
    tab.command(more).await.unwrap();
    tab.see(|view| view.finished() == 2).await;
    let answer = "All is well, sir.";
    assert_eq!(tab.view.said(), [answer, answer]);
    assert_eq!(
        model.asked.available_permits(),
        1,
        "nothing was asked twice"
    );
    let mut reader = browser.socket().await;
    reader.subscribe(conversation, Seq(0)).await.unwrap();
    assert_eq!(reader.view.events, tab.view.events);
    server.signal("-TERM").await;
    assert_eq!(server.exit().await, Some(0));
}

/// SQLite maps the file `jarvis.db-shm` into memory. When the file system fails under it, such as a
/// network share that is gone, the kernel ends the process with SIGBUS.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_file_that_fails_ends_the_process_and_loses_nothing() {
    let folder = Folder::new();
    let first = Process::start(&folder).await;
    let browser = Browser::sign_in(&first.link).await;
    let conversation = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(conversation, "How is the cluster?").await;
    tab.see(|view| view.finished() == 1).await;

    let data = folder.path().join(".local/share/jarvis");
    let index = File::options().write(true).open(data.join("jarvis.db-shm"));
    index.unwrap().set_len(0).unwrap();
    // The next access to the database is the last thing that it does.
    let next = ClientFrame::Command {
        id: new_command(),
        command: Command::KillSwitch { on: true },
    };
    tab.send(&next).await;
    assert_eq!(tab.closed().await, None);
    let status = first.ended().await;
    assert_eq!(status.signal(), Some(rustix::process::Signal::BUS.as_raw()));

    let second = Process::start(&folder).await;
    let (url, _) = second.link.split_once("/sign-in").unwrap();
    let (_, secret) = browser.cookie().unwrap().split_once('=').unwrap();
    let mut again = Browser::with_secret(url, secret).socket().await;
    again.subscribe(conversation, Seq(0)).await.unwrap();
    let acknowledged = tab.view.events.len();
    assert_eq!(again.view.events[..acknowledged], tab.view.events);
    let before = again.view.finished();
    let more = Command::Send {
        conversation,
        text: "And the storage?".to_owned(),
        withdraw: false,
        references: Vec::new(),
    };
    again.command(more).await.unwrap();
    again.see(|view| view.finished() > before).await;
    let started = |body: &EventBody| matches!(body, EventBody::TurnStarted { .. });
    assert_eq!(again.view.count(started), 2);
    second.signal("-TERM").await;
    assert_eq!(second.exit().await, Some(0));
    let (code, out, _) = run(&mut jarvis(folder.path(), &["audit", "verify"])).await;
    assert_eq!(code, Some(0), "{out}");
}
