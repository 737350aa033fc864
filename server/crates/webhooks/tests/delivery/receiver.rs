//! A receiver on a plain socket, which can also do what no HTTP library would.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// Bytes of a flood.
pub(crate) const FLOOD: usize = 100_000_000;

#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// A status and no body.
    Status(&'static str),
    /// These bytes, then the end.
    Head(String),
    /// The connection ends without an answer.
    Break,
    /// Neither an answer nor an end.
    Hang,
    /// 200, and a body of [`FLOOD`] bytes.
    Flood,
    /// A head of [`FLOOD`] bytes.
    EndlessHead,
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Received {
    /// The value of a header that is there once.
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut found = self.head.lines().filter_map(|line| {
            let (its, value) = line.split_once(": ")?;
            its.eq_ignore_ascii_case(name).then_some(value)
        });
        let value = found.next().unwrap_or_default();
        assert!(found.next().is_none(), "{name} is there twice");
        value
    }
}

type Script = Box<dyn Fn(&Received) -> Answer + Send + Sync>;

struct ReceiverState {
    script: Script,
    received: Mutex<Vec<Received>>,
    open: AtomicUsize,
    most: AtomicUsize,
    /// Bytes that were written before the other side closed; none as long as it has not.
    broken_off: watch::Sender<Option<usize>>,
}

pub(crate) struct Receiver {
    address: SocketAddr,
    state: Arc<ReceiverState>,
}

impl Receiver {
    /// A receiver that answers its requests like this, one after the other.
    pub(crate) async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers = Mutex::new(answers.into_iter().collect::<VecDeque<_>>());
        Self::start_with(move |_: &Received| answers.lock().unwrap().pop_front().unwrap()).await
    }

    pub(crate) async fn start_with(
        script: impl Fn(&Received) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(ReceiverState {
            script: Box::new(script),
            received: Mutex::default(),
            open: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            broken_off: watch::Sender::new(None),
        });
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { address, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.state.received.lock().unwrap().clone()
    }

    /// The most requests that were open at the same time.
    pub(crate) fn most_at_once(&self) -> usize {
        self.state.most.load(Ordering::Relaxed)
    }

    /// The bytes of a flood that could be written before the other side closed.
    pub(crate) async fn broken_off(&self) -> usize {
        let mut watched = self.state.broken_off.subscribe();
        let written = watched.wait_for(Option::is_some).await.unwrap();
        written.unwrap()
    }
}

/// Answers one request; the connection ends with it.
async fn serve(mut stream: TcpStream, state: Arc<ReceiverState>) {
    let Some(request) = read(&mut stream).await else {
        return;
    };
    let open = state.open.fetch_add(1, Ordering::Relaxed) + 1;
    state.most.fetch_max(open, Ordering::Relaxed);
    let answer = (state.script)(&request);
    state.received.lock().unwrap().push(request);
    // Before the answer: the next request may be there before this task goes on.
    state.open.fetch_sub(1, Ordering::Relaxed);
    match answer {
        Answer::Status(status) => {
            let head =
                format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).await.ok();
        }
        Answer::Head(head) => {
            stream.write_all(head.as_bytes()).await.ok();
        }
        Answer::Break => {}
        Answer::Hang => std::future::pending().await,
        Answer::Flood => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {FLOOD}\r\n\r\n");
            stream.write_all(head.as_bytes()).await.ok();
            flood(&mut stream, b"flood\r\n", &state).await;
        }
        Answer::EndlessHead => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n").await.ok();
            flood(&mut stream, b"x-more: more\r\n", &state).await;
        }
    }
}

async fn flood(stream: &mut TcpStream, piece: &[u8], state: &ReceiverState) {
    let chunk = piece.repeat(65_536 / piece.len());
    let mut written = 0;
    while written < FLOOD && stream.write_all(&chunk).await.is_ok() {
        written += chunk.len();
    }
    state.broken_off.send_replace(Some(written));
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let (line, head) = head.split_once("\r\n").unwrap();
            let received = Received {
                line: line.to_owned(),
                head: head.to_owned(),
                body: body.to_owned(),
            };
            let length: usize = received.header("content-length").parse().unwrap();
            if body.len() >= length {
                return Some(received);
            }
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(chunk.get(..count)?),
        }
    }
}
