//! Versions that people write: steps and free sh, judged at once, on top of the newest version alone.

use agent::ports::{CallActor, ToolCall, Toolset};
use field_testkit::office::{GATEWAY, REMOTE, ROOM};
use protocol::{Assurance, CardSection, ErrorCode, LineChange, PageQuery};
use serde_json::{Value, json};

use crate::stub::{Stub, approved, call, person};

const STALE: &str = "newer version";

/// A person's own edit of a version with these fields.
fn edit(number: u128, proposal: &str, version: u64, with: &Value) -> ToolCall {
    let mut input = json!({
        "proposal": proposal, "version": version, "device": ROOM, "why": "It loses packets.",
    });
    for (name, value) in with.as_object().unwrap() {
        input[name] = value.clone();
    }
    let mut call = call(number, "edit_proposal", input);
    call.origin.actor = CallActor::Person;
    call
}

fn free(text: &str) -> Value {
    json!({ "free_text": text })
}

fn steps(lines: &str) -> Value {
    json!({ "steps": lines })
}

/// A proposal of the model.
async fn proposed(stub: &Stub) -> String {
    let steps = json!([{ "run": "ping", "target": "ip-s1-n1.1" }]);
    stub.proposal(1, steps).await.0
}

async fn newest(stub: &Stub, proposal: &str) -> Value {
    let query = PageQuery {
        kind: "proposal".to_owned(),
        name: proposal.to_owned(),
        part: "proposal".to_owned(),
    };
    stub.field.page(person(), &query).await.unwrap()
}

#[tokio::test]
async fn a_person_writes_the_next_version() {
    let stub = Stub::new();
    let id = proposed(&stub).await;
    let with = json!({
        "why": "10.20.0.77 is slow as well.",
        "expect": " ",
        "steps": "ping 10.20.0.1 count 7\n\nroutes\n",
        "stop_on_failure": true,
    });
    let written = edit(2, &id, 1, &with);
    let card = stub.preview(&written).await.unwrap();
    assert_eq!(
        card.sentence,
        "Keep your steps as version 2 of “Check the gateway”."
    );
    assert!(!card.grantable);
    // The same call again, as after a restart, makes no other version.
    for _ in 0..2 {
        let kept = stub.run(written.clone()).await.unwrap();
        assert_eq!(kept.data["version"], 2);
        assert_eq!(kept.data["risk"]["level"], "low");
        assert!(!kept.data.to_string().contains("10.20."), "{kept:?}");
    }
    let page = newest(&stub, &id).await;
    assert_eq!(page["steps"], json!(["ping ip-s1-n1.1 count 7", "routes"]));
    assert_eq!(
        (&page["person"], &page["version"], &page["stop_on_failure"]),
        (&json!("Ada"), &json!(2), &json!(true))
    );
    assert_eq!(
        (&page["expect"], &page["yours"]),
        (&Value::Null, &json!(true))
    );
    assert!(!page.to_string().contains("10.20."), "{page}");
    let lines = page["lines"].as_array().unwrap().iter();
    let added = lines.filter(|line| line["change"] == "added").count();
    assert_eq!((page["against"].as_u64(), added), (Some(1), 3), "{page}");
    let tools = page["offers"].as_array().unwrap().iter();
    let tools: Vec<_> = tools.map(|offer| offer["tool"].clone()).collect();
    assert_eq!(tools, ["run_script", "check_script"]);
    // The card shows the value, and the steps are the person's words.
    let card = stub.preview(&approved(3, &id, 2, &["Ada"])).await.unwrap();
    assert_eq!(card.assurance, Assurance::Press);
    assert!(format!("{:?}", card.sections).contains(GATEWAY));
}

/// A program may write what its person reads. Tokens are kept, and the values are nobody's own words.
#[tokio::test]
async fn a_program_proposes_with_values_and_tokens_are_kept() {
    let stub = Stub::new();
    let input = json!({
        "device": ROOM, "title": "Check 10.20.0.1", "why": "10.20.0.77 is slow as well.",
        "steps": [{ "run": "ping", "target": "10.20.0.1", "count": 7 }, { "run": "routes" }],
    });
    let mut order = call(2, "propose_script", input);
    order.origin.actor = CallActor::Person;
    let kept = stub.run(order.clone()).await.unwrap();
    let again = stub.run(order).await.unwrap();
    assert_eq!(
        kept.data, again.data,
        "the same call makes no other proposal"
    );
    assert_eq!(kept.data["version"], 1);
    assert!(!kept.data.to_string().contains("10.20."), "{kept:?}");
    let id = kept.data["proposal"].as_str().unwrap();
    let page = newest(&stub, id).await;
    assert_eq!(page["steps"], json!(["ping ip-s1-n1.1 count 7", "routes"]));
    assert_eq!(
        (&page["by_program"], &page["person"]),
        (&json!(true), &Value::Null)
    );
    assert!(!page.to_string().contains("10.20."), "{page}");
}

#[tokio::test]
async fn nothing_is_written_over_a_newer_version() {
    let stub = Stub::new();
    let id = proposed(&stub).await;
    stub.run(edit(2, &id, 1, &steps("routes"))).await.unwrap();
    for (version, with) in [(1, steps("links")), (1, free("id\n")), (3, steps("links"))] {
        let stale = edit(3, &id, version, &with);
        for error in [
            stub.preview(&stale).await.unwrap_err(),
            stub.run(stale).await.unwrap_err(),
        ] {
            assert!(error.message.contains(STALE), "{version}: {error}");
        }
    }
    // Nor to another device, or by the way of another site.
    let mut elsewhere = edit(4, &id, 2, &steps("links"));
    elsewhere.input["device"] = json!(REMOTE);
    assert!(stub.run(elsewhere).await.is_err());
    let page = newest(&stub, &id).await;
    assert_eq!(page["steps"], json!(["routes"]));
}

/// Whatever a here-document or a comment makes a reader believe: the card has every line, the package every
/// byte, and two persons approve them.
#[tokio::test]
async fn free_sh_runs_as_it_was_written_after_two_persons() {
    let text = "#!/bin/sh\ncat <<'END' >/dev/null\n# only a comment\nexit 0\nEND\n\
                : '\n  ping -c 1 10.20.0.1\n'; eval \"$(printf 'ping -c 1 %s' 10.20.0.1)\"\t# done";
    let stub = Stub::new();
    let id = proposed(&stub).await;
    let kept = stub.run(edit(2, &id, 1, &free(text))).await.unwrap();
    assert_eq!(kept.data["risk"]["level"], "high");
    assert_eq!(kept.data["risk"]["persons"], 2);
    let page = newest(&stub, &id).await;
    assert_eq!(
        (&page["steps"], &page["risk"]["persons"]),
        (&json!([]), &json!(2))
    );
    assert!(!page.to_string().contains("10.20."), "{page}");
    let check = json!({ "device": ROOM, "of": id, "version": 2 });
    let checked = stub.call("check_script", check).await.unwrap();
    assert_eq!(
        (&checked.data["risk"]["level"], &checked.data["refused"]),
        (&json!("high"), &Value::Null)
    );
    assert!(!checked.data.to_string().contains("10.20."), "{checked:?}");

    let card = stub.preview(&approved(3, &id, 2, &[])).await.unwrap();
    assert!(matches!(card.assurance, Assurance::Type { .. }));
    assert!(card.second.is_some() && !card.grantable);
    let shown = card.sections.iter().find_map(|section| match section {
        CardSection::Text { lines, .. } => Some(lines),
        _ => None,
    });
    let shown = shown.unwrap().iter();
    let shown = shown.filter(|line| line.change != LineChange::Removed);
    let shown: Vec<_> = shown.map(|line| line.text.as_str()).collect();
    assert_eq!(shown.join("\n"), text);
    for by in [&["Ada"][..], &["Ada", "Ada"]] {
        let error = stub.run(approved(4, &id, 2, by)).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolPermission);
    }
    // The approval of the former version runs the former version.
    stub.run(approved(5, &id, 1, &["Ada", "Bo"])).await.unwrap();
    stub.run(approved(6, &id, 2, &["Ada", "Bo"])).await.unwrap();
    let orders = stub.memory.orders();
    let versions: Vec<_> = orders
        .iter()
        .map(|it| it.proposal.clone().unwrap().1)
        .collect();
    assert_eq!(versions, [1, 2]);
    assert_ne!(orders[0].core.payload(), text.as_bytes());
    assert_eq!(orders[1].core.payload(), text.as_bytes());
}

/// An approval is of one version: its card does not change by an edit, and no edit takes it over.
#[tokio::test]
async fn an_edit_is_not_approved_by_the_approval_of_the_former_version() {
    let stub = Stub::new();
    let id = proposed(&stub).await;
    let waits = approved(2, &id, 1, &["Ada", "Bo"]);
    let card = stub.preview(&waits).await.unwrap();
    stub.run(edit(3, &id, 1, &free("reboot\n"))).await.unwrap();
    let now = stub.preview(&waits).await.unwrap();
    assert_eq!((&now.state, &now.sections), (&card.state, &card.sections));
    // Somebody who has approved version 1 has shown no card of version 2.
    let mut other = approved(2, &id, 2, &["Ada", "Bo"]);
    other.approval.clone_from(&waits.approval);
    let tool = stub.tool("run_script");
    let error = tool.call(other, agent::ports::Progress::ignored()).await;
    let error = error.unwrap_err().0;
    assert!(
        error.message.contains("not what its card showed"),
        "{error}"
    );
    stub.run(waits).await.unwrap();
    assert_eq!(stub.memory.orders()[0].proposal, Some((id, 1)));
}

/// A person who saves a model's text again has not chosen the address in it, so it is no less a risk.
#[tokio::test]
async fn a_models_values_do_not_become_a_persons_by_an_edit() {
    let stub = Stub::new();
    let model = json!([{ "run": "ping", "target": "9.9.9.9" }]);
    let (id, _) = stub.proposal(1, model).await;
    for (number, lines, level) in [
        (2, "ping 9.9.9.9", "high"),
        (3, "links\nping 9.9.9.9 count 9", "high"),
        (4, "ping 9.9.9.10", "medium"),
        (5, "ping 9.9.9.9", "high"),
    ] {
        let version = u64::try_from(number).unwrap();
        let kept = stub
            .run(edit(number, &id, version - 1, &steps(lines)))
            .await;
        assert_eq!(kept.unwrap().data["risk"]["level"], level, "{lines}");
        let page = newest(&stub, &id).await;
        assert_eq!(page["risk"]["level"], level, "{lines}");
        let one = approved(number + 10, &id, version, &["Ada"]);
        assert_eq!(stub.run(one).await.is_err(), level == "high", "{lines}");
    }
}

/// The card says of each destination who set it.
#[tokio::test]
async fn a_destination_that_a_person_typed_is_set_by_a_person() {
    let stub = Stub::new();
    let id = proposed(&stub).await;
    let lines = steps("ping 10.20.0.1\nping 10.20.0.77");
    stub.run(edit(2, &id, 1, &lines)).await.unwrap();
    let input = json!({
        "device": ROOM, "title": "Check the gateway", "why": "It is slow.",
        "steps": [{ "run": "ping", "target": "10.20.0.1" }],
    });
    let mut order = call(3, "propose_script", input);
    order.origin.actor = CallActor::Person;
    let kept = stub.run(order).await.unwrap();
    let other = kept.data["proposal"].as_str().unwrap();
    for (proposal, version, expected) in [
        (id.as_str(), 1, &["the model"][..]),
        (id.as_str(), 2, &["an earlier version", "set by a person"]),
        (other, 1, &["a program"]),
    ] {
        let run = approved(4, proposal, version, &["Ada"]);
        let card = stub.preview(&run).await.unwrap();
        let rows = card.sections.iter().find_map(|section| match section {
            CardSection::Table { rows, .. } => Some(rows),
            _ => None,
        });
        let words: Vec<_> = rows.unwrap().iter().map(|row| &*row[5]).collect();
        assert_eq!(words, expected, "{proposal} {version}");
    }
}

/// Another path behind a host is no choice of the host.
#[tokio::test]
async fn a_models_host_does_not_become_a_persons_by_another_path() {
    let stub = Stub::new();
    let model = json!([{ "run": "http_timing", "url": "https://models.example/a" }]);
    let (id, _) = stub.proposal(1, model).await;
    let mut points = Vec::new();
    for (number, lines) in [
        (2, "http_timing https://models.example/b"),
        (3, "http_timing https://persons.example/b"),
    ] {
        let version = u64::try_from(number).unwrap();
        let written = edit(number, &id, version - 1, &steps(lines));
        let kept = stub.run(written).await.unwrap();
        points.push(kept.data["risk"]["points"].as_u64().unwrap());
    }
    assert!(points[0] > points[1], "{points:?}");
}

#[tokio::test]
async fn refusals_name_lines_and_nothing_is_kept() {
    let stub = Stub::new();
    let id = proposed(&stub).await;
    let long = "echo 0123456789abcdef\n".repeat(50_000);
    for (with, says) in [
        (
            free("id\0"),
            "Line 1 has a character that is not shown (U+0000)",
        ),
        (
            free("true\nid\r\n"),
            "Line 2 has a character that is not shown (U+000D)",
        ),
        (free("true\n\nid # \u{202e}on"), "Line 3 has a character"),
        (free("e\u{200b}cho\n"), "Line 1 has a character"),
        (free(&long), "bytes"),
        (free(" \n\t\n"), "bytes"),
        (free("true\nping ip-s1-n9.9\n"), "Line 2: There is no value"),
        (free("true\nping ip-s2-n1.1\n"), "Line 2: "),
        (
            free("true\ncurl -H 'Authorization: Bearer abcdef123456' https://example.org\n"),
            "Line 2 has a secret",
        ),
        (steps("routes\nreboot"), "Step 2: \"reboot\""),
        (steps("routes\nping a; reboot"), "Step 2: target"),
        (
            steps("routes\n\nping ip-s1-n9.9"),
            "Step 2: There is no value",
        ),
        (steps("links\nping $(id)"), "Step 2: "),
        (steps("wait 1\nwait"), "Step 1: "),
        (steps("routes\nping 224.0.0.1"), "Step 2 is refused by"),
        (
            json!({ "steps": "ping 224.0.0.1", "stop_on_failure": true }),
            "Step 1 is refused by",
        ),
        (steps("\n"), "1 to 20 steps"),
        (steps(&"links\n".repeat(21)), "1 to 20 steps"),
        (json!({}), "either steps"),
        (
            json!({ "steps": "links", "free_text": "id" }),
            "either steps",
        ),
        (
            json!({ "free_text": "id", "stop_on_failure": true }),
            "either steps",
        ),
        (json!({ "steps": "links", "why": " \n" }), "why"),
    ] {
        let written = edit(2, &id, 1, &with);
        let shown = stub.preview(&written).await;
        let error = stub.run(written).await.unwrap_err();
        assert!(error.message.contains(says), "{says}: {error}");
        assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{says}");
        // What a value would change only when it is hidden is found then.
        assert!(shown.is_err() || says.contains("secret"), "{says}");
        for hidden in ["10.20.", "10.30."] {
            assert!(!error.message.contains(hidden), "{error}");
        }
    }
    let schema = stub.tool("edit_proposal").spec().input_schema;
    let too_long = edit(3, &id, 1, &free(&long)).input;
    assert!(!jsonschema::is_valid(&schema, &too_long));
    let page = newest(&stub, &id).await;
    assert_eq!(
        (&page["version"], &page["proposal"]["newest"]),
        (&json!(1), &json!(1))
    );
}
