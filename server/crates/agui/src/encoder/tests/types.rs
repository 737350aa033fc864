//! The types of the protocol, as the official package has them from the JSON Schema: each event is of one.

use std::{
    collections::BTreeSet,
    env,
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{encoder, late, script::scripts, stream};
use crate::{ClientVersion, FollowedTurn};

/// The kinds of events that an encoder makes.
const KINDS: usize = 21;

/// Returns what is wrong with each of some events.
fn problems(events: &[Value]) -> Vec<Vec<String>> {
    let variable = |name: &str| {
        env::var_os(name)
            .unwrap_or_else(|| panic!("{name} is not set: run through `cargo xtask test`"))
    };
    variable("JARVIS_END2END");
    let mut node = Command::new(variable("JARVIS_NODE"))
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    input
        .write_all(&serde_json::to_vec(events).unwrap())
        .unwrap();
    drop(input);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_event_of_every_scripted_turn_is_of_a_type_of_the_protocol() {
    let mut seen = BTreeSet::new();
    for (_, script) in scripts() {
        for client in [ClientVersion::Current, ClientVersion::Older] {
            for at in 0..=script.frames.len() {
                let mut encoder = encoder(client, FollowedTurn::Next);
                let sent = stream(&mut encoder, &script.frames[..at]);
                seen.extend(sent.iter().map(Value::to_string));
            }
            for at in 1..=script.events().len() {
                let sent = late(client, &script, at).unwrap_or_default();
                seen.extend(sent.iter().map(Value::to_string));
            }
        }
    }
    let events: Vec<Value> = seen
        .iter()
        .map(|event| serde_json::from_str(event).unwrap())
        .collect();
    let kinds: BTreeSet<_> = events.iter().map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds.len(), KINDS, "{kinds:?}");
    let found = problems(&events);
    assert_eq!(found.len(), events.len());
    for (event, problems) in events.iter().zip(&found) {
        assert_eq!(problems, &Vec::<String>::new(), "{event:#}");
    }
}

/// The check finds what the schema refuses.
#[test]
fn an_event_of_another_form_is_found() {
    let finished = |more: Value| {
        let mut event = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
        for (name, value) in more.as_object().unwrap() {
            event[name] = value.clone();
        }
        event
    };
    let asks = |interrupts: Value| {
        finished(json!({ "outcome": { "type": "interrupt", "interrupts": interrupts } }))
    };
    let right = [
        finished(json!({})),
        asks(json!([{ "id": "i", "reason": "tool_call", "metadata": { "any": null } }])),
        finished(json!({ "usage": [{ "inputTokens": 1 }] })),
    ];
    let wrong = [
        finished(json!({ "more": 1 })),
        finished(json!({ "outcome": null })),
        finished(json!({ "usage": [{ "inputTokens": -1 }] })),
        finished(json!({ "usage": [{ "tokens": 1 }] })),
        asks(json!([])),
        asks(json!([{ "id": "i", "reason": "tool_call", "more": 1 }])),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m" }),
        json!({ "type": "NO_SUCH_EVENT" }),
    ];
    let found = problems(&[&right[..], &wrong[..]].concat());
    let is_found: Vec<_> = found.iter().map(|problems| !problems.is_empty()).collect();
    let expect = [vec![false; right.len()], vec![true; wrong.len()]].concat();
    assert_eq!(is_found, expect, "{found:#?}");
}
