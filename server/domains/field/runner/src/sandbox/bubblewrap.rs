//! Sandbox B: namespaces by bubblewrap, started as a user without rights, and a stage inside.

use std::{
    collections::BTreeMap,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use field_package::manifest::{JobManifest, NetworkClass};

use crate::{
    config::{LocalUser, RunnerConfig, is_root},
    error::RunnerError,
    stage::STAGE,
    texts,
};

/// Folders that are links into `/usr` on a merged system.
const MERGED: [&str; 5] = ["bin", "sbin", "lib", "lib32", "lib64"];
/// Files of `/etc` that programs need, none of which tells a secret.
const ETC: [&str; 9] = [
    "ssl/certs",
    "ca-certificates",
    "services",
    "protocols",
    "alternatives",
    "hosts",
    "host.conf",
    "gai.conf",
    "ld.so.cache",
];
/// Bytes of `/tmp` inside.
const TMP: u64 = 1024 * 1024;

/// Closes what this process was started with: bubblewrap hands every descriptor on.
const CLOSE: &str = "for f in /proc/self/fd/*; do n=${f##*/}; if ((n > 2)); then exec {n}>&-; fi; done; exec \"$@\"";

/// A way to start sandbox B on this device.
#[derive(Debug, Clone)]
pub struct Bubblewrap {
    program: PathBuf,
    stage: PathBuf,
    /// The user of jobs; None if this process has no rights to give up.
    user: Option<LocalUser>,
}

impl Bubblewrap {
    /// # Errors
    /// If jobs would run as root: with root's rights a read-only mount can be undone.
    pub fn new(config: &RunnerConfig, stage: &Path) -> Result<Self, RunnerError> {
        let user = if is_root() {
            let user = LocalUser::find(&config.job_user).filter(|it| it.uid != 0 && it.gid != 0);
            let refused = || RunnerError::Sandbox(texts::UNPRIVILEGED.to_owned());
            Some(user.ok_or_else(refused)?)
        } else {
            None
        };
        Ok(Self {
            program: config.bubblewrap.clone(),
            stage: stage.to_owned(),
            user,
        })
    }

    /// The command for a job.
    pub fn command(&self, manifest: &JobManifest) -> Command {
        let network = match manifest.net.class {
            NetworkClass::Any => HostNetwork::Shared,
            // Destinations can't be kept to here: no network rather than all of it. Admission refuses these.
            NetworkClass::None | NetworkClass::Local | NetworkClass::Listed => HostNetwork::None,
        };
        self.any(network, manifest.caps.workspace, &manifest.env)
    }

    /// The command for a stage with a working folder of so many bytes.
    pub fn any(
        &self,
        network: HostNetwork,
        workspace: u64,
        more: &BTreeMap<String, String>,
    ) -> Command {
        let mut command = Command::new("/bin/bash");
        command
            .args(["--noprofile", "--norc", "-c", CLOSE, "bash"])
            .arg(&self.program);
        command.env_clear().current_dir("/").process_group(0);
        if let Some(user) = self.user {
            // With the user, the groups of root are given up too.
            command.uid(user.uid).gid(user.gid);
        }
        command.args([
            "--unshare-user",
            "--disable-userns",
            "--unshare-pid",
            "--unshare-ipc",
        ]);
        command.args(["--unshare-uts", "--hostname", "job", "--unshare-cgroup-try"]);
        if network == HostNetwork::None {
            command.arg("--unshare-net");
        }
        command.args([
            "--new-session",
            "--die-with-parent",
            "--cap-drop",
            "ALL",
            "--clearenv",
        ]);
        for (name, value) in super::environment("/tmp", more) {
            command.args(["--setenv", &name, &value]);
        }
        command.args(["--ro-bind", "/usr", "/usr"]);
        for name in MERGED {
            let path = format!("/{name}");
            match std::fs::read_link(&path) {
                Ok(target) => command.arg("--symlink").arg(target).arg(&path),
                Err(_) => command.args(["--ro-bind-try", &path, &path]),
            };
        }
        command.args(["--dir", "/etc"]);
        for name in ETC {
            let path = format!("/etc/{name}");
            command.args(["--ro-bind-try", &path, &path]);
        }
        // Often a link to somewhere that is not inside.
        if let Ok(resolver) = std::fs::canonicalize("/etc/resolv.conf") {
            command
                .arg("--ro-bind")
                .arg(resolver)
                .arg("/etc/resolv.conf");
        }
        command.args(["--proc", "/proc", "--dev", "/dev"]);
        let (workspace, tmp) = (workspace.to_string(), TMP.to_string());
        command.args(["--perms", "0700", "--size", &workspace, "--tmpfs", "/job"]);
        command.args(["--perms", "0700", "--size", &tmp, "--tmpfs", "/tmp"]);
        // The device folder of bubblewrap is a tmpfs without a limit: nothing may be made in it.
        command.args(["--remount-ro", "/dev"]);
        command.arg("--ro-bind").arg(&self.stage).arg(STAGE);
        command.args(["--remount-ro", "/", "--chdir", "/job", "--", STAGE, "stage"]);
        command
    }
}

/// The device's network as a job sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostNetwork {
    None,
    Shared,
}
