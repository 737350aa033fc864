//! What the gate and the journal add to a tool call: `cargo xtask bench gate`.
//!
//! A real database in a temporary folder, a model that answers at once, a tool that does nothing.
//! Before the call: the answer's record, the gate, the intent. After it: the result's record, the
//! start of the next step.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a measurement that prints its figures"
)]

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use agent::{
    Deps, Engine, EngineConfig,
    ports::{Env, Recovery, RequestRole},
};
use protocol::{
    Command, CommandId, ConversationId, EventBody, Mode, Seq, ServerFrame, Tier, Timestamp,
    ToolOutput, UserId,
};
use serde_json::json;
use store::Store;
use testkit::{FixedEnv, Script, ScriptedModel, ScriptedTools, spec};

/// Calls in a turn, and turns for each kind of tool.
const CALLS: usize = 8;
const TURNS: usize = 250;

/// When the model was asked, and when the tool began and ended.
#[derive(Default)]
struct Times {
    asked: Vec<Instant>,
    tool: Vec<(Instant, Instant)>,
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    println!(
        "\n{:34} {:>9} {:>9} {:>9} {:>9}",
        "milliseconds a call", "p50", "p90", "p99", "max"
    );
    for (name, tier, recovery) in [
        ("GREEN, reads", Tier::Green, Recovery::Pure),
        (
            "YELLOW, acts, safe from power loss",
            Tier::Yellow,
            Recovery::Unsafe,
        ),
    ] {
        let (before, after) = measure(tier, recovery).await;
        let both: Vec<_> = before.iter().zip(&after).map(|(a, b)| *a + *b).collect();
        println!("{name}");
        row("  before the call", before);
        row("  after the call", after);
        row("  both", both);
    }
}

async fn measure(tier: Tier, recovery: Recovery) -> (Vec<Duration>, Vec<Duration>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let env: Arc<dyn Env> = Arc::new(FixedEnv::default());
    let user = UserId::new(Timestamp(0), 1);
    store
        .first_user(user, "Operator", Timestamp(0))
        .await
        .unwrap();
    let times = Arc::new(Mutex::new(Times::default()));
    let asked = Arc::clone(&times);
    let model = ScriptedModel::by(move |request| {
        asked.lock().unwrap().asked.push(Instant::now());
        let done = request
            .messages
            .iter()
            .filter(|m| m.role == RequestRole::Assistant);
        match done.count() {
            n if n < CALLS => Script::new().call(&format!("c{n}"), "tool", json!({ "n": n })),
            _ => Script::say("Done."),
        }
    });
    let ran = Arc::clone(&times);
    let tools = ScriptedTools::new().with_body(spec("tool", tier, recovery), move |_, _| {
        let ran = Arc::clone(&ran);
        async move {
            let now = Instant::now();
            ran.lock().unwrap().tool.push((now, now));
            Ok(ToolOutput {
                summary: "done".to_owned(),
                data: json!({ "state": "running", "uptime_seconds": 12345 }),
            })
        }
    });
    let deps = Deps {
        journal: Arc::new(store.clone()),
        model: Arc::new(model),
        toolsets: vec![Arc::new(tools)],
        env,
    };
    let engine = Engine::new(deps, EngineConfig::new("bench")).unwrap();
    for turn in 0..TURNS {
        one_turn(&engine, user, turn as u128 + 1).await;
    }
    engine.shutdown().await;
    store.close().await.unwrap();

    let times = times.lock().unwrap();
    let mut before = Vec::new();
    let mut after = Vec::new();
    // In each turn the model is asked once more than there are calls.
    for (turn, asked) in times.asked.chunks(CALLS + 1).enumerate() {
        let calls = times.tool[turn * CALLS..].iter().take(CALLS);
        for ((begin, end), pair) in calls.zip(asked.windows(2)) {
            before.push(*begin - pair[0]);
            after.push(pair[1] - *end);
        }
    }
    (before, after)
}

async fn one_turn(engine: &Engine, user: UserId, number: u128) {
    let conversation = ConversationId::new(Timestamp(1), number);
    let start = Command::Start {
        conversation,
        mode: Mode::Default,
        text: "Go 0 1 2 3 4 5 6 7".to_owned(),
        from: None,
    };
    let id = CommandId::new(Timestamp(1), number);
    engine.command(user, id, start).await.unwrap();
    let mut subscription = engine.subscribe(user, conversation, Seq(0)).await.unwrap();
    loop {
        let frame = futures::StreamExt::next(&mut subscription).await;
        let frame = frame.expect("it does not end").unwrap();
        let frame: ServerFrame = serde_json::from_slice(frame.as_bytes()).unwrap();
        if let ServerFrame::Events { events, .. } = frame
            && events
                .iter()
                .any(|event| matches!(event.body, EventBody::TurnFinished { .. }))
        {
            return;
        }
    }
}

fn row(name: &str, mut values: Vec<Duration>) {
    values.sort_unstable();
    let at = |share: f64| {
        let index = ((values.len() - 1) as f64 * share) as usize;
        values[index].as_secs_f64() * 1000.0
    };
    println!(
        "{name:34} {:>9.3} {:>9.3} {:>9.3} {:>9.3}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}
