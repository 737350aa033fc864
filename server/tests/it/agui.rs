//! `/agui`, as front ends see it.

mod answers;
mod clients;
mod hostile;
mod runs;
mod trace;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::{
    api::follower::is_stream,
    client::{Browser, send},
    harness::{Server, soon},
    tokens::token_with,
};

/// A program with a token of its owner, and the token.
async fn program(
    server: &Server,
    owner: &Browser,
    toolsets: &[&str],
    decides: bool,
) -> (Browser, String) {
    let token = token_with(owner, "operator", toolsets, decides);
    let token = token.await.unwrap();
    (Browser::new(server.url()).bearing(&token), token)
}

/// The body of a run with one new message.
pub(crate) fn says(thread: &str, run: &str, text: &str) -> Value {
    json!({
        "threadId": thread,
        "runId": run,
        "protocolVersion": "1.0",
        "state": {},
        "messages": [{ "id": format!("of {run}"), "role": "user", "content": text }],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    })
}

async fn post(program: &Browser, path: &str, body: &Value) -> Response {
    send(program.request(Method::POST, path).json(body)).await
}

/// A stream of events.
struct Stream {
    response: Response,
    buffer: Vec<u8>,
    seen: Vec<Value>,
}

impl Stream {
    /// Begins a run.
    async fn run(program: &Browser, body: &Value) -> Self {
        Self::of(post(program, "/agui", body).await)
    }

    /// Follows one again.
    async fn again(program: &Browser, thread: &str, run: &str) -> Self {
        let path = format!("/agui/{thread}/{run}");
        Self::of(send(program.request(Method::GET, &path)).await)
    }

    fn of(response: Response) -> Self {
        is_stream(&response);
        Self {
            response,
            buffer: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// The next event; none at the end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let end = self.buffer.windows(2).position(|pair| pair == b"\n\n");
            if let Some(end) = end {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                if let Some(data) = block.strip_prefix(b"data: ") {
                    let event: Value = serde_json::from_slice(data).unwrap();
                    self.seen.push(event.clone());
                    return Some(event);
                }
                continue;
            }
            let piece = soon("a piece of a stream", self.response.chunk()).await;
            self.buffer.extend_from_slice(&piece.ok()??);
        }
    }

    /// Reads until an event is as wanted.
    async fn until(&mut self, want: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = self.next().await.expect("the stream goes on");
            if want(&event) {
                return event;
            }
        }
    }

    /// Reads to the end; returns the terminal event.
    async fn end(&mut self) -> Value {
        while self.next().await.is_some() {}
        let last = self.seen.last().unwrap().clone();
        let is_terminal = |event: &Value| {
            let kind = event["type"].as_str().unwrap();
            ["RUN_FINISHED", "RUN_ERROR"].contains(&kind)
        };
        let terminal = self.seen.iter().filter(|event| is_terminal(event));
        assert_eq!(terminal.count(), 1, "{:#?}", self.seen);
        assert!(is_terminal(&last), "{last}");
        last
    }

    /// The text that has streamed.
    fn text(&self) -> String {
        let contents = self.seen.iter();
        let contents = contents.filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT");
        contents
            .map(|event| event["delta"].as_str().unwrap())
            .collect()
    }

    fn has(&self, kind: &str) -> bool {
        self.seen.iter().any(|event| event["type"] == kind)
    }

    /// The events of this server's own with a name.
    fn own(&self, name: &str) -> usize {
        let own = self.seen.iter();
        own.filter(|event| event["name"] == format!("jarvis.{name}"))
            .count()
    }
}
