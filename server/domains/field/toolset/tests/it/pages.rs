//! Pages: tokens for everybody, values for whoever may see them.

use agent::ports::Toolset;
use field_testkit::office::{ARCHIVE, BUNDLE, GATEWAY, ROOM};
use protocol::{ErrorBody, ErrorCode, PageQuery, UserId};
use serde_json::{Value, json};

use crate::stub::{Stub, approved, person};

async fn page(
    stub: &Stub,
    who: UserId,
    kind: &str,
    name: &str,
    part: &str,
) -> Result<Value, ErrorBody> {
    let query = PageQuery {
        kind: kind.to_owned(),
        name: name.to_owned(),
        part: part.to_owned(),
    };
    stub.field.page(who, &query).await
}

#[tokio::test]
async fn pages_have_tokens_and_their_parts() {
    let stub = Stub::new();
    let steps = json!([{ "run": "ping", "target": "ip-s1-n1.1" }]);
    let (proposal, _) = stub.proposal(1, steps).await;
    stub.run(approved(2, &proposal, 1, &["Ada"])).await.unwrap();
    let other = json!([{ "run": "ping", "target": "ip-s1-n1.77" }]);
    stub.version(3, other, Some(&proposal)).await;
    let listed = stub.call("list_runs", json!({})).await.unwrap();
    let run = listed.data["runs"][0]["run"].as_str().unwrap();
    for (kind, name, part, pointer) in [
        ("device", ROOM, "device", "/fingerprint"),
        ("device", ROOM, "device", "/runs/0/id"),
        ("device", ROOM, "looks", "/0/place"),
        ("bundle", BUNDLE, "bundle", "/legend"),
        ("bundle", BUNDLE, "section/neighbours", "/pieces/1"),
        ("proposal", &proposal, "proposal", "/risk/level"),
        ("proposal", &proposal, "version/1", "/steps/0"),
        ("run", run, "run", "/package/7/value"),
        ("run", run, "run", "/results/0/pieces/0"),
        ("run", run, "log/out", "/pieces/0"),
        ("run", run, "log/out/before/40", "/pieces/0"),
        ("run", run, "log/err/1", "/pieces/0"),
    ] {
        let answer = page(&stub, person(), kind, name, part).await.unwrap();
        let found = answer.pointer(pointer);
        assert!(
            found.is_some_and(Value::is_string),
            "{kind} {part}: {answer}"
        );
        let text = answer.to_string();
        for value in ["10.20.0", "Kaminzimmer", "werkbank", "b8:27:eb"] {
            assert!(!text.contains(value), "{kind} {part}: {text}");
        }
    }
    // The change since the version that ran, with tokens.
    let newest = page(&stub, person(), "proposal", &proposal, "proposal")
        .await
        .unwrap();
    let changed = newest["lines"].as_array().unwrap().iter();
    let changed: Vec<_> = changed.filter(|line| line["change"] != "kept").collect();
    assert_eq!(changed.len(), 2, "{newest}");
    assert!(changed[0]["text"].as_str().unwrap().contains("ip-s1-n1.1 "));
    // Only the version that has not run is new to the device.
    let ran = page(&stub, person(), "proposal", &proposal, "version/1")
        .await
        .unwrap();
    for (page, is_first) in [(newest, true), (ran, false)] {
        let reasons = page["risk"]["reasons"].to_string();
        assert_eq!(reasons.contains("first_run"), is_first, "{reasons}");
    }
    for (kind, name, part) in [
        ("device", ROOM, "secrets"),
        ("device", "dev_x", "device"),
        ("bundle", BUNDLE, "section"),
        ("proposal", &proposal, "version/x"),
        ("run", run, "log/step"),
        ("run", run, "log/out/before/x"),
        ("site", "nordlicht", "values/ip-s1-n1.1"),
    ] {
        let error = page(&stub, person(), kind, name, part).await.unwrap_err();
        assert_eq!(
            error.code,
            ErrorCode::ToolInputInvalid,
            "{kind} {part}: {error}"
        );
    }
    let missing = page(&stub, person(), "bundle", BUNDLE, "section/none").await;
    assert_eq!(
        missing.unwrap_err().message,
        "The bundle has no such section."
    );
}

/// Whoever knows a script but for an address finds the address by the digest of the script.
#[tokio::test]
async fn digests_of_values_are_for_whoever_may_see_values() {
    let stub = Stub::new();
    let steps = json!([{ "run": "ping", "target": "ip-s1-n1.1" }]);
    let (proposal, _) = stub.proposal(1, steps).await;
    stub.run(approved(2, &proposal, 1, &["Ada"])).await.unwrap();
    let listed = stub.call("list_runs", json!({})).await.unwrap();
    let run = listed.data["runs"][0]["run"].as_str().unwrap();
    let package = json!({ "run": run });
    let read = stub.call("get_run", package).await.unwrap();
    assert!(read.data["package"]["sha256"].is_string(), "{read:?}");
    for digest in ["script_sha256", "core_sha256", "approval"] {
        assert!(read.data["package"][digest].is_null(), "{read:?}");
    }
    let seen = page(&stub, person(), "run", run, "run").await.unwrap();
    stub.memory.shut_out(person());
    let covered = page(&stub, person(), "run", run, "run").await.unwrap();
    for (page, facts, digests) in [(seen, 8, true), (covered, 5, false)] {
        let package = page["package"].as_array().unwrap();
        assert_eq!(package.len(), facts, "{page}");
        let has = package.iter().any(|fact| fact["label"] == "Script SHA-256");
        assert_eq!(has, digests, "{page}");
    }
}

#[tokio::test]
async fn values_are_for_whoever_may_see_them_and_each_look_is_recorded() {
    let stub = Stub::new();
    let part = "values/ip-s1-n1.1,ip-s2-n1.1,ip-s1-n9.9,rm%20-rf,ip-s1-n1.1";
    let shown = page(&stub, person(), "bundle", BUNDLE, part).await.unwrap();
    let expected = json!([{ "token": "ip-s1-n1.1", "class": "ipv4", "value": GATEWAY }]);
    assert_eq!(shown, expected);
    let looks = stub.memory.all_looks();
    assert_eq!((looks.len(), looks[0].shown), (1, 1));
    assert_eq!(looks[0].place, format!("bundle {BUNDLE}"));
    // Everybody reads who looked, by name.
    let listed = page(&stub, person(), "device", ROOM, "looks").await;
    assert_eq!(listed.unwrap()[0]["person"], "Ada");
    stub.memory.shut_out(person());
    let refused = page(&stub, person(), "device", ARCHIVE, part).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::ToolPermission);
    assert_eq!(stub.memory.all_looks().len(), 1);
}
