//! An answer as server-sent events in HTTP chunks. A delta is a template with an instant in it.

use std::io::Write as _;

use anyhow::Result;
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{Instant, sleep_until},
};

use super::workload::Workload;
use crate::clock;

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
    cache-control: no-cache\r\nrequest-id: req_bench\r\ntransfer-encoding: chunked\r\n\r\n";
/// Deltas without a pause after which others get their turn.
const ROUND: usize = 8;

/// Streams an answer to a request that arrived at this instant.
pub(super) async fn stream(
    stream: &mut TcpStream,
    workload: &Workload,
    arrived: u64,
) -> Result<()> {
    let mut begin = HEAD.to_vec();
    let tokens = workload.bytes / 4 + 1;
    event(
        &mut begin,
        "message_start",
        &format!(
            r#","message":{{"id":"msg_bench","type":"message","role":"assistant","model":"fake-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":{tokens},"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}}"#
        ),
    );
    event(
        &mut begin,
        "content_block_start",
        r#","index":0,"content_block":{"type":"text","text":""}"#,
    );
    event(&mut begin, "ping", "");

    let mut next = Instant::now();
    if !workload.delay.is_zero() {
        // Random, so that answers which began together do not stay in step.
        next += workload.delay.mul_f64(rand::random::<f64>());
        sleep_until(next).await;
    }
    stream.write_all(&begin).await?;
    let mut first = ReplyDelta::new(&format!("@R{arrived:016}@T0000000000000000 "));
    stream.write_all(first.stamped()).await?;
    let mut delta = ReplyDelta::new("@T0000000000000000 ");
    for sent in 1..workload.deltas {
        if !workload.delay.is_zero() {
            next += workload.delay;
            sleep_until(next).await;
        } else if sent % ROUND == 0 {
            tokio::task::yield_now().await;
        }
        stream.write_all(delta.stamped()).await?;
    }
    stream.write_all(&end(workload)).await?;
    Ok(())
}

/// One delta as it goes over the wire.
struct ReplyDelta {
    bytes: Vec<u8>,
    /// The offset of the instant.
    at: usize,
}

impl ReplyDelta {
    fn new(text: &str) -> Self {
        let mut bytes = Vec::new();
        let data = format!(r#","index":0,"delta":{{"type":"text_delta","text":"{text}"}}"#);
        event(&mut bytes, "content_block_delta", &data);
        let at = memchr::memmem::rfind(&bytes, b"@T").map_or(0, |at| at + 2);
        Self { bytes, at }
    }

    fn stamped(&mut self) -> &[u8] {
        let place = &mut self.bytes[self.at..self.at + clock::DIGITS];
        clock::write(clock::now(), place);
        &self.bytes
    }
}

/// The events after the text: the calls and the end.
fn end(workload: &Workload) -> Vec<u8> {
    let mut bytes = Vec::new();
    event(&mut bytes, "content_block_stop", r#","index":0"#);
    for (index, (name, input)) in (1..).zip(&workload.tools) {
        let id: u64 = rand::random();
        event(
            &mut bytes,
            "content_block_start",
            &format!(
                r#","index":{index},"content_block":{{"type":"tool_use","id":"toolu_{id:016x}","name":"{name}","input":{{}}}}"#
            ),
        );
        let json = serde_json::Value::from(input.as_str());
        event(
            &mut bytes,
            "content_block_delta",
            &format!(
                r#","index":{index},"delta":{{"type":"input_json_delta","partial_json":{json}}}"#
            ),
        );
        let stop = format!(r#","index":{index}"#);
        event(&mut bytes, "content_block_stop", &stop);
    }
    let reason = if workload.tools.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    event(
        &mut bytes,
        "message_delta",
        &format!(
            r#","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"output_tokens":{}}}"#,
            workload.deltas
        ),
    );
    event(&mut bytes, "message_stop", "");
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

/// Writes an event as one chunk; `rest` are its fields after the type.
fn event(to: &mut Vec<u8>, kind: &str, rest: &str) {
    let text = format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n");
    // A vector takes everything.
    write!(to, "{:x}\r\n{text}\r\n", text.len()).unwrap_or_default();
}
