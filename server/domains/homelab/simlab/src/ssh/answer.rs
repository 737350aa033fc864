//! Output of the programs on a node, in their usual forms; other options are refused.

use super::recording::recorded;
use super::table::human;
use super::{SshAnswer, disks, log, pools, processes, space, units};
use crate::calendar;
use crate::inventory::{self, GIB, MIB, PVE_VERSION, SimNode};
use crate::numbers::NodeUse;
use crate::wave::mix;
use crate::world::SimWorld;

const PS_FIELDS: &str = "pid,user,pcpu,pmem,rss,etime,comm";

/// Runs a program, by the last segment of its path.
pub(super) fn to(world: &mut SimWorld, node: &'static str, words: &[String]) -> SshAnswer {
    let Some((path, args)) = words.split_first() else {
        return SshAnswer::default();
    };
    let program = path.rsplit('/').next().unwrap_or(path);
    // Drops the options for programs that read no terminal, and the end of options.
    let plain = |word: &&str| !["--no-pager", "--plain", "--"].contains(word);
    let args: Vec<&str> = args.iter().map(String::as_str).filter(plain).collect();
    if let ("systemctl", ["restart", unit]) = (program, args.as_slice()) {
        return units::restart(world, node, unit);
    }
    let Some((_, machine)) = inventory::node(node) else {
        return SshAnswer::fails(1, "no such node\n");
    };
    let running = world.running_on(node, world.now);
    let Some(used) = world.numbers.node(machine, &running, world.now) else {
        return SshAnswer::fails(1, "no numbers\n");
    };
    match (program, args.as_slice()) {
        ("sensors", ["-j"]) => SshAnswer::ok(sensors(machine, &used)),
        ("uptime", []) => SshAnswer::ok(uptime(world, machine, &used)),
        ("nproc", []) => SshAnswer::ok(format!("{}\n", machine.threads)),
        ("uname", ["-a"]) => SshAnswer::ok(recorded!("uname.txt", node = node)),
        ("df", ["-h"]) => space::df(world, machine, &used, false),
        ("df", ["-i"]) => space::df(world, machine, &used, true),
        ("lsblk", []) => disks::lsblk(world, machine),
        ("lscpu", []) => SshAnswer::ok(lscpu(machine, &used)),
        ("ps", ["-eo", PS_FIELDS, "--sort", "-pcpu"]) => processes::ps(world, machine, false),
        ("ps", ["-eo", PS_FIELDS, "--sort", "-rss"]) => processes::ps(world, machine, true),
        ("ss", ["-tln"]) => processes::listening(world, machine, false),
        ("ss", ["-tlnp"]) => processes::listening(world, machine, true),
        ("ss", ["-s"]) => processes::sockets(world, machine),
        ("free", []) => SshAnswer::ok(free(machine, &used, |bytes| (bytes / 1024).to_string())),
        ("free", ["-m"]) => SshAnswer::ok(free(machine, &used, |bytes| (bytes / MIB).to_string())),
        ("free", ["-h"]) => SshAnswer::ok(free(machine, &used, human)),
        ("ip", ["-br", "addr"]) => SshAnswer::ok(recorded!("ip-addr.txt", ip = machine.ip)),
        ("ip", ["-br", "link"]) => {
            let mac = machine.mac.to_ascii_lowercase();
            SshAnswer::ok(recorded!("ip-link.txt", mac = mac))
        }
        ("ip", ["route", "show"]) => SshAnswer::ok(recorded!("ip-route.txt", ip = machine.ip)),
        ("zpool", ["status"]) => pools::zpool_status(world, machine),
        ("zpool", ["list"]) => pools::zpool_list(world, machine),
        ("zfs", ["list"]) => pools::zfs_list(world, machine),
        ("smartctl", ["-H", disk]) => disks::smart(world, machine, disk, false),
        ("smartctl", ["-A", disk]) => disks::smart(world, machine, disk, true),
        ("pvesm", ["status"]) => space::pvesm(world, machine),
        ("pveversion", []) => {
            let (version, repoid) = PVE_VERSION;
            SshAnswer::ok(format!(
                "pve-manager/{version}/{repoid} (running kernel: 6.17.4-1-pve)\n"
            ))
        }
        ("chronyc", ["-n", "tracking"]) => tracking(world, machine),
        ("dmesg", ["-T", "-l", level] | ["-T", "-l", level, "-P"]) => {
            log::dmesg(world, machine, level)
        }
        ("systemctl", ["is-active", unit]) => units::is_active(world, node, unit),
        ("systemctl", ["show", .., unit]) => units::show(world, node, unit),
        ("systemctl", ["list-units", "--failed"]) => units::failed(world, node),
        ("journalctl", ["-u", unit, "-n", lines]) => {
            log::journal(world, machine, Some(unit), false, None, lines)
        }
        ("journalctl", ["-u", unit, "-p", least, "-n", lines]) => {
            log::journal(world, machine, Some(unit), false, Some(least), lines)
        }
        ("journalctl", ["-p", least, "-n", lines]) => {
            log::journal(world, machine, None, false, Some(least), lines)
        }
        ("journalctl", ["-k", "-n", lines]) => {
            log::journal(world, machine, None, true, None, lines)
        }
        (
            "sensors" | "uptime" | "df" | "free" | "ip" | "zpool" | "zfs" | "smartctl"
            | "systemctl" | "journalctl" | "dmesg" | "lsblk" | "lscpu" | "ps" | "ss" | "pvesm"
            | "pveversion" | "chronyc",
            _,
        ) => SshAnswer::fails(1, format!("{program}: not simulated with these options\n")),
        _ => SshAnswer::fails(127, format!("bash: line 1: {path}: command not found\n")),
    }
}

/// The output of `sensors -j`: temperatures rise with the load.
fn sensors(node: &SimNode, used: &NodeUse) -> String {
    // A JSON number with its fraction.
    let celsius = |idle: f64, busy: f64| {
        let value = idle + (busy - idle) * used.cpu.clamp(0.0, 1.0);
        format!("{:?}", (value * 8.0).round() / 8.0)
    };
    let (processor, disk) = (celsius(36.0, 84.0), celsius(38.0, 52.0));
    if is_amd(node) {
        let die = celsius(34.0, 80.0);
        recorded!(
            "sensors-amd.txt",
            processor = processor,
            die = die,
            disk = disk
        )
    } else {
        let core = celsius(34.0, 82.0);
        recorded!(
            "sensors-intel.txt",
            processor = processor,
            core = core,
            disk = disk
        )
    }
}

fn is_amd(node: &SimNode) -> bool {
    node.cpu_model.contains("AMD")
}

fn uptime(world: &SimWorld, node: &SimNode, used: &NodeUse) -> String {
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

fn free(node: &SimNode, used: &NodeUse, write: impl Fn(u64) -> String) -> String {
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

fn lscpu(node: &SimNode, used: &NodeUse) -> String {
    let (vendor, virtualization) = if is_amd(node) {
        ("AuthenticAMD", "AMD-V")
    } else {
        ("GenuineIntel", "VT-x")
    };
    recorded!(
        "lscpu.txt",
        threads = node.threads,
        last = node.threads - 1,
        vendor = vendor,
        model = node.cpu_model,
        per_core = node.threads / node.cores,
        cores = node.cores,
        scaling = format!("{:.0}", 35.0 + used.cpu * 60.0),
        mhz = format!("{:.4}", node.mhz),
        virtualization = virtualization,
    )
}

/// The output of `chronyc -n tracking`.
fn tracking(world: &SimWorld, node: &SimNode) -> SshAnswer {
    if !units::is_up(world, node.name, "chrony") {
        return SshAnswer::fails(1, "506 Cannot talk to daemon\n");
    }
    let asked = world.now as i64 / 1_024 * 1_024;
    let seed = mix(6, &format!("{}@{asked}", node.name));
    let micros = (seed % 90) as f64 / 1e6;
    let way = if seed.is_multiple_of(2) {
        "fast"
    } else {
        "slow"
    };
    SshAnswer::ok(recorded!(
        "chronyc-tracking.txt",
        asked = calendar::ctime(asked),
        offset = format!("{micros:.9}"),
        way = way,
        last_offset = format!("{:.9}", micros / 2.0),
        frequency = format!("{}.{:03}", 4 + node.id * 3, seed % 1_000),
    ))
}
