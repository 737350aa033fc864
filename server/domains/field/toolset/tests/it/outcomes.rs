//! Outcomes of runs and collections, after a crash too, and stops.

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, Reconciled, Tool, ToolCall, Toolset as _};
use field_testkit::{
    RunScenario,
    office::{ARCHIVE, ROOM},
};
use protocol::{ErrorCode, PageQuery, Timestamp};
use serde_json::{Value, json};

use crate::stub::{Stub, approved, call, person};

async fn ready() -> (Stub, String) {
    let stub = Stub::new();
    let steps = json!([{ "run": "ping", "target": "ip-s1-n1.1" }, { "run": "neighbours" }]);
    let (id, _) = stub.proposal(1, steps).await;
    (stub, id)
}

#[tokio::test]
async fn a_result_has_typed_fields_with_units() {
    let (stub, id) = ready().await;
    let done = stub.run(approved(2, &id, 1, &["Ada"])).await.unwrap();
    assert_eq!(done.summary, "2 of 2 steps ran");
    let ping = &done.data["results"][0];
    assert_eq!(ping["ran"]["target"], "ip-s1-n1.1");
    assert_eq!(ping["end"], json!({ "exit": 0 }));
    let fields = ping["fields"].to_string();
    assert!(
        fields.contains("\"unit\":\"ms\"") && fields.contains("\"unit\":\"%\""),
        "{fields}"
    );
    let text = ping["text"].as_str().unwrap();
    assert!(text.contains("PING ip-s1-n1.1"), "{text}");
    // A reader that finds nothing says so.
    assert!(done.data["results"][1]["fields"].is_object());
    assert_eq!(
        done.data["end"]["cpu_ms"],
        json!({ "unknown": "not measured" })
    );
    let run = done.data["run"].as_str().unwrap();
    let read = stub.call("get_run", json!({ "run": run })).await.unwrap();
    assert_eq!(read.data["package"]["approved_by"], json!(["Ada"]));
    let tail = json!({ "run": run, "step": 1, "tail": 2 });
    let tail = stub.call("get_run", tail).await.unwrap();
    assert_eq!(
        tail.data["output"]["text"]
            .as_str()
            .unwrap()
            .lines()
            .count(),
        2
    );
    assert_eq!(tail.data["output"]["earlier_lines_left_out"], true);
}

#[tokio::test]
async fn each_outcome_says_whether_anything_ran() {
    for (scenario, code, part, effects) in [
        (
            RunScenario::NotDelivered,
            ErrorCode::ToolFailed,
            "ran: the device did not come for it in time.",
            0,
        ),
        (
            RunScenario::Refused,
            ErrorCode::ToolFailed,
            "ran: the device refused it: no sandbox of this device enforces caps.memory.",
            0,
        ),
        (
            RunScenario::Unknown,
            ErrorCode::ToolOutcomeUnknown,
            "Nobody knows whether",
            1,
        ),
        (
            RunScenario::Lost,
            ErrorCode::ToolOutcomeUnknown,
            "took effect: step 2 of 2 had begun when the device lost it.",
            1,
        ),
    ] {
        let (stub, id) = ready().await;
        stub.memory.scenario(scenario);
        let call = approved(2, &id, 1, &["Ada"]);
        let error = stub.run(call.clone()).await.unwrap_err();
        assert_eq!(error.code, code, "{scenario:?}");
        assert!(error.message.contains(part), "{scenario:?}: {error}");
        let effect = stub.memory.effects().get(&call.id).copied().unwrap_or(0);
        assert_eq!(effect, effects, "{scenario:?}");
    }
}

/// Its run ended, and lists do not draw that as a success.
#[tokio::test]
async fn a_step_that_failed_is_no_success() {
    let (stub, id) = ready().await;
    stub.memory.scenario(RunScenario::Fails);
    let done = stub.run(approved(2, &id, 1, &["Ada"])).await.unwrap();
    assert_eq!(done.data["phase"], "ended");
    // Its reason is a device's text: covered, and without what cannot be seen.
    // The summary opens with the failure: the card of the call is marked as done.
    let why = done.summary.strip_prefix("1 of 2 steps failed: ");
    let why = why.expect(&done.summary);
    assert!(why.starts_with("ip-s1-n1.1: no"), "{why}");
    assert!(
        why.ends_with(" answer") && !why.contains('\u{202e}'),
        "{why:?}"
    );
    let query = PageQuery {
        kind: "run".to_owned(),
        name: done.data["run"].as_str().unwrap().to_owned(),
        part: "run".to_owned(),
    };
    let page = stub.field.page(person(), &query).await.unwrap();
    assert_eq!(page["run"]["phase"], "failed", "{page}");
    assert_eq!(page["results"][1]["end"]["good"], false, "{page}");
}

/// Neither a read nor a page makes an end, or a step that still runs, of what nobody knows.
#[tokio::test]
async fn a_lost_run_says_which_step_had_begun() {
    let (stub, id) = ready().await;
    stub.memory.scenario(RunScenario::Lost);
    stub.run(approved(2, &id, 1, &["Ada"])).await.unwrap_err();
    let listed = stub.call("list_runs", json!({ "state": "unknown" })).await;
    let listed = listed.unwrap().data["runs"][0].clone();
    let why = "step 2 of 2 had begun when the device lost it";
    assert_eq!(listed["unknown"], why);
    let run = listed["run"].as_str().unwrap();
    let read = stub.call("get_run", json!({ "run": run })).await.unwrap();
    let results = &read.data["results"];
    assert_eq!(results[0]["end"], json!({ "exit": 0 }));
    assert_eq!(results[1]["end"], "unknown");
    let no_end = json!({ "unknown": "nobody knows how the step ended" });
    assert_eq!(results[1]["fields"], no_end);
    let query = PageQuery {
        kind: "run".to_owned(),
        name: run.to_owned(),
        part: "run".to_owned(),
    };
    let page = stub.field.page(person(), &query).await.unwrap();
    assert_eq!(page["reason"], why);
    assert_eq!(page["results"][1]["end"]["good"], false, "{page}");
    assert_eq!(page["run"]["unresolved"], true, "{page}");
}

async fn reconciled(stub: &Stub, call: &ToolCall) -> String {
    let tool = stub.tool(&call.name);
    match tool.reconcile(call, Timestamp(1)).await {
        Reconciled::Done(Ok(output)) => format!("done: {}", output.summary),
        Reconciled::Done(Err(error)) => format!("failed: {}", error.0.message),
        Reconciled::NotDone(why) => format!("not done: {why}"),
        Reconciled::Unknown(why) => format!("unknown: {why}"),
    }
}

#[tokio::test]
async fn after_a_crash_the_outcome_is_looked_up() {
    let (stub, id) = ready().await;
    let cut_off = approved(2, &id, 1, &["Ada"]);
    assert_eq!(
        reconciled(&stub, &cut_off).await,
        "not done: No run was queued for this call."
    );
    for (scenario, expected) in [
        (RunScenario::Ends, "done: 2 of 2 steps ran"),
        (RunScenario::NotDelivered, "not done: Nothing of the run"),
        (RunScenario::Refused, "not done: Nothing of the run"),
        (
            RunScenario::Unknown,
            "unknown: Nobody knows whether the run",
        ),
        (RunScenario::Lost, "unknown: Nobody knows whether the run"),
    ] {
        let (stub, id) = ready().await;
        stub.memory.scenario(scenario);
        let call = approved(3, &id, 1, &["Ada"]);
        stub.run(call.clone()).await.ok();
        let found = reconciled(&stub, &call).await;
        assert!(found.starts_with(expected), "{scenario:?}: {found}");
        // Looking runs nothing.
        assert!(stub.memory.effects().values().all(|count| *count == 1));
        assert_eq!(stub.memory.orders().len(), 1);
    }
    stub.memory.break_storage(true);
    assert!(reconciled(&stub, &cut_off).await.starts_with("unknown: "));
}

/// Runs a call that waits, and returns once it is queued.
async fn waiting(stub: &Stub, call: ToolCall) -> tokio::task::JoinHandle<String> {
    stub.memory.scenario(RunScenario::Waits);
    let tool: Arc<dyn Tool> = stub.tool(&call.name);
    tool.preview(&call).await.unwrap();
    let handle = tokio::spawn(async move {
        match tool.call(call, Progress::ignored()).await {
            Ok(output) => output.summary,
            Err(error) => error.0.message,
        }
    });
    while stub.memory.orders().is_empty() {
        tokio::task::yield_now().await;
    }
    handle
}

/// The end of a call that waited. Time passes only when nothing else can happen, so a call that never ends
/// is found at once.
async fn end(handle: tokio::task::JoinHandle<String>) -> String {
    let end = tokio::time::timeout(Duration::from_secs(3_600), handle);
    end.await.unwrap().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_stop_cancels_what_has_not_started() {
    let (stub, id) = ready().await;
    let call = approved(2, &id, 1, &["Ada"]);
    let handle = waiting(&stub, call.clone()).await;
    let tool = stub.tool("run_script");
    tool.stop(&call).await;
    let said = end(handle).await;
    assert!(
        said.ends_with("ran: it was cancelled before it started."),
        "{said}"
    );
    assert!(stub.memory.effects().is_empty());
    // Once more, and for a call that queued nothing, it does nothing.
    tool.stop(&call).await;
    tool.stop(&approved(9, &id, 1, &["Ada"])).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_the_end_of_its_run() {
    let (stub, id) = ready().await;
    let handle = waiting(&stub, approved(2, &id, 1, &["Ada"])).await;
    let open = stub
        .call("list_runs", json!({ "state": "open" }))
        .await
        .unwrap();
    let run = open.data["runs"][0]["run"].as_str().unwrap().to_owned();
    assert_eq!(open.data["runs"][0]["phase"], "queued");
    assert!(!handle.is_finished());
    stub.memory.finish(&run);
    assert_eq!(end(handle).await, "2 of 2 steps ran");
}

#[tokio::test(start_paused = true)]
async fn cancelling_says_what_is_certain() {
    let (stub, id) = ready().await;
    let handle = waiting(&stub, approved(2, &id, 1, &["Ada"])).await;
    let open = stub
        .call("list_runs", json!({ "state": "open" }))
        .await
        .unwrap();
    let run = open.data["runs"][0]["run"].as_str().unwrap().to_owned();
    // The only open run of a device is meant by the device.
    let input = json!({ "run": run, "reason": "too long" });
    let values = stub.assess("cancel_run", &input).values;
    assert_eq!(values[0].mapped_from, [ROOM, "meeting room"]);
    let cancelled = stub.call("cancel_run", input.clone()).await.unwrap();
    assert_eq!(cancelled.data["cancel"], "cancelled");
    assert_eq!(cancelled.data["ran"], false);
    let again = stub.call("cancel_run", input).await.unwrap();
    assert_eq!(again.data["cancel"], "over");
    assert!(end(handle).await.contains("cancelled"));
}

#[tokio::test]
async fn diagnostics_are_collected_once() {
    let stub = Stub::new();
    let collect = |number| call(number, "collect_diagnostics", json!({ "device": ROOM }));
    assert_eq!(
        reconciled(&stub, &collect(1)).await,
        "not done: No diagnostics were asked for by this call."
    );
    let first = stub.run(collect(1)).await.unwrap();
    let again = stub.run(collect(1)).await.unwrap();
    assert_eq!(first.data["bundle"], again.data["bundle"]);
    assert_eq!(
        reconciled(&stub, &collect(1)).await,
        "done: 2 sections collected"
    );
    let listed = stub
        .call("get_diagnostics", json!({ "device": ROOM }))
        .await
        .unwrap();
    assert_eq!(listed.data["bundles"].as_array().map(Vec::len), Some(2));
    stub.memory.scenario(RunScenario::NotDelivered);
    let error = stub.run(collect(2)).await.unwrap_err();
    assert!(
        error.message.starts_with("Nothing was collected"),
        "{error}"
    );
    assert!(
        reconciled(&stub, &collect(2))
            .await
            .starts_with("not done: ")
    );
    let offline = json!({ "device": ARCHIVE });
    let error = stub.call("collect_diagnostics", offline).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolUnreachable);
}

#[tokio::test]
async fn lines_are_found_and_counted() {
    let stub = Stub::new();
    let bundle = field_testkit::office::BUNDLE;
    let read = |more: Value| {
        let mut input = json!({ "device": ROOM, "bundle": bundle, "section": "neighbours" });
        for (name, value) in more.as_object().unwrap() {
            input[name] = value.clone();
        }
        input
    };
    let found = stub
        .call("get_diagnostics", read(json!({ "find": "LLADDR" })))
        .await
        .unwrap();
    let lines = found.data["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].as_str().unwrap().starts_with("4: ip-s1-n1.1"),
        "{lines:?}"
    );
    let page = stub
        .call(
            "get_diagnostics",
            read(json!({ "from_line": 2, "lines": 3 })),
        )
        .await
        .unwrap();
    assert_eq!(page.data["lines"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&page.data["next_line"], &page.data["lines_in_all"]),
        (&json!(5), &json!(10))
    );
    let other = json!({ "device": ARCHIVE, "bundle": bundle, "section": "neighbours" });
    let error = stub.call("get_diagnostics", other).await.unwrap_err();
    assert_eq!(error.message, "There is no such bundle of diagnostics.");
}
