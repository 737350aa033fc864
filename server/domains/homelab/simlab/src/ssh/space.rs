//! Mounted file systems, and the storages of Proxmox VE.

use super::SshAnswer;
use super::disks::{DiskRole, on};
use super::pools::storage;
use super::table::{self, ColumnSide, columns, row};
use crate::inventory::{GIB, MIB, STORAGES, SimNode};
use crate::numbers::NodeUse;
use crate::world::SimWorld;

struct Mount {
    source: &'static str,
    size: u64,
    used: u64,
    /// Total and used inodes; zero for file systems that do not count them.
    inodes: (u64, u64),
    on: &'static str,
}

fn mounts(world: &SimWorld, node: &SimNode, used: &NodeUse) -> Vec<Mount> {
    let memory = node.memory_gib * GIB;
    let mount = |source, size, used, inodes, on| Mount {
        source,
        size,
        used,
        inodes,
        on,
    };
    let pages = memory / 4096;
    let root = node.root_gib * GIB;
    let files = used.root / (620 * 1024);
    let mut list = vec![
        mount(
            "udev",
            memory / 2,
            0,
            (pages / 2, 571 + node.threads),
            "/dev",
        ),
        mount(
            "tmpfs",
            memory / 10,
            2 * MIB,
            (pages, 1_180 + node.threads),
            "/run",
        ),
        mount(
            "/dev/mapper/pve-root",
            root,
            used.root,
            (root / 16_384, files),
            "/",
        ),
        mount("tmpfs", memory / 2, 46 * MIB, (pages, 112), "/dev/shm"),
    ];
    if node.efi {
        list.push(mount(
            "/dev/nvme0n1p2",
            1_022 * MIB,
            9 * MIB,
            (0, 0),
            "/boot/efi",
        ));
    }
    list.push(mount(
        "/dev/fuse",
        128 * MIB,
        60 * 1024,
        (262_144, 74),
        "/etc/pve",
    ));
    for (name, source, on) in [
        ("local-zfs", "local-zfs", "/local-zfs"),
        ("nas", "192.168.10.12:/tank/nas", "/mnt/pve/nas"),
    ] {
        if let Some((total, used)) = storage(world, node, name) {
            // The pool's own file system is empty; the free space is the pool's.
            let (size, used) = match name {
                "nas" => (total, used),
                _ => (total - used, 128 * 1024),
            };
            let free = (size - used) / 512;
            let files = if name == "nas" { 1_284_406 } else { 9 };
            list.push(mount(source, size, used, (free + files, files), on));
        }
    }
    if let (Some((total, used)), true) = (
        storage(world, node, "pbs"),
        on(node).any(|disk| disk.role == DiskRole::Backup),
    ) {
        let inodes = (total / 16_384, used / (2 * MIB));
        list.push(mount("/dev/sdc1", total, used, inodes, "/srv/backup"));
    }
    list
}

pub(super) fn df(world: &SimWorld, node: &SimNode, used: &NodeUse, inodes: bool) -> SshAnswer {
    let mut rows = vec![if inodes {
        row([
            "Filesystem",
            "Inodes",
            "IUsed",
            "IFree",
            "IUse%",
            "Mounted on",
        ])
    } else {
        row(["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted on"])
    }];
    for mount in mounts(world, node, used) {
        let (all, taken) = if inodes {
            mount.inodes
        } else {
            (mount.size, mount.used)
        };
        let share = match all {
            0 => "-".to_owned(),
            all => format!("{}%", (taken * 100).div_ceil(all)),
        };
        let write = |value: u64| {
            if inodes {
                value.to_string()
            } else {
                table::human(value)
            }
        };
        rows.push(row([
            mount.source,
            &write(all),
            &write(taken),
            &write(all.saturating_sub(taken)),
            &share,
            mount.on,
        ]));
    }
    use ColumnSide::{Left, Right};
    SshAnswer::ok(columns(&rows, &[Left, Right, Right, Right, Right, Left], 1))
}

/// The output of `pvesm status`, in KiB.
pub(super) fn pvesm(world: &SimWorld, node: &SimNode) -> SshAnswer {
    let mut text = format!(
        "{:<12} {:>10} {:>10} {:>15} {:>15} {:>15} {:>8}\n",
        "Name", "Type", "Status", "Total", "Used", "Available", "%"
    );
    for known in STORAGES {
        let found = storage(world, node, known.name);
        let (total, used) = found.unwrap_or_default();
        let share = match total {
            0 => "N/A".to_owned(),
            total => format!("{:.2}%", used as f64 / total as f64 * 100.0),
        };
        text.push_str(&format!(
            "{:<12} {:>10} {:>10} {:>15} {:>15} {:>15} {share:>8}\n",
            known.name,
            known.kind.name(),
            if found.is_some() {
                "active"
            } else {
                "inactive"
            },
            total / 1024,
            used / 1024,
            (total - used) / 1024,
        ));
    }
    SshAnswer::ok(text)
}
