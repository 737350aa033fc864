//! The card of a run: what it shows is what is queued, and what makes it ask again.

use agent::ports::Preview;
use field::{
    field_package::{abilities::SandboxAbilities, script::StepsPayload},
    ports::DeviceStanding,
};
use field_testkit::{
    RunScenario,
    office::{ARCHIVE, GATEWAY, ROOM},
};
use protocol::{CardSection, LineChange};
use serde_json::{Value, json};

use crate::stub::{Stub, approved, call, person};

fn steps() -> Value {
    json!([{ "run": "ping", "target": "ip-s1-n1.1" }, { "run": "neighbours" }])
}

fn script(card: &Preview) -> Vec<(LineChange, String)> {
    let script = card.sections.iter().find_map(|section| match section {
        CardSection::Text { lines, .. } => Some(lines),
        _ => None,
    });
    let lines = script.unwrap().iter();
    lines.map(|line| (line.change, line.text.clone())).collect()
}

fn destinations(card: &Preview) -> Vec<Vec<String>> {
    let table = card.sections.iter().find_map(|section| match section {
        CardSection::Table { rows, .. } => Some(rows.clone()),
        _ => None,
    });
    table.unwrap()
}

#[tokio::test]
async fn the_card_shows_real_values_and_the_call_runs_exactly_them() {
    let stub = Stub::new();
    let (id, version) = stub.proposal(1, steps()).await;
    let call = approved(2, &id, version, &["Ada"]);
    let card = stub.preview(&call).await.unwrap();
    let lines: Vec<_> = script(&card).into_iter().map(|(_, text)| text).collect();
    assert!(lines[1].starts_with("/usr/bin/ping "), "{lines:?}");
    assert!(lines[1].contains(GATEWAY), "{lines:?}");
    let row = &destinations(&card)[0];
    assert_eq!(
        row[..5],
        [
            "1",
            GATEWAY,
            "ip-s1-n1.1",
            "icmp",
            "the device's own network"
        ]
    );
    // Everybody reads these in the feed.
    assert_eq!(
        card.sentence,
        "Run “Check the gateway” (2 steps, at most 43 s) on meeting room."
    );
    assert_eq!(card.target, "device meeting room");
    // The input itself has no token.
    assert_eq!(card.shown, None);
    stub.run(call).await.unwrap();
    let order = &stub.memory.orders()[0];
    let payload = StepsPayload::read(order.core.payload()).unwrap();
    assert_eq!(payload.render().text.lines().collect::<Vec<_>>(), lines);
    // Each by itself, beside the core that has most of them: the sentence of a drift goes by them.
    let bound: Vec<_> = card.state.as_object().unwrap().keys().collect();
    assert_eq!(
        bound,
        [
            "payload",
            "core",
            "device_key",
            "adopted",
            "abilities",
            "policy"
        ]
    );
    assert_eq!(card.state["device_key"], order.core.device_key());
    assert_eq!(card.state["payload"], order.core.payload_digest());
    assert_eq!(card.state["core"], order.core.digest().as_str());
    assert_eq!(order.approval.by, ["Ada"]);
    assert_eq!(order.approval.digest, format!("{:064x}", 2));
    // That values were shown is on record, once.
    stub.preview(&approved(2, &id, version, &["Ada"]))
        .await
        .unwrap();
    let looks = stub.memory.all_looks();
    assert_eq!(
        (looks.len(), looks[0].shown, looks[0].person),
        (1, 1, person())
    );
    assert!(looks[0].place.starts_with("card call_"), "{looks:?}");
}

#[tokio::test]
async fn a_probe_with_a_card_shows_the_value_of_its_token() {
    let stub = Stub::new();
    let step = json!({ "run": "ping", "target": "pub-s1-1" });
    let call = call(1, "run_probe", json!({ "device": ROOM, "step": step }));
    let card = stub.preview(&call).await.unwrap();
    let shown = card.shown.unwrap();
    assert_eq!(shown["step"]["target"], "81.2.69.142");
    assert_eq!(shown["device"], ROOM);
    assert!(!card.sentence.contains("81.2"), "{}", card.sentence);
    assert_eq!(destinations_of(&card.sections)[0][1], "81.2.69.142");
}

fn destinations_of(sections: &[CardSection]) -> Vec<Vec<String>> {
    let mut rows = sections.iter().filter_map(|section| match section {
        CardSection::Table { rows, .. } => Some(rows.clone()),
        _ => None,
    });
    rows.next().unwrap()
}

#[tokio::test]
async fn the_change_since_the_version_that_ran_is_shown() {
    let stub = Stub::new();
    let (id, _) = stub.proposal(1, steps()).await;
    stub.run(approved(2, &id, 1, &["Ada"])).await.unwrap();
    let other = json!([{ "run": "ping", "target": "ip-s1-n1.77" }, { "run": "neighbours" }]);
    let (same, version) = stub.version(3, other, Some(&id)).await;
    assert_eq!((&same, version), (&id, 2));
    let card = stub.preview(&approved(4, &id, 2, &["Ada"])).await.unwrap();
    let changes: Vec<_> = script(&card)
        .into_iter()
        .filter(|(change, _)| *change != LineChange::Kept)
        .collect();
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert!(changes[0].0 == LineChange::Removed && changes[0].1.contains(GATEWAY));
    assert!(changes[1].0 == LineChange::Added && changes[1].1.contains("10.20.0.77"));
    // The older one can still be asked for, and its card says that there is a newer one.
    let card = stub.preview(&approved(5, &id, 1, &["Ada"])).await.unwrap();
    assert!(card.risks.iter().any(|it| it.rule == "newer_version"));
    assert!(card.risks.iter().all(|it| it.rule != "first_run"));
}

#[tokio::test]
async fn reasons_point_at_lines() {
    let stub = Stub::new();
    let steps = json!([{ "run": "neighbours" }, { "run": "ping", "target": "9.9.9.9" }]);
    let (id, version) = stub.proposal(1, steps).await;
    let card = stub
        .preview(&approved(2, &id, version, &["Ada", "Bo"]))
        .await
        .unwrap();
    let reason = card
        .risks
        .iter()
        .find(|it| it.rule == "unasked_destination");
    let span = reason.unwrap().span.unwrap();
    let CardSection::Text { lines, .. } = &card.sections[span.section as usize] else {
        panic!("{:?}", card.sections);
    };
    assert!(lines[span.line as usize - 1].text.contains("9.9.9.9"));
}

#[tokio::test]
async fn a_card_asks_again_and_says_what_has_changed() {
    let stub = Stub::new();
    let (id, version) = stub.proposal(1, steps()).await;
    let call = approved(2, &id, version, &["Ada"]);
    let before = stub.preview(&call).await.unwrap();
    let tool = stub.tool("run_script");
    // Its last contact changes by itself.
    stub.memory.edit_device(ROOM, |device| {
        device.is_online = false;
        device.last_seen = None;
    });
    let later = stub.preview(&call).await.unwrap();
    assert_eq!(later.state, before.state);
    assert_eq!(later.sections, before.sections);
    let risks: Vec<_> = later.risks.iter().map(|it| &*it.rule).collect();
    assert!(risks.contains(&"offline"), "{risks:?}");
    stub.memory
        .edit_device(ROOM, |device| device.fingerprint = "ab".repeat(32));
    let other_key = stub.preview(&call).await.unwrap();
    assert_ne!(other_key.state, before.state);
    assert_eq!(
        tool.drift(&before.facts, &other_key).as_deref(),
        Some("Changed since it was shown: Device key.")
    );
    stub.memory.edit_device(ROOM, |device| {
        device.abilities = Some(SandboxAbilities::default())
    });
    let weaker = stub.preview(&call).await.unwrap();
    assert_ne!(weaker.state, other_key.state);
    assert_eq!(
        tool.drift(&before.facts, &weaker).as_deref(),
        Some("Changed since it was shown: Device key, Sandboxes.")
    );
    // The same script with another risk: it has run meanwhile.
    let same = stub.preview(&call).await.unwrap();
    stub.run(approved(3, &id, version, &["Ada"])).await.unwrap();
    let ran = stub.preview(&call).await.unwrap();
    assert_ne!(ran.state, same.state);
    assert_eq!(
        tool.drift(&same.facts, &ran).as_deref(),
        Some("The risk of the script is another one now.")
    );
    stub.memory
        .edit_device(ROOM, |device| device.standing = DeviceStanding::Suspended);
    let error = stub.preview(&call).await.unwrap_err();
    assert!(error.message.contains("adopted"), "{error}");
}

#[tokio::test]
async fn whoever_may_not_see_values_gets_no_card() {
    let stub = Stub::new();
    let (id, version) = stub.proposal(1, steps()).await;
    stub.memory.shut_out(person());
    let call = approved(2, &id, version, &["Ada"]);
    let error = stub.preview(&call).await.unwrap_err();
    assert_eq!(error.message, "This role can't see hidden values.");
    assert!(stub.memory.all_looks().is_empty());
}

#[tokio::test]
async fn a_proposal_runs_on_its_own_device() {
    let stub = Stub::new();
    let (id, version) = stub.proposal(1, steps()).await;
    let mut call = approved(2, &id, version, &["Ada"]);
    call.input["device"] = json!(ARCHIVE);
    let error = stub.preview(&call).await.unwrap_err();
    assert_eq!(error.message, "The proposal is for another device.");
    assert!(stub.run(call).await.is_err());
    let missing = approved(3, &id, 9, &["Ada"]);
    let error = stub.run(missing).await.unwrap_err();
    assert_eq!(error.message, "There is no such proposal or version.");
    assert!(stub.memory.orders().is_empty());
    stub.memory.scenario(RunScenario::Ends);
}
