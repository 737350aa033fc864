//! The official client, in the version of today and in the one that front ends have installed.

use std::iter;

use rehearsal::{Block, Fault, InputForm, RetryAfter, Scripted};
use serde_json::{Value, json};

use super::program;
use crate::{
    confirm::effects,
    harness::{Folder, Server, soon},
    node_script::{answer_of, variable},
};

pub(super) const PACKAGES: [&str; 2] = ["@ag-ui/client", "ag-ui-client-0"];

/// Runs the client's script on a task.
pub(super) async fn client(task: &Value) -> Value {
    let node = variable("JARVIS_NODE");
    soon("the client", answer_of(&node, "agui/client.mjs", task)).await
}

/// Fails unless every event was of a type of the protocol, and all that the client was given are among them.
pub(super) fn is_well_formed(read: &Value) {
    assert_eq!(read["malformed"], json!([]));
    let outcomes = read["outcomes"].as_array().unwrap().iter();
    let given = outcomes.map(|outcome| outcome["events"].as_array().unwrap().len());
    assert_eq!(read["sent"].as_u64(), Some(given.sum::<usize>() as u64));
}

/// The text of the newest message that is the assistant's.
pub(super) fn last_words(outcome: &Value) -> &str {
    let messages = outcome["messages"].as_array().unwrap().iter().rev();
    let mut said = messages.filter(|it| it["role"] == "assistant" && it["content"].is_string());
    said.next().unwrap()["content"].as_str().unwrap()
}

pub(super) fn ended(outcome: &Value) -> &Value {
    assert_eq!(outcome["error"], Value::Null, "{outcome:#}");
    outcome["events"].as_array().unwrap().last().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_clients_read_every_scripted_turn() {
    for package in PACKAGES {
        let folder = Folder::new();
        let server = Server::start(&folder).await;
        let script = server.script();
        let owner = server.sign_in().await;
        let (_, token) = program(&server, &owner, &[], true).await;
        script.reply([Block::thinking("Hm."), Block::text("All is well, sir.")]);
        script.reply([
            Block::text("Let me see."),
            Block::tool_use("get_cluster_status", json!({})),
            Block::tool_use("no_such_tool", json!({})),
        ]);
        script.reply([Block::text("Four nodes.")]);
        script.push(Scripted::fault(Fault::Status {
            status: 400,
            message: None,
            should_retry: None,
        }));
        script.reply([Block::text("Now it works.")]);
        let start = json!({ "node": "pve", "vmid": 213 });
        for answer in ["As you wish.", "It runs."] {
            script.reply([Block::tool_use("start_container", start.clone())]);
            script.reply([Block::text(answer)]);
        }
        let order = "Start downloads, 213 on pve.";
        let task = json!({
            "url": server.url(), "token": token, "package": package, "thread": "a thread",
            "steps": [
                { "say": "Hello" },
                { "say": "How is the cluster?" },
                { "say": "And now?" },
                { "say": "Once more?" },
                { "say": order },
                { "resume": "look" },
                { "resume": "deny" },
                { "say": order },
                { "resume": "approve" },
            ],
        });
        let read = client(&task).await;
        is_well_formed(&read);
        let outcomes = read["outcomes"].as_array().unwrap();
        let [
            hello,
            status,
            fails,
            works,
            asks,
            looks,
            denied,
            again,
            approved,
        ] = &outcomes[..]
        else {
            panic!("{read:#}");
        };
        assert_eq!(ended(hello)["type"], "RUN_FINISHED");
        assert!(ended(hello)["usage"][0]["inputTokens"].as_u64() > Some(0));
        assert_eq!(last_words(hello), "All is well, sir.");
        assert_eq!(ended(status)["type"], "RUN_FINISHED");
        assert_eq!(last_words(status), "Four nodes.");
        let results = status["messages"].as_array().unwrap().iter();
        assert_eq!(results.filter(|it| it["role"] == "tool").count(), 2);
        assert_eq!(ended(fails)["type"], "RUN_ERROR");
        let code = ended(fails)["code"].as_str().unwrap();
        assert!(code.starts_with("model_"), "{code}");
        assert_eq!(last_words(works), "Now it works.");
        // What they show is what the journal has: only who looks again, or what failed, is told all of it.
        for outcome in [hello, status, works, asks, denied, again, approved] {
            let events = outcome["events"].as_array().unwrap().iter();
            let snapshots = events.filter(|event| event["type"] == "MESSAGES_SNAPSHOT");
            assert_eq!(snapshots.count(), 0, "{outcome:#}");
        }
        for asks in [asks, looks, again] {
            assert_eq!(ended(asks)["outcome"]["type"], "interrupt", "{asks:#}");
            assert_eq!(
                asks["interrupts"][0]["metadata"]["jarvis"]["decidable"],
                true
            );
        }
        let words = approved["messages"].as_array().unwrap().iter();
        let words = words.filter(|it| it["role"] == "user" || it["role"] == "assistant");
        let words: Vec<_> = words.filter_map(|it| it["content"].as_str()).collect();
        let order_and_answers = [order, "As you wish.", order, "It runs."];
        let before = [
            "Hello",
            "All is well, sir.",
            "How is the cluster?",
            "Let me see.",
            "Four nodes.",
            "And now?",
            "Once more?",
            "Now it works.",
        ];
        assert_eq!(
            words,
            [&before[..], &order_and_answers].concat(),
            "{package}"
        );
        assert_eq!(last_words(denied), "As you wish.");
        assert_eq!(last_words(approved), "It runs.");
        assert_eq!(effects(&server, 213), 1, "{package}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_clients_read_a_stop() {
    for package in PACKAGES {
        let folder = Folder::new();
        let server = Server::start(&folder).await;
        let owner = server.sign_in().await;
        let (program, token) = program(&server, &owner, &[], false).await;
        let stalls = Scripted::reply([Block::text("Half an answer, and no more of it.")]);
        server.script().push(stalls.with(Fault::Stall { after: 3 }));
        let task = json!({
            "url": server.url(), "token": token, "package": package, "thread": "t",
            "steps": [{ "say": "Hello", "runId": "r" }],
        });
        let stop = async {
            // The run is there some time after the client has started.
            loop {
                let stop = super::post(&program, "/agui/t/r/stop", &json!({})).await;
                if stop.status() == 202 {
                    break;
                }
                tokio::task::yield_now().await;
            }
        };
        let (read, ()) = tokio::join!(client(&task), stop);
        let last = ended(&read["outcomes"][0]).clone();
        assert_eq!(last["type"], "RUN_FINISHED");
        assert_eq!(last["metadata"]["jarvis"]["ended"], "stopped");
        // The older one throws on this outcome.
        let outcome = if package == PACKAGES[0] {
            json!("cancelled")
        } else {
            Value::Null
        };
        assert_eq!(last["outcome"]["type"], outcome);
        is_well_formed(&read);
        server.stop().await;
    }
}

/// The fault after another one, of every kind once: a new kind does not compile without its place here.
/// Those that are asked again at once or after the shortest pause are so by their form.
fn after(fault: Option<&Fault>) -> Option<Fault> {
    let Some(fault) = fault else {
        let retry_after = Some(RetryAfter::Milliseconds(1));
        return Some(Fault::RateLimit { retry_after });
    };
    Some(match fault {
        Fault::RateLimit { .. } => Fault::SpendCap { code: None },
        Fault::SpendCap { .. } => Fault::Overloaded,
        Fault::Overloaded => Fault::Status {
            status: 400,
            message: None,
            should_retry: None,
        },
        Fault::Status { .. } => Fault::Html { status: 403 },
        Fault::Html { .. } => Fault::EmptyBody { status: 404 },
        Fault::EmptyBody { .. } => Fault::SlowHeaders { ms: 1 },
        Fault::SlowHeaders { .. } => Fault::SlowFirstByte { ms: 1 },
        Fault::SlowFirstByte { .. } => Fault::Stall { after: 3 },
        Fault::Stall { .. } => Fault::ErrorEvent {
            after: 2,
            kind: None,
        },
        Fault::ErrorEvent { .. } => Fault::NoMessageStop { after: Some(2) },
        Fault::NoMessageStop { .. } => Fault::CutFrame { after: 2 },
        Fault::CutFrame { .. } => Fault::CutUtf8 { after: 2 },
        Fault::CutUtf8 { .. } => Fault::Reset { after: 2 },
        Fault::Reset { .. } => Fault::OneByte,
        Fault::OneByte => Fault::Crlf,
        Fault::Crlf => Fault::Bom,
        Fault::Bom => Fault::Pings,
        Fault::Pings => Fault::CutToolUse,
        Fault::CutToolUse => Fault::ToolInput {
            form: InputForm::Invalid,
        },
        Fault::ToolInput { .. } => Fault::Unknown,
        Fault::Unknown => Fault::StopReason { reason: None },
        Fault::StopReason { .. } => Fault::Refusal,
        Fault::Refusal => Fault::PauseTurn,
        Fault::PauseTurn => Fault::SeveralMessageDeltas,
        Fault::SeveralMessageDeltas => Fault::MissingUsage,
        Fault::MissingUsage => Fault::UnnamedEvents,
        Fault::UnnamedEvents => Fault::DeltaWithoutStart,
        Fault::DeltaWithoutStart => Fault::OpenBlocks,
        Fault::OpenBlocks => Fault::RepeatedStart,
        Fault::RepeatedStart => Fault::UnsignedThinking,
        Fault::UnsignedThinking => return None,
    })
}

/// An answer with a fault. Only that of [`Fault::Stall`] never ends: `both_clients_read_a_stop` has it.
fn answer_with(fault: Fault) -> Option<Scripted> {
    let answer = match fault {
        Fault::Stall { .. } => return None,
        Fault::CutToolUse | Fault::ToolInput { .. } => {
            Scripted::reply([Block::tool_use("get_cluster_status", json!({}))])
        }
        Fault::UnsignedThinking => Scripted::reply([Block::thinking("Hm."), Block::text(SAID)]),
        _ => Scripted::reply([Block::text(SAID)]),
    };
    Some(answer.with(fault))
}

/// Returns whether an answer with this fault is read like any other.
fn is_plain(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::SlowHeaders { .. }
            | Fault::SlowFirstByte { .. }
            | Fault::OneByte
            | Fault::Crlf
            | Fault::Bom
            | Fault::Pings
            | Fault::SeveralMessageDeltas
            | Fault::MissingUsage
    )
}

/// Answers of a model with every kind of fault, and whether each ends as a plain one does. The rest end in
/// another way, are broken off, or are asked again.
fn odd_answers() -> Vec<(Scripted, bool)> {
    let kinds = iter::successors(after(None), |fault| after(Some(fault)));
    let more = [
        Fault::StopReason {
            reason: Some("max_tokens".to_owned()),
        },
        // It is asked again, since nothing was shown yet.
        Fault::ErrorEvent {
            after: 0,
            kind: None,
        },
        Fault::NoMessageStop { after: None },
    ];
    let forms = [
        InputForm::Empty,
        InputForm::EmptyDelta,
        InputForm::NotObject,
        InputForm::OnePiece,
        InputForm::InStart,
    ];
    let forms = forms.map(|form| Fault::ToolInput { form });
    let faults = kinds.chain(more).chain(forms);
    faults
        .filter_map(|fault| {
            let is_plain = is_plain(&fault);
            Some((answer_with(fault)?, is_plain))
        })
        .collect()
}

/// The most runs of one client, so that none takes long.
const RUNS: usize = 13;
const SAID: &str = "All four nodes are up, sir: naïve as that sounds.";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_clients_read_whatever_a_model_sends() {
    for package in PACKAGES {
        let folder = Folder::new();
        let server = Server::start(&folder).await;
        let owner = server.sign_in().await;
        let (_, token) = program(&server, &owner, &[], false).await;
        for (part, answers) in odd_answers().chunks(RUNS).enumerate() {
            let mut steps = Vec::new();
            for (n, (odd, _)) in answers.iter().enumerate() {
                let words = format!("Is case-{part}-{n}-here?");
                // Whatever is asked again after it is answered by the planner.
                server.script().push(odd.clone().when(&words));
                steps.push(json!({ "say": words }));
            }
            let task = json!({
                "url": server.url(), "token": token, "package": package,
                "thread": format!("odd-{part}"), "steps": steps,
            });
            let read = client(&task).await;
            is_well_formed(&read);
            let outcomes = read["outcomes"].as_array().unwrap();
            assert_eq!(outcomes.len(), steps.len());
            for (outcome, (odd, is_plain)) in outcomes.iter().zip(answers) {
                let (last, faults) = (ended(outcome), &odd.faults);
                let kind = last["type"].as_str().unwrap();
                let is_terminal = ["RUN_FINISHED", "RUN_ERROR"].contains(&kind);
                assert!(is_terminal, "{faults:?}: {last}");
                if *is_plain {
                    assert_eq!(kind, "RUN_FINISHED", "{faults:?}: {last}");
                    assert_eq!(last_words(outcome), SAID, "{faults:?}");
                }
                // Who reads of an error finds it in the log.
                let id = &last["metadata"]["jarvis"]["request_id"];
                assert_eq!(id.is_string(), kind == "RUN_ERROR", "{faults:?}: {last}");
            }
            // Each was taken by its own words.
            assert_eq!(server.script().waiting(), 0);
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_of_the_docs_works_as_it_is() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let (_, token) = program(&server, &owner, &[], false).await;
    let script = server.script();
    script.reply([Block::text("All is well, sir.")]);
    let start = json!({ "node": "pve", "vmid": 213 });
    script.reply([Block::tool_use("start_container", start)]);
    let task = json!({
        "url": server.url(), "token": token,
        "says": ["Hello", "Start downloads, 213 on pve.", "And the backups?"],
    });
    let node = variable("JARVIS_NODE");
    let read = soon("the page", answer_of(&node, "agui/page.mjs", &task)).await;
    assert_eq!(read["version"], read["installed"]);
    let log = read["log"].as_str().unwrap();
    assert!(log.contains("> Hello\nAll is well, sir."), "{log}");
    // A message that comes while the card waits is taken, and the card is still there.
    let decide = format!("Decide at {}/chat/", server.url());
    for part in [&*decide, "> And the backups?"] {
        assert_eq!(log.matches(part).count(), 1, "{log}");
    }
    assert_eq!(effects(&server, 213), 0);
    server.stop().await;
}
