//! Orders: the guest, the action, and its steps.

use agent::ports::{Assessment, InputValue, read_input};
use protocol::{ErrorBody, OriginSource, Tier};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    api::EntryKind,
    cluster_access::{ClusterAccess, protection},
    texts,
};

/// Input field that only a person may set.
pub(super) const HARD: &str = "hard";

/// Action of a tool on a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Start,
    Stop,
    Restart,
}

/// A parsed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PowerOrder {
    pub verb: Verb,
    pub kind: EntryKind,
    pub node: String,
    pub vmid: u32,
    /// True for a forced stop or restart. Only a person chooses it.
    pub hard: bool,
}

/// A single POST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PowerStep {
    Start,
    Shutdown,
    Reboot,
    /// Forces the guest off.
    Stop,
    /// Presses the reset button of a VM.
    Reset,
}

/// The state of the guest that proves a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Up,
    Down,
    /// Running, in a new run.
    Again,
    /// Running; a reset leaves no trace in Proxmox VE's data.
    Still,
}

/// The guest of a call.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PowerInput {
    /// The node that the guest is on, such as "pve".
    #[schemars(length(min = 1, max = 63))]
    node: String,
    /// The id of the guest, such as 100.
    #[schemars(range(min = 100, max = 999_999_999))]
    vmid: u32,
    /// Only a person sets it, so the model does not hear of it.
    #[serde(default)]
    #[schemars(skip)]
    hard: bool,
}

impl PowerOrder {
    /// Parses the input of a call.
    ///
    /// # Errors
    /// The input does not match the schema.
    pub(super) fn of(verb: Verb, kind: EntryKind, input: &Value) -> Result<Self, ErrorBody> {
        let input: PowerInput = read_input(input.clone())?;
        Ok(Self {
            verb,
            kind,
            node: input.node,
            vmid: input.vmid,
            hard: input.hard && verb != Verb::Start,
        })
    }

    pub(super) fn steps(&self) -> &'static [PowerStep] {
        match (self.verb, self.hard, self.kind) {
            (Verb::Start, _, _) => &[PowerStep::Start],
            (Verb::Stop, false, _) => &[PowerStep::Shutdown],
            (Verb::Stop, true, _) => &[PowerStep::Stop],
            (Verb::Restart, false, _) => &[PowerStep::Reboot],
            (Verb::Restart, true, EntryKind::Qemu) => &[PowerStep::Reset],
            (Verb::Restart, true, EntryKind::Lxc) => &[PowerStep::Stop, PowerStep::Start],
        }
    }

    /// The guest's label, such as `VM 101 (nextcloud)`; without a name if it is unknown.
    pub(super) fn guest(&self, name: Option<&str>) -> String {
        guest(self.kind, self.vmid, name)
    }

    /// Assesses the call by the configuration alone.
    pub(super) fn assess(&self, access: &ClusterAccess, input: &Value) -> Assessment {
        let mut assessment = Assessment::plain(Tier::Red, input);
        assessment.protected = access.protection(&self.node, self.vmid);
        let known = access.known_guest(self.vmid);
        for value in &mut assessment.values {
            // A person who names the guest has named its id, and the node that it is on.
            match (value.path.as_str(), &known) {
                ("/vmid", Some(guest)) => value.mapped_from.extend(guest.name.clone()),
                ("/node", Some(guest)) if guest.node.as_ref() == Some(&self.node) => {
                    value.mapped_from.extend(guest.name.clone());
                    value.mapped_from.push(self.vmid.to_string());
                }
                _ => {}
            }
            if value.path == format!("/{HARD}") {
                *value = InputValue {
                    source: Some(OriginSource::Person),
                    ..value.clone()
                };
            }
        }
        assessment
    }
}

/// Labels a guest as in Proxmox VE's own messages: `VM 101 (nextcloud)`, `CT 200 (pihole)`.
pub(super) fn guest(kind: EntryKind, vmid: u32, name: Option<&str>) -> String {
    let noun = kind.noun();
    match name {
        Some(name) => format!("{noun} {vmid} ({name})"),
        None => format!("{noun} {vmid}"),
    }
}

impl ClusterAccess {
    /// The reason that the operator's configuration protects a guest, if it does.
    pub(crate) fn protection(&self, node: &str, vmid: u32) -> Option<String> {
        let node = || {
            self.is_protected(node)
                .then(|| protection::guest_of(vmid, node))
        };
        protection::guest(&self.config, vmid).or_else(node)
    }
}

impl PowerStep {
    /// The last segment of the path.
    pub(super) fn action(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Shutdown => "shutdown",
            Self::Reboot => "reboot",
            Self::Stop => "stop",
            Self::Reset => "reset",
        }
    }

    pub(super) fn form(self, managed: bool) -> &'static [(&'static str, &'static str)] {
        match self {
            // A guest that ignores the shutdown stays up: forcing it off is a person's choice.
            Self::Shutdown => &[("forceStop", "0")],
            // A hanging shutdown would hold the lock. Guests under the manager do not support this.
            Self::Stop if !managed => &[("overrule-shutdown", "1")],
            _ => &[],
        }
    }

    /// The types of task that the step may start: directly, or through the manager.
    pub(super) fn tasks(self, kind: EntryKind) -> [&'static str; 2] {
        match (self, kind) {
            (Self::Start, EntryKind::Qemu) => ["qmstart", "hastart"],
            (Self::Start, EntryKind::Lxc) => ["vzstart", "hastart"],
            (Self::Shutdown, EntryKind::Qemu) => ["qmshutdown", "hastop"],
            (Self::Shutdown, EntryKind::Lxc) => ["vzshutdown", "hastop"],
            (Self::Stop, EntryKind::Qemu) => ["qmstop", "hastop"],
            (Self::Stop, EntryKind::Lxc) => ["vzstop", "hastop"],
            (Self::Reboot, EntryKind::Qemu) => ["qmreboot", "qmreboot"],
            (Self::Reboot, EntryKind::Lxc) => ["vzreboot", "vzreboot"],
            (Self::Reset, _) => ["qmreset", "qmreset"],
        }
    }

    pub(super) fn aim(self) -> Aim {
        match self {
            Self::Start => Aim::Up,
            Self::Shutdown | Self::Stop => Aim::Down,
            Self::Reboot => Aim::Again,
            Self::Reset => Aim::Still,
        }
    }

    /// The word for the progress line.
    pub(super) fn doing(self) -> &'static str {
        match self {
            Self::Start => "Starting",
            Self::Shutdown => texts::power::SHUTTING_DOWN,
            Self::Reboot => "Restarting",
            Self::Stop => texts::power::STOPPING_HARD,
            Self::Reset => "Resetting",
        }
    }
}
