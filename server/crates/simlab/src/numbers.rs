//! What guests, nodes and storages consume at any moment: pure functions of the seed, the
//! inventory and the time. A node's numbers are the sum of what runs on it.

use std::collections::BTreeMap;

use crate::inventory::{GIB, GUESTS, Guest, Kind, MIB, NODES, Node, STORAGES, Storage};
use crate::wave::Wave;

/// The waves of one guest.
struct GuestWaves {
    load: Wave,
    memory: Wave,
    rates: [Wave; 4],
}

struct NodeWaves {
    load: Wave,
    iowait: Wave,
    memory: Wave,
    arc: Wave,
    rates: [Wave; 2],
}

/// All waves of a cluster with one seed.
pub(crate) struct Numbers {
    guests: BTreeMap<u32, GuestWaves>,
    nodes: BTreeMap<&'static str, NodeWaves>,
    storages: BTreeMap<(&'static str, usize), Wave>,
}

/// A guest's use at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct GuestUse {
    /// Share of its cores, 0 to 1.
    pub cpu: f64,
    pub mem: u64,
    /// What its process takes on the host.
    pub memhost: u64,
    pub swap: u64,
    pub disk: u64,
    /// Network in and out, disk read and write, in bytes since its start.
    pub counters: [u64; 4],
}

/// A node's use at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeUse {
    /// Share of all its threads, 0 to 1.
    pub cpu: f64,
    pub iowait: f64,
    pub loadavg: [f64; 3],
    pub mem: u64,
    pub arc: u64,
    pub swap: u64,
    pub root: u64,
    /// Network in and out in bytes per second.
    pub rates: [f64; 2],
}

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        let guests = GUESTS
            .iter()
            .map(|guest| (guest.vmid, guest_waves(seed, guest)))
            .collect();
        let nodes = NODES
            .iter()
            .map(|node| (node.name, node_waves(seed, node)))
            .collect();
        let storages = STORAGES
            .iter()
            .flat_map(|storage| (0..NODES.len()).map(move |position| (storage, position)))
            .map(|(storage, position)| {
                // A shared storage has one wave for all nodes.
                let key = if storage.kind.shared() { 0 } else { position };
                let wave = Wave::new(seed, &format!("{}/{key}", storage.name), 1.0, 0.03);
                ((storage.name, position), wave)
            })
            .collect();
        Self {
            guests,
            nodes,
            storages,
        }
    }

    /// What a guest that runs since `start` uses at `t`.
    pub(crate) fn guest(&self, guest: &Guest, start: f64, t: f64) -> GuestUse {
        let Some(waves) = self.guests.get(&guest.vmid) else {
            return GuestUse::default();
        };
        let up = (t - start).max(0.0);
        if guest.paused {
            let mem = to_bytes(guest.memory_mib as f64 * MIB as f64 * guest.memory_share);
            return GuestUse {
                mem,
                memhost: mem,
                ..GuestUse::default()
            };
        }
        // Booting takes the processor for half a minute; memory fills over five.
        let boot = 0.5 * (-up / 30.0).exp();
        let filled = (0.35 + up / 300.0).min(1.0);
        let share = (waves.memory.at(t) * filled).clamp(0.02, 0.97);
        let mem = to_bytes(guest.memory_mib as f64 * MIB as f64 * share);
        let memhost = match guest.kind {
            Kind::Qemu => to_bytes(mem as f64 * 1.04) + 64 * MIB,
            Kind::Lxc => mem,
        };
        let disk = match guest.kind {
            Kind::Qemu => 0,
            Kind::Lxc => to_bytes(guest.disk_used_gib * GIB as f64),
        };
        GuestUse {
            cpu: (waves.load.at(t) + boot).clamp(0.0, 0.99),
            mem,
            memhost,
            swap: 0,
            disk,
            counters: waves
                .rates
                .each_ref()
                .map(|wave| to_bytes(wave.total(start, t))),
        }
    }

    /// A guest's four rates (bytes per second) between two moments.
    pub(crate) fn guest_rates(&self, guest: &Guest, from: f64, to: f64) -> [f64; 4] {
        match self.guests.get(&guest.vmid) {
            Some(waves) if !guest.paused => waves.rates.each_ref().map(|wave| wave.mean(from, to)),
            _ => [0.0; 4],
        }
    }

    /// What a node uses at `t` when these guests run on it, each since its moment.
    pub(crate) fn node(&self, node: &Node, running: &[(&Guest, f64)], t: f64) -> Option<NodeUse> {
        let waves = self.nodes.get(node.name)?;
        let cpu_at = |t: f64| {
            let cores: f64 = running
                .iter()
                .map(|(guest, start)| self.guest(guest, *start, t).cpu * guest.cores as f64)
                .sum();
            (cores / node.threads as f64 + waves.load.at(t)).clamp(0.0, 0.99)
        };
        let guests: u64 = running
            .iter()
            .map(|(guest, start)| self.guest(guest, *start, t).memhost)
            .sum();
        let total = node.memory_gib * GIB;
        let arc = to_bytes(waves.arc.at(t)).min(total / 4);
        let mem = (to_bytes(waves.memory.at(t)) + arc + guests).min(total - GIB / 2);
        let rates = [0, 1].map(|position| {
            let own = waves.rates.get(position).map_or(0.0, |wave| wave.at(t));
            let guests: f64 = running
                .iter()
                .filter_map(|(guest, _)| self.guest_rates(guest, t - 1.0, t).get(position).copied())
                .sum();
            own + guests
        });
        let threads = node.threads as f64;
        Some(NodeUse {
            cpu: cpu_at(t),
            iowait: waves.iowait.at(t),
            // The mean of a few looks back does for the kernel's damped averages.
            loadavg: [60.0, 300.0, 900.0].map(|window| {
                let looks = [0.0, 0.25, 0.5, 0.75].map(|part| cpu_at(t - window * part));
                looks.iter().sum::<f64>() / 4.0 * threads
            }),
            mem,
            arc,
            swap: to_bytes(node.swap_gib as f64 * GIB as f64 * 0.02),
            root: to_bytes(node.root_used_gib * GIB as f64),
            rates,
        })
    }

    /// Total and used bytes of a storage on the node at this position of the inventory.
    pub(crate) fn storage(&self, storage: &Storage, position: usize, t: f64) -> (u64, u64) {
        let (total, used) = storage.sizes.get(position).copied().unwrap_or_default();
        let swing = self
            .storages
            .get(&(storage.name, position))
            .map_or(1.0, |wave| wave.at(t));
        let total = total * GIB;
        (total, to_bytes(used * GIB as f64 * swing).min(total))
    }
}

fn guest_waves(seed: u64, guest: &Guest) -> GuestWaves {
    let wave =
        |what: &str, base, lively| Wave::new(seed, &format!("{}/{what}", guest.vmid), base, lively);
    let [netin, netout, read, write] = guest.rates;
    GuestWaves {
        load: wave("load", guest.load, 1.0),
        memory: wave("memory", guest.memory_share, 0.12),
        rates: [
            wave("netin", netin, 1.0),
            wave("netout", netout, 1.0),
            wave("diskread", read, 1.0),
            wave("diskwrite", write, 1.0),
        ],
    }
}

fn node_waves(seed: u64, node: &Node) -> NodeWaves {
    let wave =
        |what: &str, base, lively| Wave::new(seed, &format!("{}/{what}", node.name), base, lively);
    NodeWaves {
        load: wave("load", 0.25 / node.threads as f64, 1.0),
        iowait: wave("iowait", 0.004, 1.0),
        memory: wave("memory", 1.7 * GIB as f64, 0.05),
        arc: wave("arc", node.arc_gib * GIB as f64, 0.1),
        rates: [wave("netin", 14_000.0, 0.8), wave("netout", 19_000.0, 0.8)],
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float cast saturates, and bytes have no fraction"
)]
fn to_bytes(value: f64) -> u64 {
    value as u64
}
