//! The sandbox of a program: namespaces by bubblewrap.
//!
//! It sees the system's programs, a small `/etc` and an empty `/tmp`, and what the configuration names. It has a
//! process namespace of its own, so that nothing that it starts outlives it. Every place where it could keep
//! files in memory has a size or is read-only.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::settings::CommandSettings;

/// Folders that are links into `/usr` on a merged system.
const MERGED: [&str; 5] = ["bin", "sbin", "lib", "lib32", "lib64"];
/// Files of `/etc` that programs need, none of which tells a secret.
const ETC: [&str; 10] = [
    "ssl/certs",
    "ca-certificates",
    "services",
    "protocols",
    "alternatives",
    "hosts",
    "host.conf",
    "localtime",
    "nsswitch.conf",
    "ld.so.cache",
];

/// The program that sets limits, of util-linux; seen inside under the same path.
const PRLIMIT: &str = "/usr/bin/prlimit";

/// Path of bubblewrap, if it is installed.
pub(crate) fn bubblewrap() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let mut places = env::split_paths(&path).map(|folder| folder.join("bwrap"));
    places.find(|place| place.is_absolute() && place.is_file())
}

/// The arguments of bubblewrap that start a program. Its environment is handed on as it is, and not as
/// arguments, which every user of the machine can read.
pub(crate) fn arguments(settings: &CommandSettings) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    let mut add = |words: &[&str]| args.extend(words.iter().map(OsString::from));
    add(&["--unshare-user", "--unshare-pid", "--unshare-ipc"]);
    add(&["--unshare-uts", "--hostname", "mcp", "--unshare-cgroup-try"]);
    if !settings.network {
        add(&["--unshare-net"]);
    }
    add(&["--new-session", "--die-with-parent", "--cap-drop", "ALL"]);
    add(&["--ro-bind", "/usr", "/usr"]);
    for name in MERGED {
        let path = format!("/{name}");
        match std::fs::read_link(&path) {
            Ok(target) => add(&["--symlink", &target.to_string_lossy(), &path]),
            Err(_) => add(&["--ro-bind-try", &path, &path]),
        }
    }
    add(&["--dir", "/etc"]);
    for name in ETC {
        let path = format!("/etc/{name}");
        add(&["--ro-bind-try", &path, &path]);
    }
    // Often a link to somewhere that is not inside.
    if settings.network
        && let Ok(resolver) = std::fs::canonicalize("/etc/resolv.conf")
    {
        add(&["--ro-bind", &resolver.to_string_lossy(), "/etc/resolv.conf"]);
    }
    let files = (settings.limits.memory_bytes / 8).to_string();
    add(&["--proc", "/proc", "--dev", "/dev"]);
    add(&["--size", &files, "--tmpfs", "/dev/shm"]);
    add(&["--remount-ro", "/dev", "--size", &files, "--tmpfs", "/tmp"]);
    let mut bind = |kind: &str, path: &Path| {
        args.push(kind.into());
        args.extend([path.as_os_str().to_owned(), path.as_os_str().to_owned()]);
    };
    for path in &settings.readable {
        bind("--ro-bind", path);
    }
    for path in &settings.writable {
        bind("--bind", path);
    }
    // Last, since it makes the places of all that is above.
    args.extend(["--remount-ro", "/", "--chdir", "/tmp", "--"].map(OsString::from));
    args.extend(limited(settings).into_iter().map(OsString::from));
    args.push(settings.program.clone().into_os_string());
    args.extend(settings.args.iter().map(OsString::from));
    args
}

/// The words before a program that limit it; none on a system without the program for it. They count from here on:
/// the limit of processes is one of this user in the new namespace alone.
fn limited(settings: &CommandSettings) -> Vec<String> {
    if !Path::new(PRLIMIT).is_file() {
        return Vec::new();
    }
    let limits = settings.limits;
    vec![
        PRLIMIT.to_owned(),
        format!("--nproc={}", limits.processes),
        format!("--data={}", limits.memory_bytes),
        "--core=0".to_owned(),
    ]
}
