//! Programs that follow the whole field: nothing is lost or doubled, also over a restart, and there is no value in it.

use serde_json::{Value, json};

use super::{FIELD, free_of_values};
use crate::{
    api::{
        follower::{Follower, Sent},
        post, program,
    },
    client::{Browser, new_conversation},
    field::{conversations::start_roomy, office},
    harness::Folder,
    tokens::token,
};

fn is(sent: &Sent, subject: &str, kind: &str) -> bool {
    sent.kind == subject && sent.data["kind"] == kind
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_events_of_the_field_go_on_after_a_restart_and_have_no_value() {
    let folder = Folder::new();
    let server = start_roomy(&folder).await;
    let owner = server.sign_in().await;
    let room = office(&owner).await.device("Meeting room");
    let secret = token(&owner, "viewer", &["field"]).await.unwrap();
    let reader = Browser::new(server.url()).bearing(&secret);

    // A stream without a place begins now, and says where that is.
    let mut live = Follower::open(&reader, FIELD, None).await;
    let begin = live.next().await.unwrap();
    assert_eq!(begin.kind, "begin");
    let mut tab = owner.socket().await;
    tab.gateway(&server, new_conversation(), &room).await;
    let ended = live.until(|sent| is(sent, "run", "ended")).await;
    assert_eq!(ended.data["device"], room.as_str());
    let last = ended.id.unwrap();
    let after_begin: Vec<_> = (begin.id.unwrap()..=last).collect();
    assert_eq!(live.ids(), after_begin);

    // Another one has all of it from the start.
    let mut whole = Follower::open(&reader, FIELD, Some(0)).await;
    whole.until(|sent| sent.id == Some(last)).await;
    assert_eq!(whole.ids(), (1..=last).collect::<Vec<_>>());
    let count = |subject, kind| {
        let all = whole.seen.iter();
        all.filter(|sent| is(sent, subject, kind)).count()
    };
    assert_eq!(count("device", "adopted"), 6);
    assert!(count("bundle", "complete") >= 6);
    assert!(count("run", "queued") >= 1);
    for sent in live.seen.iter().chain(&whole.seen) {
        free_of_values(&sent.data.to_string());
    }
    for at in [1, last / 2, last - 1] {
        let mut again = Follower::open(&reader, FIELD, Some(at)).await;
        let next = again.next().await.unwrap();
        assert_eq!(next.id, Some(at + 1));
        let first = &whole.seen[usize::try_from(at).unwrap()];
        assert_eq!((&next.kind, &next.data), (&first.kind, &first.data));
    }
    // A number of no event leads to what comes now.
    for forged in [last + 1_000_000, u64::MAX] {
        let mut again = Follower::open(&reader, FIELD, Some(forged)).await;
        let gap = again.next().await.unwrap();
        assert_eq!(gap.kind, "gap", "{forged}");
        assert!(gap.id.unwrap() >= last && gap.id.unwrap() < forged);
    }
    drop((live, whole));
    server.stop().await;

    let server = start_roomy(&folder).await;
    let owner = server.sign_in().await;
    let reader = Browser::new(server.url()).bearing(&secret);
    let mut again = Follower::open(&reader, FIELD, Some(last)).await;
    let actor = program(&server, &owner, "operator", &["field"]).await;
    let body = json!({
        "site": "nordlicht", "sections": [{ "name": "note", "text": "192.168.41.77 is slow" }],
    });
    let taken = post(&actor, &format!("{FIELD}/diagnostics"), "one", &body).await;
    let taken: Value = taken.json().await.unwrap();
    let came = again
        .until(|sent| is(sent, "bundle", "complete") && sent.data["id"] == taken["bundle"])
        .await;
    assert_eq!(came.data["device"], Value::Null);
    let missed: Vec<_> = (last + 1..=came.id.unwrap()).collect();
    assert_eq!(again.ids(), missed);
    server.stop().await;
}
