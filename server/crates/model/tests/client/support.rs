//! A server with scripted answers, and the test's requests to the client.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use agent::ports::{
    Env, Model as _, ModelError, ModelEvent, ModelRequest, RequestMessage, RequestRole, ToolChoice,
};
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use model::{Catalogue, Client, ModelConfig};
use protocol::Timestamp;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

pub(crate) const NOW: Timestamp = Timestamp(1_800_000_000_000);

pub(crate) const START: &str = concat!(
    "event: message_start\n",
    r#"data: {"type":"message_start","message":{"usage":{"input_tokens":9}}}"#,
    "\n\n"
);
pub(crate) const HELLO: &str = concat!(
    r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
    "\n\n",
    r#"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#,
    "\n\n",
    r#"data: {"type":"content_block_stop","index":0}"#,
    "\n\n"
);
pub(crate) const END: &str = concat!(
    r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#,
    "\n\n",
    "data: {\"type\":\"message_stop\"}\n\n"
);

/// One answer of the server.
pub(crate) enum Answer {
    Plain(u16, Vec<(&'static str, String)>, String),
    /// An event stream of the texts from the channel; it ends with the channel.
    Stream(mpsc::Receiver<String>),
    /// No answer. The sender is dropped when the client goes away.
    Silence(mpsc::Sender<()>),
}

impl Answer {
    pub(crate) fn status(status: u16, headers: &[(&'static str, &str)]) -> Self {
        let headers = headers
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()));
        Self::Plain(status, headers.collect(), String::new())
    }

    /// A whole event stream.
    pub(crate) fn events(parts: &[&str]) -> Self {
        let kind = ("content-type", "text/event-stream".to_owned());
        let id = ("request-id", "req_1".to_owned());
        Self::Plain(200, vec![kind, id], parts.concat())
    }
}

/// A request of the client.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// One for each connection.
    pub(crate) peer: SocketAddr,
}

pub(crate) struct Server {
    pub(crate) url: String,
    sent: mpsc::UnboundedReceiver<Sent>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Clone)]
struct Script {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    sent: mpsc::UnboundedSender<Sent>,
}

impl Server {
    pub(crate) async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, sent) = mpsc::unbounded_channel();
        let script = Script {
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            sent: sender,
        };
        let app = axum::Router::new().fallback(answer).with_state(script);
        let app = app.into_make_service_with_connect_info::<SocketAddr>();
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, sent, task }
    }

    /// The next request that arrives.
    pub(crate) async fn sent(&mut self) -> Sent {
        self.sent.recv().await.unwrap()
    }

    /// The number of requests that no test asked for.
    pub(crate) fn unasked(&mut self) -> usize {
        std::iter::from_fn(|| self.sent.try_recv().ok()).count()
    }

    pub(crate) fn config(&self) -> ModelConfig {
        ModelConfig {
            base_url: self.url.clone(),
            ..ModelConfig::default()
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(
    State(script): State<Script>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    script
        .sent
        .send(Sent {
            uri: parts.uri,
            headers: parts.headers,
            body,
            peer,
        })
        .unwrap();
    let answer = script.answers.lock().unwrap().pop_front();
    let response = Response::builder();
    match answer.expect("more requests than answers") {
        Answer::Plain(status, headers, body) => headers
            .into_iter()
            .fold(response.status(status), |response, (name, value)| {
                response.header(name, value)
            })
            .body(body.into())
            .unwrap(),
        Answer::Stream(parts) => {
            let parts = stream::unfold(parts, async |mut parts| {
                let part = parts.recv().await?;
                Some((Ok::<_, std::io::Error>(Bytes::from(part)), parts))
            });
            response
                .header("content-type", "text/event-stream")
                .body(Body::from_stream(parts))
                .unwrap()
        }
        Answer::Silence(_held) => std::future::pending().await,
    }
}

/// Time stands still, and randomness is always the lowest.
struct Still;

impl Env for Still {
    fn now(&self) -> Timestamp {
        NOW
    }

    fn random(&self) -> u128 {
        0
    }
}

pub(crate) fn client(config: ModelConfig) -> Client {
    Client::with_env(config, Catalogue::default(), Arc::new(Still)).unwrap()
}

pub(crate) fn request() -> ModelRequest {
    let hi = RawValue::from_string(r#"{"type":"text","text":"Hi"}"#.to_owned()).unwrap();
    ModelRequest {
        model: "claude-sonnet-5-5".to_owned(),
        effort: None,
        max_tokens: 100,
        system: Arc::from("Be brief."),
        tools: None,
        tool_choice: ToolChoice::Auto,
        messages: vec![RequestMessage {
            role: RequestRole::User,
            content: vec![Arc::from(hi)],
        }],
        correlation: None,
    }
}

pub(crate) type Answers = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// The answers.
pub(crate) fn ask_all(config: ModelConfig) -> Answers {
    client(config).ask(request())
}

/// The answers without the usage so far.
pub(crate) fn ask(config: ModelConfig) -> Answers {
    let is_usage = |item: &Result<ModelEvent, _>| matches!(item, Ok(ModelEvent::Usage(_)));
    ask_all(config)
        .filter(move |item| std::future::ready(!is_usage(item)))
        .boxed()
}

/// All remaining events.
pub(crate) async fn rest(answers: &mut Answers) -> (Vec<ModelEvent>, Option<ModelError>) {
    let mut events = Vec::new();
    let mut error = None;
    while let Some(item) = answers.next().await {
        assert!(error.is_none(), "something came after the error");
        match item {
            Ok(event) => events.push(event),
            Err(found) => error = Some(found),
        }
    }
    (events, error)
}
