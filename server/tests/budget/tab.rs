//! A tab that reads one frame at a time, on this thread.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use protocol::{
    ClientFrame, Command, CommandId, ConversationId, EventBody, Seq, ServerFrame, Timestamp, Topic,
};
use tokio_tungstenite::tungstenite::{Message, WebSocket, client::IntoClientRequest};

pub(crate) struct Tab {
    socket: WebSocket<TcpStream>,
    conversation: ConversationId,
}

impl Tab {
    /// Uses a link up and opens a websocket.
    pub(crate) fn sign_in(link: &str) -> Self {
        let (url, path) = link.split_at(link.find("/sign-in").unwrap());
        let address = url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/html\r\ncontent-length: 0\r\n\
             connection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let cookie = answer
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "))
            .and_then(|cookie| cookie.split(';').next())
            .unwrap();

        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("origin", url.parse().unwrap());
        headers.insert("cookie", cookie.parse().unwrap());
        let stream = TcpStream::connect(address).unwrap();
        let connected = tokio_tungstenite::tungstenite::client(request, stream);
        let Ok((socket, _)) = connected else {
            panic!("the websocket was refused");
        };
        Self {
            socket,
            conversation: ConversationId::new(Timestamp(1), 1),
        }
    }

    /// Begins a conversation, and waits until it exists.
    pub(crate) fn start(&mut self) {
        self.send(&ClientFrame::Command {
            id: CommandId::new(Timestamp(1), 1),
            command: Command::start(self.conversation, "Tell me something long."),
        });
        while !matches!(self.frame().0, ServerFrame::Accepted { .. }) {}
    }

    pub(crate) fn subscribe(&mut self) {
        let topic = Topic::Conversation {
            conversation: self.conversation,
            after: Seq(0),
        };
        self.send(&ClientFrame::Subscribe { topic });
        while !matches!(self.frame().0, ServerFrame::Subscribed { .. }) {}
    }

    /// Reads to the next delta; returns the bytes that came, with the heads of frames.
    pub(crate) fn delta(&mut self) -> u64 {
        let mut bytes = 0;
        loop {
            let (frame, length) = self.frame();
            bytes += length + if length < 126 { 2 } else { 4 };
            if let ServerFrame::Delta { .. } = frame {
                return bytes;
            }
        }
    }

    /// Reads to the turn's end.
    pub(crate) fn ended(&mut self) {
        loop {
            if let ServerFrame::Events { events, .. } = self.frame().0 {
                let ended = |body: &EventBody| matches!(body, EventBody::TurnFinished { .. });
                if events.iter().any(|event| ended(&event.body)) {
                    return;
                }
            }
        }
    }

    fn frame(&mut self) -> (ServerFrame, u64) {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                let length = text.len() as u64;
                return (serde_json::from_str(text.as_str()).unwrap(), length);
            }
        }
    }

    fn send(&mut self, frame: &ClientFrame) {
        let text = serde_json::to_string(frame).unwrap();
        self.socket.send(Message::Text(text.into())).unwrap();
    }
}
