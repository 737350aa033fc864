//! Reconciliation of orders that were interrupted by a crash.

use std::time::Duration;

use agent::ports::Reconciled;
use homelab::Homelab;
use protocol::{ErrorCode, Timestamp};
use serde_json::{Value, json};
use simlab::{ConnectionFault, SimClock};

use crate::lab::{self, Lab, NOW, begin_and_die, tool_call};

const SINCE: Timestamp = Timestamp(NOW as i64 * 1000);

async fn reconcile(homelab: &Homelab, tool: &str, input: Value) -> Reconciled {
    lab::tool(homelab, tool)
        .reconcile(&tool_call(tool, input), SINCE)
        .await
}

#[tokio::test]
async fn a_task_that_ran_is_found_and_its_outcome_proved() {
    for (tool, node, vmid, summary, seconds) in [
        (
            "start_vm",
            "pve",
            113,
            "VM 113 (windows-11) is running",
            300,
        ),
        ("stop_vm", "Home", 101, "VM 101 (unifi) is shut down", 300),
        (
            "restart_vm",
            "pve",
            112,
            "VM 112 (build-runner) was shut down and is running again",
            300,
        ),
        (
            "restart_container",
            "Home",
            201,
            "CT 201 (reverse-proxy) was shut down and is running again",
            300,
        ),
        // It is still running, so the reconciliation waits for it.
        ("stop_vm", "Home", 101, "VM 101 (unifi) is shut down", 0),
        // Under the manager.
        (
            "stop_container",
            "Home",
            200,
            "CT 200 (pihole) is shut down",
            2,
        ),
    ] {
        let lab = Lab::start().await;
        let input = json!({ "node": node, "vmid": vmid });
        begin_and_die(&lab, tool, input.clone()).await;
        lab.clock.advance(Duration::from_secs(seconds));
        match reconcile(&lab.hurried(0), tool, input).await {
            Reconciled::Done(Ok(output)) => assert_eq!(output.summary, summary),
            other => panic!("{tool}: {other:?}"),
        }
        assert_eq!(lab.writes(), 1, "{tool}");
    }
}

#[tokio::test]
async fn a_task_that_failed_is_a_failure() {
    let lab = Lab::start().await;
    lab.sim.control().set_deaf(101, true);
    let input = json!({"node": "Home", "vmid": 101});
    begin_and_die(&lab, "stop_vm", input.clone()).await;
    match reconcile(&lab.hurried(0), "stop_vm", input).await {
        Reconciled::Done(Err(error)) => assert_eq!(error.0.code, ErrorCode::ToolFailed),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_task_that_was_never_created_is_certain() {
    let lab = Lab::start().await;
    let input = json!({"node": "Home", "vmid": 101});
    // Earlier tasks, and tasks of other types, are not mistaken for it.
    lab.stop_and_start(&input).await;
    lab.clock.advance(Duration::from_secs(60));
    let since = Timestamp(i64::try_from(lab.clock.now().as_millis()).unwrap());
    let call = tool_call("stop_vm", input);
    let found = lab::tool(&lab.admin(), &call.name)
        .reconcile(&call, since)
        .await;
    assert_eq!(
        found,
        Reconciled::NotDone(
            "Node Home answers, and has no task of jarvis@pve!admin for it since \
             2026-11-07T09:31:12Z."
                .to_owned()
        )
    );
}

#[tokio::test]
async fn a_node_that_is_gone_leaves_it_unknown() {
    let lab = Lab::start().await;
    let input = json!({"node": "agent", "vmid": 230});
    begin_and_die(&lab, "stop_container", input.clone()).await;
    lab.sim.control().set_offline("agent", true);
    let found = reconcile(&lab.admin(), "stop_container", input.clone()).await;
    assert!(matches!(found, Reconciled::Unknown(_)), "{found:?}");
    lab.sim.control().set_offline("agent", false);
    lab.sim
        .control()
        .set_connection(ConnectionFault::DropRequest);
    let found = reconcile(&lab.admin(), "stop_container", input).await;
    assert!(matches!(found, Reconciled::Unknown(_)), "{found:?}");
    assert_eq!(lab.writes(), 1);
}

#[tokio::test]
async fn a_restart_cut_off_in_the_middle_says_so() {
    let lab = Lab::start().await;
    let input = json!({"node": "Home", "vmid": 201, "hard": true});
    begin_and_die(&lab, "restart_container", input.clone()).await;
    match reconcile(&lab.hurried(0), "restart_container", input).await {
        Reconciled::Done(Err(error)) => assert_eq!(
            error.0.message,
            "CT 201 (reverse-proxy) was stopped, but the start did not follow. It is stopped now."
        ),
        other => panic!("{other:?}"),
    }
    assert_eq!(lab.ledger(), ["vzstop 201 OK"]);
}
