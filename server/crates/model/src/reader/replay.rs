//! The streaming fixtures of the vendor's Python package against the messages that the package
//! itself makes of them, however the bytes are split.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use agent::ports::{InvalidInput, ModelEvent, ModelReply};
use proptest::prelude::*;
use protocol::{StopReason, Usage};
use serde_json::{Value, json};

use super::EventReader;
use crate::profile::ProfileKind;

/// Files in version 2.12.0 of the package.
const FIXTURES: usize = 19;

struct Fixture {
    name: String,
    stream: Vec<u8>,
    expected: Value,
}

fn fixtures() -> Vec<Fixture> {
    let root = std::env::var_os("JARVIS_ANTHROPIC_FIXTURES").expect(
        "JARVIS_ANTHROPIC_FIXTURES must name the unpacked source distribution of the vendor's \
         Python package: run through cargo xtask test",
    );
    let mut files = BTreeMap::new();
    collect(Path::new(&root), &mut files);
    assert_eq!(files.len(), FIXTURES, "streaming fixtures under {root:?}");
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/reader/expected");
    files
        .into_iter()
        .map(|(name, path)| {
            let mut stream = std::fs::read(path).unwrap();
            // Most files end without the blank line that ends the last event.
            stream.extend_from_slice(b"\n\n");
            let expected = std::fs::read(expected.join(format!("{name}.json"))).unwrap();
            Fixture {
                expected: serde_json::from_slice(&expected).unwrap(),
                name,
                stream,
            }
        })
        .collect()
}

fn collect(folder: &Path, files: &mut BTreeMap<String, PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let stem = name
            .strip_suffix("_response.txt")
            .or_else(|| name.strip_suffix(".sse"));
        if path.is_dir() {
            collect(&path, files);
        } else if let Some(stem) = stem {
            files.insert(stem.to_owned(), path);
        }
    }
}

fn read<'a>(
    profile: ProfileKind,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<ModelEvent>, ModelReply) {
    let mut reader = EventReader::new(profile.rules());
    let mut events = VecDeque::new();
    for piece in pieces {
        reader.take(piece, &mut events).unwrap();
    }
    reader.end_of_stream(&mut events).unwrap();
    assert!(reader.answer().is_complete());
    (events.into(), reader.into_answer().into_reply(None))
}

fn check(fixture: &Fixture, reply: &ModelReply) {
    let name = &fixture.name;
    let content: Vec<Value> = reply
        .content
        .iter()
        .map(|block| serde_json::from_str(block.get()).unwrap())
        .collect();
    let mut expected = fixture.expected.clone();
    let mut invalid = Vec::new();
    // The package raises on invalid input and makes up an object for one that was cut. Both calls
    // are delivered with an empty object and the text that the model wrote.
    if name == "tool_use_invalid_json" {
        assert_eq!(
            expected["raises"],
            "Unable to parse tool parameter JSON from model"
        );
        expected = json!({
            "content": [
                {"type": "text", "text": "I'll check the current weather in Paris for you."},
                {
                    "type": "tool_use",
                    "id": "toolu_01NRLabsLyVHZPKxbKvkfSMn",
                    "name": "get_weather",
                    "caller": {"type": "direct"},
                    "input": {},
                },
            ],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 377, "output_tokens": 65},
        });
        invalid.push(InvalidInput {
            index: 1,
            text: r#"{"location": "Paris", "unit": celsius}"#.to_owned(),
        });
    }
    if name == "incomplete_partial_json" {
        expected["content"][1]["input"] = json!({});
        let text = reply.invalid_inputs[0].text.clone();
        assert!(text.starts_with(r#"{"filename": "taxes.txt", "#), "{text}");
        assert!(text.ends_with("\n\"Filing taxes"), "{text}");
        invalid.push(InvalidInput { index: 1, text });
    }
    assert_eq!(Value::from(content), expected["content"], "{name}");
    assert_eq!(reply.invalid_inputs, invalid, "{name}");
    let stop = match expected["stop_reason"].as_str() {
        Some("end_turn") => StopReason::EndTurn,
        Some("tool_use") => StopReason::ToolUse,
        Some("max_tokens") => StopReason::MaxTokens,
        Some("refusal") => StopReason::Refusal,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(reply.stop, stop, "{name}");
    let usage = |name: &str| expected["usage"][name].as_u64().unwrap_or_default();
    let usage = Usage {
        input: usage("input_tokens"),
        output: usage("output_tokens"),
        cache_read: usage("cache_read_input_tokens"),
        cache_write: usage("cache_creation_input_tokens"),
        estimated: false,
    };
    assert_eq!(reply.usage, usage, "{name}");
}

/// The streamed text adds up to the delivered text.
fn check_events(events: &[ModelEvent], reply: &ModelReply) {
    let mut texts: Vec<String> = Vec::new();
    let mut finished = 0;
    for event in events {
        match event {
            ModelEvent::BlockStarted { index, .. } => {
                assert_eq!(*index as usize, texts.len());
                texts.push(String::new());
            }
            ModelEvent::Delta { index, text } => texts[*index as usize].push_str(text),
            ModelEvent::BlockFinished { .. } => finished += 1,
            ModelEvent::Usage(_) => assert!(texts.is_empty()),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(finished, texts.len());
    assert_eq!(texts.len(), reply.content.len());
    for (text, block) in texts.iter().zip(&reply.content) {
        let block: Value = serde_json::from_str(block.get()).unwrap();
        match block["type"].as_str().unwrap() {
            "text" => assert_eq!(block["text"], *text),
            "tool_use" if block["input"] != json!({}) => {
                assert_eq!(block["input"], serde_json::from_str::<Value>(text).unwrap());
            }
            _ => {}
        }
    }
}

#[test]
fn every_fixture_in_any_split() {
    for fixture in fixtures() {
        let stream = &fixture.stream;
        let (events, whole) = read(ProfileKind::Strict, [&stream[..]]);
        check(&fixture, &whole);
        check_events(&events, &whole);
        assert_eq!(
            read(ProfileKind::Strict, stream.chunks(1)),
            (events.clone(), whole.clone())
        );
        assert_eq!(
            read(ProfileKind::Lenient, [&stream[..]]),
            (events.clone(), whole.clone())
        );
        let config = ProptestConfig {
            cases: 100,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let cuts = proptest::collection::vec(0..=stream.len(), 0..40);
        proptest!(config, |(mut cuts in cuts)| {
            cuts.extend([0, stream.len()]);
            cuts.sort_unstable();
            let pieces = cuts.windows(2).map(|cut| &stream[cut[0]..cut[1]]);
            let (split_events, split) = read(ProfileKind::Strict, pieces);
            prop_assert_eq!(&split_events, &events, "{}", fixture.name);
            prop_assert_eq!(&split, &whole, "{}", fixture.name);
        });
    }
}

/// A stream that ends anywhere before its last event is an error, never a shorter answer.
#[test]
fn a_cut_stream_is_never_complete() {
    for fixture in fixtures() {
        let text = String::from_utf8(fixture.stream.clone()).unwrap();
        let last = text.rfind("event: message_stop").unwrap();
        for end in (0..last).step_by(7) {
            let mut reader = EventReader::new(ProfileKind::Strict.rules());
            let mut events = VecDeque::new();
            reader.take(&fixture.stream[..end], &mut events).unwrap();
            assert!(
                reader.end_of_stream(&mut events).is_err(),
                "{}",
                fixture.name
            );
        }
    }
}
