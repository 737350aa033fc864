//! Journal of a node: the kernel since its boot, unit starts, Proxmox VE tasks. All of it is
//! derived from the state of the cluster.

use super::log_entry::{ERR, INFO, LogEntry, WARNING};
use super::recording::{recorded, recorded_on};
use super::{SshAnswer, units};
use crate::calendar;
use crate::inventory::{GuestKind, SimNode};
use crate::world::SimWorld;

/// The names of the priorities, gravest first; the index is the number.
const PRIORITIES: [&str; 8] = [
    "emerg", "alert", "crit", "err", "warning", "notice", "info", "debug",
];

fn priority(name: &str) -> Option<usize> {
    let name = if name == "warn" { "warning" } else { name };
    PRIORITIES.iter().position(|known| *known == name)
}

/// All lines in chronological order.
fn entries(world: &SimWorld, node: &'static SimNode) -> Vec<LogEntry> {
    let mut all = kernel(world, node);
    all.extend(units::entries(world, node.name));
    all.extend(tasks(world, node));
    all.retain(|entry| entry.at <= world.now);
    all.sort_by(|left, right| left.at.total_cmp(&right.at));
    all
}

/// The output of `journalctl` with any of `-k`, `-u` and `-p`.
pub(super) fn journal(
    world: &SimWorld,
    node: &'static SimNode,
    unit: Option<&str>,
    kernel_only: bool,
    least: Option<&str>,
    lines: &str,
) -> SshAnswer {
    let least = match least {
        None => INFO,
        Some(name) => match priority(name) {
            Some(least) => least,
            None => return SshAnswer::fails(1, format!("Unknown log level {name}\n")),
        },
    };
    let stem = unit.map(|unit| unit.trim_end_matches(".service"));
    let kept: Vec<LogEntry> = entries(world, node)
        .into_iter()
        .filter(|entry| entry.priority <= least)
        .filter(|entry| stem.is_none() || entry.unit.as_deref() == stem)
        .filter(|entry| !kernel_only || entry.from == "kernel")
        .collect();
    if kept.is_empty() {
        return SshAnswer::ok("-- No entries --\n");
    }
    let lines: usize = lines.parse().unwrap_or(10);
    let first = kept.len().saturating_sub(lines);
    let text: String = kept
        .iter()
        .skip(first)
        .map(|entry| {
            let at = calendar::syslog(entry.at as i64);
            format!("{at} {} {}: {}\n", node.name, entry.from, entry.text)
        })
        .collect();
    SshAnswer::ok(text)
}

/// The output of `dmesg -T -l LEVEL`.
pub(super) fn dmesg(world: &SimWorld, node: &'static SimNode, level: &str) -> SshAnswer {
    let Some(level) = priority(level) else {
        return SshAnswer::fails(1, format!("dmesg: unknown level '{level}'\n"));
    };
    let text: String = entries(world, node)
        .iter()
        .filter(|entry| entry.from == "kernel" && entry.priority == level)
        .map(|entry| format!("[{}] {}\n", calendar::ctime(entry.at as i64), entry.text))
        .collect();
    SshAnswer::ok(text)
}

fn kernel(world: &SimWorld, node: &SimNode) -> Vec<LogEntry> {
    let booted = world.booted(node.name);
    let mut all = Vec::new();
    let mut say = |at: f64, priority: usize, text: String| {
        all.push(LogEntry {
            at,
            priority,
            unit: None,
            from: "kernel".to_owned(),
            text,
        });
    };
    let memory = node.memory_gib << 20;
    let boot = recorded!(
        "kernel.txt",
        cpu = node.cpu_model,
        threads = node.threads,
        available = memory / 100 * 97,
        memory = memory,
        mac = node.mac.to_lowercase(),
    );
    for line in boot
        .lines()
        .chain(recorded_on!(node.name, "kernel.txt").lines())
    {
        // Seconds after the boot, priority, text.
        let mut parts = line.splitn(3, ' ');
        let after = parts.next().and_then(|after| after.parse::<f64>().ok());
        let level = parts.next().and_then(priority);
        if let (Some(after), Some(level), Some(text)) = (after, level, parts.next()) {
            say(booted + after, level, text.to_owned());
        }
    }
    let guests = world.guests.iter().enumerate();
    for (number, state) in guests.filter(|(_, state)| state.guest.node == node.name) {
        let vmid = state.guest.vmid;
        let port = number + 2;
        let interface = match state.guest.kind {
            GuestKind::Qemu => format!("tap{vmid}i0"),
            GuestKind::Lxc => format!("veth{vmid}i0"),
        };
        for run in state.runs.iter().filter(|run| run.start >= booted) {
            let bridge =
                |what: &str| format!("vmbr0: port {port}({interface}) entered {what} state");
            say(
                run.start,
                INFO,
                format!("{interface}: entered promiscuous mode"),
            );
            say(run.start, INFO, bridge("blocking"));
            say(run.start, INFO, bridge("forwarding"));
            if let Some(end) = run.end {
                say(end, INFO, bridge("disabled"));
            }
        }
    }
    all
}

/// The Proxmox VE daemons' lines on their tasks.
fn tasks(world: &SimWorld, node: &SimNode) -> Vec<LogEntry> {
    let mut all = Vec::new();
    let own = world
        .tasks
        .iter()
        .filter(|task| task.upid.node == node.name);
    for task in own {
        let unit = match task.upid.kind {
            "vzdump" | "aptupdate" => "pvescheduler",
            _ => "pvedaemon",
        };
        let pid = units::pid(world, node.name, unit);
        let mut say = |at: f64, priority: usize, text: String| {
            all.push(LogEntry {
                at,
                priority,
                unit: Some(unit.to_owned()),
                from: format!("{unit}[{pid}]"),
                text,
            });
        };
        let user = task.upid.user.id();
        say(
            task.begin,
            INFO,
            format!("<{user}> starting task {}", task.upid),
        );
        if task.ended(world.now) {
            let (priority, exit) = match task.class() {
                "ok" => (INFO, "OK".to_owned()),
                "warning" => (WARNING, task.exit.clone()),
                _ => (ERR, task.exit.clone()),
            };
            let gap = if priority == ERR { ": " } else { " " };
            say(
                task.end,
                priority,
                format!("<{user}> end task {}{gap}{exit}", task.upid),
            );
        }
    }
    all
}
