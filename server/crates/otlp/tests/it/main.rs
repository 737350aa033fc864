//! Spans to receivers that take, refuse, fail and hang, over real connections.

#![expect(clippy::unwrap_used, reason = "tests")]

mod receiver;

use std::{future::pending, sync::Arc, time::Duration};

use otlp::{
    CollectorHeaders, CollectorUrl, ExporterConfig, ExporterLimits, FinishedSpan, SpanContext,
    SpanId, SpanKind, SpanOutcome, SpanQueue, TraceId, exporter,
};
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use receiver::{Answer, Receiver};

/// Timeout of a test: what has not happened by then never happens.
const PATIENCE: Duration = Duration::from_secs(40);

const QUICK: ExporterLimits = ExporterLimits {
    queue: 8,
    batch: 4,
    linger: Duration::ZERO,
    attempt: PATIENCE,
    attempts: 2,
    pause: Duration::ZERO,
};

type Counts = mpsc::UnboundedReceiver<(SpanOutcome, u64)>;

fn config(url: &str) -> ExporterConfig {
    ExporterConfig {
        collector: CollectorUrl::parse(url).unwrap(),
        headers: CollectorHeaders::parse("authorization=Bearer%20x").unwrap(),
        service: "lab".to_owned(),
        version: "1.0",
        limits: QUICK,
    }
}

/// An exporter with its queue, and what it counts.
fn prepared(url: &str) -> (SpanQueue, otlp::SpanExporter, Counts) {
    let (count, counts) = mpsc::unbounded_channel();
    let count = Arc::new(move |outcome: SpanOutcome, spans: u64| {
        // Nobody listens at the end of a test.
        count.send((outcome, spans)).unwrap_or_default();
    });
    let (queue, exporter) = exporter(config(url), count).unwrap();
    (queue, exporter, counts)
}

fn span(name: &str) -> FinishedSpan {
    FinishedSpan {
        context: SpanContext {
            trace: TraceId::of(&["t"]),
            span: SpanId::of(&[name]),
        },
        parent: None,
        name: name.to_owned(),
        kind: SpanKind::Internal,
        start: 1,
        end: 2,
        attributes: Vec::new(),
        links: Vec::new(),
        failed: false,
    }
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.unwrap()
}

/// Waits until as many spans were counted; returns those sent and those dropped.
async fn counted(counts: &mut Counts, all: u64) -> (u64, u64) {
    let (mut sent, mut dropped) = (0, 0);
    while sent + dropped < all {
        match soon(counts.recv()).await.unwrap() {
            (SpanOutcome::Sent, spans) => sent += spans,
            (SpanOutcome::Dropped, spans) => dropped += spans,
        }
    }
    assert_eq!(sent + dropped, all);
    (sent, dropped)
}

#[tokio::test]
async fn spans_go_to_the_receiver_with_its_headers() {
    let receiver = Receiver::start([Answer::Body("200 OK", "{}")]).await;
    let (queue, exporter, mut counts) = prepared(&receiver.url());
    for name in ["a", "b", "c"] {
        queue.push(span(name));
    }
    tokio::spawn(exporter.run(pending()));
    assert_eq!(counted(&mut counts, 3).await, (3, 0));
    let received = receiver.received();
    assert_eq!(received.len(), 1);
    assert!(received[0].head.starts_with("POST /v1/traces HTTP/1.1\r\n"));
    let head = received[0].head.to_lowercase();
    assert!(head.contains("authorization: bearer x\r\n"), "{head}");
    assert!(
        head.contains("content-type: application/json\r\n"),
        "{head}"
    );
    let names: Vec<_> = received[0]
        .spans()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_the_rest_is_dropped() {
    for (answers, expect) in [
        // It comes back in time.
        (
            vec![Answer::Body("503 Busy", ""), Answer::Body("200 OK", "{}")],
            (2, 0),
        ),
        (vec![Answer::Break, Answer::Body("200 OK", "")], (2, 0)),
        // It does not.
        (
            vec![Answer::Body("503 Busy", ""), Answer::Body("429 Slow", "")],
            (0, 2),
        ),
        // It will never take them, or has moved.
        (vec![Answer::Body("400 No", "")], (0, 2)),
        (vec![Answer::Body("401 Who", "")], (0, 2)),
        (vec![Answer::Body("302 There", "")], (0, 2)),
        // It takes a part.
        (
            vec![Answer::Body(
                "200 OK",
                r#"{"partialSuccess":{"rejectedSpans":"1"}}"#,
            )],
            (1, 1),
        ),
    ] {
        let requests = answers.len();
        let receiver = Receiver::start(answers).await;
        let (queue, exporter, mut counts) = prepared(&receiver.url());
        queue.push(span("a"));
        queue.push(span("b"));
        tokio::spawn(exporter.run(pending()));
        assert_eq!(counted(&mut counts, 2).await, expect);
        assert_eq!(receiver.received().len(), requests);
    }
}

#[tokio::test]
async fn the_queue_is_bounded_and_nobody_waits_for_it() {
    // Nobody listens there.
    let (queue, exporter, mut counts) = prepared("http://127.0.0.1:9");
    // It does not run yet, so whoever waited here would wait forever.
    for _ in 0..100 {
        queue.push(span("a"));
    }
    assert_eq!(counted(&mut counts, 92).await, (0, 92));
    tokio::spawn(exporter.run(pending()));
    assert_eq!(counted(&mut counts, 8).await, (0, 8));
}

#[tokio::test]
async fn a_receiver_that_hangs_holds_up_nothing_but_its_spans() {
    let taken = Answer::Body("200 OK", "{}");
    let answers = [Answer::Hang, taken.clone(), taken.clone(), taken];
    let receiver = Receiver::start(answers).await;
    let (queue, exporter, mut counts) = prepared(&receiver.url());
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(exporter.run(async {
        stopped.await.unwrap_or_default();
    }));
    queue.push(span("a"));
    soon(receiver.arrived(1)).await;
    for _ in 0..10 {
        queue.push(span("b"));
    }
    // Eight wait.
    assert_eq!(counted(&mut counts, 2).await, (0, 2));
    // A stop breaks the attempt off, and all nine are sent.
    stop.send(()).unwrap();
    soon(running).await.unwrap();
    assert_eq!(counted(&mut counts, 9).await, (9, 0));
}
