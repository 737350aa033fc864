//! Units in the services API; the list is fixed in Proxmox VE too.

/// A systemd unit on every node.
#[derive(Debug)]
pub(crate) struct Service {
    pub name: &'static str,
    pub description: &'static str,
    /// Its states when the simulation begins.
    pub state: UnitStates,
}

/// The states of a unit, as `systemctl` names them.
#[derive(Debug)]
pub(crate) struct UnitStates {
    pub active: &'static str,
    pub sub: &'static str,
    pub file: &'static str,
}

const RUNNING: UnitStates = UnitStates {
    active: "active",
    sub: "running",
    file: "enabled",
};
/// Runs, and is part of the system: it cannot be enabled or disabled.
const STATIC: UnitStates = UnitStates {
    active: "active",
    sub: "running",
    file: "static",
};
/// Has done its work at the start.
const EXITED: UnitStates = UnitStates {
    active: "active",
    sub: "exited",
    file: "enabled",
};
const ABSENT: UnitStates = UnitStates {
    active: "inactive",
    sub: "dead",
    file: "not-found",
};

const fn unit(name: &'static str, description: &'static str, state: UnitStates) -> Service {
    Service {
        name,
        description,
        state,
    }
}

pub(crate) const SERVICES: &[Service] = &[
    unit("chrony", "chrony, an NTP client/server", RUNNING),
    unit("corosync", "Corosync Cluster Engine", RUNNING),
    unit(
        "cron",
        "Regular background program processing daemon",
        RUNNING,
    ),
    unit(
        "ksmtuned",
        "Kernel Samepage Merging (KSM) Tuning Daemon",
        RUNNING,
    ),
    unit("lxcfs", "FUSE filesystem for LXC", RUNNING),
    unit("postfix", "Postfix Mail Transport Agent", EXITED),
    unit("proxmox-firewall", "Proxmox nftables firewall", RUNNING),
    unit("pve-cluster", "The Proxmox VE cluster filesystem", RUNNING),
    unit("pve-firewall", "Proxmox VE firewall", RUNNING),
    unit(
        "pve-ha-crm",
        "PVE Cluster HA Resource Manager Daemon",
        RUNNING,
    ),
    unit(
        "pve-ha-lrm",
        "PVE Local HA Resource Manager Daemon",
        RUNNING,
    ),
    unit("pve-lxc-syscalld", "Proxmox VE LXC Syscall Daemon", RUNNING),
    unit("pvedaemon", "PVE API Daemon", RUNNING),
    unit("pvefw-logger", "Proxmox VE firewall logger", STATIC),
    unit("pveproxy", "PVE API Proxy Server", RUNNING),
    unit("pvescheduler", "Proxmox VE scheduler", RUNNING),
    unit("pvestatd", "PVE Status Daemon", RUNNING),
    unit("qmeventd", "PVE Qemu Event Daemon", RUNNING),
    unit("spiceproxy", "PVE SPICE Proxy Server", RUNNING),
    unit("sshd", "OpenBSD Secure Shell server", RUNNING),
    unit("syslog", "System Logging Service", ABSENT),
    unit("systemd-journald", "Journal Service", STATIC),
    unit("systemd-timesyncd", "Network Time Synchronization", ABSENT),
];
