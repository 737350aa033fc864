//! Previews of calls on their cards, and the state that binds them.

use std::time::Duration;

use agent::ports::Preview;
use homelab::Homelab;
use insta::assert_debug_snapshot;
use protocol::{Assurance, ErrorBody};
use serde_json::{Value, json};

use crate::lab::{self, Lab, tool_call};

async fn preview(homelab: &Homelab, tool: &str, input: Value) -> Result<Preview, ErrorBody> {
    lab::tool(homelab, tool)
        .preview(&tool_call(tool, input))
        .await
}

#[tokio::test]
async fn a_card_shows_the_guest_and_what_hangs_on_it() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let input = json!({"node": "Home", "vmid": 100});
    assert_debug_snapshot!(preview(&homelab, "stop_vm", input).await.unwrap());
    assert_eq!(lab.writes(), 0);
}

#[tokio::test]
async fn sentences_and_ways_to_approve() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let name = |word: &str| Assurance::Type {
        word: word.to_owned(),
    };
    for (tool, input, sentence, assurance) in [
        (
            "start_vm",
            json!({"node": "pve", "vmid": 113}),
            "Start VM 113 (windows-11) on node pve.",
            Assurance::Press,
        ),
        (
            "stop_container",
            json!({"node": "pve", "vmid": 211}),
            "Shut down CT 211 (nextcloud) on node pve.",
            Assurance::Hold,
        ),
        (
            "restart_container",
            json!({"node": "pve", "vmid": 211}),
            "Shut down CT 211 (nextcloud) on node pve and start it again.",
            Assurance::Hold,
        ),
        (
            "stop_vm",
            json!({"node": "Home", "vmid": 101, "hard": true}),
            "Force off VM 101 (unifi) on node Home.",
            name("unifi"),
        ),
        (
            "restart_vm",
            json!({"node": "Home", "vmid": 101, "hard": true}),
            "Force off VM 101 (unifi) on node Home and start it again.",
            name("unifi"),
        ),
    ] {
        let hard = input.get("hard").is_some();
        let preview = preview(&homelab, tool, input.clone()).await.unwrap();
        // What the card folds away is said above it; a switch is not.
        assert_eq!(preview.said, ["node", "vmid"], "{tool}");
        for name in preview.said {
            let value = input[name].to_string();
            assert!(preview.sentence.contains(value.trim_matches('"')), "{name}");
        }
        assert_eq!(preview.sentence, sentence);
        assert_eq!(preview.assurance, assurance, "{tool}");
        assert_eq!(preview.irreversible.is_some(), hard, "{tool}");
    }
}

#[tokio::test]
async fn what_cannot_be_offered_is_said() {
    let lab = Lab::start().await;
    let control = lab.sim.control();
    control.set_lock(112, Some("backup"));
    control.revoke("/vms/111", "VM.PowerMgmt");
    control.revoke("/vms/110", "VM.Audit");
    control.set_offline("agent", true);
    let homelab = lab.admin();
    for (tool, node, vmid, expect) in [
        (
            "stop_vm",
            "pve",
            101,
            "VM 101 (unifi) is on node Home, not on pve.",
        ),
        (
            "stop_vm",
            "home",
            101,
            "There is no node \"home\". The nodes are: Home, agent, agent1, pve.",
        ),
        (
            "stop_container",
            "Home",
            101,
            "VM 101 (unifi) on node Home is no container.",
        ),
        (
            "start_vm",
            "Home",
            200,
            "CT 200 (pihole) on node Home is no VM.",
        ),
        ("stop_vm", "Home", 999, "There is no guest 999."),
        (
            "start_vm",
            "pve",
            119,
            "VM 119 (debian-13-template) is a template: it cannot run.",
        ),
        ("start_vm", "Home", 101, "VM 101 (unifi) runs already."),
        (
            "stop_vm",
            "pve",
            113,
            "VM 113 (windows-11) is stopped already.",
        ),
        (
            "restart_container",
            "pve",
            213,
            "CT 213 (downloads) is stopped already.",
        ),
        (
            "stop_vm",
            "pve",
            112,
            "VM 112 (build-runner) is locked (backup): Proxmox refuses until the lock is gone.",
        ),
        (
            "stop_vm",
            "pve",
            111,
            "Missing privilege VM.PowerMgmt on /vms/111.",
        ),
        (
            "stop_vm",
            "pve",
            110,
            "Guest 110 cannot be seen: missing privilege VM.Audit on /vms/110.",
        ),
        ("stop_container", "agent", 231, "Node agent is offline."),
    ] {
        let input = json!({"node": node, "vmid": vmid});
        let error = preview(&homelab, tool, input).await.unwrap_err();
        assert_eq!(error.message, expect, "{tool} {vmid}");
    }
    assert_eq!(lab.writes(), 0);
}

#[tokio::test]
async fn the_state_holds_while_the_guest_runs_and_changes_with_it() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    for (tool, restart, input) in [
        (
            "stop_vm",
            "restart_vm",
            json!({"node": "Home", "vmid": 101}),
        ),
        (
            "stop_container",
            "restart_container",
            json!({"node": "Home", "vmid": 201}),
        ),
    ] {
        let state = async || preview(&homelab, tool, input.clone()).await.unwrap().state;
        let first = state().await;
        for millis in [400, 900, 61_000, 3_600_000] {
            lab.clock.advance(Duration::from_millis(millis));
            assert_eq!(state().await, first, "{tool}");
        }
        lab.act(&homelab, restart, input.clone()).await.unwrap();
        assert_ne!(state().await, first, "{tool}");
    }
}

#[tokio::test]
async fn a_card_that_comes_back_says_what_has_changed() {
    let lab = Lab::start().await;
    let stop = lab::tool(&lab.admin(), "stop_vm");
    let call = tool_call("stop_vm", json!({ "node": "Home", "vmid": 100 }));
    let now = stop.preview(&call).await.unwrap();
    assert_eq!(stop.drift(&now.facts, &now), None);
    let mut shown = now.facts.clone();
    shown[0].value = "paused".to_owned();
    let is = &now.facts[0].value;
    let expect = format!("It was paused when it was shown, and is {is} now.");
    assert_eq!(stop.drift(&shown, &now), Some(expect));
}
