//! Traces of a server at work, as their receiver gets them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use axum::{Json, Router, extract::State, http::HeaderMap, routing::post};
use protocol::{Decision, EventBody, Seq};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{
    client::{Browser, new_conversation},
    harness::{Folder, QUIET, Server},
    metrics::work,
};

const QUESTION: &str = "Please restart container 210 on pve";
const APPROVE: Decision = Decision::Approve {
    grant: None,
    word: None,
};

const DENY: Decision = Decision::Deny { comment: None };

type Spans = Arc<Mutex<Vec<Value>>>;

/// A receiver in this process.
struct Collector {
    url: String,
    spans: Spans,
    serving: JoinHandle<()>,
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let spans = Spans::default();
        let router = Router::new()
            .route("/v1/traces", post(take))
            .with_state(Arc::clone(&spans));
        let serving = tokio::spawn(async move {
            axum::serve(listener, router).await.unwrap();
        });
        Self {
            url,
            spans,
            serving,
        }
    }

    /// All that it got.
    fn spans(&self) -> Vec<Value> {
        let spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.clone()
    }
}

async fn take(
    State(spans): State<Spans>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Json<Value> {
    assert_eq!(headers["authorization"], "Bearer t");
    let of = &body["resourceSpans"][0];
    let service = json!([{ "key": "service.name", "value": { "stringValue": "lab" } }]);
    assert_eq!(of["resource"]["attributes"][0], service[0]);
    let new = of["scopeSpans"][0]["spans"].as_array().unwrap().clone();
    spans.lock().unwrap().extend(new);
    Json(json!({}))
}

fn config(endpoint: &str) -> String {
    format!(
        "{QUIET}[telemetry]\nendpoint = \"{endpoint}\"\nservice = \"lab\"\n\
         headers = \"authorization=Bearer%20t\"\n"
    )
}

fn attribute<'a>(span: &'a Value, key: &str) -> Option<&'a str> {
    value(span, key)?["stringValue"].as_str()
}

fn value<'a>(span: &'a Value, key: &str) -> Option<&'a Value> {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|it| it["key"] == key)?;
    Some(&found["value"])
}

/// Counts spans by what follows `start` in their names, and by outcome.
fn counts(spans: &[Value], start: &str) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    for span in named(spans, start) {
        let name = &span["name"].as_str().unwrap()[start.len()..];
        let outcome = attribute(span, "jarvis.outcome").unwrap();
        let key = (name.to_owned(), outcome.to_owned());
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// Takes out those that end where a wait begins.
fn waits(counts: &mut BTreeMap<(String, String), usize>) -> usize {
    let waits = counts
        .iter()
        .filter(|((_, outcome), _)| outcome == "waiting");
    let waits = waits.map(|(_, count)| *count).sum();
    counts.retain(|(_, outcome), _| outcome != "waiting");
    waits
}

/// The spans whose name begins like this.
fn named<'a>(spans: &'a [Value], start: &str) -> Vec<&'a Value> {
    let is_named = |span: &&Value| span["name"].as_str().unwrap().starts_with(start);
    spans.iter().filter(is_named).collect()
}

fn ids(spans: &[&Value]) -> BTreeSet<String> {
    let id = |span: &&Value| span["spanId"].as_str().unwrap().to_owned();
    spans.iter().map(id).collect()
}

/// Asserts that each of these is below one of those.
fn are_below(spans: &[&Value], above: &BTreeSet<String>) {
    assert!(!spans.is_empty());
    for span in spans {
        let parent = span["parentSpanId"].as_str().unwrap();
        assert!(above.contains(parent), "{span:#} below {above:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_is_traced_through_a_wait_and_a_restart() {
    for restarts in [false, true] {
        let collector = Collector::start().await;
        let folder = Folder::new();
        let config = config(&collector.url);
        let mut server = Server::start_with(&folder, &config).await;
        let mut browser = server.sign_in().await;
        let conversation = new_conversation();
        let mut tab = browser.socket().await;
        tab.start(conversation, QUESTION).await;
        let mut asked = tab.question().await;
        if restarts {
            server.stop().await;
            server = Server::start_with(&folder, &config).await;
            let (_, secret) = browser.cookie().unwrap().split_once('=').unwrap();
            browser = Browser::with_secret(server.url(), secret);
            tab = browser.socket().await;
            tab.subscribe(conversation, Seq(0)).await.unwrap();
            asked = tab.question().await;
        }
        // The simulated cluster is another one after a restart, so an approval would be for what was there before.
        let decision = if restarts { DENY } else { APPROVE };
        tab.decide(conversation, &asked, decision).await.unwrap();
        tab.see(|view| view.finished() == 1).await;
        let steps = tab.view.events.iter();
        let steps = steps.filter(|it| matches!(it.body, EventBody::StepStarted { .. }));
        let steps = steps.count();
        // A stop sends what is queued.
        server.stop().await;

        let spans = collector.spans();
        let text = Value::from(spans.clone()).to_string();
        for content in [QUESTION, "container 210", "on pve"] {
            assert!(!text.contains(content), "{content}: {text}");
        }
        let parts = named(&spans, "invoke_agent");
        let outcomes: Vec<_> = parts
            .iter()
            .map(|it| attribute(it, "jarvis.outcome"))
            .collect();
        assert_eq!(outcomes, [Some("waiting"), Some("answered")]);
        let trace = &parts[0]["traceId"];
        let of_turn: Vec<_> = spans.iter().filter(|it| it["traceId"] == *trace).collect();
        let request = attribute(parts[0], "jarvis.correlation");
        assert!(request.is_some_and(|id| id.starts_with("cmd_")));
        for span in &of_turn {
            assert_eq!(attribute(span, "jarvis.correlation"), request, "{span:#}");
        }
        let commands = named(&spans, "command");
        let calls = named(&spans, "execute_tool");
        let models = named(&spans, "chat ");
        let effects = named(&spans, "effect ");
        // The one that asked is part of the trace, the one that decided is not.
        assert_eq!(commands.len(), 2);
        are_below(&parts, &ids(&commands));
        are_below(&models, &ids(&parts));
        are_below(&calls, &ids(&parts));
        if restarts {
            assert_eq!(effects.len(), 0, "{effects:#?}");
        } else {
            are_below(&effects, &ids(&calls));
        }
        assert_eq!(models.len(), steps);
        let all = parts.len() + calls.len() + models.len() + effects.len();
        assert_eq!(of_turn.len(), all + 1, "{of_turn:#?}");

        let is_waiting = |it: &&&Value| attribute(it, "jarvis.outcome") == Some("waiting");
        let waits: Vec<_> = calls.iter().filter(is_waiting).collect();
        assert_eq!(waits.len(), 1);
        let link = json!([{ "traceId": trace, "spanId": waits[0]["spanId"] }]);
        assert_eq!(parts[1]["links"], link);
        let linked = calls.iter().filter(|it| it["links"] == link);
        // A denied call goes no further.
        assert_eq!(linked.count(), usize::from(!restarts));
        let reply = models.last().unwrap();
        let conversation = conversation.to_string();
        let of = attribute(reply, "gen_ai.conversation.id");
        assert_eq!(of, Some(conversation.as_str()));
        assert!(attribute(reply, "jarvis.model_request").is_some());
        // The rehearsal model is what was asked for, and says so.
        let answered = attribute(reply, "gen_ai.response.model");
        assert!(answered.is_some());
        assert_eq!(answered, attribute(reply, "gen_ai.request.model"));
        let ids = models
            .iter()
            .map(|it| attribute(it, "gen_ai.response.id").unwrap());
        let ids: BTreeSet<_> = ids.collect();
        assert_eq!(ids.len(), models.len(), "{ids:?}");
        assert_eq!(attribute(reply, "server.address"), Some("127.0.0.1"));
        for call in &calls {
            assert_eq!(attribute(call, "gen_ai.tool.type"), Some("function"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_spans_of_a_busy_server_say_what_the_journal_says() {
    let collector = Collector::start().await;
    let folder = Folder::new();
    let server = Server::start_with(&folder, &config(&collector.url)).await;
    let browser = server.sign_in().await;
    let (told, _waiting) = work(&server, &browser).await;
    // A stop sends what is queued.
    server.stop().await;
    let spans = collector.spans();

    let models = named(&spans, "chat ");
    for (key, tokens) in [
        ("input_tokens", told.usage.total_input()),
        ("output_tokens", told.usage.output),
        ("cache_read.input_tokens", told.usage.cache_read),
        ("cache_write.input_tokens", told.usage.cache_write),
    ] {
        let key = format!("gen_ai.usage.{key}");
        let of = |span: &&Value| {
            let number = value(span, &key).and_then(|it| it["intValue"].as_str());
            number.unwrap().parse::<u64>().unwrap()
        };
        assert_eq!(models.iter().map(of).sum::<u64>(), tokens, "{key}");
    }

    let mut turns = counts(&spans, "invoke_agent jarvis");
    let mut calls = counts(&spans, "execute_tool ");
    // Of three cards one is still open, one was denied and one approved.
    assert_eq!((waits(&mut turns), waits(&mut calls)), (3, 3));
    let ended = told.turns.iter();
    let ended = ended.map(|(outcome, count)| ((String::new(), (*outcome).to_owned()), *count));
    let ended: BTreeMap<_, _> = ended.collect();
    assert_eq!(turns, ended);
    let mut finished = BTreeMap::new();
    for ((tool, outcome), count) in &told.calls {
        // Names that no tool has are no names of spans.
        let tool = if tool.contains('"') {
            "other"
        } else {
            tool.as_str()
        };
        let key = (tool.to_owned(), (*outcome).to_owned());
        *finished.entry(key).or_default() += *count;
    }
    assert_eq!(calls, finished);
    calls.retain(|(_, outcome), _| outcome != "blocked");
    assert_eq!(counts(&spans, "effect "), calls);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_turn_needs_a_receiver() {
    let folder = Folder::new();
    // Nobody listens there.
    let server = Server::start_with(&folder, &config("http://127.0.0.1:9")).await;
    let browser = server.sign_in().await;
    let mut tab = browser.socket().await;
    tab.start(new_conversation(), "What is running?").await;
    tab.see(|view| view.finished() == 1).await;
    server.stop().await;
}
