//! systemd units on a node, as `systemctl` shows them.

use super::SshAnswer;
use super::log_entry::{ERR, INFO, LogEntry, NOTICE, WARNING};
use super::recording::recorded;
use crate::inventory::SERVICES;
use crate::wave::mix;
use crate::world::{RestartPolicy, SimWorld};

/// Units that Proxmox VE does not know: node, name, description.
const OWN: &[(&str, &str, &str)] = &[
    (
        "Home",
        "nut-server",
        "Network UPS Tools - power devices information server",
    ),
    ("pve", "smbd", "Samba SMB Daemon"),
    ("pve", "nfs-server", "NFS server and services"),
    ("agent", "zigbee2mqtt", "zigbee2mqtt"),
];

struct SystemdUnit {
    name: String,
    description: &'static str,
    active: String,
    sub: String,
    /// True if the unit exists.
    loaded: bool,
    /// The last start, in Unix seconds.
    since: f64,
}

impl SystemdUnit {
    fn find(world: &SimWorld, node: &str, name: &str) -> Self {
        let stem = name.strip_suffix(".service").unwrap_or(name);
        let known = SERVICES.iter().find(|service| service.name == stem);
        let own = OWN
            .iter()
            .find(|(on, unit, _)| *on == node && *unit == stem)
            .map(|(_, _, description)| *description);
        let (active, sub, file) = match (world.service(node, stem), own) {
            (Some(state), _) => state,
            (None, Some(_)) => ("active".into(), "running".into(), "enabled".into()),
            (None, None) => ("inactive".into(), "dead".into(), "not-found".into()),
        };
        Self {
            name: format!("{stem}.service"),
            description: known
                .map(|service| service.description)
                .or(own)
                .unwrap_or(""),
            active,
            sub,
            loaded: file != "not-found",
            since: since(world, node, stem),
        }
    }

    /// The name without `.service`.
    fn stem(&self) -> &str {
        self.name.trim_end_matches(".service")
    }

    fn runs(&self) -> bool {
        self.active == "active"
    }

    /// The invocation id, different after every start.
    fn invocation(&self, node: &str) -> String {
        let seed = format!("{node}/{}@{}", self.name, self.since);
        format!("{:016x}{:016x}", mix(1, &seed), mix(2, &seed))
    }

    fn pid(&self, node: &str) -> u64 {
        if self.runs() && self.sub == "running" {
            700 + mix(3, &format!("{node}/{}@{}", self.name, self.since)) % 90_000
        } else {
            0
        }
    }
}

/// The time of its last restart, or of its node's boot.
fn since(world: &SimWorld, node: &str, stem: &str) -> f64 {
    let tasks = world.tasks.iter().filter(|task| {
        task.upid.kind == "srvrestart"
            && task.upid.node == node
            && task.upid.id == stem
            && task.ended(world.now)
            && !task.failed()
    });
    let restarts = world
        .restarts
        .iter()
        .filter(|restart| restart.node == node && restart.unit == stem);
    tasks
        .map(|task| task.end)
        .chain(restarts.map(|restart| restart.at))
        .max_by(f64::total_cmp)
        .unwrap_or_else(|| world.booted(node) + 9.0)
}

/// The output of `systemctl show`: all properties ever requested.
pub(super) fn show(world: &SimWorld, node: &str, name: &str) -> SshAnswer {
    let unit = SystemdUnit::find(world, node, name);
    let up = unit.runs();
    let has_failed = unit.active == "failed";
    let since_boot = ((unit.since - world.booted(node)).max(0.0) * 1e6) as u64;
    SshAnswer::ok(recorded!(
        "systemctl-show.txt",
        unit = unit.name,
        load = if unit.loaded { "loaded" } else { "not-found" },
        active = unit.active,
        sub = unit.sub,
        result = if has_failed { "exit-code" } else { "success" },
        pid = unit.pid(node),
        invocation = if up {
            unit.invocation(node)
        } else {
            String::new()
        },
        status = u8::from(has_failed),
        entered = if up {
            format!("@{}", unit.since as i64)
        } else {
            String::new()
        },
        monotonic = if up { since_boot } else { 0 },
    ))
}

pub(super) fn is_active(world: &SimWorld, node: &str, name: &str) -> SshAnswer {
    let unit = SystemdUnit::find(world, node, name);
    let code = match (unit.loaded, unit.runs()) {
        (false, _) => 4,
        (true, true) => 0,
        (true, false) => 3,
    };
    SshAnswer {
        code,
        ..SshAnswer::ok(format!("{}\n", unit.active))
    }
}

pub(super) fn restart(world: &mut SimWorld, node: &'static str, name: &str) -> SshAnswer {
    let unit = SystemdUnit::find(world, node, name);
    if !unit.loaded {
        return SshAnswer::fails(
            5,
            format!("Failed to restart {0}: Unit {0} not found.\n", unit.name),
        );
    }
    let stem = unit.stem().to_owned();
    world.services.remove(&(node.to_owned(), stem.clone()));
    let at = world.now;
    world.restarts.push(RestartPolicy {
        node,
        unit: stem,
        at,
    });
    SshAnswer::default()
}

/// The units of a node with a running process: its id, the unit without `.service`, its start.
pub(super) fn running(world: &SimWorld, node: &str) -> Vec<(u64, String, f64)> {
    known(world, node)
        .filter(SystemdUnit::runs)
        .map(|unit| (unit.pid(node), unit.stem().to_owned(), unit.since))
        .filter(|(pid, ..)| *pid != 0)
        .collect()
}

pub(super) fn is_up(world: &SimWorld, node: &str, stem: &str) -> bool {
    SystemdUnit::find(world, node, stem).runs()
}

/// The process id of a unit.
pub(super) fn pid(world: &SimWorld, node: &str, stem: &str) -> u64 {
    SystemdUnit::find(world, node, stem).pid(node).max(1)
}

/// All units of a node.
fn known(world: &SimWorld, node: &str) -> impl Iterator<Item = SystemdUnit> {
    let own = OWN.iter().filter(move |(on, ..)| *on == node);
    SERVICES
        .iter()
        .map(|service| service.name)
        .chain(own.map(|(_, name, _)| *name))
        .map(move |name| SystemdUnit::find(world, node, name))
        .filter(|unit| unit.loaded)
}

/// The journal's lines on the units: their last start, and failures.
pub(super) fn entries(world: &SimWorld, node: &str) -> Vec<LogEntry> {
    let mut all = Vec::new();
    for unit in known(world, node) {
        let stem = unit.stem().to_owned();
        let mut say = |at: f64, priority: usize, from: String, text: String| {
            all.push(LogEntry {
                at,
                priority,
                unit: Some(stem.clone()),
                from,
                text,
            });
        };
        let systemd = || "systemd[1]".to_owned();
        let named = format!("{} - {}", unit.name, unit.description);
        say(unit.since, INFO, systemd(), format!("Starting {named}..."));
        say(
            unit.since,
            INFO,
            format!("{}[{}]", unit.stem(), unit.pid(node).max(1)),
            "starting".to_owned(),
        );
        say(unit.since, INFO, systemd(), format!("Started {named}."));
        if unit.active == "failed" {
            let at = world.began().max(unit.since);
            let name = &unit.name;
            let exited = "Main process exited, code=exited, status=1/FAILURE";
            say(at, NOTICE, systemd(), format!("{name}: {exited}"));
            let failed = "Failed with result 'exit-code'.";
            say(at, WARNING, systemd(), format!("{name}: {failed}"));
            say(at, ERR, systemd(), format!("Failed to start {named}."));
        }
    }
    all
}

/// The output of `systemctl list-units --failed`.
pub(super) fn failed(world: &SimWorld, node: &str) -> SshAnswer {
    let failed: Vec<SystemdUnit> = SERVICES
        .iter()
        .map(|service| SystemdUnit::find(world, node, service.name))
        .filter(|unit| unit.active == "failed")
        .collect();
    let rows: String = failed
        .iter()
        .map(|unit| format!("{} loaded failed failed {}\n", unit.name, unit.description))
        .collect();
    SshAnswer::ok(format!("{rows}\n{} loaded units listed.\n", failed.len()))
}
