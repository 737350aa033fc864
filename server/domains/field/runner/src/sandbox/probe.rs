//! Probes by real starts: what a sandbox does here, not what its version says.

mod levels;

use std::{collections::BTreeMap, path::Path};

use field_package::{
    abilities::{LevelAbilities, MemoryLimit, SandboxAbilities},
    levels::SandboxLevel,
    steps::ROWS,
};
use serde::{Deserialize, Serialize};

use crate::{
    clock::{HeardClock, system_clock},
    config::RunnerConfig,
    files, stage, texts,
};

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeLine {
    pub name: String,
    pub works: bool,
    /// The finding, or the line to change.
    pub detail: String,
}

/// The findings on one device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbedDevice {
    pub abilities: SandboxAbilities,
    pub lines: Vec<ProbeLine>,
}

/// Probes everything that a job may need.
pub fn probe(config: &RunnerConfig) -> ProbedDevice {
    let mut lines = Vec::new();
    let mut found_levels = BTreeMap::new();
    let mut add = |name: &str, found: Result<String, String>| {
        let works = found.is_ok();
        let (Ok(detail) | Err(detail)) = found;
        lines.push(ProbeLine {
            name: name.to_owned(),
            works,
            detail,
        });
    };
    let controllers = std::fs::read_to_string("/sys/fs/cgroup/cgroup.controllers");
    let controllers = controllers.unwrap_or_default();
    let mut memory = controllers.split_whitespace().any(|it| it == "memory");
    match levels::systemd() {
        Ok(found) => {
            // The limit was seen on a process, which says more than a list.
            memory = found.memory == MemoryLimit::Controller;
            found_levels.insert(SandboxLevel::Systemd, found);
            add("sandbox A (systemd)", Ok(texts::WORKS.to_owned()));
            for (limit, help) in lacking(&found, true) {
                add(&format!("sandbox A: {limit}"), Err(help.to_owned()));
            }
        }
        Err(error) => add("sandbox A (systemd)", Err(error)),
    }
    match levels::bubblewrap(config) {
        Ok(found) => {
            found_levels.insert(SandboxLevel::Bubblewrap, found);
            add("sandbox B (bubblewrap)", Ok(texts::WORKS.to_owned()));
            for (limit, help) in lacking(&found, false) {
                add(&format!("sandbox B: {limit}"), Err(help.to_owned()));
            }
        }
        Err(error) => {
            let text = format!("{} {}", error.to_string().trim(), texts::NO_USER_NAMESPACES);
            add("sandbox B (bubblewrap)", Err(text));
        }
    }
    let said = |works: bool, help: &str| {
        works
            .then(|| texts::WORKS.to_owned())
            .ok_or_else(|| help.to_owned())
    };
    add(
        "memory controller",
        said(memory, texts::NO_MEMORY_CONTROLLER),
    );
    // On a thread of its own, which ends restricted.
    let landlock = std::thread::spawn(stage::landlock_works).join();
    add(
        "Landlock",
        said(landlock.unwrap_or(false), texts::NO_LANDLOCK),
    );
    add("ping without rights", said(may_ping(), texts::NO_PING));
    let resolver = std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    let named = resolver
        .lines()
        .any(|line| line.trim_start().starts_with("nameserver"));
    add("DNS server", said(named, texts::NO_RESOLVER));
    let clock = HeardClock::load(&config.state, system_clock());
    let clock = clock.map_err(|error| error.to_string());
    let clock = clock.and_then(|clock| clock.check());
    add("clock", clock.map(|()| texts::WORKS.to_owned()));
    let trial = config.state.join("trial");
    let synced =
        files::replace(&trial, b"trial", 0o600).and_then(|()| std::fs::remove_file(&trial));
    add("state folder", said(synced.is_ok(), texts::NO_SPACE));
    for program in programs() {
        let installed = Path::new(program).exists();
        add(program, said(installed, texts::NO_PROGRAM));
    }
    ProbedDevice {
        abilities: SandboxAbilities {
            levels: found_levels,
        },
        lines,
    }
}

/// The limits that a sandbox does not keep here, each with what that means. Addresses and packet sockets are for
/// sandbox A alone.
fn lacking(found: &LevelAbilities, is_a: bool) -> Vec<(&'static str, &'static str)> {
    [
        ("memory", found.memory != MemoryLimit::None, texts::NOT_KEPT),
        ("share of a core", found.cpu, texts::NOT_KEPT),
        ("number of processes", found.tasks, texts::NOT_KEPT),
        (
            "size of the working folder",
            found.workspace,
            texts::NOT_KEPT,
        ),
        ("no network", found.no_network, texts::NOT_KEPT),
        (
            "listed addresses",
            found.listed_network || !is_a,
            texts::NOT_KEPT,
        ),
        ("packet sockets", found.raw || !is_a, texts::NO_PACKETS),
    ]
    .into_iter()
    .filter(|(_, kept, _)| !kept)
    .map(|(limit, _, help)| (limit, help))
    .collect()
}

fn programs() -> Vec<&'static str> {
    let mut programs: Vec<_> = ROWS.iter().map(|row| row.program).collect();
    programs.sort_unstable();
    programs.dedup();
    programs
}

/// True if a process of any user may open a socket for pings.
fn may_ping() -> bool {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ping_group_range");
    let range = range.unwrap_or_default();
    let bounds: Vec<u64> = range.split_whitespace().flat_map(str::parse).collect();
    matches!(bounds.as_slice(), [first, last] if first < last)
}
