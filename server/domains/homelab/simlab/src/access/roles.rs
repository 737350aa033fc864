//! Roles: two that ship with Proxmox VE, and two from Jarvis's README.

const AUDIT: &[&str] = &[
    "Datastore.Audit",
    "Mapping.Audit",
    "Pool.Audit",
    "SDN.Audit",
    "Sys.Audit",
    "VM.Audit",
    "VM.GuestAgent.Audit",
];

/// The administrator's privileges beyond the auditor's.
const CHANGE: &[&str] = &[
    "Datastore.Allocate",
    "Datastore.AllocateSpace",
    "Datastore.AllocateTemplate",
    "Group.Allocate",
    "Mapping.Modify",
    "Mapping.Use",
    "Permissions.Modify",
    "Pool.Allocate",
    "Realm.Allocate",
    "Realm.AllocateUser",
    "SDN.Allocate",
    "SDN.Use",
    "Sys.AccessNetwork",
    "Sys.Console",
    "Sys.Incoming",
    "Sys.Modify",
    "Sys.PowerMgmt",
    "Sys.Syslog",
    "User.Modify",
    "VM.Allocate",
    "VM.Backup",
    "VM.Clone",
    "VM.Config.CDROM",
    "VM.Config.CPU",
    "VM.Config.Cloudinit",
    "VM.Config.Disk",
    "VM.Config.HWType",
    "VM.Config.Memory",
    "VM.Config.Network",
    "VM.Config.Options",
    "VM.Console",
    "VM.Migrate",
    "VM.PowerMgmt",
    "VM.Replicate",
    "VM.Snapshot",
    "VM.Snapshot.Rollback",
];

const READ: &[&str] = &["Datastore.AllocateSpace", "Sys.Syslog", "VM.Backup"];

const POWER: &[&str] = &["VM.PowerMgmt"];

/// The privileges of a role; none if the role does not exist.
pub(super) fn privileges(role: &str) -> impl Iterator<Item = &'static str> + use<> {
    let (first, second): (&'static [&'static str], &'static [&'static str]) = match role {
        "Administrator" => (AUDIT, CHANGE),
        "PVEAuditor" => (AUDIT, &[]),
        "JarvisRead" => (READ, &[]),
        "JarvisPower" => (POWER, &[]),
        _ => (&[], &[]),
    };
    first.iter().chain(second).copied()
}
