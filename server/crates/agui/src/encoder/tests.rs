//! Scripted turns, whole and cut anywhere, against the order rules of the protocol.

mod order;
mod script;
mod types;

use protocol::{CallId, Command, Decision, ErrorBody, ErrorCode, ServerFrame};
use serde_json::{Value, json};

use super::*;
use crate::{Resume, ResumeAnswer, ResumeStatus, messages};
use order::check;
use script::{Script, card, scripts};

fn encoder(client: ClientVersion, lead: FollowedTurn) -> RunEncoder {
    let run = NamedRun {
        thread: "thread".to_owned(),
        run: "run".to_owned(),
        client,
        conversation: script::conversation(),
        model: None,
        page: "https://jarvis.example/chat/x".to_owned(),
        decides: true,
        request: "req-2".to_owned(),
    };
    RunEncoder::new(run, lead)
}

fn stop() -> ErrorBody {
    ErrorBody::new(ErrorCode::ShuttingDown, "The server is restarting.")
}

/// The JSON of the stream of some frames.
fn stream(encoder: &mut RunEncoder, frames: &[ServerFrame]) -> Vec<Value> {
    let mut out = encoder.begin();
    for frame in frames {
        out.extend(encoder.frame(frame));
    }
    out.extend(encoder.cut(&stop()));
    out.iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .collect()
}

/// The JSON of the stream of whoever comes after the first events of a script; none if no turn has begun.
fn late(client: ClientVersion, script: &Script, at: usize) -> Option<Vec<Value>> {
    let events = script.events();
    let (past, rest) = events.split_at(at);
    let mut late = encoder(client, FollowedTurn::of_command(past)?);
    late.recall(past);
    let mut out = late.begin();
    out.extend(late.catch_up(messages(past)));
    let rest = ServerFrame::Events {
        conversation: script::conversation(),
        events: rest.to_vec(),
    };
    for frame in [rest, script::subscribed()] {
        out.extend(late.frame(&frame));
    }
    out.extend(late.cut(&stop()));
    let json = out.iter().map(|event| serde_json::to_value(event).unwrap());
    Some(json.collect())
}

/// The kinds of events, without those that say nothing about order.
fn kinds(stream: &[Value]) -> Vec<&str> {
    stream
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect()
}

/// The deltas of the texts of a stream.
fn text(stream: &[Value]) -> String {
    let contents = stream.iter();
    let contents = contents.filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT");
    contents
        .map(|event| event["delta"].as_str().unwrap())
        .collect()
}

#[test]
fn every_scripted_turn_keeps_the_order_wherever_it_is_cut() {
    for (name, script) in scripts() {
        for client in [ClientVersion::Current, ClientVersion::Older] {
            for at in 0..=script.frames.len() {
                let sent = stream(
                    &mut encoder(client, FollowedTurn::Next),
                    &script.frames[..at],
                );
                check(&sent).unwrap_or_else(|why| panic!("{name}, cut at {at}: {why}\n{sent:#?}"));
                let outcome = &sent.last().unwrap()["outcome"]["type"];
                let refused = client == ClientVersion::Older && outcome == "cancelled";
                assert!(!refused, "{name}: 0.0.59 throws on this");
            }
        }
    }
}

#[test]
fn whoever_comes_later_sees_the_same_end() {
    for (name, script) in scripts() {
        let whole = stream(
            &mut encoder(ClientVersion::Current, FollowedTurn::Next),
            &script.frames,
        );
        for at in 1..=script.events().len() {
            let Some(sent) = late(ClientVersion::Current, &script, at) else {
                continue;
            };
            check(&sent).unwrap_or_else(|why| panic!("{name}, from {at}: {why}\n{sent:#?}"));
            let end = |sent: &[Value]| {
                let last = sent.last().unwrap();
                (
                    last["type"].clone(),
                    last["outcome"]["type"].clone(),
                    last["code"].clone(),
                )
            };
            assert_eq!(end(&sent), end(&whole), "{name}, from {at}");
        }
    }
}

#[test]
fn an_answer_streams_once_and_completely() {
    let (_, script) = scripts().into_iter().next().unwrap();
    let sent = stream(
        &mut encoder(ClientVersion::Current, FollowedTurn::Next),
        &script.frames,
    );
    assert_eq!(text(&sent), "All is well, sir.");
    assert_eq!(
        kinds(&sent),
        [
            "RUN_STARTED",
            "STEP_STARTED",
            "REASONING_START",
            "REASONING_MESSAGE_START",
            "REASONING_MESSAGE_CONTENT",
            "REASONING_MESSAGE_END",
            "REASONING_END",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "STEP_FINISHED",
            "RUN_FINISHED",
        ]
    );
    let usage = &sent.last().unwrap()["usage"][0];
    assert_eq!(usage["inputTokens"], 111);
    assert_eq!(usage["cachedInputTokens"], 100);
    assert_eq!(usage["totalTokens"], 118);
}

#[test]
fn an_error_names_the_request_behind_it() {
    // That of its turn, or else the one that the stream answers.
    for (of_turn, expect) in [(Some("req-1"), "req-1"), (None, "req-2")] {
        let mut error = ErrorBody::new(ErrorCode::ModelOverloaded, "The model is overloaded.");
        error.request_id = of_turn.map(str::to_owned);
        let mut script = Script::default();
        script.end(TurnOutcome::Failed { error });
        let mut encoder = encoder(ClientVersion::Older, FollowedTurn::Next);
        let sent = stream(&mut encoder, &script.frames);
        let last = sent.last().unwrap();
        assert_eq!(last["type"], "RUN_ERROR");
        assert_eq!(last["metadata"]["jarvis"]["request_id"], expect);
    }
}

#[test]
fn a_card_ends_the_run_with_its_question() {
    let mut script = Script::default();
    script.asked();
    let sent = stream(
        &mut encoder(ClientVersion::Current, FollowedTurn::Next),
        &script.frames,
    );
    let last = sent.last().unwrap();
    let interrupt = &last["outcome"]["interrupts"][0];
    assert_eq!(interrupt["id"], format!("{}:1", script.call()));
    assert_eq!(interrupt["reason"], "tool_call");
    assert_eq!(interrupt["expiresAt"], "2023-11-14T22:13:20.000Z");
    assert_eq!(interrupt["metadata"]["jarvis"]["decidable"], true);
    assert_eq!(interrupt["message"], "Start VM 7.");
    let shown = &interrupt["metadata"]["jarvis"];
    let url = format!("https://jarvis.example/chat/x#{}", script.call());
    assert_eq!(shown["url"], url);
    assert_eq!(shown["digest"], "d1");
    assert_eq!(shown["risk"]["level"], "warning");
    assert_eq!(shown["risk"]["reasons"][0]["rule"], "backup_missing");
    assert_eq!(shown["sections"][0]["fields"][0]["value"], "vmbr0");
    assert_eq!(shown["irreversible"], "Sessions that are open end.");
    let mut other = encoder(ClientVersion::Current, FollowedTurn::Next);
    other.run.decides = false;
    let sent = stream(&mut other, &script.frames);
    let interrupt = &sent.last().unwrap()["outcome"]["interrupts"][0];
    assert_eq!(interrupt["responseSchema"], Value::Null);
    assert_eq!(interrupt["metadata"]["jarvis"]["decidable"], false);
}

#[test]
fn a_resumed_run_counts_its_own_tokens() {
    let mut script = Script::default();
    script.asked();
    let (asked, at) = (script.events(), script.frames.len());
    script.decides(script.call(), Verdict::Approved);
    script.says("It runs.");
    script.end(TurnOutcome::Answered);
    let first = stream(
        &mut encoder(ClientVersion::Current, FollowedTurn::Next),
        &script.frames[..at],
    );
    let mut resumed = encoder(ClientVersion::Current, FollowedTurn::Nothing);
    resumed.recall(&asked);
    resumed.go_on(FollowedTurn::Turn(script.turn()));
    let second = stream(&mut resumed, &script.frames[at..]);
    // One answer of the model in each.
    for sent in [first, second] {
        let last = sent.last().unwrap();
        assert_eq!(last["type"], "RUN_FINISHED");
        let usage = last["usage"].as_array().unwrap();
        assert_eq!(usage.len(), 1);
        assert_eq!(usage[0]["totalTokens"], 118);
    }
}

#[test]
fn a_run_that_decides_goes_on_with_what_waits_behind_the_card() {
    let failed = TurnOutcome::Failed {
        error: ErrorBody::new(ErrorCode::ModelOverloaded, "The model is overloaded."),
    };
    for (outcome, goes_on) in [
        (TurnOutcome::Answered, true),
        (TurnOutcome::Stopped, true),
        (failed, false),
    ] {
        let mut script = Script::default();
        script.asked();
        script.queues("And the backups?");
        let (asked, at) = (script.events(), script.frames.len());
        script.decides(script.call(), Verdict::Approved);
        script.says("It runs.");
        let turn = script.turn();
        script.end(outcome);
        script.begins("And the backups?");
        script.says("There are some.");
        script.end(TurnOutcome::Answered);
        let begun = asked.last().unwrap().seq;
        let resumed = || encoder(ClientVersion::Current, FollowedTurn::Turn(turn));
        let mut run = resumed();
        run.recall_run(&asked, begun);
        let mut sent = run.begin();
        sent.extend(run.catch_up(messages(&asked)));
        for frame in &script.frames[at..] {
            sent.extend(run.frame(frame));
        }
        let sent = sent
            .iter()
            .map(|event| serde_json::to_value(event).unwrap());
        let sent: Vec<_> = sent.collect();
        check(&sent).unwrap();
        // It waits at the end of the snapshot, under the id by which it comes back as no new one.
        let shown = sent[1]["messages"].as_array().unwrap().last().unwrap();
        assert_eq!(shown["content"], "And the backups?");
        let id = shown["id"].as_str().unwrap();
        assert!(id.starts_with("msg_") && id.ends_with("~req-2"), "{id}");
        assert_eq!(sent[2]["name"], "jarvis.message_queued");
        assert_eq!(sent[2]["value"]["text"], "And the backups?");
        let expect = if goes_on {
            "It runs.There are some."
        } else {
            "It runs."
        };
        assert_eq!(text(&sent), expect, "{sent:#?}");
        let last = sent.last().unwrap();
        let kind = if goes_on { "RUN_FINISHED" } else { "RUN_ERROR" };
        assert_eq!(last["type"], kind, "{last:#}");
        // The same for whoever follows it again later.
        let mut again = resumed();
        again.recall_run(&script.events(), begun);
        let expect = if goes_on { script.turn() } else { turn };
        assert_eq!(again.lead(), FollowedTurn::Turn(expect));
    }
}

#[test]
fn an_estimate_is_told_beside_the_tokens() {
    let failed = TurnOutcome::Failed {
        error: ErrorBody::new(ErrorCode::ModelOverloaded, "The model is overloaded."),
    };
    for outcome in [TurnOutcome::Answered, TurnOutcome::Truncated, failed] {
        for estimates in [true, false] {
            let mut script = Script::estimating(estimates);
            script.says("All is well, sir.");
            script.end(outcome.clone());
            let sent = stream(
                &mut encoder(ClientVersion::Older, FollowedTurn::Next),
                &script.frames,
            );
            let last = sent.last().unwrap();
            let told = last["metadata"]["jarvis"]["usage_estimated"].as_bool();
            assert_eq!(told, estimates.then_some(true), "{last:#}");
            // A plain success without one says nothing.
            let is_plain = outcome == TurnOutcome::Answered && !estimates;
            assert_eq!(last.get("metadata").is_none(), is_plain, "{last:#}");
            assert_eq!(last["usage"][0]["totalTokens"], 118);
        }
    }
}

/// A token that may decide on other cards does not on this one: an assistant may hold a front end's token.
#[test]
fn the_card_of_a_relayed_call_is_for_the_page_alone() {
    for (relayed, expect) in [(false, true), (true, false)] {
        let mut script = Script::default();
        script.acts(relayed);
        let sent = stream(
            &mut encoder(ClientVersion::Current, FollowedTurn::Next),
            &script.frames,
        );
        let interrupt = &sent.last().unwrap()["outcome"]["interrupts"][0];
        let decidable = &interrupt["metadata"]["jarvis"]["decidable"];
        assert_eq!(decidable, expect, "{interrupt:#}");
        assert_eq!(interrupt["responseSchema"].is_object(), expect);
    }
}

#[test]
fn an_answer_counts_for_the_card_that_it_names() {
    let call = CallId::new(protocol::Timestamp(1), 1);
    let mut cards = Cards::default();
    cards.apply(&EventBody::ConfirmationRequested {
        turn: TurnId::new(protocol::Timestamp(1), 1),
        call,
        confirmation: Box::new(card(2)),
    });
    let answer = |id: &str, status, payload: Value| {
        let payload = (!payload.is_null()).then_some(payload);
        let entry = Resume {
            interrupt_id: id.to_owned(),
            status,
            payload,
        };
        match cards.answer(script::conversation(), &entry) {
            ResumeAnswer::Command(command) => match *command {
                Command::Decide { decision, .. } => match decision {
                    Decision::Approve { .. } => "approve",
                    _ => "deny",
                },
                Command::Edit { .. } => "edit",
                _ => "other",
            },
            ResumeAnswer::Look => "look",
            ResumeAnswer::Gone => "gone",
        }
    };
    let (resolved, cancelled) = (ResumeStatus::Resolved, ResumeStatus::Cancelled);
    let here = format!("{call}:2");
    let older = format!("{call}:1");
    let approved = json!({ "approved": true });
    for (id, status, payload, expect) in [
        (&*here, resolved, approved.clone(), "approve"),
        (
            &here,
            resolved,
            json!({ "approved": true, "digest": "d2" }),
            "approve",
        ),
        (
            &here,
            resolved,
            json!({ "approved": true, "digest": "d1" }),
            "look",
        ),
        (
            &here,
            resolved,
            json!({ "approved": true, "digest": 7 }),
            "look",
        ),
        (&here, resolved, json!({ "approved": "yes" }), "look"),
        (&here, resolved, json!("approved"), "look"),
        (&here, resolved, Value::Null, "look"),
        (&here, resolved, json!({ "approved": false }), "deny"),
        (&here, cancelled, approved.clone(), "deny"),
        (
            &here,
            resolved,
            json!({ "approved": true, "editedArgs": { "vmid": 9 } }),
            "edit",
        ),
        (
            &here,
            resolved,
            json!({ "approved": true, "editedArgs": { "vmid": 7 } }),
            "approve",
        ),
        (&older, resolved, approved.clone(), "look"),
        (&older, cancelled, Value::Null, "look"),
        (&*format!("{call}:02"), resolved, approved.clone(), "gone"),
        (&*format!("{call}:+2"), resolved, approved.clone(), "gone"),
        (
            "call_01HF7YAT0004HMASW9NF6YY093:2",
            resolved,
            approved.clone(),
            "gone",
        ),
        ("", resolved, approved, "gone"),
    ] {
        assert_eq!(
            answer(id, status, payload.clone()),
            expect,
            "{id} {payload}"
        );
    }
}
