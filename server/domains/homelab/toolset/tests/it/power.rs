//! Starting, stopping and restarting guests, with and without failures.

use protocol::{ErrorCode, Tier};
use serde_json::{Value, json};
use simlab::{ConnectionFault, SshCut};

use crate::lab::{self, Lab, call, tool_call};

#[tokio::test]
async fn every_tool_does_what_it_says_and_proves_it() {
    for (tool, node, vmid, hard, summary, tasks, proof) in [
        (
            "start_vm",
            "pve",
            113,
            false,
            "VM 113 (windows-11) is running, after 4 s",
            vec!["qmstart 113 OK"],
            "it is running",
        ),
        (
            "stop_vm",
            "Home",
            101,
            false,
            "VM 101 (unifi) is shut down, after 9 s",
            vec!["qmshutdown 101 OK"],
            "it is stopped",
        ),
        (
            "stop_vm",
            "Home",
            101,
            true,
            "VM 101 (unifi) is off: the plug was pulled, after 2 s",
            vec!["qmstop 101 OK"],
            "it is stopped",
        ),
        (
            "restart_vm",
            "pve",
            112,
            false,
            "VM 112 (build-runner) was shut down and is running again, after 14 s",
            vec!["qmreboot 112 OK", "qmstart 112 OK"],
            "it was seen stopped, and is running",
        ),
        (
            "restart_vm",
            "pve",
            112,
            true,
            "VM 112 (build-runner) was restarted hard and is running, after 1 s",
            vec!["qmreset 112 OK"],
            "it is running; a reset leaves no trace in its uptime",
        ),
        (
            "start_container",
            "pve",
            213,
            false,
            "CT 213 (downloads) is running, after 3 s",
            vec!["vzstart 213 OK"],
            "it is running",
        ),
        (
            "stop_container",
            "Home",
            201,
            false,
            "CT 201 (reverse-proxy) is shut down, after 4 s",
            vec!["vzshutdown 201 OK"],
            "it is stopped",
        ),
        (
            "restart_container",
            "Home",
            201,
            false,
            "CT 201 (reverse-proxy) was shut down and is running again, after 8 s",
            vec!["vzreboot 201 OK", "vzstart 201 OK"],
            "it was seen stopped, and is running",
        ),
        (
            "restart_container",
            "Home",
            201,
            true,
            "CT 201 (reverse-proxy) was restarted hard and is running, after 5 s",
            vec!["vzstop 201 OK", "vzstart 201 OK"],
            "it is running",
        ),
    ] {
        let lab = Lab::start().await;
        let mut input = json!({ "node": node, "vmid": vmid });
        if hard {
            input["hard"] = true.into();
        }
        let output = lab.act(&lab.admin(), tool, input).await.unwrap();
        assert_eq!(output.summary, summary, "{tool}");
        assert_eq!(lab.ledger(), tasks, "{tool}");
        let last = output.data["tasks"].as_array().unwrap().last().unwrap();
        assert_eq!(last["proof"], proof, "{tool}");
        let upid = last["upid"].as_str().unwrap();
        assert!(upid.starts_with("UPID:"), "{upid}");
        let state = if tool.starts_with("stop") {
            "stopped"
        } else {
            "running"
        };
        assert_eq!(output.data["after"]["state"], state, "{tool}");
    }
}

#[tokio::test]
async fn with_a_ticket_a_write_carries_the_token_against_forgery() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    let (user, password) = lab.sim.login();
    (config.token_id, config.token_secret) = (None, None);
    config.username = Some(user.to_owned());
    config.password = Some(password.into());
    let input = json!({"node": "pve", "vmid": 213});
    lab.act(&lab.connect(config), "start_container", input)
        .await
        .unwrap();
    assert_eq!(lab.ledger(), ["vzstart 213 OK"]);
}

#[tokio::test]
async fn warnings_are_success_that_says_so() {
    let lab = Lab::start().await;
    let input = json!({"node": "agent", "vmid": 232});
    let output = lab
        .act(&lab.admin(), "start_container", input)
        .await
        .unwrap();
    assert_eq!(
        output.summary,
        "CT 232 (old-wiki) is running, after 3 s; with warnings: WARN: old systemd (< v232) \
         detected, container won't run in a pure cgroupv2 environment!"
    );
    assert_eq!(output.data["tasks"][0]["outcome"], "ok with warnings");
}

/// Asserts that a call fails with a code and with words in its message.
async fn fails(lab: &Lab, tool: &str, input: Value, code: ErrorCode, words: &[&str]) {
    let error = lab.act(&lab.admin(), tool, input).await.unwrap_err();
    assert_eq!(error.code, code, "{error}");
    for word in words {
        assert!(error.message.contains(word), "{word} in {error}");
    }
}

#[tokio::test]
async fn a_guest_that_does_not_react_is_a_failure_and_still_runs() {
    let lab = Lab::start().await;
    lab.sim.control().set_deaf(101, true);
    let words = [
        "Shutting down VM 101 (unifi) failed: VM quit/powerdown failed - got timeout.",
        "It is running now.",
        "its log ends: TASK ERROR: VM quit/powerdown failed - got timeout",
    ];
    let input = json!({"node": "Home", "vmid": 101});
    fails(&lab, "stop_vm", input, ErrorCode::ToolFailed, &words).await;
    assert_eq!(lab.writes(), 1);
}

#[tokio::test]
async fn a_lock_fails_inside_the_task() {
    let lab = Lab::start().await;
    lab.sim.control().set_lock(101, Some("migrate"));
    let words = ["VM is locked (migrate).", "It is running now."];
    let input = json!({"node": "Home", "vmid": 101});
    fails(&lab, "stop_vm", input, ErrorCode::ToolFailed, &words).await;
}

#[tokio::test]
async fn what_proxmox_refuses_begins_no_task() {
    let lab = Lab::start().await;
    for (tool, input, code, words) in [
        (
            "start_container",
            json!({"node": "Home", "vmid": 201}),
            ErrorCode::ToolFailed,
            "Starting CT 201 (reverse-proxy) was refused. Proxmox failed (500): CT 201 already running",
        ),
        (
            "stop_vm",
            json!({"node": "pve", "vmid": 101}),
            ErrorCode::ToolFailed,
            "'nodes/pve/qemu-server/101.conf' does not exist",
        ),
        (
            "stop_vm",
            json!({"node": "../Home", "vmid": 101}),
            ErrorCode::ToolFailed,
            "hostname lookup",
        ),
    ] {
        fails(&lab, tool, input, code, &[words]).await;
    }
    lab.sim.control().revoke("/vms/101", "VM.PowerMgmt");
    let input = json!({"node": "Home", "vmid": 101});
    let words = ["Missing privilege VM.PowerMgmt on /vms/101"];
    fails(&lab, "stop_vm", input, ErrorCode::ToolPermission, &words).await;
    assert_eq!(lab.ledger(), Vec::<String>::new());
}

#[tokio::test]
async fn the_manager_is_told_and_the_guest_is_waited_for() {
    let lab = Lab::start().await;
    let input = json!({"node": "Home", "vmid": 200});
    let stopped = lab
        .act(&lab.admin(), "stop_container", input.clone())
        .await
        .unwrap();
    assert_eq!(stopped.data["ha_managed"], true);
    assert_eq!(stopped.data["after"]["state"], "stopped");
    assert_eq!(lab.ledger(), ["hastop 200 OK", "vzshutdown 200 OK"]);
    let started = lab
        .act(&lab.admin(), "start_container", input)
        .await
        .unwrap();
    assert_eq!(started.data["after"]["state"], "running");
}

#[tokio::test]
async fn a_task_that_does_not_end_is_an_unknown_outcome() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    // The cluster's clock is stopped, and so is its task.
    let input = json!({"node": "Home", "vmid": 101});
    let error = call(&homelab, "stop_vm", input).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolOutcomeUnknown);
    assert!(error.message.contains("is still running"), "{error}");
    assert_eq!(lab.ledger(), ["qmshutdown 101 running"]);
}

#[tokio::test]
async fn a_lost_answer_is_found_again_and_nothing_is_sent_twice() {
    let lab = Lab::start().await;
    // An earlier task of the same type is not mistaken for it.
    let input = json!({"node": "Home", "vmid": 101});
    lab.stop_and_start(&input).await;
    lab.sim.control().cut_next_write(SshCut::Answer);
    let output = lab.act(&lab.admin(), "stop_vm", input).await.unwrap();
    assert_eq!(output.data["after"]["state"], "stopped");
    assert_eq!(
        lab.ledger(),
        ["qmshutdown 101 OK", "qmstart 101 OK", "qmshutdown 101 OK"]
    );
    let upid = lab.sim.control().ledger().pop().unwrap().upid;
    assert_eq!(output.data["tasks"][0]["upid"], upid);
    assert_eq!(lab.writes(), 3);
}

#[tokio::test]
async fn the_task_is_found_again_through_another_node() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.endpoints.push(lab.endpoint("agent"));
    let control = lab.sim.control();
    control.cut_next_write(SshCut::Answer);
    let input = json!({"node": "pve", "vmid": 213});
    let gone = control.clone();
    let output = lab
        .act_with(
            &lab.connect(config),
            "start_container",
            input,
            move |line| {
                if line.starts_with("The answer was lost") {
                    gone.set_offline("Home", true);
                }
            },
        )
        .await
        .unwrap();
    assert_eq!(output.data["after"]["state"], "running");
    assert_eq!(lab.ledger(), ["vzstart 213 OK"]);
    assert_eq!(lab.writes(), 1);
}

#[tokio::test]
async fn an_order_that_never_arrived_did_not_begin() {
    let lab = Lab::start().await;
    lab.sim.control().cut_next_write(SshCut::Request);
    let words = [
        "Shutting down VM 101 (unifi) did not begin",
        "has no task for it",
    ];
    let input = json!({"node": "Home", "vmid": 101});
    fails(&lab, "stop_vm", input, ErrorCode::ToolUnreachable, &words).await;
    assert_eq!((lab.ledger(), lab.writes()), (Vec::new(), 0));
}

#[tokio::test]
async fn without_a_way_to_look_the_outcome_is_unknown() {
    let lab = Lab::start().await;
    let control = lab.sim.control();
    control.cut_next_write(SshCut::Answer);
    let cut = control.clone();
    let input = json!({"node": "Home", "vmid": 101});
    let error = lab
        .act_with(&lab.admin(), "stop_vm", input, move |line| {
            if line.starts_with("The answer was lost") {
                cut.set_connection(ConnectionFault::DropRequest);
            }
        })
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    assert_eq!(lab.writes(), 1);
    assert_eq!(lab.ledger().len(), 1, "it had begun");
}

#[tokio::test]
async fn a_cluster_that_falls_silent_after_the_order_is_an_unknown_outcome() {
    let lab = Lab::start().await;
    let control = lab.sim.control();
    let input = json!({"node": "Home", "vmid": 101});
    let error = lab
        .act_with(&lab.admin(), "stop_vm", input, move |line| {
            if line.starts_with("Shutting down, 2 s") {
                control.set_connection(ConnectionFault::DropRequest);
            }
        })
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    assert!(
        error.message.contains("was begun, but how it went"),
        "{error}"
    );
    assert_eq!(lab.writes(), 1);
}

#[tokio::test]
async fn after_an_action_nothing_old_is_read() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.cache_ms = 600_000;
    let homelab = lab.connect(config);
    let row = async || {
        let output = call(&homelab, "get_containers", json!({"node": "pve"}))
            .await
            .unwrap();
        let rows = output.data["guests"].as_array().unwrap().clone();
        let row = rows.into_iter().find(|row| row["vmid"] == 213).unwrap();
        row["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(row().await, "stopped");
    lab.act(
        &homelab,
        "start_container",
        json!({"node": "pve", "vmid": 213}),
    )
    .await
    .unwrap();
    assert_eq!(row().await, "running");
}

#[tokio::test]
async fn what_is_protected_is_known_without_a_look_outside() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.protected_guests = vec![101];
    config.own_guest = Some(220);
    let homelab = lab.connect(config);
    for (tool, input, expect) in [
        ("stop_vm", json!({"node": "pve", "vmid": 112}), None),
        (
            "stop_vm",
            json!({"node": "AGENT1", "vmid": 120}),
            Some("Guest 120 is on node AGENT1, which is protected by the configuration."),
        ),
        (
            "stop_vm",
            json!({"node": "pve", "vmid": 101}),
            Some("Guest 101 is protected by the configuration."),
        ),
        (
            "restart_container",
            json!({"node": "agent1", "vmid": 220}),
            Some("Guest 220 is the machine that Jarvis itself runs on."),
        ),
    ] {
        let assessment = lab::tool(&homelab, tool).assess(&input);
        assert_eq!(assessment.tier, Tier::Red);
        assert_eq!(assessment.protected.as_deref(), expect, "{input}");
    }
    assert_eq!(lab.sim.control().requests(), []);
}

#[tokio::test]
async fn a_node_is_never_rebooted() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let input = json!({"node": "pve", "action": "reboot"});
    let error = call(&homelab, "reboot_node", input.clone())
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolProtected);
    let preview = lab::tool(&homelab, "reboot_node")
        .preview(&tool_call("reboot_node", input))
        .await;
    assert!(preview.is_err());
    assert_eq!(lab.sim.control().requests(), []);
}
