//! Nodes of the inventory: four machines.

/// Name of the cluster.
pub(crate) const CLUSTER: &str = "homelab";

/// The node at the main address of the simulated cluster.
pub(crate) const ENTRY: &str = "Home";

/// Version and repository id of the simulated software.
pub(crate) const PVE_VERSION: (&str, &str) = ("9.1.11", "8d3fa8b1c0de4412");

/// A physical machine.
#[derive(Debug)]
pub(crate) struct SimNode {
    pub name: &'static str,
    pub id: u32,
    pub ip: &'static str,
    pub mac: &'static str,
    pub cpu_model: &'static str,
    pub mhz: f64,
    pub cores: u64,
    pub threads: u64,
    pub memory_gib: u64,
    pub swap_gib: u64,
    pub root_gib: u64,
    pub root_used_gib: f64,
    /// Size of the ZFS cache, which counts as used memory.
    pub arc_gib: f64,
    pub up_days: f64,
    pub efi: bool,
}

pub(crate) const NODES: &[SimNode] = &[
    SimNode {
        name: "Home",
        id: 1,
        ip: "192.168.10.11",
        mac: "9C:6B:00:1A:42:11",
        cpu_model: "12th Gen Intel(R) Core(TM) i5-12500T",
        mhz: 3900.0,
        cores: 6,
        threads: 12,
        memory_gib: 32,
        swap_gib: 8,
        root_gib: 94,
        root_used_gib: 21.4,
        arc_gib: 3.1,
        up_days: 48.3,
        efi: true,
    },
    SimNode {
        name: "pve",
        id: 2,
        ip: "192.168.10.12",
        mac: "9C:6B:00:1A:42:12",
        cpu_model: "AMD Ryzen 9 5950X 16-Core Processor",
        mhz: 3400.0,
        cores: 16,
        threads: 32,
        memory_gib: 128,
        swap_gib: 8,
        root_gib: 220,
        root_used_gib: 63.9,
        arc_gib: 31.5,
        up_days: 112.6,
        efi: true,
    },
    SimNode {
        name: "agent1",
        id: 3,
        ip: "192.168.10.13",
        mac: "9C:6B:00:1A:42:13",
        cpu_model: "AMD Ryzen 7 7700 8-Core Processor",
        mhz: 3800.0,
        cores: 8,
        threads: 16,
        memory_gib: 64,
        swap_gib: 8,
        root_gib: 94,
        root_used_gib: 34.2,
        arc_gib: 5.8,
        up_days: 20.1,
        efi: true,
    },
    SimNode {
        name: "agent",
        id: 4,
        ip: "192.168.10.14",
        mac: "9C:6B:00:1A:42:14",
        cpu_model: "Intel(R) N100",
        mhz: 2900.0,
        cores: 4,
        threads: 4,
        memory_gib: 16,
        swap_gib: 4,
        root_gib: 64,
        root_used_gib: 52.7,
        arc_gib: 1.4,
        up_days: 9.4,
        efi: false,
    },
];
