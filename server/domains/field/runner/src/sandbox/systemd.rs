//! Sandbox A: a transient unit of systemd, whose properties are built here from the manifest alone.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use field_package::{
    ids::JobId,
    manifest::{JobManifest, NetworkClass, WORKDIR},
};

use crate::config::is_root;

/// Properties of every job.
const FIXED: &[(&str, &str)] = &[
    ("DynamicUser", "yes"),
    ("NoNewPrivileges", "yes"),
    ("ProtectSystem", "strict"),
    ("ProtectHome", "yes"),
    ("PrivateTmp", "yes"),
    ("PrivateDevices", "yes"),
    ("PrivateIPC", "yes"),
    ("ProtectProc", "invisible"),
    ("ProcSubset", "pid"),
    ("ProtectKernelTunables", "yes"),
    ("ProtectKernelModules", "yes"),
    ("ProtectKernelLogs", "yes"),
    ("ProtectControlGroups", "yes"),
    ("ProtectClock", "yes"),
    ("ProtectHostname", "yes"),
    ("RestrictNamespaces", "yes"),
    ("RestrictRealtime", "yes"),
    ("RestrictSUIDSGID", "yes"),
    ("LockPersonality", "yes"),
    ("MemoryDenyWriteExecute", "yes"),
    ("SystemCallArchitectures", "native"),
    ("SystemCallErrorNumber", "EPERM"),
    ("SystemCallFilter", "@system-service"),
    (
        "SystemCallFilter",
        "~@privileged @resources @keyring io_uring_setup io_uring_enter io_uring_register \
         process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp userfaultfd personality",
    ),
    // Without these ping, ip and mtr fail: they drop rights that they do not have.
    (
        "SystemCallFilter",
        "capset setuid setgid setresuid setresgid setgroups prlimit64 setrlimit",
    ),
    ("UMask", "0077"),
    ("KillMode", "control-group"),
    ("TimeoutStopSec", "2"),
    ("OOMPolicy", "kill"),
    ("MemorySwapMax", "0"),
    ("LimitCORE", "0"),
    ("LimitNOFILE", "128"),
    ("WorkingDirectory", WORKDIR),
    ("IPAddressDeny", "any"),
    // State and sockets of services are nobody's business, but for the resolver's file in there.
    ("TemporaryFileSystem", "/var:ro"),
    ("TemporaryFileSystem", "/run:ro"),
    ("BindReadOnlyPaths", RESOLVERS),
    // These have no size of their own: whatever a job writes is in its working folder.
    (
        "ReadOnlyPaths",
        "/tmp -/var/tmp -/dev/shm -/dev/mqueue -/dev/hugepages",
    ),
];

/// Files that `/etc/resolv.conf` may be a link to.
const RESOLVERS: &str = "-/run/systemd/resolve/resolv.conf -/run/systemd/resolve/stub-resolv.conf \
    -/run/NetworkManager/resolv.conf -/run/NetworkManager/no-stub-resolv.conf -/run/resolvconf/resolv.conf \
    -/run/connman/resolv.conf";

/// All units of jobs.
const JOBS: &str = "jarvis-job-*.service";

/// The name of a job's unit. An id of a job has no character that a unit or shell would read.
pub fn unit(job: &JobId) -> String {
    format!("jarvis-job-{job}.service")
}

/// The properties of a job's unit, in their order.
pub fn properties(manifest: &JobManifest) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = FIXED
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let caps = &manifest.caps;
    let mut set = |name: &str, value: String| all.push((name.to_owned(), value));
    let (families, capability) = socket_rights(manifest.raw);
    set("RestrictAddressFamilies", families.to_owned());
    set("CapabilityBoundingSet", capability.to_owned());
    set("AmbientCapabilities", capability.to_owned());
    set(
        "TemporaryFileSystem",
        format!("/job:size={},nr_inodes=1k,mode=1777", caps.workspace),
    );
    set("MemoryMax", caps.memory.to_string());
    set("TasksMax", caps.tasks.to_string());
    set("CPUQuota", format!("{}%", caps.cpu_pct));
    set("LimitFSIZE", caps.file.to_string());
    set("RuntimeMaxSec", manifest.timeout_s.to_string());
    match manifest.net.class {
        NetworkClass::None => set("PrivateNetwork", "yes".to_owned()),
        NetworkClass::Local => {}
        NetworkClass::Listed => {
            for to in &manifest.net.destinations {
                set("IPAddressAllow", to.clone());
            }
        }
        NetworkClass::Any => set("IPAddressAllow", "any".to_owned()),
    }
    all
}

/// Families of sockets, and the capability, with packet sockets or without.
fn socket_rights(packets: bool) -> (&'static str, &'static str) {
    if packets {
        ("AF_INET AF_INET6 AF_NETLINK AF_PACKET", "CAP_NET_RAW")
    } else {
        ("AF_INET AF_INET6 AF_NETLINK", "")
    }
}

/// The unit of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitProbe {
    /// As a job without destinations.
    Look,
    /// As a job without a network.
    NoNetwork,
    /// As a job with packet sockets.
    Packets,
}

/// Limits of a probe, which it must find on itself.
pub(super) const PROBE_MEMORY: u64 = 64 * 1024 * 1024;
pub(super) const PROBE_TASKS: u64 = 16;
pub(super) const PROBE_CPU_PCT: u64 = 50;
pub(super) const PROBE_WORKSPACE: u64 = 64 * 1024;

/// The properties of a probe: those of every job, with no destination and small limits.
pub(super) fn probe_properties(probe: UnitProbe) -> Vec<(String, String)> {
    let (families, capability) = socket_rights(probe == UnitProbe::Packets);
    let workspace = format!("/job:size={PROBE_WORKSPACE},nr_inodes=1k,mode=1777");
    let own = [
        ("RestrictAddressFamilies", families.to_owned()),
        ("CapabilityBoundingSet", capability.to_owned()),
        ("AmbientCapabilities", capability.to_owned()),
        ("TemporaryFileSystem", workspace),
        ("RuntimeMaxSec", "8".to_owned()),
        ("MemoryMax", PROBE_MEMORY.to_string()),
        ("TasksMax", PROBE_TASKS.to_string()),
        ("CPUQuota", format!("{PROBE_CPU_PCT}%")),
    ];
    let fixed = FIXED
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    let closed = (probe == UnitProbe::NoNetwork).then(|| ("PrivateNetwork", "yes".to_owned()));
    fixed
        .chain(own)
        .chain(closed)
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The way to sandbox A.
#[derive(Debug, Clone)]
pub struct SystemdUnits {
    stage: PathBuf,
}

impl SystemdUnits {
    pub fn new(stage: &Path) -> Self {
        Self {
            stage: stage.to_owned(),
        }
    }

    /// The command that starts a job and stays until its end. Its own exit code means nothing.
    pub fn command(&self, manifest: &JobManifest) -> Command {
        self.any(&unit(&manifest.job), &properties(manifest), &manifest.env)
    }

    pub(super) fn any(
        &self,
        unit: &str,
        properties: &[(String, String)],
        more: &BTreeMap<String, String>,
    ) -> Command {
        let mut command = Command::new("/usr/bin/systemd-run");
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/");
        // Without `--collect`, so that the result is there afterwards.
        command.args([
            "--quiet",
            "--system",
            "--wait",
            "--pipe",
            "--service-type=exec",
        ]);
        command.arg(format!("--unit={unit}"));
        for (name, value) in properties {
            command.arg(format!("--property={name}={value}"));
        }
        for (name, value) in super::environment(WORKDIR, more) {
            command.arg(format!("--setenv={name}={value}"));
        }
        command.arg("--").arg(&self.stage).arg("stage");
        command
    }

    /// Ends a unit and all of its control group.
    pub fn kill(unit: &str) {
        run(&["kill", "--kill-whom=all", "--signal=SIGKILL", unit]);
    }

    /// Ends the units of jobs whose launcher is gone: nobody reads what they write, and they are reported lost.
    pub fn end_leftovers() {
        if is_root() && Path::new("/run/systemd/system").exists() {
            run(&["kill", "--kill-whom=all", "--signal=SIGKILL", JOBS]);
            // Returns once they have ended.
            run(&["stop", JOBS]);
            run(&["reset-failed", JOBS]);
        }
    }

    /// The result of a unit in systemd's word, such as `oom-kill`. The unit is forgotten afterwards.
    pub fn result(unit: &str) -> Option<String> {
        let shown = Command::new("/usr/bin/systemctl")
            .args(["show", "--property=Result", "--value", unit])
            .stderr(Stdio::null())
            .output()
            .ok()?;
        run(&["reset-failed", unit]);
        Some(String::from_utf8_lossy(&shown.stdout).trim().to_owned())
    }
}

fn run(arguments: &[&str]) {
    let ran = Command::new("/usr/bin/systemctl")
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if let Err(error) = ran {
        tracing::warn!(%error, "systemctl did not run");
    }
}
