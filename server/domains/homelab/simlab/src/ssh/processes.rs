//! Processes and listening ports of a node: kernel threads, running services, guests with the
//! memory and processor usage of the API, running tasks.

use super::table::{self, ColumnSide, columns, row};
use super::{SshAnswer, units};
use crate::inventory::{GuestKind, MIB, SimNode};
use crate::wave::mix;
use crate::world::SimWorld;

struct SimProcess {
    pid: u64,
    user: &'static str,
    /// Processor usage in percent of one thread.
    cpu: f64,
    /// Memory in bytes.
    memory: u64,
    /// Start in Unix seconds.
    since: f64,
    name: String,
}

/// The main program of a container, and its user on the host.
fn program(container: &str) -> (&'static str, &'static str) {
    match container {
        "pihole" => ("pihole-FTL", "100999"),
        "reverse-proxy" => ("nginx", "100033"),
        "backup-server" => ("proxmox-backup-", "100034"),
        "nextcloud" => ("php-fpm8.4", "100033"),
        "paperless" => ("granian", "101000"),
        "downloads" => ("qbittorrent-nox", "101000"),
        "jarvis" => ("jarvis", "101000"),
        "postgres" => ("postgres", "100104"),
        "grafana" => ("grafana", "100472"),
        "gitea" => ("gitea", "101000"),
        "uptime-kuma" => ("node", "101000"),
        "mqtt" => ("mosquitto", "100105"),
        _ => ("lighttpd", "100033"),
    }
}

/// The command name of a unit's main process.
fn command(unit: &str) -> &str {
    match unit {
        "chrony" => "chronyd",
        "nfs-server" => "rpc.mountd",
        "nut-server" => "upsd",
        "pve-cluster" => "pmxcfs",
        "zigbee2mqtt" => "node",
        unit => unit,
    }
}

fn processes(world: &SimWorld, node: &SimNode) -> Vec<SimProcess> {
    let booted = world.booted(node.name);
    let thread = |pid, name: &str| SimProcess {
        pid,
        user: "root",
        cpu: 0.0,
        memory: 0,
        since: booted,
        name: name.to_owned(),
    };
    let mut all = vec![
        SimProcess {
            memory: 14 * MIB,
            ..thread(1, "systemd")
        },
        thread(2, "kthreadd"),
        thread(16, "rcu_preempt"),
        thread(121, "ksmd"),
        thread(128, "kswapd0"),
        SimProcess {
            cpu: 0.1,
            ..thread(402, "txg_sync")
        },
        SimProcess {
            cpu: 0.1,
            ..thread(398, "arc_reap")
        },
    ];
    for (pid, stem, since) in units::running(world, node.name) {
        let seed = mix(4, &stem);
        let busy = matches!(stem.as_str(), "corosync" | "pvestatd" | "pvedaemon");
        let memory = if stem.starts_with("pve") || stem == "spiceproxy" {
            96 + seed % 60
        } else {
            4 + seed % 40
        };
        let user = match stem.as_str() {
            "pveproxy" | "spiceproxy" => "www-data",
            "chrony" => "_chrony",
            "nut-server" => "nut",
            "zigbee2mqtt" => "zigbee",
            _ => "root",
        };
        all.push(SimProcess {
            pid,
            user,
            cpu: if busy { 0.6 } else { 0.0 },
            memory: memory * MIB,
            since,
            name: command(&stem).to_owned(),
        });
    }
    for (guest, since) in world.running_on(node.name, world.now) {
        let used = world.numbers.guest(guest, since, world.now);
        let pid = u64::from(world.pid(guest.vmid, since));
        let whole = SimProcess {
            pid,
            user: "root",
            cpu: used.cpu * guest.cores as f64 * 100.0,
            memory: used.memhost,
            since,
            name: "kvm".to_owned(),
        };
        let main = match guest.kind {
            GuestKind::Qemu => whole,
            GuestKind::Lxc => {
                let (name, user) = program(guest.name);
                let first = 9 * MIB;
                all.push(SimProcess {
                    user: "100000",
                    cpu: 0.0,
                    memory: first,
                    name: "systemd".to_owned(),
                    ..whole
                });
                SimProcess {
                    pid: pid + 214,
                    user,
                    memory: used.memhost.saturating_sub(first),
                    since: (since + 2.0).min(world.now),
                    name: name.to_owned(),
                    ..whole
                }
            }
        };
        all.push(main);
    }
    let tasks = world.tasks.iter();
    for task in tasks.filter(|task| task.upid.node == node.name && task.running(world.now)) {
        all.push(SimProcess {
            pid: u64::from(task.upid.pid),
            user: "root",
            cpu: 3.1,
            memory: 148 * MIB,
            since: task.begin,
            name: format!("task {}", task.upid),
        });
    }
    all
}

/// The output of `ps -eo pid,user,pcpu,pmem,rss,etime,comm`, sorted.
pub(super) fn ps(world: &SimWorld, node: &SimNode, by_memory: bool) -> SshAnswer {
    let mut all = processes(world, node);
    all.sort_by(|left, right| {
        if by_memory {
            right.memory.cmp(&left.memory)
        } else {
            right.cpu.total_cmp(&left.cpu)
        }
    });
    let total = node.memory_gib as f64 * 1024.0 * MIB as f64;
    let mut text = format!(
        "{:>7} {:<8} {:>4} {:>4} {:>5} {:>11} COMMAND\n",
        "PID", "USER", "%CPU", "%MEM", "RSS", "ELAPSED"
    );
    for process in all {
        let name: String = process.name.chars().take(15).collect();
        text.push_str(&format!(
            "{:>7} {:<8} {:>4.1} {:>4.1} {:>5} {:>11} {name}\n",
            process.pid,
            process.user,
            process.cpu,
            process.memory as f64 / total * 100.0,
            process.memory / 1024,
            table::elapsed(world.now - process.since),
        ));
    }
    SshAnswer::ok(text)
}

/// Listening ports of services: unit, address and port.
const PORTS: &[(&str, &str)] = &[
    ("postfix", "127.0.0.1:25"),
    ("pvedaemon", "127.0.0.1:85"),
    ("sshd", "0.0.0.0:22"),
    ("sshd", "[::]:22"),
    ("spiceproxy", "*:3128"),
    ("pveproxy", "*:8006"),
    ("nut-server", "127.0.0.1:3493"),
    ("smbd", "0.0.0.0:139"),
    ("smbd", "0.0.0.0:445"),
    ("nfs-server", "0.0.0.0:20048"),
    ("zigbee2mqtt", "*:8080"),
];

/// The output of `ss -tln` or `ss -tlnp`.
pub(super) fn listening(world: &SimWorld, node: &SimNode, programs: bool) -> SshAnswer {
    let running = units::running(world, node.name);
    let mut rows = vec![row([
        "State",
        "Recv-Q",
        "Send-Q",
        "Local Address:Port",
        "Peer Address:Port",
        "Process",
    ])];
    rows.push(row(["LISTEN", "0", "4096", "0.0.0.0:111", "0.0.0.0:*", ""]));
    for (unit, local) in PORTS {
        let found = running.iter().find(|(_, stem, _)| stem == unit);
        // Postfix's master is not the unit's main process.
        let (pid, program) = match found {
            Some((pid, ..)) => (*pid, command(unit)),
            None if *unit == "postfix" && units::is_up(world, node.name, unit) => (1_502, "master"),
            None => continue,
        };
        let peer = if local.starts_with('[') || local.starts_with('*') {
            local.rsplit_once(':').map_or("*", |(host, _)| host)
        } else {
            "0.0.0.0"
        };
        let process = if programs {
            format!("users:((\"{program}\",pid={pid},fd=6))")
        } else {
            String::new()
        };
        let backlog = if *unit == "sshd" { "128" } else { "4096" };
        rows.push(row([
            "LISTEN",
            "0",
            backlog,
            local,
            &format!("{peer}:*"),
            &process,
        ]));
    }
    use ColumnSide::{Left, Right};
    SshAnswer::ok(columns(&rows, &[Left, Left, Left, Right, Right, Left], 1))
}

/// The output of `ss -s`.
pub(super) fn sockets(world: &SimWorld, node: &SimNode) -> SshAnswer {
    let guests = world.running_on(node.name, world.now).len();
    let established = 9 + guests * 2;
    let listening = 12;
    let waiting = mix(5, &format!("{}@{}", node.name, world.now as i64 / 30)) as usize % 7;
    let all = established + listening + waiting;
    SshAnswer::ok(format!(
        "Total: {}\n\
         TCP:   {all} (estab {established}, closed {waiting}, orphaned 0, timewait {waiting})\n\n\
         Transport Total     IP        IPv6\n\
         RAW\t  1         0         1        \n\
         UDP\t  7         4         3        \n\
         TCP\t  {:<9} {:<9} 4        \n\
         INET\t  {:<9} {:<9} 8        \n\
         FRAG\t  0         0         0        \n\n",
        all + 170,
        all - waiting,
        all - waiting - 4,
        all - waiting + 8,
        all - waiting,
    ))
}
