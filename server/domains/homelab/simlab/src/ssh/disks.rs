//! Disks of the nodes, as the kernel and SMART report them.

use super::SshAnswer;
use super::pools::storage;
use super::table::{self, ColumnSide, columns, row};
use crate::inventory::{self, GIB, GuestKind, MIB, SimNode};
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
    pub model: &'static str,
    /// Size in bytes, as sold.
    pub size: u64,
    pub role: DiskRole,
}

const fn disk(
    node: &'static str,
    name: &'static str,
    model: &'static str,
    gb: u64,
    role: DiskRole,
) -> Disk {
    Disk {
        node,
        name,
        model,
        size: gb * 1_000_000_000,
        role,
    }
}

const DISKS: &[Disk] = &[
    disk(
        "Home",
        "nvme0n1",
        "WD Red SN700 128GB",
        128,
        DiskRole::System,
    ),
    disk(
        "Home",
        "nvme1n1",
        "Samsung SSD 980 500GB",
        500,
        DiskRole::Guests,
    ),
    disk("pve", "sda", "ST16000NM001G-2KK103", 16_000, DiskRole::Nas),
    disk("pve", "sdb", "ST16000NM001G-2KK103", 16_000, DiskRole::Nas),
    disk(
        "pve",
        "sdc",
        "WDC WD40EFPX-68C6CN0",
        4_000,
        DiskRole::Backup,
    ),
    disk(
        "pve",
        "nvme0n1",
        "WD Red SN700 256GB",
        256,
        DiskRole::System,
    ),
    disk(
        "pve",
        "nvme1n1",
        "Samsung SSD 990 PRO 2TB",
        2_000,
        DiskRole::Guests,
    ),
    disk(
        "agent1",
        "nvme0n1",
        "WD Red SN700 128GB",
        128,
        DiskRole::System,
    ),
    disk(
        "agent1",
        "nvme1n1",
        "Samsung SSD 980 PRO 1TB",
        1_000,
        DiskRole::Guests,
    ),
    disk("agent", "sda", "CT250MX500SSD1", 250, DiskRole::Guests),
    disk(
        "agent",
        "nvme0n1",
        "WD Red SN700 128GB",
        128,
        DiskRole::System,
    ),
];

pub(super) fn on(node: &SimNode) -> impl Iterator<Item = &'static Disk> {
    DISKS.iter().filter(move |disk| disk.node == node.name)
}

impl Disk {
    /// Returns whether it is a SATA disk.
    pub(super) fn is_sata(&self) -> bool {
        self.name.starts_with("sd")
    }
}

/// Adds a line: tree branch with the name, major and minor number, size, type, mount point.
type Add<'a> = dyn FnMut(String, u32, u32, u64, &str, &str) + 'a;

pub(super) fn lsblk(world: &SimWorld, node: &SimNode) -> SshAnswer {
    let mut rows = vec![row([
        "NAME",
        "MAJ:MIN",
        "RM",
        "SIZE",
        "RO",
        "TYPE",
        "MOUNTPOINTS",
    ])];
    let mut add = |name: String, major: u32, minor: u32, size: u64, kind: &str, mount: &str| {
        let (place, size) = (format!("{major:>3}:{minor:<3}"), table::block(size));
        rows.push(row([&name, &place, "0", &size, "0", kind, mount]));
    };
    let (mut scsi, mut nvme) = (0, 0);
    let mut write = |disk: &Disk, add: &mut Add<'_>| {
        let (major, minor, part) = if disk.is_sata() {
            scsi += 16;
            (8, scsi - 16, disk.name.to_owned())
        } else {
            nvme += 4;
            (259, nvme - 4, format!("{}p", disk.name))
        };
        add(disk.name.to_owned(), major, minor, disk.size, "disk", "");
        match disk.role {
            DiskRole::System => {
                let rest = disk.size - GIB - MIB;
                let boot = if node.efi { "/boot/efi" } else { "" };
                add(
                    format!("|-{part}1"),
                    major,
                    minor + 1,
                    1_007 * 1024,
                    "part",
                    "",
                );
                add(format!("|-{part}2"), major, minor + 2, GIB, "part", boot);
                add(format!("`-{part}3"), major, minor + 3, rest, "part", "");
                let (swap, root) = (node.swap_gib * GIB, node.root_gib * GIB);
                add("  |-pve-swap".into(), 252, 0, swap, "lvm", "[SWAP]");
                add("  `-pve-root".into(), 252, 1, root, "lvm", "/");
            }
            DiskRole::Backup => {
                add(
                    format!("`-{part}1"),
                    major,
                    minor + 1,
                    disk.size,
                    "part",
                    "/srv/backup",
                );
            }
            DiskRole::Guests | DiskRole::Nas => {
                let rest = disk.size - 9 * MIB;
                add(format!("|-{part}1"), major, minor + 1, rest, "part", "");
                add(format!("`-{part}9"), major, minor + 9, 8 * MIB, "part", "");
            }
        }
    };
    // In the kernel's order: SCSI, ZFS volumes, NVMe.
    for disk in on(node).filter(|disk| disk.is_sata()) {
        write(disk, &mut add);
    }
    if storage(world, node, "local-zfs").is_some() {
        let machines =
            inventory::guests_on(node.name).filter(|guest| guest.kind == GuestKind::Qemu);
        for (minor, guest) in (0..).step_by(16).zip(machines) {
            add(
                format!("zd{minor}"),
                230,
                minor,
                guest.disk_gib * GIB,
                "disk",
                "",
            );
        }
    }
    for disk in on(node).filter(|disk| !disk.is_sata()) {
        write(disk, &mut add);
    }
    use ColumnSide::{Left, Right};
    SshAnswer::ok(columns(
        &rows,
        &[Left, Left, Right, Right, Right, Left, Left],
        1,
    ))
}

const SMART_HEAD: &str = "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.17.4-1-pve] (local build)\n\
     Copyright (C) 2002-23, Bruce Allen, Christian Franke, www.smartmontools.org\n\n\
     === START OF SMART DATA SECTION ===\n";

pub(super) fn smart(world: &SimWorld, node: &SimNode, path: &str, all: bool) -> SshAnswer {
    let found = on(node).find(|disk| path.strip_prefix("/dev/") == Some(disk.name));
    let Some(disk) = found else {
        return SshAnswer::fails(
            2,
            format!("Smartctl open device: {path} failed: No such device\n"),
        );
    };
    if !all {
        return SshAnswer::ok(format!(
            "{SMART_HEAD}SMART overall-health self-assessment test result: PASSED\n"
        ));
    }
    let seed = mix(9, &format!("{}/{}", node.name, disk.name));
    let up = (world.now - world.booted(node.name)) / 3_600.0;
    let hours = 9_000 + seed % 14_000 + up as u64;
    let celsius = 31 + seed % 12;
    if disk.name.starts_with("nvme") {
        let written = disk.size / 512_000 * (40 + seed % 60);
        return SshAnswer::ok(format!(
            "{SMART_HEAD}SMART/Health Information (NVMe Log 0x02)\n\
             Critical Warning:                   0x00\n\
             Temperature:                        {celsius} Celsius\n\
             Available Spare:                    100%\n\
             Available Spare Threshold:          10%\n\
             Percentage Used:                    {}%\n\
             Data Units Read:                    {}\n\
             Data Units Written:                 {written}\n\
             Power Cycles:                       {}\n\
             Power On Hours:                     {hours}\n\
             Unsafe Shutdowns:                   {}\n\
             Media and Data Integrity Errors:    0\n\
             Error Information Log Entries:      0\n",
            2 + seed % 9,
            written / 3 * 4,
            30 + seed % 40,
            3 + seed % 7,
        ));
    }
    let mut text = format!(
        "{SMART_HEAD}SMART Attributes Data Structure revision number: 10\n\
         Vendor Specific SMART Attributes with Thresholds:\n\
         ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED \
         RAW_VALUE\n"
    );
    for (id, name, worst, kind, raw) in [
        (5, "Reallocated_Sector_Ct", 100, "Pre-fail", 0),
        (9, "Power_On_Hours", 78, "Old_age", hours),
        (12, "Power_Cycle_Count", 100, "Old_age", 30 + seed % 40),
        (187, "Reported_Uncorrect", 100, "Old_age", 0),
        (194, "Temperature_Celsius", 64, "Old_age", celsius),
        (197, "Current_Pending_Sector", 100, "Old_age", 0),
        (198, "Offline_Uncorrectable", 100, "Old_age", 0),
        (199, "UDMA_CRC_Error_Count", 200, "Old_age", 0),
    ] {
        text.push_str(&format!(
            "{id:>3} {name:<23} 0x0032   {worst:03}   {worst:03}   000    {kind:<8}  Always       \
             -       {raw}\n"
        ));
    }
    SshAnswer::ok(text)
}
