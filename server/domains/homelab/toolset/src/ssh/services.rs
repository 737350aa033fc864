//! Services that may be restarted, and their state according to systemd.

use std::collections::BTreeMap;

use serde::Serialize;

use super::GrammarCommand;
use crate::{HomelabError, texts};

/// Units whose restart can cost the quorum, fence the node or cut its connection.
const DENIED: [&str; 6] = [
    "corosync",
    "pve-cluster",
    "watchdog-mux",
    "networking",
    "sshd",
    "ssh",
];
const DENIED_PREFIX: &str = "pve-ha-";

/// The full name of a service: `pveproxy` and `pveproxy.service` are the same. `None` if invalid.
pub(crate) fn unit(name: &str) -> Option<String> {
    let unit = if name.ends_with(".service") {
        name.to_owned()
    } else {
        format!("{name}.service")
    };
    let is_unit =
        GrammarCommand::restart(&unit).is_ok_and(|command| command.restarts() == Some(&unit));
    is_unit.then_some(unit)
}

/// The name of a service without its suffix, as Proxmox VE uses it.
pub(crate) fn stem(unit: &str) -> &str {
    unit.strip_suffix(".service").unwrap_or(unit)
}

/// Returns whether a unit is never restarted, whatever the configuration says.
pub(crate) fn is_denied(unit: &str) -> bool {
    let stem = stem(unit);
    // This covers instances, and names that differ only in case.
    let stem = stem.split('@').next().unwrap_or(stem).to_ascii_lowercase();
    DENIED.contains(&stem.as_str()) || stem.starts_with(DENIED_PREFIX)
}

/// Validates the list of services in the configuration.
pub(crate) fn check(services: &BTreeMap<String, Vec<String>>) -> Result<(), HomelabError> {
    for (node, names) in services {
        for name in names {
            let Some(unit) = unit(name) else {
                return Err(HomelabError::config(
                    "services",
                    texts::service::is_not_name_of_service(node, name),
                ));
            };
            if is_denied(&unit) {
                return Err(HomelabError::config(
                    "services",
                    texts::service::configured_but_never_restarted(node, name),
                ));
            }
        }
    }
    Ok(())
}

/// Properties of a service from `systemctl show`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct ShownServices {
    pub load_state: String,
    pub active_state: String,
    pub sub_state: String,
    pub result: String,
    /// Different after each start of the unit; empty if it never ran.
    pub invocation_id: String,
    /// Number of automatic restarts by systemd.
    pub automatic_restarts: Option<u64>,
    pub exec_main_status: Option<i64>,
    /// Start of the active state, in Unix seconds of the node's clock.
    pub active_since: Option<i64>,
    /// True if systemd has a pending job for it.
    #[serde(skip)]
    pub job: bool,
}

impl ShownServices {
    /// Parses `Name=value` lines. Unknown names are skipped; missing ones stay empty.
    pub(crate) fn parse(text: &str) -> Self {
        let mut shown = Self::default();
        for line in text.lines() {
            let Some((name, value)) = line.split_once('=') else {
                continue;
            };
            let value = value.trim();
            match name {
                "LoadState" => shown.load_state = value.to_owned(),
                "ActiveState" => shown.active_state = value.to_owned(),
                "SubState" => shown.sub_state = value.to_owned(),
                "Result" => shown.result = value.to_owned(),
                "InvocationID" => shown.invocation_id = value.to_owned(),
                "NRestarts" => shown.automatic_restarts = value.parse().ok(),
                "ExecMainStatus" => shown.exec_main_status = value.parse().ok(),
                "ActiveEnterTimestamp" => {
                    shown.active_since = value
                        .strip_prefix('@')
                        .and_then(|seconds| seconds.parse().ok());
                }
                "Job" => shown.job = !matches!(value, "" | "0"),
                _ => {}
            }
        }
        shown
    }

    /// Returns whether it is changing state.
    pub(crate) fn is_moving(&self) -> bool {
        self.job
            || matches!(
                self.active_state.as_str(),
                "activating" | "deactivating" | "reloading" | "refreshing"
            )
    }

    /// Returns whether it is running without a failure.
    pub(crate) fn is_up(&self) -> bool {
        self.load_state == "loaded" && self.active_state == "active" && self.result == "success"
    }

    /// The state as text, such as `active (running)`.
    pub(crate) fn state(&self) -> String {
        match (self.active_state.as_str(), self.sub_state.as_str()) {
            ("", _) => "unknown".to_owned(),
            (active, "") => active.to_owned(),
            (active, sub) => format!("{active} ({sub})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_that_hold_the_cluster_are_never_restarted() {
        for (name, expect) in [
            ("corosync", true),
            ("corosync.service", true),
            ("Corosync.service", true),
            ("pve-cluster", true),
            ("pve-ha-lrm", true),
            ("pve-ha-anything-new", true),
            ("watchdog-mux", true),
            ("networking", true),
            ("sshd", true),
            ("ssh", true),
            ("ssh@1.service", true),
            ("pveproxy", false),
            ("smbd.service", false),
            ("ssh-agent-proxy", false),
        ] {
            let unit = unit(name).unwrap();
            assert_eq!(is_denied(&unit), expect, "{name}");
            let list = [("pve".to_owned(), vec![name.to_owned()])].into();
            assert_eq!(check(&list).is_err(), expect, "{name}");
        }
        for name in ["", "-x", "a b", "a;b", "../a", "a.socket/", "*", "ä"] {
            assert_eq!(unit(name), None, "{name}");
        }
    }

    #[test]
    fn what_systemd_shows() {
        let shown = ShownServices::parse(
            "Id=nginx.service\nLoadState=loaded\nActiveState=active\nSubState=running\n\
             Result=success\nMainPID=77\nNRestarts=0\nInvocationID=8f2c\nExecMainStatus=0\n\
             ActiveEnterTimestamp=@1794043800\nnonsense\nJob=12\n",
        );
        assert_eq!(shown.state(), "active (running)");
        assert_eq!(shown.active_since, Some(1_794_043_800));
        assert_eq!(shown.automatic_restarts, Some(0));
        assert!(shown.is_up() && shown.is_moving());
        let nothing = ShownServices::parse("");
        assert!(!nothing.is_up());
        assert_eq!(nothing.state(), "unknown");
    }
}
