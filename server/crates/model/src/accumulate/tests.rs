//! Blocks keep their bytes; deviations are repaired or refused; every stop reason has its meaning.

use std::collections::VecDeque;

use agent::ports::{InvalidInput, ModelEvent, ModelReply};
use protocol::{BlockKind, StopReason, Usage};

use super::{Accumulator, StreamFault};
use crate::event::StreamEvent;
use crate::profile::{Deviation, ProfileKind};

const START: &str =
    r#"{"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}"#;
const TEXT: &str =
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
const HELLO: &str =
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#;
const TOOL: &str = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"get","input":{}}}"#;
const CLOSE: &str = r#"{"type":"content_block_stop","index":0}"#;
const END: &str =
    r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

fn feed(
    profile: ProfileKind,
    events: &[&str],
) -> (Accumulator, Vec<ModelEvent>, Result<(), StreamFault>) {
    let mut answer = Accumulator::new(profile.rules());
    let mut out = VecDeque::new();
    let mut result = Ok(());
    for data in events {
        result = StreamEvent::parse("", data)
            .map_err(StreamFault::Protocol)
            .and_then(|event| answer.take(event, &mut out));
        if result.is_err() {
            break;
        }
    }
    let result = result.and_then(|()| answer.end_of_stream(&mut out));
    (answer, out.into(), result)
}

fn reply(profile: ProfileKind, events: &[&str]) -> ModelReply {
    let (answer, _, result) = feed(profile, events);
    assert_eq!(result, Ok(()));
    answer.into_reply(None)
}

fn contents(reply: &ModelReply) -> Vec<&str> {
    reply.content.iter().map(|block| block.get()).collect()
}

fn fragment(json: &str) -> String {
    serde_json::json!({
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "input_json_delta", "partial_json": json},
    })
    .to_string()
}

#[test]
fn blocks_keep_order_and_unknown_fields() {
    let reply = reply(
        ProfileKind::Strict,
        &[
            START,
            r#"{"type":"content_block_start","index":0,"content_block":{"new":1.50,"type":"thinking","thinking":"","signature":"","deep":{ "b":1, "a":2e3}}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me \u00e9"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":" \"see\""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln+/=="}}"#,
            CLOSE,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"AAA=" }}"#,
            r#"{"type":"content_block_stop","index":1}"#,
            r#"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"","citations":[{"n":1}]}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"n": 2.0}}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"a\n\ud83d\ude80"}}"#,
            r#"{"type":"content_block_stop","index":2}"#,
            r#"{"type":"content_block_start","index":3,"content_block":{"type":"future","x":[1,2]}}"#,
            r#"{"type":"content_block_delta","index":3,"delta":{"type":"future_delta","y":1}}"#,
            r#"{"type":"content_block_stop","index":3}"#,
            END,
            STOP,
        ],
    );
    assert_eq!(
        contents(&reply),
        [
            r#"{"new":1.50,"type":"thinking","thinking":"Let me é \"see\"","signature":"c2ln+/==","deep":{ "b":1, "a":2e3}}"#,
            r#"{"type":"redacted_thinking","data":"AAA=" }"#,
            r#"{"type":"text","text":"a\n🚀","citations":[{"n":1},{"n": 2.0}]}"#,
            r#"{"type":"future","x":[1,2]}"#,
        ]
    );
}

#[test]
fn tool_inputs() {
    let check =
        |start: &str, fragments: &[&str], input: &str, invalid: Option<&str>, shown: &str| {
            let start = TOOL.replace(r#""input":{}"#, start).replace(",}", "}");
            let fragments: Vec<String> = fragments.iter().map(|json| fragment(json)).collect();
            let mut events = vec![START, start.as_str()];
            events.extend(fragments.iter().map(String::as_str));
            let end = END.replace("end_turn", "tool_use");
            events.extend([CLOSE, end.as_str(), STOP]);
            let (answer, out, result) = feed(ProfileKind::Strict, &events);
            assert_eq!(result, Ok(()));
            let reply = answer.into_reply(None);
            let expect =
                format!(r#"{{"type":"tool_use","id":"toolu_1","name":"get","input":{input}}}"#);
            assert_eq!(contents(&reply), [expect]);
            let invalid = invalid.map(|text| InvalidInput {
                index: 0,
                text: text.to_owned(),
            });
            assert_eq!(reply.invalid_inputs, Vec::from_iter(invalid));
            let streamed: String = out
                .iter()
                .filter_map(|event| match event {
                    ModelEvent::Delta { text, .. } => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            assert_eq!(streamed, shown);
        };
    let empty = r#""input":{}"#;
    check(empty, &[], "{}", None, "");
    check(empty, &[""], "{}", None, "");
    check("", &[], "{}", None, "");
    check(r#""input":null"#, &[], "{}", None, "");
    check(
        r#""input":{"a": 1.0}"#,
        &[],
        r#"{"a": 1.0}"#,
        None,
        r#"{"a": 1.0}"#,
    );
    check(
        empty,
        &["{\"b\": 1", ", \"a\":2.50}"],
        r#"{"b": 1, "a":2.50}"#,
        None,
        r#"{"b": 1, "a":2.50}"#,
    );
    check(
        empty,
        &["{\"a\": tru"],
        "{}",
        Some("{\"a\": tru"),
        "{\"a\": tru",
    );
    check(empty, &["[1]"], "{}", Some("[1]"), "[1]");
    check(empty, &["{}{}"], "{}", Some("{}{}"), "{}{}");
    check(r#""input":"x""#, &[], "{}", Some("\"x\""), "");
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(500), "]".repeat(500));
    check(empty, &[&deep], "{}", Some(&deep), &deep);
}

#[test]
fn stop_reasons() {
    let check = |profile, reason: &str, events: &[&str], expect| {
        let end = END.replace(r#""end_turn""#, reason);
        let mut all = vec![START];
        all.extend(events);
        all.extend([end.as_str(), STOP]);
        assert_eq!(reply(profile, &all).stop, expect, "{profile:?} {reason}");
    };
    let call = &[TOOL, CLOSE];
    for profile in [ProfileKind::Strict, ProfileKind::Lenient] {
        check(profile, r#""end_turn""#, &[], StopReason::EndTurn);
        check(profile, r#""stop_sequence""#, &[], StopReason::EndTurn);
        check(profile, r#""tool_use""#, call, StopReason::ToolUse);
        check(profile, r#""max_tokens""#, call, StopReason::MaxTokens);
        check(
            profile,
            r#""model_context_window_exceeded""#,
            &[],
            StopReason::ContextWindow,
        );
        check(profile, r#""pause_turn""#, &[], StopReason::Pause);
        check(profile, r#""compaction""#, &[], StopReason::Pause);
        check(profile, r#""refusal""#, &[], StopReason::Refusal);
        check(profile, r#""future_reason""#, &[], StopReason::Unknown);
        check(profile, "null", &[], StopReason::Unknown);
    }
    for reason in ["null", r#""""#, r#""future_reason""#] {
        check(ProfileKind::Strict, reason, call, StopReason::Unknown);
        check(ProfileKind::Lenient, reason, call, StopReason::ToolUse);
    }
    // A block that the limit cut may stay open.
    check(
        ProfileKind::Strict,
        r#""max_tokens""#,
        &[TOOL],
        StopReason::MaxTokens,
    );
}

#[test]
fn a_refusal_explains_itself_and_the_last_delta_wins() {
    let refusal = r#"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"No."}},"usage":{"input_tokens":null,"output_tokens":7,"cache_read_input_tokens":3}}"#;
    let reply = reply(ProfileKind::Strict, &[START, END, refusal, STOP]);
    assert_eq!(reply.stop, StopReason::Refusal);
    assert_eq!(reply.explanation.as_deref(), Some("No."));
    let usage = Usage {
        input: 9,
        output: 7,
        cache_read: 3,
        ..Usage::default()
    };
    assert_eq!(reply.usage, usage);
}

#[test]
fn an_answer_names_itself_and_its_model_if_the_server_does() {
    let start = |id: &str, model: &str| {
        format!(
            r#"{{"type":"message_start","message":{{"id":{id},"model":{model},"usage":{{}}}}}}"#
        )
    };
    let long = format!(r#""{}""#, "m".repeat(201));
    for (id, model, expect) in [
        (
            r#""msg_01""#,
            r#""hf.co/a/b:Q4_K_M""#,
            (Some("msg_01"), Some("hf.co/a/b:Q4_K_M")),
        ),
        (r#""""#, "null", (None, None)),
        ("7", &*long, (None, None)),
        (r#""two words""#, r#""a\u0007""#, (None, None)),
    ] {
        let reply = reply(ProfileKind::Strict, &[&start(id, model), END, STOP]);
        let found = (reply.id.as_deref(), reply.model.as_deref());
        assert_eq!(found, expect, "{id} {model}");
    }
    let reply = reply(ProfileKind::Strict, &[START, END, STOP]);
    assert_eq!((reply.id, reply.model), (None, None));
}

#[test]
fn deviations_are_faults_or_repaired() {
    let thinking = r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}"#;
    let hello = r#"{"type":"text","text":"Hello"}"#;
    let hm = r#"{"type":"thinking","thinking":"Hm","signature":""}"#;
    let check = |events: &[&str], deviation: Deviation, repaired: &[&str]| {
        let (_, _, result) = feed(ProfileKind::Strict, events);
        assert_eq!(result, Err(StreamFault::Protocol(deviation.describe())));
        assert_eq!(
            contents(&reply(ProfileKind::Lenient, events)),
            repaired,
            "{deviation:?}"
        );
    };
    check(
        &[TEXT, HELLO, CLOSE, END, STOP],
        Deviation::ContentBeforeMessageStart,
        &[hello],
    );
    check(
        &[START, START, TEXT, HELLO, CLOSE, END, STOP],
        Deviation::RepeatedMessageStart,
        &[hello],
    );
    check(
        &[START, TEXT, START, HELLO, CLOSE, END, STOP],
        Deviation::RepeatedMessageStart,
        &[hello],
    );
    check(
        &[START, TEXT, HELLO, CLOSE, TEXT, HELLO, CLOSE, END, STOP],
        Deviation::BlockOutOfOrder,
        &[hello, hello],
    );
    check(
        &[START, HELLO, HELLO, CLOSE, END, STOP],
        Deviation::DeltaWithoutBlock,
        &[r#"{"type":"text","text":"HelloHello"}"#],
    );
    check(
        &[START, thinking, CLOSE, HELLO, CLOSE, END, STOP],
        Deviation::DeltaWithoutBlock,
        &[hm, hello],
    );
    check(
        &[START, &fragment("{}"), END, STOP],
        Deviation::DeltaWithoutBlock,
        &[],
    );
    check(
        &[START, TEXT, thinking, HELLO, CLOSE, END, STOP],
        Deviation::DeltaOfOtherKind,
        &[hello],
    );
    check(
        &[START, TEXT, HELLO, END, STOP],
        Deviation::BlockLeftOpen,
        &[hello],
    );
    check(
        &[START, TEXT, HELLO, CLOSE, END],
        Deviation::NoMessageStop,
        &[hello],
    );
    check(
        &[START, TEXT, HELLO, END],
        Deviation::NoMessageStop,
        &[hello],
    );
}

#[test]
fn an_end_without_a_reason_is_a_fault_for_everybody() {
    for profile in [ProfileKind::Strict, ProfileKind::Lenient] {
        for events in [
            &[][..],
            &[START],
            &[START, TEXT, HELLO],
            &[START, TEXT, HELLO, CLOSE],
        ] {
            let (_, _, result) = feed(profile, events);
            assert_eq!(
                result,
                Err(StreamFault::Protocol(Deviation::NoMessageStop.describe()))
            );
        }
    }
}

#[test]
fn a_broken_answer_leaves_complete_text_only() {
    let tool = TOOL.replace(r#""index":0"#, r#""index":2"#);
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}"#;
    let (answer, out, result) = feed(
        ProfileKind::Strict,
        &[
            START,
            TEXT,
            HELLO,
            CLOSE,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":" \n"}}"#,
            r#"{"type":"content_block_stop","index":1}"#,
            &tool,
            r#"{"type":"content_block_stop","index":2}"#,
            r#"{"type":"content_block_start","index":3,"content_block":{"type":"text","text":"Cut"}}"#,
            error,
        ],
    );
    assert!(
        matches!(result, Err(StreamFault::Vendor(error)) if error.message.as_deref() == Some("Busy"))
    );
    let partial: Vec<_> = answer
        .partial()
        .iter()
        .map(|block| block.get().to_owned())
        .collect();
    assert_eq!(partial, [r#"{"type":"text","text":"Hello"}"#]);
    assert!(out.contains(&ModelEvent::BlockStarted {
        index: 2,
        kind: BlockKind::ToolUse {
            name: "get".to_owned()
        }
    }));
}
