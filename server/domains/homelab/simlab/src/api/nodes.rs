//! `/nodes` and the data of a node: state, services, power.

use serde_json::{Value, json};

use super::{known, rounded, seconds};
use crate::inventory::{GIB, NODES, PVE_VERSION, SERVICES};
use crate::reply::{Fail, ReplyResult};
use crate::route::{AccessCheck, ApiCall, ApiRoute, Takes, get, post, required};
use crate::world::{NewTask, SimWorld, TaskEffect};

const AUDIT: AccessCheck = AccessCheck::Needs("/nodes/{node}", &["Sys.Audit"]);

pub(super) const ROUTES: &[ApiRoute] = &[
    get("/nodes", AccessCheck::Any, &[], list),
    get("/nodes/{node}/status", AUDIT, &[], status),
    get("/nodes/{node}/time", AUDIT, &[], time),
    get("/nodes/{node}/services", AUDIT, &[], services),
    get(
        "/nodes/{node}/services/{service}/state",
        AUDIT,
        &[],
        service_state,
    ),
    post(
        "/nodes/{node}/services/{service}/restart",
        AccessCheck::Needs("/nodes/{node}", &["Sys.Modify"]),
        &[],
        restart_service,
    ),
    post(
        "/nodes/{node}/status",
        AccessCheck::Needs("/nodes/{node}", &["Sys.PowerMgmt"]),
        &[required("command", Takes::Choice(&["reboot", "shutdown"]))],
        power,
    ),
    ApiRoute {
        method: "POST",
        path: "/nodes/{node}/wakeonlan",
        check: AccessCheck::Needs("/nodes/{node}", &["Sys.PowerMgmt"]),
        params: &[],
        run: wake,
        here: true,
    },
];

fn list(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let rows = NODES.iter().map(|node| {
        let up = world.visible(call.local, node.name);
        let path = format!("/nodes/{}", node.name);
        let audited = world.access.allowed(&call.caller, &path, "Sys.Audit");
        let used = (up && audited)
            .then(|| {
                world
                    .numbers
                    .node(node, &world.running_on(node.name, world.now), world.now)
            })
            .flatten();
        known(json!({
            "id": format!("node/{}", node.name),
            "type": "node",
            "node": node.name,
            "status": if up { "online" } else { "offline" },
            "ssl_fingerprint": world.fingerprints.get(node.name),
            "level": used.map(|_| ""),
            "cpu": used.map(|used| rounded(used.cpu)),
            "maxcpu": used.map(|_| node.threads),
            "mem": used.map(|used| used.mem),
            "maxmem": used.map(|_| node.memory_gib * GIB),
            "disk": used.map(|used| used.root),
            "maxdisk": used.map(|_| node.root_gib * GIB),
            "uptime": used.map(|_| seconds(world.booted(node.name), world.now)),
        }))
    });
    Ok(rows.collect::<Value>().into())
}

fn status(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (_, node) = SimWorld::node(call.text("node"))?;
    let used = world
        .numbers
        .node(node, &world.running_on(node.name, world.now), world.now)
        .ok_or_else(|| Fail::internal("no statistics"))?;
    let total = node.memory_gib * GIB;
    let root = node.root_gib * GIB;
    let swap = node.swap_gib * GIB;
    let (version, repoid) = PVE_VERSION;
    let boot = if node.efi {
        json!({ "mode": "efi", "secureboot": 0 })
    } else {
        json!({ "mode": "legacy-bios" })
    };
    Ok(json!({
        "cpu": rounded(used.cpu),
        "wait": rounded(used.iowait),
        "idle": 0,
        "cpuinfo": {
            "model": node.cpu_model,
            "sockets": 1,
            "cores": node.cores,
            "cpus": node.threads,
            "mhz": format!("{:.3}", node.mhz),
            "hvm": "1",
            "user_hz": 100,
        },
        "memory": {
            "total": total,
            "used": used.mem,
            "available": total - used.mem,
            // The ZFS cache counts as used; other caches count as available.
            "free": (total - used.mem) / 10 * 7,
        },
        "swap": { "total": swap, "used": used.swap, "free": swap - used.swap },
        "ksm": { "shared": 0 },
        "rootfs": {
            "total": root,
            "used": used.root,
            "avail": root - used.root,
            "free": root - used.root,
        },
        "loadavg": used.loadavg.map(|load| format!("{load:.2}")),
        "uptime": seconds(world.booted(node.name), world.now),
        "current-kernel": {
            "sysname": "Linux",
            "release": "6.17.4-1-pve",
            "version": "#1 SMP PREEMPT_DYNAMIC PMX 6.17.4-1 (2026-10-12T09:31Z)",
            "machine": "x86_64",
        },
        "kversion":
            "Linux 6.17.4-1-pve #1 SMP PREEMPT_DYNAMIC PMX 6.17.4-1 (2026-10-12T09:31Z)",
        "pveversion": format!("pve-manager/{version}/{repoid}"),
        "boot-info": boot,
    })
    .into())
}

/// The time of a node: all of them use the simulation's clock, in UTC.
fn time(world: &mut SimWorld, _call: &ApiCall) -> ReplyResult {
    let now = world.now as i64;
    Ok(json!({ "timezone": "UTC", "time": now, "localtime": now }).into())
}

fn services(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let node = call.text("node");
    let rows = SERVICES
        .iter()
        .filter_map(|service| service_row(world, node, service.name));
    Ok(rows.collect::<Value>().into())
}

fn service_state(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    service_row(world, call.text("node"), call.text("service"))
        .map(Into::into)
        .ok_or_else(|| Fail::internal("no such service"))
}

fn service_row(world: &SimWorld, node: &str, name: &str) -> Option<Value> {
    let service = SERVICES.iter().find(|service| service.name == name)?;
    let (active, sub, file) = world.service(node, name)?;
    Some(json!({
        "service": name,
        "name": name,
        "desc": service.description,
        "active-state": active,
        "state": sub,
        "unit-state": file,
    }))
}

fn restart_service(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (_, node) = SimWorld::node(call.text("node"))?;
    let service = SERVICES
        .iter()
        .find(|service| service.name == call.text("service"))
        .ok_or_else(|| Fail::internal("no such service"))?;
    let begin = world.now;
    let absent = service.state.file == "not-found";
    let mut new = NewTask::new(
        node.name,
        "srvrestart",
        service.name,
        &call.caller,
        begin,
        2.0,
    );
    if absent {
        new.exit = format!(
            "command 'systemctl restart {}' failed: exit code 5",
            service.name
        );
    } else {
        new.effect = TaskEffect::Service {
            node: node.name,
            service: service.name,
        };
    }
    Ok(Value::from(world.start_task(new).to_string()).into())
}

fn power(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (_, node) = SimWorld::node(call.text("node"))?;
    world.power_off(node, call.text("command") == "reboot");
    Ok(Value::Null.into())
}

fn wake(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (_, node) = SimWorld::node(call.text("node"))?;
    if node.name == call.local {
        return Err(Fail::internal(format!(
            "'{}' is local node, cannot wake my self!",
            node.name
        )));
    }
    world.wake(node.mac);
    Ok(Value::from(node.mac).into())
}
