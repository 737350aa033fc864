//! Inventory of the cluster: nodes, guests, storages, backup jobs and services, as plain data.

mod guests;
mod nodes;
mod services;
mod storages;

pub(crate) use guests::{GUESTS, Guest, GuestKind, StopBehaviour};
pub(crate) use nodes::{CLUSTER, ENTRY, NODES, PVE_VERSION, SimNode};
pub(crate) use services::SERVICES;
pub(crate) use storages::{JOBS, Job, STORAGES, Storage, StorageKind};

pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const GIB: u64 = 1 << 30;

/// A node by name, with its index.
pub(crate) fn node(name: &str) -> Option<(usize, &'static SimNode)> {
    NODES.iter().enumerate().find(|(_, node)| node.name == name)
}

/// A storage by name.
pub(crate) fn storage(name: &str) -> Option<&'static Storage> {
    STORAGES.iter().find(|storage| storage.name == name)
}

/// The guests assigned to a node.
pub(crate) fn guests_on(node: &str) -> impl Iterator<Item = &'static Guest> {
    GUESTS.iter().filter(move |guest| guest.node == node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inventory_holds_together() {
        for guest in GUESTS {
            assert!(node(guest.node).is_some(), "{} is on no node", guest.name);
            let same = GUESTS.iter().filter(|other| other.vmid == guest.vmid);
            assert_eq!(same.count(), 1, "{} is there twice", guest.vmid);
        }
        for job in JOBS {
            assert!(storage(job.storage).is_some(), "{} has no storage", job.id);
            for vmid in job.vmids {
                assert!(
                    GUESTS.iter().any(|guest| guest.vmid == *vmid),
                    "no guest {vmid}"
                );
            }
        }
        for node in NODES {
            let asked: u64 = guests_on(node.name)
                .filter(|guest| guest.up_days.is_some())
                .map(|guest| guest.memory_mib * MIB)
                .sum();
            assert!(
                asked < node.memory_gib * GIB,
                "{} has too little memory",
                node.name
            );
        }
    }
}
