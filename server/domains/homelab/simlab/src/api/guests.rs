//! `/nodes/{node}/qemu` and `/lxc`: lists, the state of one guest, its configuration, power.

use serde_json::{Value, json};

use super::{bit, known, rounded, seconds};
use crate::inventory::{GIB, Guest, GuestKind, MIB};
use crate::reply::{Fail, ReplyResult};
use crate::route::{AccessCheck, ApiCall, ApiRoute, Param, Takes, get, optional, post};
use crate::wave::mix;
use crate::world::{GuestState, PowerAction, SimOrder, SimWorld};

const AUDIT: AccessCheck = AccessCheck::Needs("/vms/{vmid}", &["VM.Audit"]);
const POWER: AccessCheck = AccessCheck::Needs("/vms/{vmid}", &["VM.PowerMgmt"]);

/// The VM set up by cloud-init.
const CLOUD: u32 = 101;

const TIMEOUT: Param = optional("timeout", Takes::Integer(0));
const SKIPLOCK: Param = optional("skiplock", Takes::Flag);
const FORCE: Param = optional("forceStop", Takes::Flag);
const OVERRULE: Param = optional("overrule-shutdown", Takes::Flag);

pub(super) const ROUTES: &[ApiRoute] = &[
    get(
        "/nodes/{node}/qemu",
        AccessCheck::Any,
        &[optional("full", Takes::Flag)],
        |world, call| list(world, call, GuestKind::Qemu),
    ),
    get("/nodes/{node}/lxc", AccessCheck::Any, &[], |world, call| {
        list(world, call, GuestKind::Lxc)
    }),
    get(
        "/nodes/{node}/qemu/{vmid}/status/current",
        AUDIT,
        &[],
        |world, call| current(world, call, GuestKind::Qemu),
    ),
    get(
        "/nodes/{node}/lxc/{vmid}/status/current",
        AUDIT,
        &[],
        |world, call| current(world, call, GuestKind::Lxc),
    ),
    get(
        "/nodes/{node}/qemu/{vmid}/config",
        AUDIT,
        &[],
        |world, call| config(world, call, GuestKind::Qemu),
    ),
    get(
        "/nodes/{node}/lxc/{vmid}/config",
        AUDIT,
        &[],
        |world, call| config(world, call, GuestKind::Lxc),
    ),
    post(
        "/nodes/{node}/qemu/{vmid}/status/start",
        POWER,
        &[TIMEOUT, SKIPLOCK],
        |world, call| power(world, call, GuestKind::Qemu, PowerAction::Start),
    ),
    post(
        "/nodes/{node}/qemu/{vmid}/status/stop",
        POWER,
        &[TIMEOUT, SKIPLOCK, OVERRULE],
        |world, call| power(world, call, GuestKind::Qemu, PowerAction::Stop),
    ),
    post(
        "/nodes/{node}/qemu/{vmid}/status/shutdown",
        POWER,
        &[TIMEOUT, SKIPLOCK, FORCE],
        |world, call| power(world, call, GuestKind::Qemu, PowerAction::Shutdown),
    ),
    post(
        "/nodes/{node}/qemu/{vmid}/status/reboot",
        POWER,
        &[TIMEOUT],
        |world, call| power(world, call, GuestKind::Qemu, PowerAction::Reboot),
    ),
    post(
        "/nodes/{node}/qemu/{vmid}/status/reset",
        POWER,
        &[SKIPLOCK],
        |world, call| power(world, call, GuestKind::Qemu, PowerAction::Reset),
    ),
    post(
        "/nodes/{node}/lxc/{vmid}/status/start",
        POWER,
        &[SKIPLOCK],
        |world, call| power(world, call, GuestKind::Lxc, PowerAction::Start),
    ),
    post(
        "/nodes/{node}/lxc/{vmid}/status/stop",
        POWER,
        &[SKIPLOCK, OVERRULE],
        |world, call| power(world, call, GuestKind::Lxc, PowerAction::Stop),
    ),
    post(
        "/nodes/{node}/lxc/{vmid}/status/shutdown",
        POWER,
        &[TIMEOUT, FORCE],
        |world, call| power(world, call, GuestKind::Lxc, PowerAction::Shutdown),
    ),
    post(
        "/nodes/{node}/lxc/{vmid}/status/reboot",
        POWER,
        &[TIMEOUT],
        |world, call| power(world, call, GuestKind::Lxc, PowerAction::Reboot),
    ),
];

fn list(world: &mut SimWorld, call: &ApiCall, kind: GuestKind) -> ReplyResult {
    let node = call.text("node");
    let states = world.guests.iter().filter(|state| {
        let guest = state.guest;
        let path = format!("/vms/{}", guest.vmid);
        guest.node == node
            && guest.kind == kind
            && world.access.allowed(&call.caller, &path, "VM.Audit")
    });
    let rows = states.map(|state| row(world, state, call.flag("full")));
    Ok(rows.collect::<Value>().into())
}

fn current(world: &mut SimWorld, call: &ApiCall, kind: GuestKind) -> ReplyResult {
    let state = world.guest(call.text("node"), kind, call.vmid())?;
    let mut row = row(world, state, true);
    row["ha"] = if state.guest.ha {
        json!({ "managed": 1, "state": if state.wanted { "started" } else { "stopped" } })
    } else {
        json!({ "managed": 0 })
    };
    if state.guest.agent {
        row["agent"] = bit(true);
    }
    Ok(row.into())
}

/// A guest's row; `full` adds values that only a virtual machine's process knows.
fn row(world: &SimWorld, state: &GuestState, full: bool) -> Value {
    let guest = state.guest;
    let since = state.since(world.now);
    let used = since
        .map(|start| world.numbers.guest(guest, start, world.now))
        .unwrap_or_default();
    let [netin, netout, diskread, diskwrite] = used.counters;
    let pressure = since.map(|_| rounded(used.cpu * 0.8));
    let mut row = json!({
        "vmid": guest.vmid,
        "name": guest.name,
        "status": if since.is_some() { "running" } else { "stopped" },
        "cpus": guest.cores,
        "cpu": rounded(used.cpu),
        "maxmem": guest.memory_mib * MIB,
        "mem": used.mem,
        "maxdisk": guest.disk_gib * GIB,
        "disk": used.disk,
        "uptime": since.map_or(0, |start| seconds(start, world.now)),
        "netin": netin,
        "netout": netout,
        "diskread": diskread,
        "diskwrite": diskwrite,
        "tags": (!guest.tags.is_empty()).then_some(guest.tags),
        "template": guest.template.then_some(1),
        "lock": world.lock(state),
        "pressurecpusome": pressure,
        "pressureiosome": since.map(|_| 0.0),
        "pressureiofull": since.map(|_| 0.0),
        "pressurememorysome": since.map(|_| 0.0),
        "pressurememoryfull": since.map(|_| 0.0),
    });
    let more = match guest.kind {
        GuestKind::Qemu => json!({
            "pid": since.map(|start| world.pid(guest.vmid, start)),
            "memhost": since.map(|_| used.memhost),
            "qmpstatus": full.then_some(match (since, guest.paused) {
                (None, _) => "stopped",
                (Some(_), true) => "paused",
                (Some(_), false) => "running",
            }),
            "running-machine": since.filter(|_| full).map(|_| "pc-q35-10.1+pve0"),
            "running-qemu": since.filter(|_| full).map(|_| "10.1.2"),
            "pressurecpufull": since.map(|_| 0.0),
        }),
        GuestKind::Lxc => json!({
            "type": "lxc",
            "swap": used.swap,
            "maxswap": 512 * MIB,
        }),
    };
    if let (Some(members), Some(more)) = (row.as_object_mut(), more.as_object()) {
        members.extend(more.clone());
    }
    known(row)
}

fn config(world: &mut SimWorld, call: &ApiCall, kind: GuestKind) -> ReplyResult {
    let guest = world.guest(call.text("node"), kind, call.vmid())?.guest;
    let vmid = guest.vmid;
    let digest = format!("{:016x}{:024x}", mix(0, guest.name), mix(1, guest.name));
    let tags = (!guest.tags.is_empty()).then_some(guest.tags);
    let mac = mac(guest);
    let disk = guest.disk_gib;
    let config = match kind {
        GuestKind::Qemu => json!({
            "name": guest.name,
            "cores": guest.cores,
            "sockets": 1,
            "cpu": "x86-64-v3",
            "memory": guest.memory_mib.to_string(),
            "ostype": if guest.name.starts_with("windows") { "win11" } else { "l26" },
            "boot": "order=scsi0",
            "scsihw": "virtio-scsi-single",
            "scsi0": format!("local-zfs:vm-{vmid}-disk-0,iothread=1,size={disk}G"),
            "net0": format!("virtio={mac},bridge=vmbr0,firewall=1"),
            "agent": guest.agent.then_some("1"),
            "template": guest.template.then_some(1),
            "onboot": bit(guest.onboot),
            "tags": tags,
            // Like the real one: the password is masked, the keys are not.
            "ciuser": (vmid == CLOUD).then_some("admin"),
            "cipassword": (vmid == CLOUD).then_some("**********"),
            "sshkeys": (vmid == CLOUD).then_some("ssh-ed25519%20AAAAC3NzaC1lZDI1NTE5%20admin"),
            "digest": digest,
        }),
        GuestKind::Lxc => json!({
            "hostname": guest.name,
            "arch": "amd64",
            "cores": guest.cores,
            "memory": guest.memory_mib,
            "swap": 512,
            "ostype": "debian",
            "rootfs": format!("local-zfs:subvol-{vmid}-disk-0,size={disk}G"),
            "net0": format!("name=eth0,bridge=vmbr0,firewall=1,hwaddr={mac},ip=dhcp,type=veth"),
            "unprivileged": 1,
            "onboot": bit(guest.onboot),
            "tags": tags,
            "digest": digest,
        }),
    };
    Ok(known(config).into())
}

fn mac(guest: &Guest) -> String {
    let number = mix(u64::from(guest.vmid), "mac");
    let [first, second, third, ..] = number.to_be_bytes();
    format!("BC:24:11:{first:02X}:{second:02X}:{third:02X}")
}

fn power(
    world: &mut SimWorld,
    call: &ApiCall,
    kind: GuestKind,
    action: PowerAction,
) -> ReplyResult {
    let root = call.caller == SimWorld::root();
    if call.flag("skiplock") && !root {
        return Err(Fail::parameter(
            "skiplock",
            "Only root may use this option.",
        ));
    }
    let order = SimOrder {
        node: call.text("node"),
        kind,
        vmid: call.vmid(),
        action,
        timeout: call.integer("timeout").map(|seconds| seconds as f64),
        force: call.flag("forceStop"),
        overrule: call.flag("overrule-shutdown"),
    };
    let upid = world.power(&order, &call.caller)?;
    Ok(Value::from(upid.to_string()).into())
}
