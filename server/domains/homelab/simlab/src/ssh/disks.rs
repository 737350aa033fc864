//! Disks of the nodes, as the kernel and SMART report them.

use super::SshAnswer;
use super::recording::{recorded, recorded_on};
use crate::inventory::SimNode;
use crate::wave::mix;
use crate::world::SimWorld;

/// Purpose of a disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DiskRole {
    /// Boot, root and swap.
    System,
    /// The guests' pool.
    Guests,
    /// Half of the NAS.
    Nas,
    /// The backup server's storage.
    Backup,
}

#[derive(Clone, Copy)]
pub(super) struct Disk {
    node: &'static str,
    pub name: &'static str,
    /// Size in bytes, as sold.
    pub size: u64,
    pub role: DiskRole,
}

const fn disk(node: &'static str, name: &'static str, gb: u64, role: DiskRole) -> Disk {
    Disk {
        node,
        name,
        size: gb * 1_000_000_000,
        role,
    }
}

const DISKS: &[Disk] = &[
    disk("Home", "nvme0n1", 128, DiskRole::System),
    disk("Home", "nvme1n1", 500, DiskRole::Guests),
    disk("pve", "sda", 16_000, DiskRole::Nas),
    disk("pve", "sdb", 16_000, DiskRole::Nas),
    disk("pve", "sdc", 4_000, DiskRole::Backup),
    disk("pve", "nvme0n1", 256, DiskRole::System),
    disk("pve", "nvme1n1", 2_000, DiskRole::Guests),
    disk("agent1", "nvme0n1", 128, DiskRole::System),
    disk("agent1", "nvme1n1", 1_000, DiskRole::Guests),
    disk("agent", "sda", 250, DiskRole::Guests),
    disk("agent", "nvme0n1", 128, DiskRole::System),
];

pub(super) fn on(node: &SimNode) -> impl Iterator<Item = &'static Disk> {
    DISKS.iter().filter(move |disk| disk.node == node.name)
}

pub(super) fn lsblk(world: &SimWorld, node: &SimNode) -> SshAnswer {
    let has_volumes = world.storage_known(node.name, "local-zfs");
    let lines = recorded_on!(node.name, "lsblk.txt").split_inclusive('\n');
    // ZFS volumes are there while their pool is.
    let there = lines.filter(|line| has_volumes || !line.starts_with("zd"));
    SshAnswer::ok(there.collect::<String>())
}

pub(super) fn smart(world: &SimWorld, node: &SimNode, path: &str, all: bool) -> SshAnswer {
    let found = on(node).find(|disk| path.strip_prefix("/dev/") == Some(disk.name));
    let Some(disk) = found else {
        return SshAnswer::fails(
            2,
            format!("Smartctl open device: {path} failed: No such device\n"),
        );
    };
    if !all {
        return SshAnswer::ok(recorded!("smartctl-health.txt"));
    }
    let seed = mix(9, &format!("{}/{}", node.name, disk.name));
    let up = (world.now - world.booted(node.name)) / 3_600.0;
    let hours = 9_000 + seed % 14_000 + up as u64;
    let celsius = 31 + seed % 12;
    let cycles = 30 + seed % 40;
    if !disk.name.starts_with("nvme") {
        return SshAnswer::ok(recorded!(
            "smartctl-sata.txt",
            hours = hours,
            cycles = cycles,
            celsius = celsius,
        ));
    }
    let written = disk.size / 512_000 * (40 + seed % 60);
    SshAnswer::ok(recorded!(
        "smartctl-nvme.txt",
        celsius = celsius,
        worn = 2 + seed % 9,
        read = written / 3 * 4,
        written = written,
        cycles = cycles,
        hours = hours,
        unsafe_shutdowns = 3 + seed % 7,
    ))
}
