//! A client of server-sent events, as the HTML standard describes one.

use std::collections::BTreeMap;

use reqwest::{Method, Response};
use serde_json::Value;

use crate::{client::Browser, client::send, harness::soon};

/// Fails unless an answer is a stream of events that nobody keeps.
pub(crate) fn is_stream(response: &Response) {
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["cache-control"], "no-store");
}

/// One event of a stream.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) id: Option<u64>,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

/// A connection to a stream, with what has come over it.
pub(crate) struct Follower {
    response: Response,
    buffer: Vec<u8>,
    pub(crate) seen: Vec<Sent>,
    /// What streams, by block.
    blocks: BTreeMap<u64, String>,
}

impl Follower {
    /// Follows a conversation, from the start or after an event.
    pub(crate) async fn open(program: &Browser, address: &str, after: Option<u64>) -> Self {
        let mut request = program.request(Method::GET, &format!("{address}/events"));
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        Self::of(send(request).await)
    }

    /// Follows the stream of an answer.
    pub(crate) fn of(response: Response) -> Self {
        is_stream(&response);
        Self {
            response,
            buffer: Vec::new(),
            seen: Vec::new(),
            blocks: BTreeMap::new(),
        }
    }

    /// The next event; none at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Sent> {
        loop {
            let end = self.buffer.windows(2).position(|pair| pair == b"\n\n");
            if let Some(end) = end {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                if let Some(sent) = parsed(std::str::from_utf8(&block).unwrap()) {
                    self.take(&sent);
                    self.seen.push(sent.clone());
                    return Some(sent);
                }
                continue;
            }
            let piece = soon("a piece of a stream", self.response.chunk()).await;
            self.buffer.extend_from_slice(&piece.unwrap()?);
        }
    }

    /// Reads until an event is as wanted.
    pub(crate) async fn until(&mut self, want: impl Fn(&Sent) -> bool) -> Sent {
        loop {
            let sent = self.next().await.expect("the stream goes on");
            if want(&sent) {
                return sent;
            }
        }
    }

    /// Reads until a turn has ended.
    pub(crate) async fn finished(&mut self) {
        self.until(|sent| sent.data["type"] == "turn_finished")
            .await;
    }

    /// The numbers of the events of the journal, in the order of their arrival.
    pub(crate) fn ids(&self) -> Vec<u64> {
        self.seen.iter().filter_map(|sent| sent.id).collect()
    }

    /// The text of the newest block.
    pub(crate) fn streamed(&self) -> &str {
        self.blocks.values().next_back().map_or("", String::as_str)
    }

    fn take(&mut self, sent: &Sent) {
        let block = sent.data["block"].as_u64();
        let text = sent.data["text"].as_str().unwrap_or_default();
        match (&*sent.kind, block) {
            ("block", Some(block)) => {
                self.blocks.insert(block, text.to_owned());
            }
            ("delta", Some(block)) => {
                let had = self.blocks.get_mut(&block).expect("a block comes first");
                assert_eq!(sent.data["offset"].as_u64(), Some(had.len() as u64));
                had.push_str(text);
            }
            _ => {}
        }
    }
}

/// Reads the lines of one event; none for a comment or a setting.
fn parsed(block: &str) -> Option<Sent> {
    let (mut id, mut kind, mut data) = (None, String::new(), String::new());
    for line in block.lines() {
        match line.split_once(':') {
            Some(("id", value)) => id = Some(value.trim().parse().unwrap()),
            Some(("event", value)) => value.trim().clone_into(&mut kind),
            Some(("data", value)) => data.push_str(value),
            _ => {}
        }
    }
    (!data.is_empty()).then(|| Sent {
        id,
        kind,
        data: serde_json::from_str(&data).unwrap(),
    })
}
