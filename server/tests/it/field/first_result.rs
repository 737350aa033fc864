//! From enrolment to the first result: the real runner, installed from its Debian package on a device with systemd.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

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

/// Processes of root on the device with a socket that takes what comes over a network. Sockets are counted by
/// the processes that have them: the device shares the network of this machine.
fn root_listens(machine: &DebianMachine) -> Vec<String> {
    let mut taking = BTreeSet::new();
    for (table, state) in [("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")] {
        let rows = fs::read_to_string(machine.inside(&format!("/proc/1/net/{table}")));
        for row in rows.unwrap_or_default().lines().skip(1) {
            let fields: Vec<_> = row.split_whitespace().collect();
            if fields.get(3) == Some(&state) {
                taking.extend(fields.get(9).map(|inode| format!("socket:[{inode}]")));
            }
        }
    }
    let mut found = Vec::new();
    for process in fs::read_dir(machine.inside("/proc")).unwrap().flatten() {
        let folder = process.path();
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let user = status.lines().find_map(|line| line.strip_prefix("Uid:"));
        let is_root = user.and_then(|it| it.split_whitespace().nth(1)) == Some("0");
        let Ok(open) = fs::read_dir(folder.join("fd")) else {
            continue;
        };
        let targets = open
            .flatten()
            .filter_map(|it| fs::read_link(it.path()).ok());
        let mut targets = targets.map(|it| it.to_string_lossy().into_owned());
        if is_root && targets.any(|it| taking.contains(&it)) {
            found.push(status.lines().next().unwrap_or_default().to_owned());
        }
    }
    found
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
    // A quiet machine needs seconds; the limit is the promise.
    assert!(first < Duration::from_secs(5 * 60), "{first:?}");
    eprintln!("first result {first:?} after the first command");
    let listens = root_listens(&machine);
    assert!(listens.is_empty(), "root listens: {listens:?}");
    server.stop().await;
}
