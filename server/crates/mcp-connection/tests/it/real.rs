//! Servers that others wrote: what they list becomes tools, and calls of whole turns pass the gate. Nothing of it
//! leaves this machine.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use agent::ports::Progress;
use mcp_client::ToolServer as _;
use mcp_connection::{
    CommandSettings, HttpSettings, McpConnection, SandboxLimits, ServerSettings, ServerTransport,
};
use protocol::{Decision, ToolOutcome};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
    process::{Child, Command},
    time::timeout,
};

use crate::{
    connection::has_namespaces,
    real_world::{PATIENCE, RealWorld, answers, is_connected},
};

const LOOPBACK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/loopback.mjs");

/// Reads a variable that `cargo xtask test` sets.
pub(crate) fn variable(name: &str) -> PathBuf {
    std::env::var_os(name)
        .unwrap_or_else(|| panic!("{name} is not set: run through `cargo xtask test`"))
        .into()
}

/// Node 22 of the installed packages, which these servers need, or else the installed one.
pub(crate) fn node(modules: &Path) -> PathBuf {
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

fn settings(transport: ServerTransport) -> ServerSettings {
    ServerSettings {
        name: "real".to_owned(),
        transport,
        start_timeout: PATIENCE,
        message_bytes: 1024 * 1024,
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// A server in Node, in its sandbox. A machine without one says so, and is not CI.
fn in_node(package: &str, args: &[String], writable: Vec<PathBuf>) -> ServerSettings {
    let modules = fs::canonicalize(variable("JARVIS_MCP")).unwrap();
    let node = fs::canonicalize(node(&modules)).unwrap();
    let script = modules.join(format!("@modelcontextprotocol/{package}/dist/index.js"));
    let script = [text(&script)];
    settings(ServerTransport::Command(CommandSettings {
        args: [&script[..], args].concat(),
        environment: BTreeMap::from([("ALLOWED".to_owned(), "yes".to_owned())]),
        sandbox: has_namespaces(),
        network: false,
        readable: vec![modules, node.parent().unwrap().to_owned()],
        program: node,
        writable,
        limits: SandboxLimits::default(),
    }))
}

/// A server in Python.
fn in_python(args: &[&str]) -> ServerSettings {
    settings(ServerTransport::Command(CommandSettings {
        program: variable("JARVIS_PYTHON"),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        environment: BTreeMap::new(),
        sandbox: false,
        network: true,
        readable: Vec::new(),
        writable: Vec::new(),
        limits: SandboxLimits::default(),
    }))
}

/// Calls of the server that has everything, each with what its answer is.
fn calls_of_everything() -> Vec<(&'static str, Value, Value)> {
    let left_out = json!({ "left_out": "Content that is no text was left out." });
    let weather =
        json!({ "temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82 });
    vec![
        ("echo", json!({ "message": "hello" }), json!("Echo: hello")),
        (
            "get-sum",
            json!({ "a": 2, "b": 3 }),
            json!("The sum of 2 and 3 is 5."),
        ),
        (
            "get-tiny-image",
            json!({}),
            json!([
                "Here's the image you requested:",
                left_out,
                "The image above is the MCP logo.",
            ]),
        ),
        (
            "get-structured-content",
            json!({ "location": "Chicago" }),
            weather,
        ),
    ]
}

async fn answers_as_everything(settings: ServerSettings) {
    let expected = calls_of_everything();
    let calls: Vec<_> = expected
        .iter()
        .map(|(tool, input, _)| (*tool, input.clone()))
        .collect();
    let tools: Vec<_> = calls.iter().map(|(tool, _)| *tool).collect();
    let mut world = RealWorld::connected(settings, &tools, &calls).await;
    let listed = world.names();
    for tool in [
        "echo",
        "get-tiny-image",
        "get-resource-links",
        "trigger-long-running-operation",
    ] {
        assert!(listed.iter().any(|name| name == tool), "{tool}: {listed:?}");
    }
    // Those that ask a client for its model, its folders or its person are not offered to one that refuses.
    for tool in ["get-roots-list", "trigger-sampling-request"] {
        assert!(!listed.iter().any(|name| name == tool), "{tool}");
    }
    world.turn().await;
    let outcomes = world.outcomes();
    let expected: Vec<_> = expected.into_iter().map(|(_, _, answer)| answer).collect();
    assert_eq!(answers(&outcomes), expected, "{outcomes:#?}");
    world.stop().await;
}

#[tokio::test]
async fn everything_on_standard_streams() {
    answers_as_everything(in_node("server-everything", &[], Vec::new())).await;
}

#[tokio::test]
async fn everything_reports_progress_and_has_no_more_environment_than_it_was_given() {
    let connection = McpConnection::new(in_node("server-everything", &[], Vec::new()));
    let running = is_connected(&connection).await;
    let lines = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&lines);
    let progress = Progress::new(move |line| noted.lock().unwrap().push(line.to_owned()));
    let input = json!({ "duration": 0.4, "steps": 4 });
    let answer = connection.call("trigger-long-running-operation", input, &progress);
    let answer = timeout(PATIENCE, answer).await.unwrap().unwrap();
    assert!(!answer.is_error, "{answer:?}");
    let seen = lines.lock().unwrap().clone();
    assert_eq!(seen.first().map(String::as_str), Some("1 of 4"), "{seen:?}");
    assert!(
        seen.len() <= 4 && seen.iter().all(|line| line.ends_with(" of 4")),
        "{seen:?}"
    );

    let progress = Progress::ignored();
    let answer = connection.call("get-env", json!({}), &progress);
    let answer = timeout(PATIENCE, answer).await.unwrap().unwrap();
    let variables: Value = serde_json::from_str(answer.content.as_str().unwrap()).unwrap();
    let known = ["ALLOWED", "HOME", "PATH", "PWD"];
    for (name, value) in variables.as_object().unwrap() {
        assert!(known.contains(&name.as_str()), "{name}");
        assert!(name != "ALLOWED" || value == "yes");
    }
    running.stop().await;
}

#[tokio::test]
async fn resources_and_prompts_of_everything_are_read() {
    let of = |kind: &str| json!({ "uri": format!("demo://resource/dynamic/{kind}/1") });
    let arguments = json!([{ "name": "city", "value": "Ghent" }]);
    let calls = [
        ("read_resource", json!({})),
        ("read_resource", of("text")),
        ("read_resource", of("blob")),
        ("read_prompt", json!({})),
        (
            "read_prompt",
            json!({ "name": "args-prompt", "arguments": arguments }),
        ),
        ("read_prompt", json!({ "name": "no-such-prompt" })),
    ];
    let settings = in_node("server-everything", &[], Vec::new());
    let mut world = RealWorld::connected(settings, &[], &calls).await;
    world.turn().await;
    let outcomes = world.outcomes();
    let answers = answers(&outcomes);
    assert_eq!((answers.len(), outcomes.len()), (5, 6), "{outcomes:#?}");
    let has = |list: &Value, field: &str, value: &str| {
        let entries = list.as_array().unwrap();
        entries.iter().any(|entry| entry[field] == value)
    };
    let template = "demo://resource/dynamic/text/{resourceId}";
    assert!(has(&answers[0]["templates"], "uriTemplate", template));
    let text = answers[1][0]["text"].as_str().unwrap();
    assert!(text.starts_with("Resource 1: "), "{text}");
    assert!(answers[2][0]["left_out"].is_string(), "{:?}", answers[2]);
    assert!(has(&answers[3]["prompts"], "name", "args-prompt"));
    assert_eq!(
        answers[4],
        json!([{ "role": "user", "content": "What's weather in Ghent?" }])
    );
    assert!(matches!(outcomes[5], ToolOutcome::Failed { .. }));
    world.stop().await;
}

/// The same server behind an address of this machine, and its URL.
async fn everything_over_http() -> (Child, String) {
    let modules = variable("JARVIS_MCP");
    let script = modules.join("@modelcontextprotocol/server-everything/dist/index.js");
    let mut child = Command::new(node(&modules))
        .args(["--import", LOOPBACK])
        .arg(script)
        .arg("streamableHttp")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let port = async {
        let mut seen = Vec::new();
        while let Some(line) = lines.next_line().await.unwrap() {
            if let Some(port) = line.strip_prefix("port ") {
                return port.parse::<u16>().unwrap();
            }
            seen.push(line);
        }
        panic!("{seen:?}");
    };
    let port = timeout(PATIENCE, port).await.unwrap();
    // Read to its end, so that the server can go on writing.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    (child, format!("http://127.0.0.1:{port}/mcp"))
}

#[tokio::test]
async fn everything_over_streamable_http() {
    let (_child, url) = everything_over_http().await;
    let http = HttpSettings::new(&url, None, Vec::new(), None).unwrap();
    answers_as_everything(settings(ServerTransport::Http(http))).await;
}

#[tokio::test]
async fn files_are_read_at_once_and_written_after_a_person_approved() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let path = |name: &str| text(&root.join(name));
    fs::write(root.join("notes.txt"), "water the plants").unwrap();
    let settings = in_node("server-filesystem", &[text(&root)], vec![root.clone()]);
    let calls = [
        ("read_text_file", json!({ "path": path("notes.txt") })),
        ("read_text_file", json!({ "path": "/etc/passwd" })),
        (
            "write_file",
            json!({ "path": path("new.txt"), "content": "done" }),
        ),
    ];
    // It says of `write_file` that it destroys, which raises the tier that the configuration has.
    let tools = ["read_text_file", "write_file"];
    let mut world = RealWorld::connected(settings, &tools, &calls).await;
    world.turn().await;
    let outcomes = world.outcomes();
    assert_eq!(
        answers(&outcomes)[0],
        json!({ "content": "water the plants" })
    );
    let ToolOutcome::Failed { error } = &outcomes[1] else {
        panic!("{outcomes:#?}");
    };
    assert!(error.message.contains("Access denied"), "{error:?}");
    assert_eq!(outcomes.len(), 2, "{outcomes:#?}");
    assert!(!root.join("new.txt").exists());
    let approve = Decision::Approve {
        grant: None,
        word: None,
    };
    world.decide(approve).await;
    let outcomes = world.outcomes();
    assert_eq!((answers(&outcomes).len(), outcomes.len()), (2, 3));
    assert_eq!(fs::read_to_string(root.join("new.txt")).unwrap(), "done");
    world.stop().await;
}

#[tokio::test]
async fn times_are_converted_and_a_wrong_one_is_an_error_in_its_words() {
    let settings = in_python(&["-m", "mcp_server_time", "--local-timezone", "UTC"]);
    let convert = |time: &str| {
        let input = json!({
            "source_timezone": "UTC", "time": time, "target_timezone": "Asia/Tokyo",
        });
        ("convert_time", input)
    };
    let calls = [convert("12:00"), convert("25:99")];
    let mut world = RealWorld::connected(settings, &["convert_time"], &calls).await;
    assert_eq!(world.names(), ["convert_time", "get_current_time"]);
    world.turn().await;
    let outcomes = world.outcomes();
    assert_eq!(
        answers(&outcomes)[0]["time_difference"],
        "+9.0h",
        "{outcomes:#?}"
    );
    let ToolOutcome::Failed { error } = &outcomes[1] else {
        panic!("{outcomes:#?}");
    };
    assert!(error.message.contains("Invalid time format"), "{error:?}");
    world.stop().await;
}

/// A web server with one page, `/page`. Returns its address.
async fn one_page() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = Vec::new();
            let mut bytes = [0; 1024];
            while let Ok(read @ 1..) = stream.read(&mut bytes).await {
                asked.extend_from_slice(&bytes[..read]);
                if asked.ends_with(b"\r\n\r\n") {
                    break;
                }
            }
            let (status, body) = if asked.starts_with(b"GET /page ") {
                ("200 OK", "It rains.")
            } else {
                ("404 Not Found", "")
            };
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\n\
                 connection: close\r\n\r\n{body}"
            );
            // A client that is gone needs no answer.
            let _gone = stream.write_all(answer.as_bytes()).await;
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn pages_of_this_machine_are_fetched_only_if_that_server_is_told_to() {
    let web = one_page().await;
    let fetch = |page: &str| ("fetch", json!({ "url": format!("{web}/{page}") }));
    let calls = [fetch("page"), fetch("none")];
    let settings = in_python(&["-m", "mcp_server_fetch", "--allow-private-ips"]);
    let mut world = RealWorld::connected(settings, &["fetch"], &calls).await;
    world.turn().await;
    let outcomes = world.outcomes();
    let page = answers(&outcomes).remove(0).to_string();
    assert!(page.contains("It rains."), "{outcomes:#?}");
    let ToolOutcome::Failed { error } = &outcomes[1] else {
        panic!("{outcomes:#?}");
    };
    assert!(error.message.contains("404"), "{error:?}");
    world.stop().await;

    let settings = in_python(&["-m", "mcp_server_fetch"]);
    let mut world = RealWorld::connected(settings, &["fetch"], &calls[..1]).await;
    world.turn().await;
    let outcomes = world.outcomes();
    let [ToolOutcome::Failed { error }] = &outcomes[..] else {
        panic!("{outcomes:#?}");
    };
    assert!(error.message.contains("Refused to fetch"), "{error:?}");
    world.stop().await;
}
