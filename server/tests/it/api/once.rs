//! `Idempotency-Key`: one effect and one answer, also over a restart.

use rehearsal::Block;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{CONVERSATIONS, code, get, post, program};
use crate::harness::{Folder, Server};

const KEY: &str = "0b6f8d1e-0000-4000-8000-7c1f";

async fn count(program: &crate::client::Browser) -> usize {
    let list = get(program, CONVERSATIONS).await;
    list["conversations"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_sent_again_has_one_effect_and_one_answer() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    for _ in 0..3 {
        server.script().reply([Block::text("Sir.")]);
    }
    let owner = server.sign_in().await;
    let writer = program(&server, &owner, "operator", &[]).await;
    let other = program(&server, &owner, "operator", &[]).await;
    let hello = json!({ "message": "Hello" });

    // Refused, so that the key is free again.
    let nowhere = json!({ "message": "Hello", "packs": ["nowhere"] });
    let refused = post(&writer, CONVERSATIONS, KEY, &nowhere).await;
    assert_eq!(code(refused).await, "pack_not_found");

    let first = post(&writer, CONVERSATIONS, KEY, &hello).await;
    assert_eq!(first.status(), StatusCode::CREATED);
    assert!(!first.headers().contains_key("idempotent-replayed"));
    let location = first.headers()["location"].clone();
    let first: Value = first.json().await.unwrap();
    let again = async |server: &Server| {
        let program = writer.at(server.url());
        let again = post(&program, CONVERSATIONS, KEY, &hello).await;
        assert_eq!(again.status(), StatusCode::CREATED);
        assert_eq!(again.headers()["idempotent-replayed"], "true");
        assert_eq!(again.headers()["location"], location);
        assert_eq!(again.json::<Value>().await.unwrap(), first);
    };
    again(&server).await;
    assert_eq!(count(&writer).await, 1);

    // The key stands for this body at this address.
    for (path, body) in [
        (CONVERSATIONS, json!({ "message": "Good-bye" })),
        (
            &format!("{}/messages", location.to_str().unwrap()),
            hello.clone(),
        ),
    ] {
        let reused = post(&writer, path, KEY, &body).await;
        assert_eq!(reused.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(code(reused).await, "idempotency_key_reused", "{path}");
    }
    // And is that of its token alone.
    let others = post(&other, CONVERSATIONS, KEY, &hello).await;
    assert_ne!(others.headers()["location"], location);
    assert_eq!(count(&writer).await, 2);

    server.stop().await;
    let server = Server::start(&folder).await;
    again(&server).await;
    assert_eq!(count(&writer.at(server.url())).await, 2);
    server.stop().await;
}

/// Two at the same time: one is carried out, and the other gets its answer or is told to come back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_at_the_same_time_have_one_effect() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    server.script().reply([Block::text("Sir.")]);
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "operator", &[]).await;
    let hello = json!({ "message": "Hello" });
    let all = (0..8).map(|_| post(&program, CONVERSATIONS, KEY, &hello));
    let mut made = Vec::new();
    for answer in futures::future::join_all(all).await {
        match answer.status() {
            StatusCode::CREATED => made.push(answer.headers()["location"].clone()),
            StatusCode::CONFLICT => {
                assert_eq!(answer.headers()["retry-after"], "1");
                assert_eq!(code(answer).await, "request_underway");
            }
            status => panic!("{status}"),
        }
    }
    assert!(!made.is_empty());
    made.dedup();
    assert_eq!(made.len(), 1);
    assert_eq!(count(&program).await, 1);
    server.stop().await;
}
