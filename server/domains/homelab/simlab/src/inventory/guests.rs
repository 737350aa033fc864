//! Virtual machines and containers of the inventory.

/// Virtual machine or container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuestKind {
    Qemu,
    Lxc,
}

impl GuestKind {
    /// The word for it in paths, ids and rows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Qemu => "qemu",
            Self::Lxc => "lxc",
        }
    }
}

/// Response of a guest to a graceful shutdown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StopBehaviour {
    /// Goes down after this many seconds.
    After(f64),
    /// Ignores it.
    Ignored,
}

/// A guest as configured, with its typical load while it runs.
#[derive(Debug)]
pub(crate) struct Guest {
    pub vmid: u32,
    pub kind: GuestKind,
    pub node: &'static str,
    pub name: &'static str,
    pub cores: u64,
    pub memory_mib: u64,
    pub disk_gib: u64,
    pub disk_used_gib: f64,
    /// Separated by semicolons, as in the API.
    pub tags: &'static str,
    /// Days since the last start when the simulation begins; `None` if it is stopped.
    pub up_days: Option<f64>,
    /// Mean load as a fraction of its cores.
    pub load: f64,
    /// Mean used memory as a fraction of its memory.
    pub memory_share: f64,
    /// Bytes per second: network in and out, disk read and write.
    pub rates: [f64; 4],
    pub ha: bool,
    pub onboot: bool,
    /// True with a QEMU guest agent.
    pub agent: bool,
    pub template: bool,
    pub paused: bool,
    pub stop: StopBehaviour,
    /// A warning logged at every start.
    pub warns: Option<&'static str>,
}

const BASE: Guest = Guest {
    vmid: 0,
    kind: GuestKind::Lxc,
    node: "",
    name: "",
    cores: 1,
    memory_mib: 512,
    disk_gib: 8,
    disk_used_gib: 2.0,
    tags: "",
    up_days: None,
    load: 0.02,
    memory_share: 0.45,
    rates: [900.0, 700.0, 1_500.0, 4_000.0],
    ha: false,
    onboot: true,
    agent: false,
    template: false,
    paused: false,
    stop: StopBehaviour::After(4.0),
    warns: None,
};

const VM: Guest = Guest {
    kind: GuestKind::Qemu,
    cores: 2,
    memory_mib: 4096,
    disk_gib: 32,
    agent: true,
    stop: StopBehaviour::After(9.0),
    ..BASE
};

pub(crate) const GUESTS: &[Guest] = &[
    // Home: services of the household.
    Guest {
        vmid: 100,
        node: "Home",
        name: "home-assistant",
        tags: "critical;home",
        up_days: Some(48.2),
        load: 0.11,
        memory_share: 0.62,
        rates: [21_000.0, 17_000.0, 9_000.0, 46_000.0],
        ha: true,
        ..VM
    },
    Guest {
        vmid: 101,
        node: "Home",
        name: "unifi",
        memory_mib: 3072,
        disk_gib: 24,
        tags: "network",
        up_days: Some(48.2),
        load: 0.07,
        memory_share: 0.71,
        rates: [6_500.0, 4_000.0, 2_000.0, 31_000.0],
        ..VM
    },
    Guest {
        vmid: 200,
        node: "Home",
        name: "pihole",
        disk_used_gib: 2.6,
        tags: "critical;dns",
        up_days: Some(48.2),
        load: 0.03,
        rates: [4_200.0, 5_100.0, 300.0, 6_000.0],
        ha: true,
        ..BASE
    },
    Guest {
        vmid: 201,
        node: "Home",
        name: "reverse-proxy",
        disk_used_gib: 3.1,
        tags: "network",
        up_days: Some(13.7),
        load: 0.04,
        rates: [180_000.0, 176_000.0, 800.0, 9_000.0],
        ..BASE
    },
    // pve: compute and NAS.
    Guest {
        vmid: 110,
        node: "pve",
        name: "truenas",
        cores: 4,
        memory_mib: 32_768,
        tags: "critical;storage",
        up_days: Some(112.5),
        load: 0.09,
        memory_share: 0.88,
        rates: [1_900_000.0, 3_400_000.0, 5_200_000.0, 2_800_000.0],
        stop: StopBehaviour::After(35.0),
        ..VM
    },
    Guest {
        vmid: 111,
        node: "pve",
        name: "media",
        cores: 6,
        memory_mib: 12_288,
        disk_gib: 64,
        tags: "media",
        up_days: Some(30.9),
        load: 0.18,
        memory_share: 0.57,
        rates: [2_100_000.0, 1_700_000.0, 900_000.0, 120_000.0],
        ..VM
    },
    Guest {
        vmid: 112,
        node: "pve",
        name: "build-runner",
        cores: 8,
        memory_mib: 16_384,
        disk_gib: 120,
        tags: "ci",
        up_days: Some(4.2),
        load: 0.34,
        memory_share: 0.48,
        rates: [410_000.0, 60_000.0, 700_000.0, 1_600_000.0],
        ..VM
    },
    Guest {
        vmid: 113,
        node: "pve",
        name: "windows-11",
        cores: 4,
        memory_mib: 16_384,
        disk_gib: 128,
        tags: "desktop",
        load: 0.12,
        memory_share: 0.66,
        onboot: false,
        agent: false,
        stop: StopBehaviour::Ignored,
        ..VM
    },
    Guest {
        vmid: 119,
        node: "pve",
        name: "debian-13-template",
        tags: "template",
        onboot: false,
        template: true,
        ..VM
    },
    Guest {
        vmid: 210,
        node: "pve",
        name: "backup-server",
        cores: 2,
        memory_mib: 4096,
        disk_gib: 16,
        disk_used_gib: 6.2,
        tags: "backup;critical",
        up_days: Some(112.5),
        load: 0.06,
        memory_share: 0.38,
        rates: [350_000.0, 90_000.0, 400_000.0, 380_000.0],
        ..BASE
    },
    Guest {
        vmid: 211,
        node: "pve",
        name: "nextcloud",
        cores: 4,
        memory_mib: 6144,
        disk_gib: 40,
        disk_used_gib: 31.8,
        tags: "family",
        up_days: Some(21.0),
        load: 0.08,
        memory_share: 0.52,
        rates: [95_000.0, 140_000.0, 60_000.0, 80_000.0],
        ..BASE
    },
    Guest {
        vmid: 212,
        node: "pve",
        name: "paperless",
        cores: 2,
        memory_mib: 3072,
        disk_gib: 20,
        disk_used_gib: 8.9,
        tags: "family",
        up_days: Some(21.0),
        load: 0.03,
        ..BASE
    },
    Guest {
        vmid: 213,
        node: "pve",
        name: "downloads",
        cores: 2,
        memory_mib: 2048,
        disk_gib: 16,
        disk_used_gib: 11.0,
        tags: "media",
        onboot: false,
        ..BASE
    },
    // agent1: compute, protected. Jarvis itself runs here.
    Guest {
        vmid: 120,
        node: "agent1",
        name: "ollama",
        cores: 8,
        memory_mib: 24_576,
        disk_gib: 160,
        tags: "ai;gpu",
        up_days: Some(20.0),
        load: 0.22,
        memory_share: 0.74,
        rates: [30_000.0, 45_000.0, 300_000.0, 20_000.0],
        stop: StopBehaviour::After(14.0),
        ..VM
    },
    Guest {
        vmid: 220,
        node: "agent1",
        name: "jarvis",
        cores: 4,
        memory_mib: 4096,
        disk_gib: 20,
        disk_used_gib: 5.5,
        tags: "ai;critical",
        up_days: Some(6.1),
        load: 0.05,
        rates: [42_000.0, 38_000.0, 2_000.0, 24_000.0],
        ..BASE
    },
    Guest {
        vmid: 221,
        node: "agent1",
        name: "postgres",
        cores: 4,
        memory_mib: 8192,
        disk_gib: 60,
        disk_used_gib: 37.4,
        tags: "critical;database",
        up_days: Some(20.0),
        load: 0.13,
        memory_share: 0.69,
        rates: [64_000.0, 210_000.0, 150_000.0, 520_000.0],
        stop: StopBehaviour::After(8.0),
        ..BASE
    },
    Guest {
        vmid: 222,
        node: "agent1",
        name: "grafana",
        cores: 2,
        memory_mib: 2048,
        disk_used_gib: 3.3,
        tags: "monitoring",
        up_days: Some(20.0),
        load: 0.04,
        ..BASE
    },
    Guest {
        vmid: 223,
        node: "agent1",
        name: "gitea",
        cores: 2,
        memory_mib: 2048,
        disk_gib: 32,
        disk_used_gib: 14.6,
        tags: "ci",
        up_days: Some(20.0),
        load: 0.03,
        ..BASE
    },
    // agent: utility.
    Guest {
        vmid: 130,
        node: "agent",
        name: "opnsense-lab",
        memory_mib: 2048,
        disk_gib: 16,
        tags: "lab",
        up_days: Some(2.6),
        load: 0.02,
        memory_share: 0.4,
        onboot: false,
        agent: false,
        paused: true,
        ..VM
    },
    Guest {
        vmid: 230,
        node: "agent",
        name: "uptime-kuma",
        disk_used_gib: 2.2,
        tags: "monitoring",
        up_days: Some(9.4),
        load: 0.05,
        ..BASE
    },
    Guest {
        vmid: 231,
        node: "agent",
        name: "mqtt",
        disk_used_gib: 1.3,
        tags: "home",
        up_days: Some(9.4),
        load: 0.02,
        rates: [7_800.0, 9_900.0, 200.0, 3_000.0],
        ..BASE
    },
    Guest {
        vmid: 232,
        node: "agent",
        name: "old-wiki",
        disk_used_gib: 4.8,
        tags: "legacy",
        onboot: false,
        warns: Some(
            "old systemd (< v232) detected, container won't run in a pure cgroupv2 environment!",
        ),
        ..BASE
    },
];
