//! Definitions as the model reads them, and as strict as their schemas.

use agent::ports::{Audience, ToolExample, Toolset};
use protocol::{ErrorCode, Tier};
use serde_json::{Value, json};

use crate::stub::{Stub, call};

#[test]
fn what_the_model_reads() {
    let stub = Stub::new();
    let all: Vec<_> = stub
        .field
        .tools()
        .iter()
        .filter(|tool| tool.spec().audience == Audience::Everyone)
        .map(|tool| {
            let spec = tool.spec();
            assert!((2..=5).contains(&spec.examples.len()), "{}", spec.name);
            assert_eq!(tool.only_reads(), spec.tier == Tier::Green, "{}", spec.name);
            for example in &spec.examples {
                assert!(example.input().is_some(), "{}", spec.name);
            }
            for input in spec.examples.iter().filter_map(ToolExample::input) {
                let fits = jsonschema::is_valid(&spec.input_schema, &input);
                assert!(fits, "{} {input}", spec.name);
            }
            let schema = spec.input_schema.as_object().unwrap();
            assert_eq!(schema["additionalProperties"], false, "{}", spec.name);
            for (field, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{} {field}", spec.name);
            }
            let questions = spec.examples.iter().map(ToolExample::question);
            json!({
                "name": spec.name,
                "tier": spec.tier,
                "recovery": format!("{:?}", spec.recovery),
                "timeout_s": spec.timeout.as_secs(),
                "description": spec.description,
                "input_schema": spec.input_schema,
                "examples": questions.collect::<Vec<_>>(),
            })
        })
        .collect();
    let size: usize = all.iter().map(|it| it.to_string().len()).sum();
    assert!(size < 22_000, "{size} bytes");
    insta::assert_json_snapshot!(json!({ "prompt": stub.field.system_prompt(), "tools": all }));
}

#[tokio::test]
async fn none_takes_what_it_does_not_know() {
    let stub = Stub::new();
    for tool in stub.field.tools() {
        let spec = tool.spec();
        let example = spec.examples.iter().find_map(ToolExample::input);
        let mut inputs = vec![json!({ "sh": "id" })];
        // A whole input with one more field, outside and within a step.
        inputs.extend(example.clone().map(|mut input| {
            input["sh"] = json!("id");
            input
        }));
        inputs.extend(example.and_then(|mut input| {
            let steps = ["/step", "/steps/0"];
            let path = steps.into_iter().find(|it| input.pointer(it).is_some())?;
            input.pointer_mut(path)?["sh"] = json!("id");
            Some(input)
        }));
        for input in inputs {
            assert!(
                !jsonschema::is_valid(&spec.input_schema, &input),
                "{} {input}",
                spec.name
            );
            let error = stub.run(call(1, &spec.name, input)).await.unwrap_err();
            let never = spec.tier == Tier::Black;
            let expected = if never {
                ErrorCode::ToolProtected
            } else {
                ErrorCode::ToolInputInvalid
            };
            assert_eq!(error.code, expected, "{}: {error}", spec.name);
        }
    }
    assert!(stub.memory.orders().is_empty());
}

/// There is no way from an input of the model to a text that a shell reads.
#[test]
fn no_input_of_the_model_is_free_sh() {
    let stub = Stub::new();
    for tool in stub.field.tools() {
        let schema = tool.spec().input_schema.to_string();
        for word in ["\"sh\"", "script_text", "command", "argv"] {
            assert!(!schema.contains(word), "{} {word}", tool.spec().name);
        }
    }
}

#[test]
fn what_a_call_touches() {
    let stub = Stub::new();
    let input = json!({ "device": field_testkit::office::ROOM });
    for tool in stub.field.tools() {
        let spec = tool.spec();
        let fields = spec.input_schema["properties"].as_object().unwrap();
        if !fields.contains_key("device") || spec.tier == Tier::Black {
            continue;
        }
        let site = format!("site/{}", field_testkit::office::OFFICE);
        let device = format!("device/{}", field_testkit::office::ROOM);
        assert_eq!(tool.objects(&input), [device, site], "{}", spec.name);
        assert_eq!(
            tool.target(&input).as_deref(),
            Some("device meeting room"),
            "{}",
            spec.name
        );
    }
    let nothing: Vec<String> = Vec::new();
    assert_eq!(stub.tool("list_devices").objects(&Value::Null), nothing);
}
