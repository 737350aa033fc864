//! `restart_service` over SSH with stand-ins for systemd, and through the simulated Proxmox VE.

use std::{fs, time::Duration};

use agent::ports::{Progress, Reconciled, ToolCall};
use homelab::Homelab;
use protocol::{ErrorBody, ErrorCode, Timestamp, ToolOutput};
use serde_json::{Value, json};
use simlab::{ConnectionFault, SshCut};

use crate::{
    lab::{Lab, NOW, call, tool, tool_call},
    sshd::Node,
};

fn input(service: &str) -> Value {
    json!({ "node": "pve", "service": service })
}

fn shown(invocation: &str, active: &str, since: u64, restarts: u32) -> String {
    let (sub, result) = match active {
        "active" => ("running", "success"),
        "failed" => ("failed", "exit-code"),
        _ => ("start", "success"),
    };
    format!(
        "Id=nginx.service\nLoadState=loaded\nActiveState={active}\nSubState={sub}\nResult={result}\n\
         NRestarts={restarts}\nInvocationID={invocation}\nActiveEnterTimestamp=@{since}\n"
    )
}

/// A node whose systemd shows one state, and after a restart the others, one per poll.
async fn node(before: &str, after: &[&str], restart: &str) -> Option<(Node, Lab, Homelab)> {
    let node = Node::start().await?;
    let lab = Lab::start().await;
    fs::write(node.path("show"), before).unwrap();
    for (index, state) in after.iter().enumerate() {
        fs::write(node.path(&format!("after{index}")), state).unwrap();
    }
    fs::write(node.path("looks"), "-1").unwrap();
    node.program(
        "/usr/bin/systemctl",
        &format!(
            r#"look() {{ looks=$(cat $dir/looks); cp $dir/after$looks $dir/show 2> /dev/null
               echo $((looks + 1)) > $dir/looks; }}
               case "$1" in
               show) [ "$(cat $dir/looks)" = -1 ] || look; cat $dir/show ;;
               restart) echo "$@" >> $dir/restarts; echo 0 > $dir/looks; {restart} ;;
               esac"#
        ),
    );
    let homelab = node.connect(&lab);
    Some((node, lab, homelab))
}

/// A restart without an answer: it kills the guard, so no exit code comes.
const SILENT: &str = "kill -9 $PPID";
const OLD: u64 = NOW - 86_400;

#[tokio::test]
async fn a_restart_over_ssh_is_proved() {
    let (before, starting, after) = (
        shown("aaaa", "active", OLD, 0),
        shown("bbbb", "activating", OLD, 0),
        shown("bbbb", "active", NOW, 0),
    );
    let Some((node, _lab, homelab)) = node(&before, &[&starting, &after], ":").await else {
        return;
    };
    let output = call(&homelab, "restart_service", input("nginx"))
        .await
        .unwrap();
    assert_eq!(output.summary, "nginx on pve: restarted, active (running)");
    assert_eq!(
        output.data,
        json!({
            "node": "pve",
            "service": "nginx",
            "outcome": "restarted",
            "through": "SSH",
            "before": {
                "state": "active (running)",
                "running_since": "2026-11-06T09:30:00Z",
                "invocation_id": "aaaa",
                "automatic_restarts": 0,
            },
            "after": {
                "state": "active (running)",
                "running_since": "2026-11-07T09:30:00Z",
                "invocation_id": "bbbb",
                "automatic_restarts": 0,
            },
            "proof": "systemd shows another start than before, and no automatic restart within 0 s",
        })
    );
    assert_eq!(node.noted("restarts"), "restart -- nginx.service\n");
}

#[tokio::test]
async fn a_restart_that_proves_nothing_is_no_success() {
    let before = shown("aaaa", "active", OLD, 0);
    let failed = shown("bbbb", "failed", OLD, 0);
    let up = shown("bbbb", "active", NOW, 0);
    let again = shown("cccc", "active", NOW, 1);
    let stopped = shown("", "failed", OLD, 0);
    for (after, restart, code, expect) in [
        // systemctl reports success without a trace of it: unknown.
        (
            vec![before.as_str()],
            ":",
            ErrorCode::ToolOutcomeUnknown,
            "the order was accepted, but systemd shows the same start as before",
        ),
        // It is down and was not seen to start: somebody else may have stopped it.
        (
            vec![stopped.as_str()],
            ":",
            ErrorCode::ToolOutcomeUnknown,
            "it is failed (failed) now, and systemd does not show whether it was started again",
        ),
        // systemctl lost track of it, but it was started.
        (
            vec![up.as_str()],
            "echo 'Connection reset' >&2; exit 1",
            ErrorCode::ToolOutcomeUnknown,
            "exit code 1, but the service is active (running) now: Connection reset",
        ),
        // It forked, then failed.
        (
            vec![failed.as_str()],
            ":",
            ErrorCode::ToolFailed,
            "it was restarted and is failed (failed) now, because of exit-code",
        ),
        // It failed a moment later, and systemd restarted it.
        (
            vec![up.as_str(), again.as_str()],
            ":",
            ErrorCode::ToolFailed,
            "it was restarted, and then systemd had to start it again",
        ),
        // systemctl reports a failure.
        (
            vec![failed.as_str()],
            "echo 'Job failed.' >&2; exit 1",
            ErrorCode::ToolFailed,
            "exit code 1 and it is failed (failed) now: Job failed",
        ),
        // No answer and no new start: it may still come.
        (
            vec![before.as_str()],
            SILENT,
            ErrorCode::ToolOutcomeUnknown,
            "It is not known whether nginx on node pve was restarted",
        ),
    ] {
        let Some((node, _lab, homelab)) = node(&before, &after, restart).await else {
            return;
        };
        let error = call(&homelab, "restart_service", input("nginx"))
            .await
            .unwrap_err();
        assert_eq!(error.code, code, "{}", error.message);
        assert!(error.message.contains(expect), "{}", error.message);
        assert_eq!(node.noted("restarts"), "restart -- nginx.service\n");
    }
    // No answer, but a new start: it was done.
    let Some((_node, _lab, homelab)) = node(&before, &[&up], SILENT).await else {
        return;
    };
    call(&homelab, "restart_service", input("nginx"))
        .await
        .unwrap();
}

#[tokio::test]
async fn the_node_has_the_last_word() {
    let before = shown("aaaa", "active", OLD, 0);
    let Some((node, _lab, homelab)) = node(&before, &[], ":").await else {
        return;
    };
    // The server's configuration lists exim4, the node's own list does not.
    let error = call(&homelab, "restart_service", input("exim4"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolPermission);
    assert!(
        error.message.contains("exim4.service is not in"),
        "{}",
        error.message
    );
    assert_eq!(node.noted("restarts"), "");
}

#[tokio::test]
async fn after_a_crash_the_last_start_tells() {
    let since = Timestamp(i64::try_from(NOW).unwrap() * 1000);
    for (state, expect) in [
        (shown("bbbb", "active", NOW + 1, 0), "done"),
        (shown("bbbb", "active", NOW, 0), "done"),
        (shown("aaaa", "active", OLD, 0), "not done"),
        (shown("bbbb", "failed", OLD, 0), "unknown"),
    ] {
        let Some((node, _lab, homelab)) = node(&state, &[], ":").await else {
            return;
        };
        let found = tool(&homelab, "restart_service")
            .reconcile(&the_call(input("nginx")), since)
            .await;
        let found = match found {
            Reconciled::Done(Ok(_)) => "done",
            Reconciled::Done(Err(_)) => "failed",
            Reconciled::NotDone(_) => "not done",
            Reconciled::Unknown(_) => "unknown",
        };
        assert_eq!(found, expect, "{state}");
        assert_eq!(node.noted("restarts"), "");
    }
}

fn the_call(input: Value) -> ToolCall {
    tool_call("restart_service", input)
}

#[tokio::test]
async fn proxmox_restarts_the_units_that_it_knows() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.services = [(
        "pve".to_owned(),
        vec!["postfix".to_owned(), "nginx".to_owned()],
    )]
    .into();
    config.poll_ms = 10;
    let homelab = lab.connect(config);
    let began = Timestamp(i64::try_from(NOW).unwrap() * 1000);
    let reconciled = async || {
        tool(&homelab, "restart_service")
            .reconcile(&the_call(input("postfix")), began)
            .await
    };
    assert!(matches!(reconciled().await, Reconciled::NotDone(_)));

    let preview = tool(&homelab, "restart_service")
        .preview(&the_call(input("postfix.service")))
        .await
        .unwrap();
    assert_eq!(preview.sentence, "Restart the service postfix on node pve.");
    assert_eq!(preview.target, "service postfix on node pve");
    assert_eq!(
        preview.state,
        json!({ "state": "active (exited)", "invocation_id": null })
    );

    let output = restarted(&lab, &homelab, "postfix.service").await.unwrap();
    assert_eq!(output.data["through"], "Proxmox");
    assert_eq!(output.data["outcome"], "restarted");
    assert_eq!(lab.asked("/nodes/pve/services/postfix/restart"), 1);
    assert!(matches!(reconciled().await, Reconciled::Done(Ok(_))));

    // Not a unit of Proxmox VE, and there is no other route.
    let error = call(&homelab, "restart_service", input("nginx"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolUnreachable);
    assert!(
        error
            .message
            .contains("SSH is not configured for this node"),
        "{}",
        error.message
    );
}

/// Restarts a service on a cluster whose clock advances ten seconds once the task has started.
async fn restarted(lab: &Lab, homelab: &Homelab, service: &str) -> Result<ToolOutput, ErrorBody> {
    let clock = lab.clock.clone();
    let progress = Progress::new(move |_| clock.advance(Duration::from_secs(10)));
    let restart = tool(homelab, "restart_service");
    let call = restart.call(the_call(input(service)), progress);
    call.await.map_err(|error| error.0)
}

#[tokio::test]
async fn a_lost_answer_of_proxmox_is_found_again_and_nothing_is_sent_twice() {
    let lab = Lab::start().await;
    let homelab = lab.hurried(0);
    // An earlier task is not mistaken for it.
    restarted(&lab, &homelab, "postfix").await.unwrap();
    lab.sim.control().cut_next_write(SshCut::Answer);
    let output = restarted(&lab, &homelab, "postfix").await.unwrap();
    assert_eq!(output.data["outcome"], "restarted");
    assert_eq!(
        lab.ledger(),
        ["srvrestart postfix OK", "srvrestart postfix OK"]
    );

    lab.sim.control().cut_next_write(SshCut::Request);
    let error = restarted(&lab, &homelab, "postfix").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolUnreachable, "{error}");
    assert!(error.message.contains("was not restarted"), "{error}");
    assert_eq!(lab.writes(), 2);

    // No node answers.
    let control = lab.sim.control();
    control.cut_next_write(SshCut::Answer);
    let progress = Progress::new(move |_| control.set_connection(ConnectionFault::DropRequest));
    let restart = tool(&homelab, "restart_service");
    let call = restart.call(the_call(input("postfix")), progress);
    let error = call.await.unwrap_err().0;
    assert_eq!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    assert_eq!((lab.writes(), lab.ledger().len()), (3, 3));
}

#[tokio::test]
async fn only_what_the_configuration_lists_may_be_restarted() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    config.services = [
        ("pve".to_owned(), vec!["pveproxy".to_owned()]),
        ("agent1".to_owned(), vec!["pveproxy".to_owned()]),
    ]
    .into();
    let homelab = lab.connect(config.clone());
    let restart = tool(&homelab, "restart_service");
    let assess =
        |node: &str, service: &str| restart.assess(&json!({ "node": node, "service": service }));
    let good = assess("pve", "pveproxy.service");
    assert_eq!((good.refused, good.protected), (None, None));
    assert_eq!(good.risks.len(), 1);
    // Nothing vouches for the target of a restart.
    assert!(good.values.iter().all(|value| value.source.is_none()));
    assert!(assess("agent1", "pveproxy").protected.is_some());
    for (node, service, expect) in [
        (
            "pve",
            "nginx",
            "nginx may not be restarted on node \"pve\"; the configuration lists for it: pveproxy.",
        ),
        (
            "Home",
            "pveproxy",
            "The configuration lists no service that may be restarted on node \"Home\".",
        ),
        (
            "pve",
            "corosync",
            "corosync is never restarted from here: that can cost the quorum, fence the node or cut \
             the way to it.",
        ),
        (
            "pve",
            "pveproxy; reboot",
            "\"pveproxy; reboot\" is not the name of a service; write it as pveproxy or \
             pveproxy.service.",
        ),
    ] {
        assert_eq!(assess(node, service).refused.as_deref(), Some(expect));
        // The gate is not the only check.
        let input = json!({ "node": node, "service": service });
        let error = call(&homelab, "restart_service", input).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolInputInvalid);
    }
    let error = call(
        &homelab,
        "restart_service",
        json!({ "node": "agent1", "service": "pveproxy" }),
    )
    .await
    .unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolProtected);

    config.services = [("pve".to_owned(), vec!["sshd".to_owned()])].into();
    let error = Homelab::connect(config).unwrap_err().to_string();
    assert!(
        error.starts_with("services pve: sshd is never restarted"),
        "{error}"
    );
}
