//! Waking a node.

use std::time::Duration;

use protocol::Tier;
use serde_json::json;

use crate::lab::{Lab, call, tool, tool_call};

#[tokio::test]
async fn a_node_that_sleeps_is_woken_and_watched() {
    let lab = Lab::start().await;
    lab.sim.control().power_off("agent");
    lab.clock.advance(Duration::from_secs(20));
    let input = json!({"node": "agent"});
    let output = lab.act(&lab.admin(), "wake_node", input).await.unwrap();
    assert!(
        output.summary.starts_with("Node agent is online, after "),
        "{}",
        output.summary
    );
    assert_eq!(output.data["state"], "online");
    assert_eq!(lab.sim.control().wakes()[0], "9C:6B:00:1A:42:14");
    assert_eq!(lab.writes(), 0);
}

#[tokio::test]
async fn silence_is_told_as_silence() {
    let lab = Lab::start().await;
    // Its network is gone: no packet brings it back.
    lab.sim.control().set_offline("agent", true);
    let output = lab
        .act(&lab.admin(), "wake_node", json!({"node": "agent"}))
        .await
        .unwrap();
    assert_eq!(
        output.summary,
        "Sent, not confirmed: node agent was not seen online within 3 min"
    );
    assert_eq!(output.data["state"], json!({"unknown": "it is not online"}));
}

#[tokio::test]
async fn a_node_that_is_up_is_left_alone() {
    let lab = Lab::start().await;
    let output = call(&lab.admin(), "wake_node", json!({"node": "agent"}))
        .await
        .unwrap();
    assert_eq!(
        output.summary,
        "Node agent is online already; nothing was sent"
    );
}

#[tokio::test]
async fn only_what_the_operator_configured() {
    let lab = Lab::start().await;
    let mut config = lab.config(&lab.sim.admin_token());
    let mac = "9C:6B:00:1A:42:13".to_owned();
    config.node_macs.insert("agent1".to_owned(), mac);
    let homelab = lab.connect(config);
    let wake = tool(&homelab, "wake_node");
    let assess = |node: &str| wake.assess(&json!({"node": node}));

    let known = assess("agent");
    assert_eq!((known.tier, known.refused), (Tier::Yellow, None));
    // The configuration says which nodes may be woken, never which one to wake.
    assert_eq!(known.values[0].source, None);
    let other = assess("pve");
    assert_eq!(
        other.refused.as_deref(),
        Some(
            "No hardware address is configured for a node \"pve\"; there is one for: agent, agent1."
        )
    );
    assert_eq!(other.values[0].source, None);
    assert!(assess("agent1").protected.is_some());

    let preview = wake
        .preview(&tool_call("wake_node", json!({"node": "agent"})))
        .await
        .unwrap();
    assert_eq!(
        preview.sentence,
        "Send a magic packet that wakes node agent."
    );
    assert_eq!(preview.facts[0].value, "online");
    assert_eq!(lab.sim.control().wakes(), Vec::<String>::new());
}
