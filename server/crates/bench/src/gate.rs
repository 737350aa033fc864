//! The time that the gate and the journal add to a tool call.
//!
//! A real database in a temporary folder, a model that answers at once, a tool that does nothing.
//! Before the call: the answer's record, the gate, the record of the start. After it: the result's
//! record, the start of the next step.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use agent::{
    Deps, Engine, EngineConfig,
    ports::{Env, Recovery, RequestRole},
};
use anyhow::Result;
use clap::Args;
use protocol::{Command, CommandId, ConversationId, Seq, Tier, Timestamp, ToolOutput, UserId};
use serde_json::json;
use store::Store;
use testkit::{FixedEnv, Script, ScriptedModel, ScriptedTools, spec};

use crate::{clock, fill, report::Report, samples::Samples};

#[derive(Args)]
pub(crate) struct GateOptions {
    /// Folder for temporary data, on a real disk
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    output: crate::report::ReportOutput,
}

/// Calls in a turn, and turns for each kind of tool.
const CALLS: usize = 8;
const TURNS: usize = 250;

/// Times at which the model was asked, and at which the tool ran.
#[derive(Default)]
struct Times {
    asked: Vec<u64>,
    ran: Vec<u64>,
}

pub(crate) async fn run(options: GateOptions) -> Result<()> {
    let mut report = Report::start("gate");
    for (group, tier, recovery) in [
        ("GREEN, reads", Tier::Green, Recovery::Pure),
        ("YELLOW, acts, durable", Tier::Yellow, Recovery::Unsafe),
    ] {
        let times = Box::pin(measure(&options.folder, tier, recovery)).await?;
        let mut before = Samples::default();
        let mut after = Samples::default();
        let mut both = Samples::default();
        // Each turn asks the model once more than there are calls.
        let turns = times.asked.chunks(CALLS + 1).zip(times.ran.chunks(CALLS));
        for (asked, ran) in turns {
            for (ran, pair) in ran.iter().zip(asked.windows(2)) {
                before.add(ran - pair[0]);
                after.add(pair[1] - ran);
                both.add(pair[1] - pair[0]);
            }
        }
        report.times(group, "before the call", &before);
        report.times(group, "after the call", &after);
        report.times(group, "both", &both);
    }
    report.finish(&options.output)
}

async fn measure(parent: &Path, tier: Tier, recovery: Recovery) -> Result<Times> {
    let folder = tempfile::tempdir_in(parent)?;
    let store = Store::open(folder.path()).await?;
    let env: Arc<dyn Env> = Arc::new(FixedEnv::default());
    let user = store
        .first_user(UserId::new(Timestamp(0), 1), "Operator", Timestamp(0))
        .await?
        .id;
    let times = Arc::new(Mutex::new(Times::default()));
    let asked = Arc::clone(&times);
    let model = ScriptedModel::by(move |request| {
        note(&asked, |times| &mut times.asked);
        let answers = request.messages.iter();
        let done = answers.filter(|message| message.role == RequestRole::Assistant);
        match done.count() {
            n if n < CALLS => Script::new().call(&format!("c{n}"), "tool", json!({ "n": n })),
            _ => Script::say("Done."),
        }
    });
    let ran = Arc::clone(&times);
    let tools = ScriptedTools::new().with_body(spec("tool", tier, recovery), move |_, _| {
        note(&ran, |times| &mut times.ran);
        async {
            Ok(ToolOutput {
                summary: "done".to_owned(),
                data: json!({ "state": "running", "uptime_seconds": 12345 }),
                images: Vec::new(),
            })
        }
    });
    let deps = Deps {
        journal: Arc::new(store.clone()),
        model: Arc::new(model),
        toolsets: vec![Arc::new(tools)],
        env,
    };
    let engine = Engine::new(deps, EngineConfig::new("bench"))?;
    for turn in 0..TURNS {
        let conversation = ConversationId::new(Timestamp(1), turn as u128 + 1);
        let start = Command::start(conversation, "Go 0 1 2 3 4 5 6 7");
        let id = CommandId::new(Timestamp(1), turn as u128 + 1);
        fill::answered(&engine, user, conversation, id, start, Seq(0)).await?;
    }
    engine.shutdown().await;
    store.close().await?;
    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut *times))
}

fn note(times: &Mutex<Times>, list: fn(&mut Times) -> &mut Vec<u64>) {
    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
    list(&mut times).push(clock::now());
}
