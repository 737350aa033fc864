//! Usage of guests, nodes and storages at any time, as pure functions of the seed, the inventory
//! and the time. A node's numbers are the sum of those of its guests and its own.

use std::collections::BTreeMap;

use crate::inventory::{GIB, GUESTS, Guest, GuestKind, MIB, NODES, STORAGES, SimNode, Storage};
use crate::wave::Wave;

/// The waves of one guest.
struct GuestWaves {
    load: Wave,
    memory: Wave,
    rates: [Wave; 4],
}

/// The waves of one node, without its guests.
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

/// A guest's usage at a point in time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct GuestUse {
    /// Fraction of its cores, 0 to 1.
    pub cpu: f64,
    pub mem: u64,
    /// Memory of its process on the host, in bytes.
    pub memhost: u64,
    pub swap: u64,
    pub disk: u64,
    /// Network in and out, disk read and write, in bytes since its start.
    pub counters: [u64; 4],
}

/// A node's usage at a point in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeUse {
    /// Fraction of all its threads, 0 to 1.
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
                // A shared storage has the same wave on all nodes.
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

    /// The usage at `t` of a guest running since `start`.
    pub(crate) fn guest(&self, guest: &Guest, start: f64, t: f64) -> GuestUse {
        let (mem, memhost) = self.guest_memory(guest, start, t);
        let disk = match guest.kind {
            GuestKind::Qemu => 0.0,
            GuestKind::Lxc => guest.disk_used_gib * GIB as f64,
        };
        let counters = match self.guests.get(&guest.vmid) {
            Some(waves) if !guest.paused => waves
                .rates
                .each_ref()
                .map(|wave| to_bytes(wave.total(start, t))),
            _ => [0; 4],
        };
        GuestUse {
            cpu: self.guest_cpu(guest, start, t),
            mem,
            memhost,
            swap: 0,
            disk: to_bytes(disk),
            counters,
        }
    }

    /// The memory that a guest uses, and that of its process on the host, in bytes.
    fn guest_memory(&self, guest: &Guest, start: f64, t: f64) -> (u64, u64) {
        let share = self
            .guests
            .get(&guest.vmid)
            .map_or(0.0, |waves| waves.memory.at(t));
        // Memory fills over five minutes.
        let filled = (0.35 + (t - start).max(0.0) / 300.0).min(1.0);
        let share = (share * filled).clamp(0.02, 0.97);
        let mem = guest.memory_mib as f64 * MIB as f64 * share;
        let host = match guest.kind {
            GuestKind::Qemu => mem * 1.04 + 64.0 * MIB as f64,
            GuestKind::Lxc => mem,
        };
        (to_bytes(mem), to_bytes(host))
    }

    /// The fraction of its cores that a guest uses, 0 to 1.
    pub(crate) fn guest_cpu(&self, guest: &Guest, start: f64, t: f64) -> f64 {
        let Some(waves) = self.guests.get(&guest.vmid).filter(|_| !guest.paused) else {
            return 0.0;
        };
        // Booting loads the processor for half a minute.
        let boot = 0.5 * (-(t - start).max(0.0) / 30.0).exp();
        (waves.load.at(t) + boot).clamp(0.0, 0.99)
    }

    /// The fraction of its threads that a node uses, 0 to 1.
    pub(crate) fn node_cpu(&self, node: &SimNode, running: &[(&Guest, f64)], t: f64) -> f64 {
        let own = self
            .nodes
            .get(node.name)
            .map_or(0.0, |waves| waves.load.at(t));
        let cores: f64 = running
            .iter()
            .map(|(guest, start)| self.guest_cpu(guest, *start, t) * guest.cores as f64)
            .sum();
        (cores / node.threads as f64 + own).clamp(0.0, 0.99)
    }

    /// A guest's four rates between two times, in bytes per second.
    pub(crate) fn guest_rates(&self, guest: &Guest, from: f64, to: f64) -> [f64; 4] {
        match self.guests.get(&guest.vmid) {
            Some(waves) if !guest.paused => waves.rates.each_ref().map(|wave| wave.mean(from, to)),
            _ => [0.0; 4],
        }
    }

    /// The usage of a node at `t`, given its running guests with their start times.
    pub(crate) fn node(
        &self,
        node: &SimNode,
        running: &[(&Guest, f64)],
        t: f64,
    ) -> Option<NodeUse> {
        let waves = self.nodes.get(node.name)?;
        let cpu_at = |t: f64| self.node_cpu(node, running, t);
        let guests: u64 = running
            .iter()
            .map(|(guest, start)| self.guest_memory(guest, *start, t).1)
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
            // The mean of a few earlier samples approximates the kernel's exponential averages.
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

    /// Total and used bytes of a storage on the node with this index.
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

fn node_waves(seed: u64, node: &SimNode) -> NodeWaves {
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
