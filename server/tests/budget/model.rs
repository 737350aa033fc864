//! A model that sends one delta at a time, on demand.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
};

pub(crate) struct Model(TcpListener);

impl Model {
    pub(crate) fn bind() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// Waits for a request.
    pub(crate) fn asked(&self) -> Answer {
        let (mut stream, _) = self.0.accept().unwrap();
        stream.set_nodelay(true).unwrap();
        let mut request = Vec::new();
        let mut buffer = [0; 4096];
        while !is_whole(&request) {
            let read = stream.read(&mut buffer).unwrap();
            assert!(read > 0, "the request was cut off");
            request.extend_from_slice(&buffer[..read]);
        }
        Answer(stream)
    }
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).into_owned();
    let Some((head, _)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let head = head.to_ascii_lowercase();
    let length: usize = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .map_or(0, |length| length.trim().parse().unwrap());
    request.len() >= head.len() + 4 + length
}

/// An answer while it is given.
pub(crate) struct Answer(TcpStream);

impl Answer {
    pub(crate) fn begin(&mut self) {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                    transfer-encoding: chunked\r\n\r\n";
        self.0.write_all(head.as_bytes()).unwrap();
        self.event(
            "message_start",
            r#","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}"#,
        );
        self.event(
            "content_block_start",
            r#","index":0,"content_block":{"type":"text","text":""}"#,
        );
    }

    pub(crate) fn delta(&mut self, text: &str) {
        let rest = format!(r#","index":0,"delta":{{"type":"text_delta","text":"{text}"}}"#);
        self.event("content_block_delta", &rest);
    }

    pub(crate) fn end(&mut self) {
        self.event("content_block_stop", r#","index":0"#);
        self.event(
            "message_delta",
            r#","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}"#,
        );
        self.event("message_stop", "");
        self.0.write_all(b"0\r\n\r\n").unwrap();
    }

    fn event(&mut self, kind: &str, rest: &str) {
        let text = format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n");
        let chunk = format!("{:x}\r\n{text}\r\n", text.len());
        self.0.write_all(chunk.as_bytes()).unwrap();
    }
}
