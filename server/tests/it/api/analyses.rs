//! Analyses and scripts: streams that outlive the server, and refusals. `field::analyses` has what a model
//! and a hostile text can do there.

use protocol::{MessageId, Timestamp};
use rehearsal::{Block, Fault, Scripted};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::{CONVERSATIONS, code, follower::Follower, get, post, program, started};
use crate::{
    binary::Process,
    client::{Browser, new_conversation, send},
    harness::{Folder, Server},
    tokens::token,
};

pub(crate) const ANALYSES: &str = "/api/v1/ai/analyses";
pub(crate) const SCRIPTS: &str = "/api/v1/ai/scripts";

fn node() -> Value {
    json!({ "kind": "node", "id": "pve" })
}

fn analysis() -> Value {
    json!({ "question": "What is wrong with it?", "about": [node()] })
}

/// Sends an analysis for its stream, with a key.
pub(crate) async fn streamed(program: &Browser, body: &Value, after: Option<&str>) -> Response {
    let mut request = program
        .request(Method::POST, ANALYSES)
        .header("accept", "text/event-stream")
        .header("idempotency-key", "one-analysis")
        .json(body);
    if let Some(after) = after {
        request = request.header("last-event-id", after);
    }
    send(request).await
}

/// Reads a stream to its end, which has its reason.
pub(crate) async fn to_the_end(follower: &mut Follower) {
    while follower.next().await.is_some() {}
    let end = follower.seen.last().unwrap();
    assert_eq!(
        (&*end.kind, &end.data),
        ("end", &json!({ "reason": "done" }))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_stream_of_an_analysis_goes_on_after_a_kill() {
    let folder = Folder::new();
    let first = Process::start(&folder).await;
    let owner = Browser::sign_in(&first.link).await;
    let text = "Half an analysis, and then the lights go out.";
    first
        .script(&json!([{
            "blocks": [{ "type": "text", "text": text }],
            "faults": [{ "type": "stall", "after": 3 }],
        }]))
        .await;
    let url = |process: &Process| process.link.split_once("/sign-in").unwrap().0.to_owned();
    let secret = token(&owner, "operator", &[]).await.unwrap();
    let program = Browser::new(&url(&first)).bearing(&secret);
    let begun = streamed(&program, &analysis(), None).await;
    let location = begun.headers()["location"].to_str().unwrap().to_owned();
    let mut before = Follower::of(begun);
    while before.streamed().is_empty() {
        before.next().await.unwrap();
    }
    let mut ids = before.ids();
    first.signal("-KILL").await;
    assert_eq!(first.exit().await, None);
    drop(before);

    // The same request again, with what had come.
    let second = Process::start(&folder).await;
    let program = program.at(&url(&second));
    let last = ids.last().unwrap().to_string();
    let resumed = streamed(&program, &analysis(), Some(&last)).await;
    assert_eq!(resumed.headers()["location"], location.as_str());
    assert_eq!(resumed.headers()["idempotent-replayed"], "true");
    let mut after = Follower::of(resumed);
    to_the_end(&mut after).await;
    ids.extend(after.ids());
    let end = get(&program, &location).await;
    let head = end["head"].as_u64().unwrap();
    assert_eq!(ids, (1..=head).collect::<Vec<_>>());
    let journal = end["events"].to_string();
    assert!(journal.contains("step_interrupted") && !journal.contains("lights go out"));

    // Whoever comes when all is over reads it once more, and it is still one.
    let mut again = Follower::of(streamed(&program, &analysis(), None).await);
    to_the_end(&mut again).await;
    assert_eq!(again.ids(), ids);
    let mut late = Follower::of(streamed(&program, &analysis(), Some(&head.to_string())).await);
    to_the_end(&mut late).await;
    assert!(late.ids().is_empty());
    let list = get(&program, CONVERSATIONS).await;
    assert_eq!(list["conversations"].as_array().unwrap().len(), 1);
    second.signal("-TERM").await;
    assert_eq!(second.exit().await, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_analysed_is_refused_with_its_reason() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let writer = program(&server, &owner, "operator", &[]).await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let with = |member: &str, value: Value| {
        let mut body = analysis();
        body[member] = value;
        body
    };
    let many = vec![node(); 9];
    for (body, status, expect) in [
        (json!({}), 422, "body_invalid"),
        (json!({ "question": "Why?" }), 422, "body_invalid"),
        (with("about", json!([])), 422, "body_invalid"),
        (with("about", node()), 422, "body_invalid"),
        // No mode but the one without tools.
        (with("mode", json!("default")), 422, "body_invalid"),
        (with("question", json!(" ")), 400, "message_empty"),
        (
            with("question", json!("x".repeat(64 * 1024 + 1))),
            413,
            "message_too_long",
        ),
        (
            with("about", json!([{ "kind": "nothing", "id": "pve" }])),
            400,
            "malformed",
        ),
        (with("about", json!(many)), 400, "malformed"),
    ] {
        let refused = post(&writer, ANALYSES, "a-key", &body).await;
        assert_eq!(refused.status(), status, "{expect}");
        assert_eq!(code(refused).await, expect);
        // A stream is refused as the rest is.
        let refused = streamed(&writer, &body, None).await;
        assert_eq!(refused.status(), status, "{expect}");
        assert_eq!(code(refused).await, expect);
    }
    let refused = post(&reader, ANALYSES, "", &analysis()).await;
    assert_eq!(code(refused).await, "role_not_enough");
    let refused = streamed(&writer, &analysis(), Some("1; drop")).await;
    assert_eq!(code(refused).await, "last_event_id_invalid");
    let list = get(&writer, CONVERSATIONS).await;
    assert_eq!(list["conversations"], json!([]), "nothing has begun");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_comes_out_of_an_analysis_that_has_ended() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let writer = program(&server, &owner, "operator", &[]).await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let stalls = Scripted::reply([Block::text("It never ends.")]).with(Fault::Stall { after: 1 });
    let id = |address: &str| address.rsplit('/').next().unwrap().to_owned();

    server.script().reply([Block::text("Sir.")]);
    let plain = started(&writer, "Hello").await;
    Follower::open(&writer, &plain, None).await.finished().await;
    server.script().reply([Block::text("It is the disk.")]);
    let ended = post(&writer, ANALYSES, "", &analysis()).await;
    assert_eq!(ended.status(), 201);
    let ended = ended.headers()["location"].to_str().unwrap().to_owned();
    Follower::open(&writer, &ended, None).await.finished().await;
    server.script().push(stalls);
    let running = post(&writer, ANALYSES, "", &analysis()).await;
    let running = running.headers()["location"].to_str().unwrap().to_owned();

    let nothing = MessageId::new(Timestamp(9), 9);
    for (body, status, expect) in [
        (json!({}), 422, "body_invalid"),
        (
            json!({ "analysis": new_conversation() }),
            404,
            "conversation_not_found",
        ),
        (json!({ "analysis": id(&plain) }), 422, "analysis_invalid"),
        (json!({ "analysis": id(&running) }), 409, "turn_running"),
        (
            json!({ "analysis": id(&ended), "answer": nothing }),
            400,
            "malformed",
        ),
        (
            json!({ "analysis": id(&ended), "message": " " }),
            400,
            "message_empty",
        ),
    ] {
        let refused = post(&writer, SCRIPTS, "a-key", &body).await;
        assert_eq!(refused.status(), status, "{body}");
        assert_eq!(code(refused).await, expect, "{body}");
    }
    let body = json!({ "analysis": id(&ended) });
    let refused = post(&reader, SCRIPTS, "", &body).await;
    assert_eq!(refused.status(), 403);
    assert_eq!(code(refused).await, "role_not_enough");
    let path = format!("{SCRIPTS}/{}", id(&ended));
    let none = send(reader.request(Method::GET, &path)).await;
    assert_eq!(none.status(), 404);
    assert_eq!(code(none).await, "script_not_found");
    server.stop().await;
}
