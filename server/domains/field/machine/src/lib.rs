#![doc = include_str!("../README.md")]
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "for tests: a machine that fails ends them"
)]

mod office;

use std::{
    env, fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

pub use self::office::{OFFICE, OFFICE_LINE};

/// Files that it is made with, each with its Debian package.
const NEEDED: [(&str, &str); 9] = [
    ("/lib/systemd/systemd", "systemd"),
    ("/lib/systemd/system/dbus.service", "dbus"),
    ("/usr/sbin/adduser", "adduser"),
    ("/usr/bin/dpkg-deb", "dpkg"),
    ("/usr/bin/setpriv", "util-linux"),
    ("/usr/bin/nsenter", "util-linux"),
    ("/usr/bin/bwrap", "bubblewrap"),
    ("/usr/bin/perl", "perl-base"),
    ("/usr/sbin/ip", "iproute2"),
];
/// Time in which something happens that has to.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

/// Machines of this process so far.
static BOOTED: AtomicU32 = AtomicU32::new(0);

/// The ways in which a machine may differ from a usual one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MachineShape {
    /// A network of its own with an office on it, in place of this machine's.
    pub office: bool,
    /// A capability that its process 1 lacks, such as `net_raw`; empty for none.
    pub lacks: &'static str,
}

/// A machine that is up. Everything of it goes with the value.
pub struct DebianMachine {
    folder: PathBuf,
    /// The parent of its process 1.
    parent: Child,
    /// Its process 1, as a number outside.
    pid: u32,
}

impl DebianMachine {
    /// Boots a usual machine; None where there can't be one, which it says aloud. The thread that calls this must
    /// live as long as the machine, which the kernel ends with it.
    pub fn boot() -> Option<Self> {
        Self::boot_as(MachineShape::default())
    }

    /// Boots a machine, as [`Self::boot`] does.
    pub fn boot_as(shape: MachineShape) -> Option<Self> {
        if let Some(reason) = lacking() {
            let in_ci = env::var_os("CI").is_some();
            assert!(!in_ci, "CI needs {reason}");
            eprintln!(
                "\n!!! SKIPPED: nothing is tested under systemd here. It needs {reason}. !!!\n"
            );
            return None;
        }
        let number = BOOTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("jarvis-machine-{}-{number}", std::process::id());
        let folder = env::temp_dir().join(&name);
        for part in ["disk", "shared"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        let script = folder.join("boot.sh");
        fs::write(&script, include_str!("boot.sh")).unwrap();
        let log = fs::File::create(folder.join("log")).unwrap();
        let mut parent = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "sh"])
            .arg(&script)
            .arg("start")
            .arg(&folder)
            .arg(&name)
            .args([if shape.office { "own" } else { "shared" }, shape.lacks])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let pid = soon("process 1", || {
            let ended = parent.try_wait().unwrap();
            let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(ended.is_none(), "it did not boot: {}", log());
            process_1(parent.id())
        });
        let machine = Self {
            folder,
            parent,
            pid,
        };
        soon("the end of the start", || {
            let up = machine
                .command("systemctl")
                .args(["--quiet", "is-active", "machine.target"])
                .output();
            up.unwrap().status.success().then_some(())
        });
        // From here on services may use it as on a device.
        machine.run(&["umount", "--lazy", "/proc/sys"]);
        if shape.office {
            machine.open_office();
        }
        Some(machine)
    }

    /// A command inside, as root, with an empty environment.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--target", &self.pid.to_string()]);
        command.args([
            "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wd",
        ]);
        command.args([
            "env",
            "-i",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL=C.UTF-8",
        ]);
        command.arg(program).stdin(Stdio::null());
        command
    }

    /// Runs a command inside, which must succeed; returns its standard output.
    pub fn run(&self, argv: &[&str]) -> String {
        let (program, arguments) = argv.split_first().unwrap();
        let output = self.command(program).args(arguments).output().unwrap();
        let failed = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{argv:?}: {failed}{}",
            self.journal()
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// A path inside, as this process reads it.
    pub fn inside(&self, path: &str) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.pid));
        root.join(path.trim_start_matches('/'))
    }

    /// Builds the Debian package of a runner and installs it.
    pub fn install(&self, program: &Path) {
        let stripped = self.folder.join("jarvis-runner");
        // Symbols are most of a program that was built for tests, and each start reads it whole.
        let strip = Command::new("strip")
            .arg("-o")
            .arg(&stripped)
            .arg(program)
            .output();
        if !strip.is_ok_and(|it| it.status.success()) {
            fs::copy(program, &stripped).unwrap();
        }
        let shared = self.folder.join("shared");
        let built = Command::new("sh")
            .arg(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../runner/packaging/build-deb.sh"
            ))
            .args([&stripped, &shared])
            .env("DPKG_DEB_COMPRESSOR_TYPE", "none")
            .output()
            .unwrap();
        let failed = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{failed}");
        let package = fs::read_dir(&shared).unwrap().next().unwrap().unwrap();
        let package = Path::new("/mnt").join(package.file_name());
        self.run(&["dpkg", "--install", &package.display().to_string()]);
    }

    pub fn start(&self, services: &[&str]) {
        self.run(&[&["systemctl", "restart"][..], services].concat());
    }

    /// Kills a service that runs, with all of its processes, and keeps it down.
    pub fn kill(&self, service: &str) {
        assert!(
            self.is_active(service),
            "{service} had ended before it was killed{}",
            self.journal()
        );
        self.run(&[
            "systemctl",
            "kill",
            "--kill-whom=all",
            "--signal=SIGKILL",
            service,
        ]);
        self.run(&["systemctl", "stop", service]);
    }

    pub fn is_active(&self, unit: &str) -> bool {
        let asked = self
            .command("systemctl")
            .args(["--quiet", "is-active", unit])
            .output();
        asked.unwrap().status.success()
    }

    /// The newest lines of its log, for a test that fails.
    pub fn journal(&self) -> String {
        let lines = self
            .command("journalctl")
            .args(["--no-pager", "--quiet", "--lines=40"])
            .output();
        let lines = lines.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
        format!("\n{}", lines.unwrap_or_default())
    }
}

impl Drop for DebianMachine {
    fn drop(&mut self) {
        // Its other processes die with its process 1.
        let _killed = Command::new("sh")
            .args(["-c", "kill -KILL \"$1\"", "sh", &self.pid.to_string()])
            .status();
        let _reaped = self.parent.wait();
        let groups = fs::read_to_string(self.folder.join("groups")).unwrap_or_default();
        for group in groups.lines() {
            remove_group(Path::new(group));
        }
        let _removed = fs::remove_dir_all(&self.folder);
    }
}

/// Removes a control group with those below, which are empty folders to this process.
fn remove_group(group: &Path) {
    for entry in fs::read_dir(group).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            remove_group(&entry.path());
        }
    }
    if let Err(error) = fs::remove_dir(group) {
        eprintln!("{}: {error}", group.display());
    }
}

/// The first child of a process, once it has become systemd.
fn process_1(parent: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).ok()?;
    let pid = children.split_whitespace().next()?.parse().ok()?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    (name.trim() == "systemd").then_some(pid)
}

/// Waits for something that must happen.
fn soon<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "no {what} in {PATIENCE:?}");
        thread::sleep(PAUSE);
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}

/// The first thing that a machine needs and that is not here.
fn lacking() -> Option<String> {
    if !is_root() {
        return Some("root".to_owned());
    }
    let missing = NEEDED.iter().find(|(file, _)| !Path::new(file).exists());
    if let Some((_, package)) = missing {
        return Some(format!("Debian's package {package}"));
    }
    let mut namespaces = Command::new("unshare");
    namespaces.args([
        "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--fork", "true",
    ]);
    if !namespaces.output().is_ok_and(|it| it.status.success()) {
        return Some("the right to make namespaces".to_owned());
    }
    // For groups below the root of the one hierarchy, or with a hierarchy of its own.
    let unified = fs::read_to_string("/sys/fs/cgroup/cgroup.subtree_control");
    let limits_memory = match unified {
        Ok(controllers) => controllers.split_whitespace().any(|it| it == "memory"),
        Err(_) => Path::new("/sys/fs/cgroup/memory").is_dir(),
    };
    (!limits_memory).then(|| "control groups that limit memory".to_owned())
}
