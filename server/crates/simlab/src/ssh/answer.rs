//! What the programs on a node print. Only their usual forms; other options are refused.

use serde_json::json;

use super::{Answer, units};
use crate::inventory::{self, GIB, MIB, Node};
use crate::numbers::NodeUse;
use crate::world::World;

/// Runs a program, by the last part of its path.
pub(super) fn to(world: &mut World, node: &'static str, words: &[String]) -> Answer {
    let Some((path, args)) = words.split_first() else {
        return Answer::default();
    };
    let program = path.rsplit('/').next().unwrap_or(path);
    // What stands there for programs that read no terminal, and the end of options.
    let plain = |word: &&str| !["--no-pager", "--plain", "--"].contains(word);
    let args: Vec<&str> = args.iter().map(String::as_str).filter(plain).collect();
    if let ("systemctl", ["restart", unit]) = (program, args.as_slice()) {
        return units::restart(world, node, unit);
    }
    let Some((_, machine)) = inventory::node(node) else {
        return Answer::fails(1, "no such node\n");
    };
    let running = world.running_on(node, world.now);
    let Some(used) = world.numbers.node(machine, &running, world.now) else {
        return Answer::fails(1, "no numbers\n");
    };
    match (program, args.as_slice()) {
        ("sensors", ["-j"]) => Answer::ok(sensors(machine, &used)),
        ("uptime", []) => Answer::ok(uptime(world, machine, &used)),
        ("nproc", []) => Answer::ok(format!("{}\n", machine.threads)),
        ("uname", ["-a"]) => Answer::ok(format!(
            "Linux {node} 6.17.4-1-pve #1 SMP PREEMPT_DYNAMIC PMX 6.17.4-1 (2026-10-12T09:31Z) \
             x86_64 GNU/Linux\n"
        )),
        ("df", ["-h"]) => Answer::ok(df(machine, &used)),
        ("free", []) => Answer::ok(free(machine, &used, |bytes| (bytes / 1024).to_string())),
        ("free", ["-m"]) => Answer::ok(free(machine, &used, |bytes| (bytes / MIB).to_string())),
        ("free", ["-h"]) => Answer::ok(free(machine, &used, human)),
        ("ip", ["-br", "addr"]) => Answer::ok(format!(
            "lo               UNKNOWN        127.0.0.1/8 ::1/128\n\
             enp2s0           UP\n\
             vmbr0            UP             {}/24\n",
            machine.ip
        )),
        ("ip", ["-br", "link"]) => Answer::ok(format!(
            "lo               UNKNOWN        00:00:00:00:00:00 <LOOPBACK,UP,LOWER_UP>\n\
             enp2s0           UP             {0} <BROADCAST,MULTICAST,UP,LOWER_UP>\n\
             vmbr0            UP             {0} <BROADCAST,MULTICAST,UP,LOWER_UP>\n",
            machine.mac.to_ascii_lowercase()
        )),
        ("ip", ["route", "show"]) => Answer::ok(format!(
            "default via 192.168.10.1 dev vmbr0 proto kernel onlink\n\
             192.168.10.0/24 dev vmbr0 proto kernel scope link src {}\n",
            machine.ip
        )),
        ("zpool", ["status"]) => Answer::ok(
            "  pool: rpool\n state: ONLINE\n  scan: scrub repaired 0B in 00:14:22 with 0 errors\n\
             config:\n\n\tNAME         STATE     READ WRITE CKSUM\n\trpool        ONLINE       0     \
             0     0\n\t  nvme0n1p3  ONLINE       0     0     0\n\nerrors: No known data errors\n",
        ),
        ("smartctl", ["-H", disk]) => smart(disk),
        ("systemctl", ["status", unit]) => units::status(world, node, unit),
        ("systemctl", ["is-active", unit]) => units::is_active(world, node, unit),
        ("systemctl", ["show", .., unit]) => units::show(world, node, unit),
        ("systemctl", ["list-units", "--failed"]) => units::failed(world, node),
        ("journalctl", ["-u", unit, "-n", lines]) => {
            units::journal(world, node, unit, lines.parse().unwrap_or(10))
        }
        (
            "sensors" | "uptime" | "df" | "free" | "ip" | "zpool" | "smartctl" | "systemctl"
            | "journalctl",
            _,
        ) => Answer::fails(1, format!("{program}: not simulated with these options\n")),
        _ => Answer::fails(127, format!("bash: line 1: {path}: command not found\n")),
    }
}

/// Warmer with work, and a little so in the corners.
fn sensors(node: &Node, used: &NodeUse) -> String {
    let celsius = |idle: f64, busy: f64| {
        let value = idle + (busy - idle) * used.cpu.clamp(0.0, 1.0);
        (value * 8.0).round() / 8.0
    };
    let whole = celsius(36.0, 84.0);
    let processor = match node.cpu_model.contains("AMD") {
        true => json!({
            "Adapter": "PCI adapter",
            "Tctl": { "temp1_input": whole },
            "Tccd1": { "temp3_input": celsius(34.0, 80.0) },
        }),
        false => json!({
            "Adapter": "ISA adapter",
            "Package id 0": {
                "temp1_input": whole,
                "temp1_max": 80.0,
                "temp1_crit": 100.0,
                "temp1_crit_alarm": 0.0,
            },
            "Core 0": { "temp2_input": celsius(34.0, 82.0), "temp2_max": 80.0, "temp2_crit": 100.0 },
        }),
    };
    let chip = match node.cpu_model.contains("AMD") {
        true => "k10temp-pci-00c3",
        false => "coretemp-isa-0000",
    };
    let all = json!({
        chip: processor,
        "nvme-pci-0100": {
            "Adapter": "PCI adapter",
            "Composite": {
                "temp1_input": celsius(38.0, 52.0),
                "temp1_max": 81.85,
                "temp1_crit": 84.85,
                "temp1_alarm": 0.0,
            },
        },
    });
    format!("{all:#}\n")
}

fn uptime(world: &World, node: &Node, used: &NodeUse) -> String {
    let now = world.now as i64;
    let up = (world.now - world.booted(node.name)).max(0.0) as i64;
    let (days, hours, minutes) = (up / 86_400, up / 3_600 % 24, up / 60 % 60);
    let [one, five, fifteen] = used.loadavg;
    format!(
        " {:02}:{:02}:{:02} up {days} days, {hours:2}:{minutes:02},  0 users,  load average: \
         {one:.2}, {five:.2}, {fifteen:.2}\n",
        now / 3_600 % 24,
        now / 60 % 60,
        now % 60
    )
}

fn df(node: &Node, used: &NodeUse) -> String {
    let size = node.root_gib * GIB;
    let row = |name: &str, size: u64, used: u64, on: &str| {
        let percent = (used * 100).div_ceil(size.max(1));
        format!(
            "{name:<20} {:>5} {:>5} {:>5} {percent:>3}% {on}\n",
            human(size),
            human(used),
            human(size.saturating_sub(used)),
        )
    };
    format!(
        "Filesystem            Size  Used Avail Use% Mounted on\n{}{}{}",
        row("udev", node.memory_gib * GIB / 2, 0, "/dev"),
        row("/dev/mapper/pve-root", size, used.root, "/"),
        row("/dev/fuse", 128 * MIB, 60 * 1024, "/etc/pve"),
    )
}

fn free(node: &Node, used: &NodeUse, write: impl Fn(u64) -> String) -> String {
    let total = node.memory_gib * GIB;
    let swap = node.swap_gib * GIB;
    let free = (total - used.mem) / 10 * 7;
    let mut text = format!(
        "{:<7}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n",
        "", "total", "used", "free", "shared", "buff/cache", "available"
    );
    let rows = [
        (
            "Mem:",
            vec![
                total,
                used.mem,
                free,
                64 * MIB,
                total - used.mem - free,
                total - used.mem,
            ],
        ),
        ("Swap:", vec![swap, used.swap, swap - used.swap]),
    ];
    for (name, values) in rows {
        text.push_str(&format!("{name:<7}"));
        for value in values {
            text.push_str(&format!("{:>12}", write(value)));
        }
        text.push('\n');
    }
    text
}

fn smart(disk: &str) -> Answer {
    if disk != "/dev/nvme0n1" {
        return Answer::fails(
            2,
            format!("Smartctl open device: {disk} failed: No such device\n"),
        );
    }
    Answer::ok(
        "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.17.4-1-pve] (local build)\n\n\
         === START OF SMART DATA SECTION ===\n\
         SMART overall-health self-assessment test result: PASSED\n",
    )
}

/// `3.1G`, as `df -h` writes it.
fn human(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["", "K", "M", "G"] {
        if value < 1024.0 {
            return match value < 10.0 && !unit.is_empty() {
                true => format!("{value:.1}{unit}"),
                false => format!("{value:.0}{unit}"),
            };
        }
        value /= 1024.0;
    }
    format!("{value:.1}T")
}
