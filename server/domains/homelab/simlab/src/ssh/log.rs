//! Journal of a node: the kernel since its boot, unit starts, Proxmox VE tasks. All of it is
//! derived from the state of the cluster.

use super::{SshAnswer, disks, units};
use crate::calendar;
use crate::inventory::{GuestKind, SimNode};
use crate::world::SimWorld;

/// The names of the priorities, gravest first; the index is the number.
const PRIORITIES: [&str; 8] = [
    "emerg", "alert", "crit", "err", "warning", "notice", "info", "debug",
];
pub(super) const ERR: usize = 3;
pub(super) const WARNING: usize = 4;
pub(super) const NOTICE: usize = 5;
pub(super) const INFO: usize = 6;

/// A line of the journal.
pub(super) struct LogEntry {
    /// Time in Unix seconds.
    pub at: f64,
    pub priority: usize,
    /// Its unit, without `.service`; `None` for the kernel.
    pub unit: Option<String>,
    /// The source, such as `systemd[1]`.
    pub from: String,
    pub text: String,
}

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
    let kib = node.memory_gib << 20;
    for (after, priority, text) in [
        (
            0.0,
            NOTICE,
            "Linux version 6.17.4-1-pve (build@proxmox) (gcc (Debian 14.2.0-19) 14.2.0, GNU ld \
             (GNU Binutils for Debian) 2.44) #1 SMP PREEMPT_DYNAMIC PMX 6.17.4-1 \
             (2026-10-12T09:31Z)"
                .to_owned(),
        ),
        (
            0.0,
            INFO,
            "Command line: BOOT_IMAGE=/boot/vmlinuz-6.17.4-1-pve root=/dev/mapper/pve-root ro quiet"
                .to_owned(),
        ),
        (0.2, INFO, format!("smpboot: CPU0: {}", node.cpu_model)),
        (0.3, INFO, format!("smp: Brought up 1 node, {} CPUs", node.threads)),
        (0.4, INFO, format!("Memory: {}K/{kib}K available", kib / 100 * 97)),
        (1.2, INFO, format!("nvme nvme0: {}/0/0 default/read/poll queues", node.threads)),
        (2.1, INFO, format!("r8169 0000:02:00.0 eth0: RTL8125B, {}, XID 641", node.mac.to_lowercase())),
        (2.2, INFO, "r8169 0000:02:00.0 enp2s0: renamed from eth0".to_owned()),
        (
            3.0,
            INFO,
            "EXT4-fs (dm-1): mounted filesystem with ordered data mode. Quota mode: none."
                .to_owned(),
        ),
        (4.1, WARNING, "spl: loading out-of-tree module taints kernel.".to_owned()),
        (4.1, WARNING, "zfs: module license 'CDDL' taints kernel.".to_owned()),
        (4.1, WARNING, "Disabling lock debugging due to kernel taint".to_owned()),
        (
            4.9,
            NOTICE,
            "ZFS: Loaded module v2.3.4-pve1, ZFS pool version 5000, ZFS filesystem version 5"
                .to_owned(),
        ),
        (6.0, INFO, "vmbr0: port 1(enp2s0) entered blocking state".to_owned()),
        (
            8.3,
            INFO,
            "r8169 0000:02:00.0 enp2s0: Link is Up - 1Gbps/Full - flow control rx/tx".to_owned(),
        ),
        (8.3, INFO, "vmbr0: port 1(enp2s0) entered forwarding state".to_owned()),
    ] {
        say(booted + after, priority, text);
    }
    let sata = disks::on(node).filter(|disk| disk.is_sata());
    for (number, disk) in sata.enumerate() {
        let (name, model, size) = (disk.name, disk.model, disk.size);
        let at = booted + 1.4 + number as f64 / 10.0;
        say(
            at,
            INFO,
            format!("ata{}.00: ATA-11: {model}, max UDMA/133", number + 1),
        );
        let blocks = size / 512;
        let tb = size as f64 / 1e12;
        say(
            at,
            NOTICE,
            format!("sd {number}:0:0:0: [{name}] {blocks} 512-byte logical blocks: ({tb:.1} TB)"),
        );
        say(
            at,
            NOTICE,
            format!("sd {number}:0:0:0: [{name}] Attached SCSI disk"),
        );
    }
    let own: &[(f64, usize, &str)] = match node.name {
        "Home" => &[(
            0.3,
            ERR,
            "ACPI BIOS Error (bug): Could not resolve symbol [\\_SB.PC00.TXHC.RHUB.SS01], \
             AE_NOT_FOUND (20250404/dswload2-162)",
        )],
        "pve" => &[(
            193_284.0,
            WARNING,
            "perf: interrupt took too long (2514 > 2500), lowering \
             kernel.perf_event_max_sample_rate to 79500",
        )],
        "agent1" => &[(
            2.6,
            INFO,
            "vfio-pci 0000:01:00.0: vgaarb: VGA decodes changed: \
             olddecodes=io+mem,decodes=none:owns=none",
        )],
        _ => &[
            (2.9, ERR, "usb 1-3: device descriptor read/64, error -110"),
            (
                19.0,
                INFO,
                "usb 1-3: new full-speed USB device number 4 using xhci_hcd",
            ),
            (19.2, INFO, "cp210x 1-3:1.0: cp210x converter detected"),
        ],
    };
    for (after, priority, text) in own {
        say(booted + after, *priority, (*text).to_owned());
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
