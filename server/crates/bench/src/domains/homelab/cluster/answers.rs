//! The fake cluster's answers: numbers that change every second.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

pub(crate) const NODES: u64 = 4;
pub(crate) const GUESTS: u64 = 500;
const GIB: u64 = 1 << 30;

/// The answer to a request; none to one that a board does not need.
pub(super) fn of(path: &str) -> Option<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |since| since.as_secs());
    let path = path.strip_prefix("/api2/json")?;
    let path = path.split('?').next().unwrap_or_default();
    let data = match path {
        "/version" => json!({ "version": "9.1.2", "release": "9.1", "repoid": "0000000000000000" }),
        "/cluster/log" => json!([]),
        "/cluster/status" => membership(),
        "/cluster/resources" => resources(now),
        "/cluster/tasks" => tasks(now),
        "/access/permissions" => json!({ "/": {
            "Sys.Audit": 1, "VM.Audit": 1, "Datastore.Audit": 1, "VM.Backup": 1,
            "Datastore.AllocateSpace": 1,
        } }),
        "/cluster/backup-info/not-backed-up" => json!([]),
        _ if path.ends_with("/content") => backups(now),
        _ if path.starts_with("/nodes/") && path.ends_with("/status") => status(now),
        _ if path.ends_with("/rrddata") || path.ends_with("/tasks") => json!([]),
        _ => return None,
    };
    Some(json!({ "data": data }).to_string())
}

/// A number from 0 to 1023 without a pattern that anything could exploit.
fn noise(of: u64, now: u64) -> u64 {
    let mixed = (of + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(now.wrapping_mul(0xd134_2543_de82_ef95));
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32 & 0x3ff
}

fn fraction(of: u64, now: u64) -> f64 {
    noise(of, now) as f64 / 1024.0
}

fn membership() -> Value {
    let cluster = json!({ "type": "cluster", "name": "bench", "quorate": 1, "nodes": NODES });
    let nodes = (0..NODES).map(|n| json!({ "type": "node", "name": format!("n{n}"), "online": 1 }));
    std::iter::once(cluster).chain(nodes).collect()
}

fn resources(now: u64) -> Value {
    let nodes = (0..NODES).map(|n| {
        json!({
            "type": "node", "id": format!("node/n{n}"), "node": format!("n{n}"),
            "status": "online", "cpu": fraction(n, now), "maxcpu": 32,
            "mem": 20 * GIB + noise(n, now) * 1_000_003, "maxmem": 128 * GIB,
            "disk": 20 * GIB + now, "maxdisk": 94 * GIB, "uptime": 1_000_000 + now % 1_000_000,
        })
    });
    let guests = (0..GUESTS).map(|n| {
        let of = n + 100;
        json!({
            "type": if n % 3 == 0 { "lxc" } else { "qemu" }, "id": format!("qemu/{of}"),
            "vmid": of, "name": format!("guest-{of}"), "node": format!("n{}", n % NODES),
            "status": "running", "template": 0, "cpu": fraction(of, now) / 4.0, "maxcpu": 4,
            "mem": GIB + noise(of, now) * 1_000_003, "maxmem": 8 * GIB,
            "disk": 4 * GIB + now % 1_000_000, "maxdisk": 32 * GIB,
            "netin": now * 1000 + noise(of, now), "netout": now * 500 + noise(of, now + 1),
            "diskread": now * 2000, "diskwrite": now * 3000,
            "uptime": 100_000 + now % 1_000_000, "tags": "prod;web",
        })
    });
    let storages = (0..NODES).map(|n| {
        json!({
            "type": "storage", "id": format!("storage/n{n}/local"), "storage": "local",
            "node": format!("n{n}"), "status": "available", "shared": 0, "plugintype": "dir",
            "content": "images,backup", "disk": 40 * GIB + now, "maxdisk": 400 * GIB,
        })
    });
    nodes.chain(guests).chain(storages).collect()
}

/// One that runs, and a few that have ended.
fn tasks(now: u64) -> Value {
    let task = |n: u64, ended: bool| {
        let start = (now - now % 600).saturating_sub(n * 600);
        json!({
            "upid": format!("UPID:n0:0000C530:001C9BEC:{start:08X}:vzdump:{}:root@pam:", 100 + n),
            "node": "n0", "type": "vzdump", "id": (100 + n).to_string(), "user": "root@pam",
            "starttime": start, "endtime": ended.then_some(start + 60),
            "status": ended.then_some("OK"),
        })
    };
    (0..8).map(|n| task(n, n > 0)).collect()
}

fn backups(now: u64) -> Value {
    let of_guest = |n: u64| {
        json!({
            "volid": format!("local:backup/vzdump-qemu-{}.vma.zst", n + 100), "vmid": n + 100,
            "ctime": now - now % 86_400 - 3_600, "size": GIB, "format": "vma.zst",
        })
    };
    (0..GUESTS).map(of_guest).collect()
}

fn status(now: u64) -> Value {
    json!({
        "cpu": fraction(0, now), "cpuinfo": { "cpus": 32, "model": "bench" },
        "memory": { "used": 20 * GIB + now, "total": 128 * GIB, "free": GIB },
        "rootfs": { "used": 20 * GIB, "total": 94 * GIB },
        "loadavg": ["0.10", "0.20", format!("0.{:02}", now % 100)],
        "uptime": 1_000_000 + now % 1_000_000, "pveversion": "pve-manager/9.1.11/bench",
    })
}
