//! Delivery to receivers that fail, hang, redirect and flood, over real connections.

#![expect(clippy::unwrap_used, reason = "tests")]

mod memory_queue;
mod receiver;

use std::{sync::Arc, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use tokio::sync::Notify;
use webhooks::{
    Delivery, DeliveryAttempt, DeliveryWorker, EndpointUrl, FailedAttempt, SenderLimits,
    Settlement, SigningSecrets, WebhookEndpoint, WebhookSender,
};

use memory_queue::{MemoryQueue, SECONDS};
use receiver::{Answer, Received, Receiver};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
/// Timeout of a test: what has not happened by then never happens.
const PATIENCE: Duration = Duration::from_secs(40);

fn sender(url: &str, limits: SenderLimits) -> WebhookSender {
    let endpoint = WebhookEndpoint {
        name: "chat".to_owned(),
        url: EndpointUrl::parse(url).unwrap(),
        secrets: SigningSecrets::parse(SECRET).unwrap(),
    };
    WebhookSender::new(endpoint, limits).unwrap()
}

fn delivery(message: &str) -> Delivery {
    Delivery {
        message: message.to_owned(),
        body: format!("{{\"type\":\"turn.ended\",\"data\":{{\"turn\":\"{message}\"}}}}"),
        failed: 0,
    }
}

/// The signature of a request, by another implementation, over what came in.
fn signature(received: &Received) -> String {
    let key = BASE64_STANDARD.decode(&SECRET["whsec_".len()..]).unwrap();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &key);
    let signed = [
        received.header("webhook-id"),
        received.header("webhook-timestamp"),
        received.body.as_str(),
    ];
    let signed = ring::hmac::sign(&key, signed.join(".").as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(signed.as_ref()))
}

/// Runs a worker until so many messages have been settled.
async fn work(url: &str, queue: &Arc<MemoryQueue>, settled: usize) {
    let wake = Arc::new(Notify::new());
    let sender = sender(url, SenderLimits::default());
    let worker = DeliveryWorker::new(sender, queue.clone(), wake);
    let done = tokio::time::timeout(PATIENCE, async {
        tokio::select! {
            () = worker.run() => {}
            () = queue.has_settled(settled) => {}
        }
    });
    done.await.unwrap();
}

#[tokio::test]
async fn a_message_is_repeated_with_its_id_until_it_is_taken() {
    let receiver = Receiver::start([
        Answer::Status("500 Internal Server Error"),
        Answer::Status("429 Too Many Requests"),
        Answer::Break,
        Answer::Status("204 No Content"),
    ])
    .await;
    let queue = MemoryQueue::with([delivery("msg_1")]);
    work(&receiver.url(), &queue, 4).await;
    let received = receiver.received();
    assert_eq!(received.len(), 4);
    for (n, request) in received.iter().enumerate() {
        assert_eq!(request.line, "POST /hook HTTP/1.1");
        assert_eq!(request.header("webhook-id"), "msg_1");
        assert_eq!(request.header("content-type"), "application/json");
        assert_eq!(request.body, delivery("msg_1").body);
        // Each attempt has its own time, and a signature over it.
        let seconds = SECONDS + i64::try_from(n).unwrap();
        assert_eq!(request.header("webhook-timestamp"), seconds.to_string());
        assert_eq!(request.header("webhook-signature"), signature(request));
        assert!(!request.head.contains("whsec"), "{}", request.head);
    }
    let retry = |seconds, why| Settlement::Retry {
        after: Duration::from_secs(seconds),
        why,
    };
    let settled = queue.settled();
    let settled: Vec<_> = settled.into_iter().map(|(_, how)| how).collect();
    let expect = [
        retry(5, FailedAttempt::Status(500)),
        retry(30, FailedAttempt::Status(429)),
        retry(120, FailedAttempt::Answer),
        Settlement::Delivered,
    ];
    assert_eq!(settled, expect);
    assert!(queue.is_empty());
}

#[tokio::test]
async fn a_message_that_always_fails_is_given_up_and_others_go_on() {
    let receiver = Receiver::start_with(|request: &Received| {
        if request.header("webhook-id") == "msg_bad" {
            Answer::Status("400 Bad Request")
        } else {
            Answer::Status("200 OK")
        }
    })
    .await;
    let good = (0..20).map(|n| delivery(&format!("msg_{n}")));
    let queue = MemoryQueue::with([delivery("msg_bad")].into_iter().chain(good));
    work(&receiver.url(), &queue, 30).await;
    let settled = queue.settled();
    let bad = settled.iter().filter(|(message, _)| message == "msg_bad");
    let bad: Vec<_> = bad.map(|(_, how)| *how).collect();
    assert_eq!(bad.len(), 10);
    let why = FailedAttempt::Status(400);
    assert_eq!(bad.last(), Some(&Settlement::GivenUp { why }));
    let delivered = settled
        .iter()
        .filter(|(_, how)| *how == Settlement::Delivered);
    assert_eq!(delivered.count(), 20);
    assert!(queue.is_empty());
    assert!(receiver.most_at_once() <= 4, "{}", receiver.most_at_once());
}

/// Each kind of failure at the receiver, in one attempt each.
#[tokio::test]
async fn only_a_2xx_of_the_endpoint_itself_counts() {
    let elsewhere = Receiver::start([Answer::Status("200 OK")]).await;
    let moved = |status: &str| {
        let to = elsewhere.url();
        Answer::Head(format!(
            "HTTP/1.1 {status}\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"
        ))
    };
    let status = |status| DeliveryAttempt::Failed(FailedAttempt::Status(status));
    let failed = DeliveryAttempt::Failed;
    for (answer, expect) in [
        (Answer::Status("200 OK"), DeliveryAttempt::Delivered),
        (Answer::Status("299 Fine"), DeliveryAttempt::Delivered),
        (Answer::Status("410 Gone"), DeliveryAttempt::Gone),
        (Answer::Status("404 Not Found"), status(404)),
        (moved("301 Moved Permanently"), status(301)),
        (moved("302 Found"), status(302)),
        (moved("303 See Other"), status(303)),
        (moved("307 Temporary Redirect"), status(307)),
        (moved("308 Permanent Redirect"), status(308)),
        (Answer::Break, failed(FailedAttempt::Answer)),
        (
            Answer::Head("SSH-2.0-x\r\n\r\n".to_owned()),
            failed(FailedAttempt::Answer),
        ),
    ] {
        let case = format!("{answer:?}");
        let receiver = Receiver::start([answer]).await;
        let sender = sender(&receiver.url(), SenderLimits::default());
        let attempt = sender.send(&delivery("msg_1"), SECONDS).await;
        assert_eq!(attempt, expect, "{case}");
        assert_eq!(receiver.received().len(), 1, "{case}");
    }
    assert!(elsewhere.received().is_empty(), "no redirect was followed");
}

#[tokio::test]
async fn a_receiver_that_never_answers_costs_the_time_of_an_attempt() {
    let receiver = Receiver::start([Answer::Hang]).await;
    let limits = SenderLimits {
        total: Duration::from_millis(50),
        ..SenderLimits::default()
    };
    let sender = sender(&receiver.url(), limits);
    let delivery = delivery("msg_1");
    let attempt = sender.send(&delivery, SECONDS);
    let attempt = tokio::time::timeout(PATIENCE, attempt).await.unwrap();
    let timeout = DeliveryAttempt::Failed(FailedAttempt::Timeout);
    assert_eq!(attempt, timeout);
}

/// 100 MB, and a head without end.
#[tokio::test]
async fn a_flood_is_not_read() {
    for (answer, expect) in [
        (Answer::Flood, DeliveryAttempt::Delivered),
        (
            Answer::EndlessHead,
            DeliveryAttempt::Failed(FailedAttempt::Answer),
        ),
    ] {
        let case = format!("{answer:?}");
        let receiver = Receiver::start([answer]).await;
        let sender = sender(&receiver.url(), SenderLimits::default());
        let delivery = delivery("msg_1");
        let attempt = sender.send(&delivery, SECONDS);
        let attempt = tokio::time::timeout(PATIENCE, attempt).await.unwrap();
        assert_eq!(attempt, expect, "{case}");
        // The connection was closed before all of it was there.
        let written = tokio::time::timeout(PATIENCE, receiver.broken_off());
        let written = written.await.unwrap();
        assert!(
            written < receiver::FLOOD,
            "{case}: {written} bytes were taken"
        );
    }
}

#[tokio::test]
async fn nobody_there_is_a_failure_like_others() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    drop(listener);
    let sender = sender(&url, SenderLimits::default());
    let attempt = sender.send(&delivery("msg_1"), SECONDS).await;
    let connection = DeliveryAttempt::Failed(FailedAttempt::Connection);
    assert_eq!(attempt, connection);
}

#[tokio::test]
async fn a_message_that_was_not_settled_is_sent_again() {
    let receiver = Receiver::start_with(|_: &Received| Answer::Status("200 OK")).await;
    let queue = MemoryQueue::with([delivery("msg_1")]);
    queue.fail_next();
    // The message was delivered, and the process ended before that was written down.
    let wake = Arc::new(Notify::new());
    let first = sender(&receiver.url(), SenderLimits::default());
    let worker = DeliveryWorker::new(first, queue.clone(), wake);
    let broken = tokio::time::timeout(PATIENCE, async {
        tokio::select! {
            () = worker.run() => {}
            () = queue.has_failed() => {}
        }
    });
    broken.await.unwrap();
    assert!(queue.settled().is_empty());
    work(&receiver.url(), &queue, 1).await;
    let received = receiver.received();
    let ids: Vec<_> = received.iter().map(|it| it.header("webhook-id")).collect();
    assert_eq!(ids, ["msg_1", "msg_1"]);
    assert!(queue.is_empty());
}
