//! Rows of the guest table.

use homelab_wire::{GuestCounts, GuestPart};
use protocol::Known;

use super::{amount, backups::Backups, past, silence};
use crate::{
    board::{
        seen::{SeenTasks, is_heard, row_key},
        traffic::Traffic,
    },
    guest_state::{self, has_process},
    out::percent,
    texts,
    wire::{ResourceRow, is_guest},
};

pub(super) fn parts(seen: &SeenTasks, backups: &Backups<'_>) -> Vec<GuestPart> {
    let rows = seen.overview.value().into_iter().flatten();
    let mut guests: Vec<GuestPart> = rows
        .filter(is_guest)
        .filter_map(|row| part(seen, backups, row))
        .collect();
    guests.sort_by_key(|guest| guest.vmid);
    guests
}

pub(super) fn counts(guests: &[GuestPart]) -> GuestCounts {
    let states = guests
        .iter()
        .map(|guest| guest.state.value().map(String::as_str));
    let counts = guest_state::counts(states);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    GuestCounts {
        total: number(counts.total),
        running: number(counts.running),
        silent: number(counts.unknown),
    }
}

fn part(seen: &SeenTasks, backups: &Backups<'_>, listed: &ResourceRow) -> Option<GuestPart> {
    let vmid = u64::try_from(listed.vmid?).ok()?;
    let key = row_key(listed)?;
    let node = listed.node.clone()?;
    let heard = is_heard(listed);
    let quiet =
        || silence(seen, &node).unwrap_or_else(|| texts::ITS_NODE_SENDS_NO_STATISTICS.to_owned());
    // A guest without current data is shown with its last known row, marked as such.
    let row = match seen.remembered.get(&key) {
        Some((_, row)) if !heard => row,
        _ => listed,
    };
    let known = |row: &ResourceRow| row.guest_state().value().cloned();
    let is_template = listed.template == Some(true);
    let state = match known(listed) {
        Some(state) if heard || is_template => Known::Value(state),
        _ => Known::unknown(quiet()),
    };
    let running = has_process(row.status.as_deref()) && !is_template;
    let figure = |value: Option<i64>| running.then(|| super::reported(amount(value)));
    let rates = seen.traffic.get(&key).and_then(Traffic::rates);
    let rate = |which: usize| {
        let rate = rates.map(|rates| rates[which]);
        running.then(|| Known::or(rate, texts::board::MEASURED_FOR_TOO_SHORT_TIME))
    };
    Some(GuestPart {
        vmid,
        kind: if listed.r#type == "lxc" { "CT" } else { "VM" }.to_owned(),
        name: listed.name.clone(),
        was: known(row).filter(|_| !heard && !is_template),
        state,
        cpu_percent: running.then(|| super::reported(row.cpu.map(percent))),
        cores: row.maxcpu,
        memory_used: figure(row.mem),
        memory_total: amount(row.maxmem),
        disk_used: match listed.r#type.as_str() {
            "lxc" => figure(row.disk),
            // Proxmox VE reports zero there.
            _ => running.then(|| Known::unknown(texts::board::FULLNESS_OF_VM_DISK_UNKNOWN)),
        },
        disk_total: amount(row.maxdisk),
        uptime: figure(row.uptime),
        tags: tags(listed.tags.as_deref()),
        lock: listed.lock.clone(),
        net_in: rate(0),
        net_out: rate(1),
        backup: (!is_template).then(|| backups.of(vmid)),
        past: (!heard && !is_template).then(|| past(seen, &key, quiet())),
        node,
    })
}

fn tags(tags: Option<&str>) -> Vec<String> {
    let tags = tags
        .into_iter()
        .flat_map(|tags| tags.split([';', ',', ' ']));
    tags.filter(|tag| !tag.is_empty())
        .map(str::to_owned)
        .collect()
}
