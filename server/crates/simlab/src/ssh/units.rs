//! Units of systemd on a node, as `systemctl` shows them.

use super::Answer;
use crate::inventory::SERVICES;
use crate::wave::mix;
use crate::world::World;

/// Units that Proxmox does not know: node, name, description.
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

/// A restart over SSH.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Restart {
    pub node: &'static str,
    pub unit: String,
    /// Unix seconds.
    pub at: f64,
}

struct Unit {
    name: String,
    description: &'static str,
    active: String,
    sub: String,
    /// Whether there is such a unit.
    loaded: bool,
    /// When it was started last, in Unix seconds.
    since: f64,
}

impl Unit {
    fn find(world: &World, node: &str, name: &str) -> Self {
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

    fn runs(&self) -> bool {
        self.active == "active"
    }

    /// Other after every start.
    fn invocation(&self, node: &str) -> String {
        let seed = format!("{node}/{}@{}", self.name, self.since);
        format!("{:016x}{:016x}", mix(1, &seed), mix(2, &seed))
    }

    fn pid(&self, node: &str) -> u64 {
        match self.runs() && self.sub == "running" {
            true => 700 + mix(3, &format!("{node}/{}@{}", self.name, self.since)) % 90_000,
            false => 0,
        }
    }
}

/// By whom it was restarted last, or with its node.
fn since(world: &World, node: &str, stem: &str) -> f64 {
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

/// `systemctl show`: all fields that are ever asked for.
pub(super) fn show(world: &World, node: &str, name: &str) -> Answer {
    let unit = Unit::find(world, node, name);
    let up = unit.runs();
    let fields = [
        ("Id", unit.name.clone()),
        (
            "LoadState",
            if unit.loaded { "loaded" } else { "not-found" }.to_owned(),
        ),
        ("ActiveState", unit.active.clone()),
        ("SubState", unit.sub.clone()),
        (
            "Result",
            if unit.active == "failed" {
                "exit-code"
            } else {
                "success"
            }
            .to_owned(),
        ),
        ("MainPID", unit.pid(node).to_string()),
        ("NRestarts", "0".to_owned()),
        (
            "InvocationID",
            if up {
                unit.invocation(node)
            } else {
                String::new()
            },
        ),
        (
            "ExecMainStatus",
            if unit.active == "failed" { "1" } else { "0" }.to_owned(),
        ),
        (
            "ActiveEnterTimestamp",
            if up {
                format!("@{}", unit.since as i64)
            } else {
                String::new()
            },
        ),
        (
            "ActiveEnterTimestampMonotonic",
            match up {
                true => ((unit.since - world.booted(node)).max(0.0) * 1e6) as u64,
                false => 0,
            }
            .to_string(),
        ),
        ("Job", "0".to_owned()),
    ];
    Answer::ok(
        fields
            .iter()
            .map(|(name, value)| format!("{name}={value}\n"))
            .collect::<String>(),
    )
}

pub(super) fn status(world: &World, node: &str, name: &str) -> Answer {
    let unit = Unit::find(world, node, name);
    if !unit.loaded {
        return Answer::fails(4, format!("Unit {} could not be found.\n", unit.name));
    }
    let dot = match unit.active.as_str() {
        "active" => "●",
        "failed" => "×",
        _ => "○",
    };
    let mut text = format!(
        "{dot} {} - {}\n     Loaded: loaded (/usr/lib/systemd/system/{}; enabled)\n     Active: {} \
         ({})\n",
        unit.name, unit.description, unit.name, unit.active, unit.sub
    );
    let pid = unit.pid(node);
    if pid != 0 {
        let stem = unit.name.trim_end_matches(".service");
        text.push_str(&format!("   Main PID: {pid} ({stem})\n"));
    }
    Answer {
        code: if unit.runs() { 0 } else { 3 },
        ..Answer::ok(text)
    }
}

pub(super) fn is_active(world: &World, node: &str, name: &str) -> Answer {
    let unit = Unit::find(world, node, name);
    let code = match (unit.loaded, unit.runs()) {
        (false, _) => 4,
        (true, true) => 0,
        (true, false) => 3,
    };
    Answer {
        code,
        ..Answer::ok(format!("{}\n", unit.active))
    }
}

pub(super) fn restart(world: &mut World, node: &'static str, name: &str) -> Answer {
    let unit = Unit::find(world, node, name);
    if !unit.loaded {
        return Answer::fails(
            5,
            format!("Failed to restart {0}: Unit {0} not found.\n", unit.name),
        );
    }
    let stem = unit.name.trim_end_matches(".service").to_owned();
    world.services.remove(&(node.to_owned(), stem.clone()));
    let at = world.now;
    world.restarts.push(Restart {
        node,
        unit: stem,
        at,
    });
    Answer::default()
}

/// The last lines of a unit's log.
pub(super) fn journal(world: &World, node: &str, name: &str, lines: usize) -> Answer {
    let unit = Unit::find(world, node, name);
    if !unit.loaded {
        return Answer::ok("-- No entries --\n");
    }
    let stem = unit.name.trim_end_matches(".service");
    let pid = unit.pid(node).max(1);
    let mut log = vec![
        (
            unit.since,
            format!(
                "systemd[1]: Starting {} - {}...",
                unit.name, unit.description
            ),
        ),
        (unit.since, format!("{stem}[{pid}]: starting")),
        (
            unit.since,
            format!("systemd[1]: Started {} - {}.", unit.name, unit.description),
        ),
    ];
    if unit.active == "failed" {
        let text = format!("systemd[1]: {}: Failed with result 'exit-code'.", unit.name);
        log.push((world.now - 60.0, text));
    }
    let first = log.len().saturating_sub(lines);
    let text: String = log
        .iter()
        .skip(first)
        .map(|(at, text)| format!("{} {node} {text}\n", crate::calendar::iso(*at as i64)))
        .collect();
    Answer::ok(text)
}

/// `systemctl list-units --failed`.
pub(super) fn failed(world: &World, node: &str) -> Answer {
    let failed: Vec<Unit> = SERVICES
        .iter()
        .map(|service| Unit::find(world, node, service.name))
        .filter(|unit| unit.active == "failed")
        .collect();
    let rows: String = failed
        .iter()
        .map(|unit| format!("{} loaded failed failed {}\n", unit.name, unit.description))
        .collect();
    Answer::ok(format!("{rows}\n{} loaded units listed.\n", failed.len()))
}
