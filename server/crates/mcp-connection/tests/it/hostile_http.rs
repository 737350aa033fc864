//! A hostile server over HTTP: what it answers with is read up to a bound, leads nowhere else and holds up nothing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use agent::ports::Progress;
use mcp_client::{ReadRequest, ServerFault, ToolServer as _};
use mcp_connection::{
    ConnectFault, ConnectionState, HttpSettings, McpConnection, ServerSettings, ServerTransport,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::{
    authorized::{Listening, read},
    evil::until,
    real_world::{PATIENCE, is_connected},
};

/// The longest message that is read.
const BOUND: usize = 64 * 1024;
/// The length of an answer that `rmcp` would read if nobody set a bound.
const LONG: usize = 1024 * 1024;
/// The length of the longest answers, which the buffers of two sockets hold a small part of.
const ENDLESS: usize = 100 * 1024 * 1024;
const JSON: &str = "content-type: application/json";
const EVENTS: &str = "content-type: text/event-stream";

/// A server that does at a call what the name of its tool says, and at a start what its path says.
struct HostileServer {
    address: String,
    /// Another server, to which it leads whoever follows.
    elsewhere: Listening,
    /// Requests without the whole of their answers.
    open: Arc<AtomicUsize>,
    /// Bytes of endless answers that were taken.
    sent: Arc<AtomicUsize>,
}

impl HostileServer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let new = Self {
            address: format!("http://{}", listener.local_addr().unwrap()),
            elsewhere: Listening::start().await,
            open: Arc::default(),
            sent: Arc::default(),
        };
        let elsewhere = new.elsewhere.url.clone();
        let (open, sent) = (Arc::clone(&new.open), Arc::clone(&new.sent));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let elsewhere = elsewhere.clone();
                let (open, sent) = (Arc::clone(&open), Arc::clone(&sent));
                tokio::spawn(async move {
                    let Some(request) = read(&mut stream).await else {
                        return;
                    };
                    let path = request.line.trim_start_matches("POST /");
                    let message: Value = serde_json::from_str(&request.body).unwrap_or_default();
                    open.fetch_add(1, Ordering::Relaxed);
                    answer(&mut stream, path, &message, &elsewhere, &sent).await;
                    open.fetch_sub(1, Ordering::Relaxed);
                });
            }
        });
        new
    }

    fn connection(&self, path: &str, start_timeout: Duration) -> McpConnection {
        let url = format!("{}/{path}", self.address);
        let http = HttpSettings::new(&url, None, Vec::new(), None).unwrap();
        McpConnection::new(ServerSettings {
            name: "hostile".to_owned(),
            transport: ServerTransport::Http(http),
            start_timeout,
            message_bytes: BOUND,
        })
    }

    /// Waits until every answer is at its end, or nobody reads it any longer.
    async fn rests(&self) {
        until("all answers end", || self.open.load(Ordering::Relaxed) == 0).await;
    }
}

/// Writes an answer, and ends the connection with it.
async fn say(stream: &mut TcpStream, status: u16, header: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\n{header}\r\ncontent-length: {length}\r\n");
    let answer = format!("{head}connection: close\r\n\r\n{body}");
    // A client that is gone needs no answer.
    let _gone = stream.write_all(answer.as_bytes()).await;
}

/// Writes the same again and again, until there was enough of it or nobody reads it.
async fn repeat(
    stream: &mut TcpStream,
    (status, header): (u16, &str),
    part: &str,
    most: usize,
    sent: &AtomicUsize,
) {
    let head = format!("HTTP/1.1 {status} X\r\n{header}\r\nconnection: close\r\n\r\n");
    let parts = part.repeat(64 * 1024 / part.len());
    let mut taken = stream.write_all(head.as_bytes()).await;
    while taken.is_ok() && sent.load(Ordering::Relaxed) < most {
        taken = stream.write_all(parts.as_bytes()).await;
        sent.fetch_add(parts.len(), Ordering::Relaxed);
    }
}

async fn answer(
    stream: &mut TcpStream,
    path: &str,
    message: &Value,
    elsewhere: &str,
    sent: &AtomicUsize,
) {
    let method = message["method"].as_str().unwrap_or_default();
    let does = match (path, method) {
        ("mcp", "tools/call") => message["params"]["name"].as_str().unwrap_or_default(),
        ("circle", "tools/list" | "prompts/list") => "circle",
        ("mcp" | "circle", method) => method,
        (path, _) => path,
    };
    let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
    let result = match does {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "capabilities": { "tools": {}, "prompts": {} },
            "serverInfo": { "name": "hostile", "version": "1" },
        }),
        // Each page has one entry with the name of its cursor, and says that the page "b" is next.
        "circle" => {
            let name = message["params"]["cursor"].as_str().unwrap_or("a");
            let entry = json!({ "name": name, "inputSchema": { "type": "object" } });
            let of = method.trim_end_matches("/list");
            json!({ of: [entry], "nextCursor": "b" })
        }
        "tools/list" => json!({ "tools": [] }),
        "act" => text("done"),
        "long" | "long event" => text(&"x".repeat(LONG)),
        "endless" => return repeat(stream, (200, JSON), "x", ENDLESS, sent).await,
        "endless event" => return repeat(stream, (200, EVENTS), "data: x\n", ENDLESS, sent).await,
        "endless error" => {
            let header = "content-type: text/plain";
            return repeat(stream, (400, header), "x", ENDLESS, sent).await;
        }
        "events" => {
            let params = json!({ "progressToken": "nobody's", "progress": 1 });
            let event = json!({
                "jsonrpc": "2.0", "method": "notifications/progress", "params": params,
            });
            let event = format!("data: {event}\n\n");
            return repeat(stream, (200, EVENTS), &event, usize::MAX, sent).await;
        }
        "moved" => {
            let header = format!("location: {elsewhere}/mcp");
            return say(stream, 307, &header, "").await;
        }
        "silent" => {
            // Until the client is gone.
            let _gone = stream.read_u8().await;
            return;
        }
        method if method.starts_with("notifications/") => return say(stream, 202, JSON, "").await,
        _ => {
            let error = json!({ "code": -32601, "message": "Method not found" });
            let error = json!({ "jsonrpc": "2.0", "id": message["id"], "error": error });
            return say(stream, 200, JSON, &error.to_string()).await;
        }
    };
    let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }).to_string();
    if does == "long event" {
        say(stream, 200, EVENTS, &format!("data: {answer}\n\n")).await;
    } else {
        say(stream, 200, JSON, &answer).await;
    }
}

async fn call(connection: &McpConnection, tool: &str) -> Result<Value, ServerFault> {
    let progress = Progress::ignored();
    let answer = connection.call(tool, json!({}), &progress).await;
    answer.map(|answer| answer.content)
}

#[tokio::test]
async fn an_answer_beyond_its_bound_is_not_read_and_the_connection_stands() {
    let server = HostileServer::start().await;
    let connection = server.connection("mcp", PATIENCE);
    let running = is_connected(&connection).await;
    for tool in [
        "long",
        "long event",
        "endless",
        "endless event",
        "endless error",
        "moved",
    ] {
        server.sent.store(0, Ordering::Relaxed);
        let answer = timeout(PATIENCE, call(&connection, tool)).await;
        assert_eq!(answer, Ok(Err(ServerFault::Lost)), "{tool}");
        server.rests().await;
        let sent = server.sent.load(Ordering::Relaxed);
        assert!(sent < ENDLESS / 2, "{tool}: {sent} bytes were taken");
        assert_eq!(call(&connection, "act").await, Ok(json!("done")), "{tool}");
    }
    // What was meant for this server reached no other.
    assert!(server.elsewhere.seen("").is_empty());
    assert_eq!(connection.state(), ConnectionState::Connected);
    running.stop().await;
}

#[tokio::test]
async fn a_call_that_is_never_answered_is_let_go_and_holds_up_no_other() {
    let server = HostileServer::start().await;
    let connection = server.connection("mcp", PATIENCE);
    let running = is_connected(&connection).await;
    for tool in ["silent", "events"] {
        let waited = timeout(Duration::from_secs(1), call(&connection, tool)).await;
        assert!(waited.is_err(), "{tool}");
        assert_eq!(call(&connection, "act").await, Ok(json!("done")), "{tool}");
        server.rests().await;
    }
    assert_eq!(connection.state(), ConnectionState::Connected);
    running.stop().await;
}

#[tokio::test]
async fn a_start_leads_nowhere_else_and_is_let_go_in_time() {
    let server = HostileServer::start().await;
    let moved = server.connection("moved", PATIENCE).listed_once().await;
    let is_refused = matches!(moved, Err(ConnectFault::NoServer(_)));
    assert!(is_refused, "{moved:?}");
    assert!(server.elsewhere.seen("").is_empty());
    for path in ["silent", "events"] {
        let connection = server.connection(path, Duration::from_secs(1));
        let fault = connection.listed_once().await;
        assert_eq!(fault, Err(ConnectFault::TimedOut(1)), "{path}");
        // Nobody reads on: there is a next start, and one after that.
        server.rests().await;
    }
}

#[tokio::test]
async fn a_list_that_leads_in_a_circle_ends_where_it_began() {
    let server = HostileServer::start().await;
    let connection = server.connection("circle", PATIENCE);
    let listed = connection.listed_once().await.unwrap().into_iter();
    let names: Vec<_> = listed.map(|tool| tool.name).collect();
    assert_eq!(names, ["a", "b"]);
    let running = is_connected(&connection).await;
    let prompts = connection.read(ReadRequest::Prompts).await.unwrap();
    let expected = json!({ "prompts": [{ "name": "a" }, { "name": "b" }] });
    assert_eq!(prompts.content, expected);
    running.stop().await;
}
