//! Definitions of the tools that start, stop and restart guests.

use std::{sync::Arc, time::Duration};

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolExample,
    ToolSpec,
};
use async_trait::async_trait;
use protocol::{Choice, ErrorBody, Fact, Offer, Tier, Timestamp, ToolOutput};
use serde_json::{Value, json};

use super::{
    act,
    order::{HARD, PowerInput, PowerOrder, Verb},
    preview::preview,
    reconcile::reconcile,
};
use crate::{
    api::EntryKind,
    cluster_access::ClusterAccess,
    guest_state::{PAUSED, RUNNING, STOPPED},
    texts,
    tools::{about_node, changed_fact, touched},
};

/// A task may take five minutes, and the manager four more to reach the desired state.
const TIMEOUT: Duration = Duration::from_secs(12 * 60);

/// Adds the text common to all definitions: they all wait for a person.
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

/// The six tools, always in the same order.
pub(crate) fn tools(access: &Arc<ClusterAccess>) -> Vec<Power> {
    let tool = |verb, kind, name, description, hard, examples| Power {
        access: Arc::clone(access),
        verb,
        kind,
        name,
        description,
        hard,
        examples,
    };
    vec![
        tool(
            Verb::Start,
            EntryKind::Qemu,
            "start_vm",
            waits!(
                "Starts a virtual machine (QEMU) that is stopped. Use it when the user asks for a \
                 VM to be started or switched on."
            ),
            None,
            [
                ToolExample::new("Start VM 113 on pve."),
                ToolExample::new("Switch windows-11 on."),
            ],
        ),
        tool(
            Verb::Stop,
            EntryKind::Qemu,
            "stop_vm",
            waits!(
                "Shuts a virtual machine (QEMU) down: its system is asked to, and it fails if the \
                 system does not react within about a minute. Use it when the user asks for a VM \
                 to be stopped, shut down or switched off. Pulling the plug is a choice that only \
                 the person who confirms has."
            ),
            Some(texts::power::VM_STOPS_AT_ONCE),
            [
                ToolExample::new("Shut VM 112 down on pve."),
                ToolExample::new("Stop build-runner."),
            ],
        ),
        tool(
            Verb::Restart,
            EntryKind::Qemu,
            "restart_vm",
            waits!(
                "Restarts a virtual machine (QEMU): shuts it down as stop_vm does and starts it \
                 again. Use it for \"restart\" or \"reboot\"; never use stop and start for that."
            ),
            Some(texts::power::VM_IS_RESET_AT_ONCE),
            [
                ToolExample::new("Restart VM 111 on pve."),
                ToolExample::new("Reboot media."),
            ],
        ),
        tool(
            Verb::Start,
            EntryKind::Lxc,
            "start_container",
            waits!(
                "Starts a container (LXC) that is stopped. Use it when the user asks for a \
                 container to be started."
            ),
            None,
            [
                ToolExample::new("Start container 213 on pve."),
                ToolExample::new("Switch downloads on."),
            ],
        ),
        tool(
            Verb::Stop,
            EntryKind::Lxc,
            "stop_container",
            waits!(
                "Shuts a container (LXC) down: its system is asked to, and it fails if the system \
                 does not react within about a minute. Use it when the user asks for a container \
                 to be stopped or shut down. Pulling the plug is a choice that only the person who \
                 confirms has."
            ),
            Some(texts::power::CONTAINER_STOPS_AT_ONCE),
            [
                ToolExample::new("Shut container 212 down on pve."),
                ToolExample::new("Stop paperless."),
            ],
        ),
        tool(
            Verb::Restart,
            EntryKind::Lxc,
            "restart_container",
            waits!(
                "Restarts a container (LXC): shuts it down as stop_container does and starts it \
                 again. Use it for \"restart\" or \"reboot\"; never use stop and start for that."
            ),
            Some(texts::power::CONTAINER_STOPS_AND_STARTS),
            [
                ToolExample::new("Restart container 212 on pve."),
                ToolExample::new("Reboot paperless."),
            ],
        ),
    ]
}

/// One of the six tools.
pub(crate) struct Power {
    access: Arc<ClusterAccess>,
    verb: Verb,
    kind: EntryKind,
    name: &'static str,
    description: &'static str,
    /// The consequence of forcing it, if a person may choose to.
    hard: Option<&'static str>,
    examples: [ToolExample; 2],
}

impl Power {
    fn order(&self, input: &Value) -> Result<PowerOrder, ErrorBody> {
        PowerOrder::of(self.verb, self.kind, input)
    }
}

#[async_trait]
impl Tool for Power {
    fn spec(&self) -> ToolSpec {
        let hard = self.hard.map(|detail| Choice {
            name: HARD.to_owned(),
            label: texts::power::FORCE_OFF.to_owned(),
            detail: detail.to_owned(),
            chosen: false,
        });
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: TIMEOUT,
            choices: hard.into_iter().collect(),
            editable: vec!["/node".to_owned(), "/vmid".to_owned()],
            examples: self.examples.to_vec(),
            ..ToolSpec::new::<PowerInput>(self.name, self.description)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        let node = input.get("node").and_then(Value::as_str);
        let vmid = input.get("vmid").and_then(Value::as_i64);
        match (node, vmid) {
            (Some(node), Some(vmid)) => Some(format!("{} {vmid} on node {node}", self.kind.noun())),
            _ => about_node(input),
        }
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        match self.order(input) {
            Ok(order) => order.assess(&self.access, input),
            // The schema rejects unreadable input.
            Err(_) => Assessment::plain(Tier::Red, input),
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        preview(&self.access, &self.order(&call.input)?).await
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        changed_fact(texts::STATE_NOW, shown, now)
    }

    fn offers(&self) -> Vec<Offer> {
        let on = match self.kind {
            EntryKind::Qemu => "VM",
            EntryKind::Lxc => "CT",
        };
        let offer = |label: &str, when: &str, with| Offer {
            tool: self.name.to_owned(),
            label: label.to_owned(),
            on: on.to_owned(),
            when: when.to_owned(),
            only: Vec::new(),
            with,
        };
        match (self.verb, self.kind) {
            (Verb::Start, _) => vec![offer("Start", STOPPED, Value::Null)],
            (Verb::Restart, _) => vec![offer("Restart", RUNNING, Value::Null)],
            // A paused VM reacts only to force.
            (Verb::Stop, EntryKind::Qemu) => vec![
                offer(texts::power::SHUT_DOWN, RUNNING, Value::Null),
                offer(texts::power::FORCE_OFF, PAUSED, json!({ HARD: true })),
            ],
            (Verb::Stop, EntryKind::Lxc) => {
                vec![offer(texts::power::SHUT_DOWN, RUNNING, Value::Null)]
            }
        }
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        match self.order(&call.input) {
            Ok(order) => reconcile(&self.access, &order, since).await,
            Err(error) => Reconciled::Unknown(error.message),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let order = self.order(&call.input).map_err(ToolError)?;
        let done = act::call(&self.access, &order, &progress).await;
        done.map_err(ToolError)
    }
}
