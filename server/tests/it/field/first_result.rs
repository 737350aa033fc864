//! From enrolment to the first result: the real runner, installed from its Debian package on a device with systemd.

use std::{path::PathBuf, time::Instant};

use field_machine::DebianMachine;
use protocol::ToolOutcome;
use serde_json::{Value, json};

use super::{
    APPROVE, board, data,
    people::{DEVICES, act, token},
};
use crate::{
    api::{get, program},
    harness::{Folder, QUIET, Server, soon},
};

/// The runner beside the server: what builds all tests builds it too.
fn runner() -> Option<PathBuf> {
    let runner = PathBuf::from(env!("CARGO_BIN_EXE_jarvis")).with_file_name("jarvis-runner");
    if runner.exists() {
        return Some(runner);
    }
    assert!(std::env::var_os("CI").is_none(), "CI builds jarvis-runner");
    eprintln!("\n!!! SKIPPED: jarvis-runner is not built: cargo build -p field-runner. !!!\n");
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_commands_on_a_device_lead_to_a_result_from_sandbox_a() {
    // On this thread, which lives as long as the test.
    let Some(machine) = DebianMachine::boot() else {
        return;
    };
    let Some(runner) = runner() else {
        return;
    };
    machine.install(&runner);
    let folder = Folder::new();
    let server = Server::start_with(&folder, &format!("{QUIET}{DEVICES}")).await;
    let ada = server.sign_in().await;
    let wish = json!({ "site": "Harbour office", "name": "Crane probe" });
    let made = act(&ada, "enrol_device", wish, None).await;
    let secret = token(&ada, &made).await.unwrap();

    // As the page shows them.
    let began = Instant::now();
    let enrol = [
        "jarvis-runner",
        "enrol",
        "--server",
        server.url(),
        secret.as_str(),
    ];
    let said = machine.run(&enrol);
    machine.start(&["jarvis-launcher.service", "jarvis-runner.service"]);

    // A person compares the fingerprints, and adopts the device.
    let parts = board(&ada, |parts| {
        parts.values().any(|part| part["pending"].is_object())
    })
    .await;
    let id = parts.device("Crane probe");
    let pending = &parts.of("device").next().unwrap()["pending"];
    assert!(said.contains(pending["shown"].as_str().unwrap()), "{said}");
    let adopt = json!({ "device": id, "fingerprint": pending["fingerprint"] });
    act(&ada, "adopt_device", adopt, Some(APPROVE)).await;

    // Its launcher has probed the sandboxes once the runner reports.
    let reader = program(&server, &ada, "viewer", &["field"]).await;
    let reported = soon("a report of the runner", async {
        loop {
            let devices = get(&reader, "/api/v1/field/devices").await;
            let device = devices["devices"][0].clone();
            if device["program"].is_object() && device["standing"] == "adopted" {
                return device;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let expect = json!({ "version": env!("CARGO_PKG_VERSION"), "failed_update": null });
    assert_eq!(reported["program"], expect);
    assert_eq!(reported["simulated"], false);

    let input = json!({ "device": id, "step": { "run": "routes" } });
    let ran = act(&ada, "run_probe", input, None).await;
    let first = began.elapsed();
    assert!(
        matches!(ran.outcome, ToolOutcome::Succeeded { .. }),
        "{:?}{}",
        ran.outcome,
        machine.journal()
    );
    let run: &Value = data(&ran.outcome);
    assert_eq!(run["sandbox"], "systemd", "{run}");
    assert_eq!(run["end"]["how"]["exit"], 0, "{run}");
    eprintln!("first result {first:?} after the first command");
    server.stop().await;
}
