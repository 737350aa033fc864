//! A conversation is about one site.

use agent::ports::{CallActor, SubjectRefusal, ToolCall, Toolset};
use field_testkit::office::{REMOTE, ROOM};
use protocol::{ConversationId, ErrorCode, Reference, Timestamp};
use serde_json::{Value, json};

use crate::stub::{Stub, call};

fn names(data: &Value) -> Vec<&str> {
    let devices = data["devices"].as_array().unwrap().iter();
    devices.map(|it| it["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn values_of_two_sites_never_meet() {
    let stub = Stub::new();
    let all = stub.call("list_devices", json!({})).await.unwrap();
    assert_eq!(names(&all.data), ["meeting room", "archive", "remote"]);
    let offline = json!({ "state": "offline" });
    let offline = stub.call("list_devices", offline).await.unwrap();
    assert_eq!(offline.summary, "1 of 3 devices is offline");
    stub.call("get_device", json!({ "device": ROOM }))
        .await
        .unwrap();
    let of_site = stub.call("list_devices", json!({})).await.unwrap();
    assert_eq!(names(&of_site.data), ["meeting room", "archive"]);
    for (tool, input) in [
        ("get_device", json!({ "device": REMOTE })),
        ("get_diagnostics", json!({ "device": REMOTE })),
        ("collect_diagnostics", json!({ "device": REMOTE })),
        (
            "run_probe",
            json!({ "device": REMOTE, "step": { "run": "routes" } }),
        ),
        (
            "check_script",
            json!({ "device": REMOTE, "steps": [{ "run": "routes" }] }),
        ),
        ("list_runs", json!({ "device": REMOTE })),
        (
            "propose_script",
            json!({ "device": REMOTE, "title": "t", "why": "w", "steps": [{ "run": "routes" }] }),
        ),
    ] {
        let error = stub.call(tool, input.clone()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolPermission, "{tool}");
        let what =
            "This conversation is about another site. Start a new conversation about this one.";
        assert_eq!(error.message, what, "{tool}");
        // Another conversation may, and so may a person by a call of their own.
        let other = call(2, tool, input.clone());
        let origin = agent::ports::CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 8),
            ..other.origin
        };
        stub.run(ToolCall { origin, ..other }).await.unwrap();
        let own = call(3, tool, input);
        let origin = agent::ports::CallOrigin {
            actor: CallActor::Person,
            ..own.origin
        };
        stub.run(ToolCall { origin, ..own }).await.unwrap();
    }
}

#[tokio::test]
async fn the_summary_names_devices_of_the_site_in_question_alone() {
    let stub = Stub::new();
    let data = |parts: Vec<agent::ports::ContextPart>| parts[0].data.clone().unwrap();
    let plain = data(stub.field.context(&[]).await);
    assert_eq!(
        (&plain["devices"], &plain["offline"]),
        (&json!(3), &json!(1))
    );
    assert!(plain.get("site").is_none());
    let about = data(
        stub.field
            .context(&[Reference::new("device", REMOTE)])
            .await,
    );
    assert_eq!(names(&about["site"]), ["remote"]);
    assert!(stub.field.stands_alone());
}

#[tokio::test]
async fn a_subject_exists_and_is_of_one_site() {
    let stub = Stub::new();
    let steps = json!([{ "run": "routes" }]);
    let (proposal, _) = stub.proposal(1, steps).await;
    let of = |kind: &str, id: &str| Reference::new(kind, id);
    let missing = |thing: Reference| Err(SubjectRefusal::Missing(thing));
    let gone = |kind, prefix: &str| of(kind, &format!("{prefix}_00000000000000000000000zzz"));
    let room = of("device", ROOM);
    for (about, expect) in [
        (vec![room.clone()], Ok(())),
        (vec![of("proposal", &proposal), room.clone()], Ok(())),
        (
            vec![room.clone(), of("device", REMOTE)],
            Err(SubjectRefusal::Apart),
        ),
        (
            vec![of("device", REMOTE), of("proposal", &proposal)],
            Err(SubjectRefusal::Apart),
        ),
        (vec![gone("device", "dev")], missing(gone("device", "dev"))),
        (
            vec![room.clone(), gone("bundle", "bun")],
            missing(gone("bundle", "bun")),
        ),
        (
            vec![gone("proposal", "pro")],
            missing(gone("proposal", "pro")),
        ),
        (vec![gone("run", "run")], missing(gone("run", "run"))),
        (vec![of("vm", "101")], missing(of("vm", "101"))),
    ] {
        assert_eq!(stub.field.check_subject(&about).await, expect, "{about:?}");
    }
}

#[test]
fn references_have_one_form() {
    let stub = Stub::new();
    for (kind, id, is_one) in [
        ("device", ROOM, true),
        ("run", "run_00000000000000000000000001", true),
        ("device", "run_00000000000000000000000001", false),
        ("device", "dev_0000000000000000000000000", false),
        ("device", "dev_000000000000000000000000A1", false),
        ("site", "nordlicht", false),
    ] {
        assert_eq!(
            stub.field.refers(&Reference::new(kind, id)),
            is_one,
            "{kind} {id}"
        );
    }
}
