//! The toolset on a store in memory, without a server.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use agent::ports::{CallActor, CallOrigin, Progress, Tool, ToolCall, ToolExample, Toolset};
use insta::assert_json_snapshot;
use lamps::{House, Lamps, ReadingStore};
use lamps_testkit::{MemoryReadings, MemorySwitches};
use protocol::{CallId, ConversationId, ErrorBody, Reference, Timestamp, ToolOutput, UserId};
use serde_json::{Value, json};
use testkit::FixedEnv;

#[tokio::test]
async fn the_store_in_memory_keeps_the_contract() {
    lamps_testkit::contract(Arc::new(MemorySwitches::default())).await;
    lamps_testkit::readings_contract(Arc::new(MemoryReadings::default())).await;
}

fn lamps() -> Lamps {
    let store = Arc::new(MemorySwitches::default());
    Lamps::new(House::new(5, store, Arc::new(FixedEnv::default())))
}

fn tool(lamps: &Lamps, name: &str) -> Arc<dyn Tool> {
    let mut tools = lamps.tools().into_iter();
    tools.find(|tool| tool.spec().name == name).unwrap()
}

fn call(tool: &str, input: Value) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(1), 1),
        name: tool.to_owned(),
        input,
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            person: UserId::new(Timestamp(1), 1),
            turn: None,
            message: None,
            actor: CallActor::Person,
        },
    }
}

async fn run(lamps: &Lamps, name: &str, input: Value) -> Result<ToolOutput, ErrorBody> {
    let call = call(name, input);
    let done = tool(lamps, name).call(call, Progress::ignored()).await;
    done.map_err(|error| error.0)
}

#[tokio::test]
async fn definitions() {
    let specs = lamps().tools().into_iter().map(|tool| tool.spec());
    let specs: Vec<_> = specs
        .map(|spec| {
            assert!((2..=3).contains(&spec.examples.len()), "{}", spec.name);
            json!({
                "name": spec.name,
                "description": spec.description,
                "input_schema": spec.input_schema,
                "tier": spec.tier,
                "examples": spec.examples.iter().map(ToolExample::question).collect::<Vec<_>>(),
            })
        })
        .collect();
    assert_json_snapshot!(specs);
}

#[tokio::test]
async fn results() {
    let lamps = lamps();
    let switched = run(
        &lamps,
        "switch_lamp",
        json!({"lamp": "Desk", "state": "on"}),
    )
    .await;
    let read = run(&lamps, "get_lamps", json!({})).await;
    let failed = run(
        &lamps,
        "switch_lamp",
        json!({"lamp": "cellar", "state": "on"}),
    )
    .await;
    let described = lamps.describe(&Reference::new("lamp", "desk")).await;
    assert_json_snapshot!(json!({
        "switched": switched.unwrap(),
        "read": read.unwrap(),
        "failed": failed.unwrap_err(),
        "described": described.unwrap(),
    }));
}

#[tokio::test]
async fn what_a_call_means_to_the_gate() {
    let lamps = lamps();
    let tool = tool(&lamps, "switch_lamp");
    let input = json!({"lamp": "Hall", "state": "off"});
    assert_eq!(tool.target(&input).as_deref(), Some("lamp hall"));
    assert_eq!(tool.objects(&input), ["lamp/hall"]);
    assert_eq!(tool.assess(&input).refused, None);
    // The house has five lamps.
    let refused = tool
        .assess(&json!({"lamp": "attic", "state": "off"}))
        .refused;
    assert!(
        refused
            .unwrap()
            .contains("hall, kitchen, cellar, desk, porch")
    );
    let preview = tool.preview(&call("switch_lamp", input)).await.unwrap();
    assert_eq!(preview.sentence, "Switch lamp hall off.");
    assert_eq!(preview.state, json!({"state": "on"}));
}

#[tokio::test]
async fn the_last_switch_before_the_end_is_recorded() {
    let lamps = lamps();
    let readings = Arc::new(MemoryReadings::default());
    let recorder = lamps.recorder(readings.clone());
    // The end comes with the switch, before the recorder has seen it.
    let end = async {
        let input = json!({"lamp": "kitchen", "state": "on"});
        run(&lamps, "switch_lamp", input).await.unwrap();
    };
    recorder.run(end).await;
    let on = readings.readings().await.unwrap().into_iter();
    assert_eq!(on.map(|reading| reading.on).collect::<Vec<_>>(), [1, 2]);
}
