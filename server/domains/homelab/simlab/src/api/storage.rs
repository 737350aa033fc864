//! `/nodes/{node}/storage`: the storages, their usage, their contents.

use serde_json::{Value, json};

use super::{bit, known, rounded};
use crate::access::SimCaller;
use crate::calendar::DAY;
use crate::inventory::{self, GIB, GuestKind, JOBS, MIB, STORAGES, Storage, StorageKind};
use crate::reply::{Fail, ReplyResult};
use crate::route::{AccessCheck, ApiCall, ApiRoute, Takes, get, optional};
use crate::world::{SimBackup, SimWorld};

pub(super) const ROUTES: &[ApiRoute] = &[
    get(
        "/nodes/{node}/storage",
        AccessCheck::Any,
        &[
            optional("content", Takes::Text),
            optional("enabled", Takes::Flag),
            optional("storage", Takes::Text),
        ],
        list,
    ),
    get(
        "/nodes/{node}/storage/{storage}/content",
        AccessCheck::Needs(
            "/storage/{storage}",
            &["Datastore.Audit", "Datastore.AllocateSpace"],
        ),
        &[
            optional("content", Takes::Text),
            optional("vmid", Takes::Integer(100)),
        ],
        content,
    ),
];

/// Images and templates: storage, volume, format, size in MiB.
const FILES: &[(&str, &str, &str, u64)] = &[
    ("local", "iso/debian-13.1.0-amd64-netinst.iso", "iso", 783),
    (
        "local",
        "vztmpl/debian-13-standard_13.1-2_amd64.tar.zst",
        "tzst",
        123,
    ),
    ("nas", "iso/proxmox-ve_9.1-1.iso", "iso", 1_742),
    ("nas", "iso/virtio-win-0.1.285.iso", "iso", 753),
    ("nas", "iso/Win11_25H2_English_x64.iso", "iso", 7_371),
];

fn list(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (position, node) = SimWorld::node(call.text("node"))?;
    let rows = STORAGES
        .iter()
        .filter(|storage| {
            let path = format!("/storage/{}", storage.name);
            let allowed = |privilege| world.access.allowed(&call.caller, &path, privilege);
            let wanted = |kind: &str| storage.content.split(',').any(|content| content == kind);
            (allowed("Datastore.Audit") || allowed("Datastore.AllocateSpace"))
                && call
                    .given("storage")
                    .is_none_or(|name| name == storage.name)
                && call
                    .given("content")
                    .is_none_or(|kinds| kinds.split(',').any(wanted))
        })
        .map(|storage| {
            let active = world.storage_known(node.name, storage.name);
            // An inactive one reports zeros, not missing values.
            let (total, used) = if active {
                world.numbers.storage(storage, position, world.now)
            } else {
                (0, 0)
            };
            known(json!({
                "storage": storage.name,
                "type": storage.kind.name(),
                "content": storage.content,
                "shared": bit(storage.kind.shared()),
                "active": bit(active),
                "enabled": 1,
                "total": total,
                "used": used,
                "avail": total - used,
                "used_fraction": active.then(|| rounded(used as f64 / total as f64)),
            }))
        });
    Ok(rows.collect::<Value>().into())
}

fn content(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (_, node) = SimWorld::node(call.text("node"))?;
    let name = call.text("storage");
    let storage = inventory::storage(name)
        .ok_or_else(|| Fail::internal(format!("storage '{name}' does not exist")))?;
    if !world.storage_known(node.name, name) {
        return Err(Fail::internal(format!("storage '{name}' is not online")));
    }
    let wanted = |kind: &str| call.given("content").is_none_or(|only| only == kind);
    let about = |vmid: u32| {
        call.integer("vmid")
            .is_none_or(|only| only == i64::from(vmid))
    };
    let mut rows: Vec<Value> = Vec::new();
    if wanted("backup") {
        let mut backups: Vec<&SimBackup> = world
            .backups
            .iter()
            .filter(|backup| backup.storage == storage.name && backup.done <= world.now)
            .filter(|backup| about(backup.guest.vmid))
            .filter(|backup| sees_backup(world, &call.caller, storage, backup))
            .collect();
        backups.sort_by_key(|backup| (backup.guest.vmid, backup.time));
        rows.extend(backups.into_iter().map(|backup| backup_row(world, backup)));
    }
    if call.given("vmid").is_none() {
        let files = FILES.iter().filter(|(on, volume, ..)| {
            *on == storage.name && wanted(volume.split('/').next().unwrap_or_default())
        });
        rows.extend(files.map(|(on, volume, format, mib)| {
            json!({
                "volid": format!("{on}:{volume}"),
                "format": format,
                "size": mib * MIB,
                "ctime": world.now as i64 / DAY * DAY - 61 * DAY,
            })
        }));
    }
    if storage.kind == StorageKind::Zfs {
        let guests = inventory::guests_on(node.name).filter(|guest| {
            let kind = if guest.kind == GuestKind::Qemu {
                "images"
            } else {
                "rootdir"
            };
            let path = format!("/vms/{}", guest.vmid);
            wanted(kind)
                && about(guest.vmid)
                && world.access.allowed(&call.caller, &path, "VM.Config.Disk")
        });
        rows.extend(guests.map(|guest| {
            let (disk, format) = match guest.kind {
                GuestKind::Qemu => ("vm", "raw"),
                GuestKind::Lxc => ("subvol", "subvol"),
            };
            json!({
                "volid": format!("{}:{disk}-{}-disk-0", storage.name, guest.vmid),
                "format": format,
                "size": guest.disk_gib * GIB,
                "vmid": guest.vmid,
            })
        }));
    }
    Ok(Value::from(rows).into())
}

/// Returns whether the caller may see a backup, which takes the same privileges as making one: a
/// reader's list is empty, without any error.
fn sees_backup(
    world: &SimWorld,
    caller: &SimCaller,
    storage: &Storage,
    backup: &SimBackup,
) -> bool {
    let path = format!("/storage/{}", storage.name);
    let guest = format!("/vms/{}", backup.guest.vmid);
    let allowed = |path: &str, privilege| world.access.allowed(caller, path, privilege);
    allowed(&path, "Datastore.Allocate")
        || (allowed(&path, "Datastore.AllocateSpace") && allowed(&guest, "VM.Backup"))
}

fn backup_row(world: &SimWorld, backup: &SimBackup) -> Value {
    let notes = JOBS
        .iter()
        .any(|job| job.storage == backup.storage)
        .then_some(backup.guest.name);
    // The backup server verifies once a day.
    let verified = backup.on_pbs() && world.now - backup.done > DAY as f64;
    let state = if backup.corrupt { "failed" } else { "ok" };
    let checked = backup.time + DAY;
    let verification = verified.then(|| {
        json!({
            "state": state,
            "upid": format!("UPID:pbs:000003E9:0001F4A2:00000011:{checked:08X}:verificationjob:store:root@pam:"),
        })
    });
    known(json!({
        "volid": backup.volid(),
        "vmid": backup.guest.vmid,
        "ctime": backup.time,
        "size": backup.size,
        "format": backup.format(),
        "notes": notes,
        "protected": backup.protected.then_some(1),
        "verification": verification,
    }))
}
