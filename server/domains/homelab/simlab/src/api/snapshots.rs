//! `/snapshot`: the snapshots of a guest.

use serde_json::{Value, json};

use super::{bit, known};
use crate::calendar::DAY;
use crate::inventory::GuestKind;
use crate::reply::ReplyResult;
use crate::route::{AccessCheck, ApiCall, ApiRoute, get};
use crate::wave::mix;
use crate::world::SimWorld;

const AUDIT: AccessCheck = AccessCheck::Needs("/vms/{vmid}", &["VM.Audit"]);

pub(super) const ROUTES: &[ApiRoute] = &[
    get(
        "/nodes/{node}/qemu/{vmid}/snapshot",
        AUDIT,
        &[],
        |world, call| list(world, call, GuestKind::Qemu),
    ),
    get(
        "/nodes/{node}/lxc/{vmid}/snapshot",
        AUDIT,
        &[],
        |world, call| list(world, call, GuestKind::Lxc),
    ),
];

/// Name, description, days before the simulation began.
const MADE: &[(&str, &str, i64)] = &[
    ("before_upgrade", "before the upgrade\n", 41),
    ("clean", "", 12),
    ("weekly", "made by hand\n", 3),
];

/// The snapshots of a guest: at most three, and `current`, which is its present state.
fn list(world: &mut SimWorld, call: &ApiCall, kind: GuestKind) -> ReplyResult {
    let state = world.guest(call.text("node"), kind, call.vmid())?;
    let guest = state.guest;
    let count = mix(u64::from(guest.vmid), "snapshots") % (MADE.len() as u64 + 1);
    let mut rows = Vec::new();
    let mut parent = None;
    for (name, description, days) in MADE.iter().take(usize::try_from(count).unwrap_or(0)) {
        rows.push(known(json!({
            "name": name,
            "description": description,
            "snaptime": world.began() as i64 - days * DAY,
            "parent": parent,
            "vmstate": (kind == GuestKind::Qemu).then_some(bit(*name == "weekly")),
        })));
        parent = Some(*name);
    }
    rows.push(known(json!({
        "name": "current",
        "description": "You are here!",
        "parent": parent,
        "digest": format!("{:016x}{:024x}", mix(0, guest.name), mix(1, guest.name)),
        "running": bit(state.since(world.now).is_some()),
    })));
    Ok(Value::from(rows).into())
}
