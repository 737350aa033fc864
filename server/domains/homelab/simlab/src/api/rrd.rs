//! `rrddata`: the history of a node, a guest or a storage in even steps. A missing sample is a row
//! without numbers.

use serde_json::{Value, json};

use super::rounded;
use crate::calendar::{DAY, HOUR};
use crate::inventory::{self, GIB, GuestKind, MIB};
use crate::reply::{Fail, ReplyResult};
use crate::route::{AccessCheck, ApiCall, ApiRoute, Param, Takes, get, optional, required};
use crate::world::SimWorld;

const FUNCTION: Param = optional("cf", Takes::Choice(&["AVERAGE", "MAX"]));
const GUEST: &[Param] = &[
    required(
        "timeframe",
        Takes::Choice(&["hour", "day", "week", "month", "year"]),
    ),
    FUNCTION,
];
const AUDIT: AccessCheck = AccessCheck::Needs("/vms/{vmid}", &["VM.Audit"]);

pub(super) const ROUTES: &[ApiRoute] = &[
    get(
        "/nodes/{node}/rrddata",
        AccessCheck::Needs("/nodes/{node}", &["Sys.Audit"]),
        &[
            required(
                "timeframe",
                Takes::Choice(&["hour", "day", "week", "month", "year", "decade"]),
            ),
            FUNCTION,
        ],
        node,
    ),
    get(
        "/nodes/{node}/qemu/{vmid}/rrddata",
        AUDIT,
        GUEST,
        |world, call| guest(world, call, GuestKind::Qemu),
    ),
    get(
        "/nodes/{node}/lxc/{vmid}/rrddata",
        AUDIT,
        GUEST,
        |world, call| guest(world, call, GuestKind::Lxc),
    ),
    get(
        "/nodes/{node}/storage/{storage}/rrddata",
        AccessCheck::Needs(
            "/storage/{storage}",
            &["Datastore.Audit", "Datastore.AllocateSpace"],
        ),
        &[
            required(
                "timeframe",
                Takes::Choice(&["hour", "day", "week", "month", "year"]),
            ),
            FUNCTION,
        ],
        storage,
    ),
];

/// Step and span of a timeframe, in seconds.
fn frame(name: &str) -> (i64, i64) {
    match name {
        "day" => (60, DAY),
        "week" => (1_800, 7 * DAY),
        "month" => (1_800, 30 * DAY),
        "year" => (6 * HOUR, 365 * DAY),
        "decade" => (7 * DAY, 3_640 * DAY),
        _ => (60, HOUR),
    }
}

/// One row per step. `sample` returns the numbers of a completed step, if there are any.
fn series(world: &SimWorld, call: &ApiCall, sample: impl Fn(f64, f64) -> Option<Value>) -> Value {
    let (step, span) = frame(call.text("timeframe"));
    let last = world.now as i64 / step * step;
    let lost = |at: f64| {
        world
            .faults
            .gap
            .as_ref()
            .is_some_and(|gap| gap.contains(&at))
    };
    let rows = (1..=span / step).map(|position| {
        let time = last - span + position * step;
        let (from, to) = (time as f64, (time + step) as f64);
        // The current step has no value yet.
        let numbers = (to <= world.now && !lost(from))
            .then(|| sample(from, to))
            .flatten();
        let mut row = json!({ "time": time });
        if let (Some(members), Some(Value::Object(numbers))) = (row.as_object_mut(), numbers) {
            members.extend(numbers);
        }
        row
    });
    rows.collect()
}

/// The maximum of a few samples in a step, or its middle for the average.
fn peak(call: &ApiCall, from: f64, to: f64, at: impl Fn(f64) -> f64) -> f64 {
    if call.text("cf") == "MAX" {
        [0.1, 0.3, 0.5, 0.7, 0.9]
            .map(|part| at(from + (to - from) * part))
            .into_iter()
            .fold(0.0, f64::max)
    } else {
        at(f64::midpoint(from, to))
    }
}

fn node(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (_, node) = SimWorld::node(call.text("node"))?;
    let first = node.up_days * DAY as f64;
    let booted = world.began() - first;
    Ok(series(world, call, |from, to| {
        let middle = f64::midpoint(from, to);
        if from < booted || !world.powered(node.name, middle) {
            return None;
        }
        let used = world
            .numbers
            .node(node, &world.running_on(node.name, middle), middle)?;
        let cpu = peak(call, from, to, |t| {
            let running = world.running_on(node.name, t);
            world
                .numbers
                .node(node, &running, t)
                .map_or(0.0, |used| used.cpu)
        });
        let total = node.memory_gib * GIB;
        let [load, ..] = used.loadavg;
        let [netin, netout] = used.rates;
        Some(json!({
            "cpu": rounded(cpu),
            "maxcpu": node.threads,
            "iowait": rounded(used.iowait),
            "loadavg": rounded(load),
            "memtotal": total,
            "memused": used.mem,
            "memavailable": total - used.mem,
            "arcsize": used.arc,
            "swaptotal": node.swap_gib * GIB,
            "swapused": used.swap,
            "roottotal": node.root_gib * GIB,
            "rootused": used.root,
            "netin": rounded(netin),
            "netout": rounded(netout),
            "pressurecpusome": rounded(used.cpu * 0.6),
            "pressureiosome": rounded(used.iowait * 2.0),
            "pressureiofull": rounded(used.iowait),
            "pressurememorysome": 0.0,
            "pressurememoryfull": 0.0,
        }))
    })
    .into())
}

fn storage(world: &mut SimWorld, call: &ApiCall) -> ReplyResult {
    let (position, node) = SimWorld::node(call.text("node"))?;
    let name = call.text("storage");
    let storage = inventory::storage(name)
        .ok_or_else(|| Fail::internal(format!("storage '{name}' does not exist")))?;
    Ok(series(world, call, |from, to| {
        let middle = f64::midpoint(from, to);
        if !world.powered(node.name, middle) {
            return None;
        }
        let (total, used) = world.numbers.storage(storage, position, middle);
        Some(json!({ "total": total, "used": used }))
    })
    .into())
}

fn guest(world: &mut SimWorld, call: &ApiCall, kind: GuestKind) -> ReplyResult {
    let state = world.guest(call.text("node"), kind, call.vmid())?;
    let guest = state.guest;
    Ok(series(world, call, |from, to| {
        let middle = f64::midpoint(from, to);
        let start = state.since(middle)?;
        let used = world.numbers.guest(guest, start, middle);
        let cpu = peak(call, from, to, |t| match state.since(t) {
            Some(start) => world.numbers.guest_cpu(guest, start, t),
            None => 0.0,
        });
        let [netin, netout, diskread, diskwrite] = world
            .numbers
            .guest_rates(guest, from.max(start), to)
            .map(rounded);
        Some(json!({
            "cpu": rounded(cpu),
            "maxcpu": guest.cores,
            "mem": used.mem,
            "maxmem": guest.memory_mib * MIB,
            "memhost": used.memhost,
            "disk": used.disk,
            "maxdisk": guest.disk_gib * GIB,
            "netin": netin,
            "netout": netout,
            "diskread": diskread,
            "diskwrite": diskwrite,
        }))
    })
    .into())
}
