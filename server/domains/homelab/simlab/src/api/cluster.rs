//! `/cluster`: membership, backup jobs and the guests that no job covers.

use serde_json::{Value, json};

use super::bit;
use crate::inventory::{CLUSTER, GUESTS, JOBS, NODES};
use crate::reply::ReplyResult;
use crate::route::{AccessCheck, ApiCall, ApiRoute, get};
use crate::world::{SimWorld, next_run};

const AUDIT: AccessCheck = AccessCheck::Needs("/", &["Sys.Audit"]);

pub(super) const ROUTES: &[ApiRoute] = &[
    get("/cluster/status", AUDIT, &[], status),
    get("/cluster/backup", AUDIT, &[], jobs),
    get("/cluster/backup-info/not-backed-up", AUDIT, &[], gaps),
];

fn status(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let mut rows = vec![json!({
        "type": "cluster",
        "id": "cluster",
        "name": CLUSTER,
        "version": NODES.len(),
        "nodes": NODES.len(),
        "quorate": bit(world.quorate()),
    })];
    rows.extend(NODES.iter().map(|node| {
        json!({
            "type": "node",
            "id": format!("node/{}", node.name),
            "name": node.name,
            "nodeid": node.id,
            "ip": node.ip,
            "online": bit(world.visible(call.local, node.name)),
            "local": bit(node.name == call.local),
            "level": "",
        })
    }));
    Ok(Value::from(rows).into())
}

fn jobs(world: &mut SimWorld, _: &ApiCall) -> ReplyResult {
    let now = world.now as i64;
    let rows: Vec<Value> = JOBS
        .iter()
        .map(|job| {
            let vmids: Vec<String> = job.vmids.iter().map(u32::to_string).collect();
            json!({
                "id": job.id,
                "enabled": 1,
                "schedule": job.schedule,
                "next-run": next_run(job, now),
                "storage": job.storage,
                "vmid": vmids.join(","),
                "mode": "snapshot",
                "compress": "zstd",
                "prune-backups": { "keep-last": job.keep },
                "notes-template": "{{guestname}}",
                "notification-mode": "notification-system",
                "comment": job.comment,
            })
        })
        .collect();
    Ok(Value::from(rows).into())
}

fn gaps(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let mut guests: Vec<_> = GUESTS
        .iter()
        .filter(|guest| !JOBS.iter().any(|job| job.vmids.contains(&guest.vmid)))
        .filter(|guest| {
            world
                .access
                .allowed(&call.caller, &format!("/vms/{}", guest.vmid), "VM.Audit")
        })
        .collect();
    guests.sort_by_key(|guest| guest.vmid);
    let rows = guests
        .iter()
        .map(|guest| json!({ "vmid": guest.vmid, "type": guest.kind.name(), "name": guest.name }));
    Ok(rows.collect::<Value>().into())
}
