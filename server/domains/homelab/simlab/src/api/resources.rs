//! `/cluster/resources`: everything in one list, as nodes broadcast it every ten seconds.

use serde_json::{Value, json};

use super::{bit, known, rounded, seconds};
use crate::inventory::{GIB, GuestKind, MIB, NODES, STORAGES, SimNode};
use crate::reply::ReplyResult;
use crate::route::{AccessCheck, ApiCall, ApiRoute, Takes, get, optional};
use crate::world::{GuestState, SimWorld};

pub(super) const ROUTES: &[ApiRoute] = &[get(
    "/cluster/resources",
    AccessCheck::Any,
    &[optional(
        "type",
        Takes::Choice(&["vm", "storage", "node", "sdn"]),
    )],
    resources,
)];

/// Seconds between two broadcasts.
const BROADCAST: f64 = 10.0;

/// The zone that every node has without software-defined networking.
const ZONE: &str = "localnetwork";

fn resources(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let wanted = |kind: &str| call.given("type").is_none_or(|only| only == kind);
    // Data of the latest broadcast, which lags behind actions.
    let seen = (world.now / BROADCAST).floor() * BROADCAST;
    let allowed = |path: &str, privilege: &str| world.access.allowed(&call.caller, path, privilege);
    let mut rows: Vec<Value> = Vec::new();

    if wanted("vm") {
        let guests = world
            .guests
            .iter()
            .filter(|state| allowed(&format!("/vms/{}", state.guest.vmid), "VM.Audit"));
        rows.extend(guests.map(|state| guest(world, call.local, state, seen)));
    }
    if wanted("node") {
        rows.extend(NODES.iter().map(|item| {
            let audited = allowed(&format!("/nodes/{}", item.name), "Sys.Audit");
            node(world, call.local, item, audited, seen)
        }));
    }
    if wanted("storage") {
        let storages = STORAGES.iter().filter(|storage| {
            let path = format!("/storage/{}", storage.name);
            allowed(&path, "Datastore.Audit") || allowed(&path, "Datastore.AllocateSpace")
        });
        for item in storages {
            for (position, node) in NODES.iter().enumerate() {
                let (total, used) = world.numbers.storage(item, position, seen);
                let up = world.visible(call.local, node.name)
                    && world.storage_known(node.name, item.name);
                rows.push(known(json!({
                    "id": format!("storage/{}/{}", node.name, item.name),
                    "type": "storage",
                    "node": node.name,
                    "storage": item.name,
                    "plugintype": item.kind.name(),
                    "content": item.content,
                    "shared": bit(item.kind.shared()),
                    "status": if up { "available" } else { "unknown" },
                    "disk": up.then_some(used),
                    "maxdisk": up.then_some(total),
                })));
            }
        }
    }
    if wanted("sdn") && allowed(&format!("/sdn/zones/{ZONE}"), "SDN.Audit") {
        rows.extend(NODES.iter().map(|node| {
            json!({
                "id": format!("network/{}/zone/{ZONE}", node.name),
                "type": "network",
                "network": ZONE,
                "network-type": "zone",
                "node": node.name,
                "status": "ok",
            })
        }));
    }
    Ok(Value::from(rows).into())
}

fn guest(world: &SimWorld, local: &str, state: &GuestState, seen: f64) -> Value {
    let guest = state.guest;
    let heard = world.visible(local, guest.node) && !world.faults.silent.contains(&guest.vmid);
    let since = state.since(seen);
    let used = since
        .map(|start| world.numbers.guest(guest, start, seen))
        .unwrap_or_default();
    let [netin, netout, diskread, diskwrite] = used.counters;
    let status = match (heard, since) {
        (false, _) => "unknown",
        (true, Some(_)) => "running",
        (true, None) => "stopped",
    };
    let mut row = json!({
        "id": format!("{}/{}", guest.kind.name(), guest.vmid),
        "type": guest.kind.name(),
        "vmid": guest.vmid,
        "name": guest.name,
        "node": guest.node,
        "status": status,
        "template": bit(guest.template),
        "tags": (!guest.tags.is_empty()).then_some(guest.tags),
        "lock": world.lock(state),
        "hastate": guest.ha.then_some(if state.wanted { "started" } else { "stopped" }),
    });
    if heard && let Some(members) = row.as_object_mut() {
        let numbers = json!({
            "maxcpu": guest.cores,
            "maxmem": guest.memory_mib * MIB,
            "maxdisk": guest.disk_gib * GIB,
            "cpu": rounded(used.cpu),
            "mem": used.mem,
            "memhost": (guest.kind == GuestKind::Qemu).then_some(used.memhost),
            "disk": used.disk,
            "uptime": since.map_or(0, |start| seconds(start, seen)),
            "netin": netin,
            "netout": netout,
            "diskread": diskread,
            "diskwrite": diskwrite,
        });
        members.extend(numbers.as_object().cloned().unwrap_or_default());
    }
    known(row)
}

fn node(world: &SimWorld, local: &str, node: &SimNode, audited: bool, seen: f64) -> Value {
    let up = world.visible(local, node.name);
    let used = (up && audited)
        .then(|| {
            world
                .numbers
                .node(node, &world.running_on(node.name, seen), seen)
        })
        .flatten();
    let mut row = json!({
        "id": format!("node/{}", node.name),
        "type": "node",
        "node": node.name,
        "status": if up { "online" } else { "offline" },
    });
    if let (Some(used), Some(members)) = (used, row.as_object_mut()) {
        let numbers = json!({
            "level": "",
            "cpu": rounded(used.cpu),
            "maxcpu": node.threads,
            "mem": used.mem,
            "maxmem": node.memory_gib * GIB,
            "disk": used.root,
            "maxdisk": node.root_gib * GIB,
            "uptime": seconds(world.booted(node.name), seen),
            "cgroup-mode": 2,
        });
        members.extend(numbers.as_object().cloned().unwrap_or_default());
    }
    row
}
