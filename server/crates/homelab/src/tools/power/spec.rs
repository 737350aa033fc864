//! The definitions of the power tools.

use std::time::Duration;

use agent::ports::{Audience, Impact, Recovery, ToolSpec};
use protocol::{Choice, Tier};
use serde_json::json;

use super::order::HARD;
use crate::tools::specs::{closed, node};

/// A task may take five minutes, and the manager four more until the guest is as it should be.
const TIMEOUT: Duration = Duration::from_secs(12 * 60);

/// What the definitions have in common: they all wait for a person.
macro_rules! waits {
    ($text:literal) => {
        concat!(
            $text,
            " A person is shown the guest and its present state and decides before anything \
             happens; the result comes when the guest has been seen in its new state. `node` is \
             the node that the guest is on now: look it up first if it is not known. Example: \
             {\"node\": \"pve\", \"vmid\": 100}."
        )
    };
}

/// All power tools, always in the same order.
pub(crate) fn specs() -> Vec<ToolSpec> {
    vec![
        red(
            "start_vm",
            waits!(
                "Starts a virtual machine (QEMU) that is stopped. Use it when the user asks for a \
                 VM to be started or switched on."
            ),
            None,
        ),
        red(
            "stop_vm",
            waits!(
                "Shuts a virtual machine (QEMU) down: its system is asked to, and it fails if the \
                 system does not react within about a minute. Use it when the user asks for a VM \
                 to be stopped, shut down or switched off. Pulling the plug is a choice that only \
                 the person who confirms has."
            ),
            Some("The VM stops at once, without a shutdown. Data that is not saved is lost."),
        ),
        red(
            "restart_vm",
            waits!(
                "Restarts a virtual machine (QEMU): shuts it down as stop_vm does and starts it \
                 again. Use it for \"restart\" or \"reboot\"; never use stop and start for that."
            ),
            Some("The VM is reset at once, without a shutdown. Data that is not saved is lost."),
        ),
        red(
            "start_container",
            waits!(
                "Starts a container (LXC) that is stopped. Use it when the user asks for a \
                 container to be started."
            ),
            None,
        ),
        red(
            "stop_container",
            waits!(
                "Shuts a container (LXC) down: its system is asked to, and it fails if the system \
                 does not react within about a minute. Use it when the user asks for a container \
                 to be stopped or shut down. Pulling the plug is a choice that only the person who \
                 confirms has."
            ),
            Some(
                "The container stops at once, without a shutdown. Data that is not saved is lost.",
            ),
        ),
        red(
            "restart_container",
            waits!(
                "Restarts a container (LXC): shuts it down as stop_container does and starts it \
                 again. Use it for \"restart\" or \"reboot\"; never use stop and start for that."
            ),
            Some(
                "The container stops at once, without a shutdown, and is started again. Data that \
                 is not saved is lost.",
            ),
        ),
        reboot_node(),
    ]
}

fn red(name: &'static str, description: &'static str, hard: Option<&str>) -> ToolSpec {
    ToolSpec {
        name,
        description,
        input_schema: closed(
            json!({
                "node": node("The node that the guest is on, such as \"pve\"."),
                "vmid": {
                    "type": "integer",
                    "minimum": 100,
                    "maximum": 999_999_999,
                    "description": "The id of the guest, such as 100.",
                },
            }),
            &["node", "vmid"],
        ),
        tier: Tier::Red,
        recovery: Recovery::Reconcilable,
        timeout: TIMEOUT,
        choices: hard
            .map(|detail| Choice {
                name: HARD.to_owned(),
                label: "Pull the plug".to_owned(),
                detail: detail.to_owned(),
                chosen: false,
            })
            .into_iter()
            .collect(),
        editable: vec!["node", "vmid"],
        audience: Audience::Everyone,
        impact: Impact::System,
    }
}

/// Seen by the model, so that it can say why it does not do it.
fn reboot_node() -> ToolSpec {
    ToolSpec {
        name: "reboot_node",
        description: "Reboots or shuts down a whole node with all its guests. It never runs from \
                      here, whoever asks, and no confirmation changes that. Call it only when the \
                      user asks for exactly this, so that the request is on record; then say that \
                      it has to be done by hand, on the node itself or in the interface of Proxmox.",
        input_schema: closed(
            json!({
                "node": node("The node, such as \"pve\"."),
                "action": {
                    "type": "string",
                    "enum": ["reboot", "shutdown"],
                    "description": "\"reboot\" or \"shutdown\".",
                },
            }),
            &["node", "action"],
        ),
        tier: Tier::Black,
        recovery: Recovery::Unsafe,
        timeout: Duration::from_secs(1),
        choices: Vec::new(),
        editable: Vec::new(),
        audience: Audience::Everyone,
        impact: Impact::System,
    }
}
