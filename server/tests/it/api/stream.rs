//! Events as they stream: nothing is lost or doubled, and the stream ends when it must.

use rehearsal::{Block, Pace, Scripted};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{follower::Follower, get, post, program, started};
use crate::{
    client::send,
    harness::{Folder, Server},
};

/// A long answer whose pace leaves half a minute for the middle of a test.
fn long_answer() -> (String, Scripted) {
    let text: String = (0..1500).map(|n| format!("word{n} ")).collect();
    let pace = Pace {
        first_token_ms: 0,
        tokens_per_second: 100,
    };
    let scripted = Scripted::reply([Block::text(text.clone())]).pace(pace);
    (text, scripted)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_breaks_goes_on_without_loss_or_doubles() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let (whole, scripted) = long_answer();
    server.script().push(scripted);
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "operator", &[]).await;
    let address = started(&program, "Tell me a story.").await;

    let mut first = Follower::open(&program, &address, None).await;
    while first.streamed().len() < 40 {
        first.next().await.unwrap();
    }
    let mut ids = first.ids();
    let so_far = first.streamed().to_owned();
    drop(first);

    let mut second = Follower::open(&program, &address, ids.last().copied()).await;
    second.until(|sent| sent.kind == "subscribed").await;
    while second.streamed().len() < so_far.len() + 40 {
        second.next().await.unwrap();
    }
    assert!(second.streamed().starts_with(&so_far));
    assert!(whole.starts_with(second.streamed()));
    let stop = post(&program, &format!("{address}/stop"), "", &json!({})).await;
    assert_eq!(stop.status(), StatusCode::ACCEPTED);
    second.finished().await;
    ids.extend(second.ids());
    let end = get(&program, &address).await;
    let head = end["head"].as_u64().unwrap();
    assert_eq!(ids, (1..=head).collect::<Vec<_>>());
    // What followed says what was read.
    let journal: Vec<Value> = end["events"].as_array().unwrap().clone();
    let followed = second.seen.iter().filter(|sent| sent.id.is_some());
    for sent in followed {
        let seq = sent.id.unwrap();
        assert_eq!(sent.kind, "journal");
        assert!(journal.contains(&sent.data), "{seq}: {}", sent.data);
    }
    let nothing = post(&program, &format!("{address}/stop"), "", &json!({})).await;
    assert_eq!(super::code(nothing).await, "turn_not_found");

    // A number that no event has, such as one of a newer copy of the database: all of it comes again.
    for forged in [head + 1, u64::MAX] {
        let mut third = Follower::open(&program, &address, Some(forged)).await;
        let gap = third.next().await.unwrap();
        assert_eq!(gap.kind, "gap");
        assert_eq!(gap.data, json!({ "after": forged, "head": head }));
        third.until(|sent| sent.kind == "subscribed").await;
        assert_eq!(third.ids(), (0..=head).collect::<Vec<_>>());
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_runs_a_turn_that_is_followed() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    for text in ["First.", "Second."] {
        server.script().reply([Block::text(text)]);
    }
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "operator", &[]).await;
    let address = started(&program, "Hello").await;
    let mut follower = Follower::open(&program, &address, None).await;
    follower.finished().await;
    let sent = post(
        &program,
        &format!("{address}/messages"),
        "",
        &json!({ "message": "More" }),
    )
    .await;
    assert_eq!(sent.status(), StatusCode::ACCEPTED);
    follower.finished().await;
    let end = get(&program, &address).await;
    assert_eq!(end["conversation"]["messages"], 4);
    assert_eq!(end["conversation"]["mode"], "default");
    let plan = json!({ "message": "Plan it", "mode": "plan" });
    server.script().reply([Block::text("A plan.")]);
    let plan = post(&program, super::CONVERSATIONS, "", &plan).await;
    let plan = plan.headers()["location"].to_str().unwrap().to_owned();
    let end = get(&program, &plan).await;
    assert_eq!(end["conversation"]["mode"], "plan");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_with_its_token_and_with_the_server() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    server.script().reply([Block::text("Sir.")]);
    let owner = server.sign_in().await;
    let revoked = program(&server, &owner, "viewer", &[]).await;
    let page = owner.get("/settings/tokens").await.text().await.unwrap();
    let (_, name) = page.split_once("value=\"tok_").unwrap();
    let name = format!("tok_{}", name.split_once('"').unwrap().0);
    let stays = program(&server, &owner, "operator", &[]).await;
    let address = started(&stays, "Hello").await;
    let mut first = Follower::open(&revoked, &address, None).await;
    let mut second = Follower::open(&stays, &address, None).await;
    for follower in [&mut first, &mut second] {
        follower.until(|sent| sent.kind == "subscribed").await;
    }
    let fields = [("do", "revoke"), ("token", name.as_str())];
    owner.post("/settings/tokens", &fields).await;
    let ended = first.until(|sent| sent.kind == "end").await;
    assert_eq!(ended.data, json!({ "reason": "signed_out" }));
    assert!(first.next().await.is_none());
    let refused = send(revoked.request(Method::GET, &address)).await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);

    let stop = server.stop();
    let read = async {
        let ended = second.until(|sent| sent.kind == "end").await;
        assert_eq!(ended.data, json!({ "reason": "restart" }));
        assert!(second.next().await.is_none());
    };
    tokio::join!(stop, read);
}
