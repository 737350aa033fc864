//! A receiver on a plain socket.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// A status and a body.
    Body(&'static str, &'static str),
    /// The connection ends without an answer.
    Break,
    /// Neither an answer nor an end.
    Hang,
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) head: String,
    body: String,
}

impl Received {
    pub(crate) fn spans(&self) -> Vec<Value> {
        let body: Value = serde_json::from_str(&self.body).unwrap();
        let spans = &body["resourceSpans"][0]["scopeSpans"][0]["spans"];
        spans.as_array().unwrap().clone()
    }
}

pub(crate) struct Receiver {
    address: SocketAddr,
    received: Arc<watch::Sender<Vec<Received>>>,
}

impl Receiver {
    /// A receiver that answers its requests like this, one after the other.
    pub(crate) async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers = Arc::new(Mutex::new(answers.into_iter().collect::<VecDeque<_>>()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::new(watch::Sender::new(Vec::new()));
        let shared = Arc::clone(&received);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (answers, received) = (Arc::clone(&answers), Arc::clone(&shared));
                tokio::spawn(async move {
                    let Some(request) = read(&mut stream).await else {
                        return;
                    };
                    let answer = answers.lock().unwrap().pop_front();
                    received.send_modify(|received| received.push(request));
                    reply(stream, answer.unwrap()).await;
                });
            }
        });
        Self { address, received }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.borrow().clone()
    }

    /// Waits for as many requests.
    pub(crate) async fn arrived(&self, requests: usize) {
        let mut watched = self.received.subscribe();
        let arrived = watched.wait_for(|received| received.len() >= requests);
        drop(arrived.await.unwrap());
    }
}

/// Answers one request; the connection ends with it.
async fn reply(mut stream: TcpStream, answer: Answer) {
    match answer {
        Answer::Body(status, body) => {
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
            );
            stream.write_all(answer.as_bytes()).await.ok();
        }
        Answer::Break => {}
        Answer::Hang => std::future::pending().await,
    }
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                name.eq_ignore_ascii_case("content-length").then_some(value)
            });
            let length: usize = length.unwrap().parse().unwrap();
            if body.len() >= length {
                return Some(Received {
                    head: format!("{head}\r\n"),
                    body: body.to_owned(),
                });
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
