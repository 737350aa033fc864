//! The Debian package: built here and taken apart, never installed.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use field_runner::config::RunnerConfig;

/// All that it installs. Everything is root's.
const CONTENTS: [&str; 12] = [
    "-rw-r--r-- ./etc/jarvis-runner/config.toml",
    "-rw-r--r-- ./usr/lib/systemd/system/jarvis-launcher.service",
    "-rw-r--r-- ./usr/lib/systemd/system/jarvis-runner.service",
    "-rwxr-xr-x ./usr/bin/jarvis-runner",
    "drwxr-xr-x ./",
    "drwxr-xr-x ./etc/",
    "drwxr-xr-x ./etc/jarvis-runner/",
    "drwxr-xr-x ./usr/",
    "drwxr-xr-x ./usr/bin/",
    "drwxr-xr-x ./usr/lib/",
    "drwxr-xr-x ./usr/lib/systemd/",
    "drwxr-xr-x ./usr/lib/systemd/system/",
];
/// In place of the compiled program, which takes long to compress.
const PROGRAM: &[u8] = b"#!/bin/sh\necho a program\n";
const SCRIPTS: [&str; 3] = ["postinst", "postrm", "prerm"];
/// Commands of the scripts that change a system, as functions that say their arguments and do nothing else.
const STAND_INS: &str = "
    adduser() { echo adduser \"$@\"; }
    install() { echo install \"$@\"; }
    rm() { echo rm \"$@\"; }
    systemctl() { echo systemctl \"$@\"; }
    script=$1 word=$2
    set -- \"$word\"
    . \"$script\"
";

struct BuiltPackage {
    folder: tempfile::TempDir,
    file: PathBuf,
}

/// The standard output of a command that must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {failed}");
    String::from_utf8(output.stdout).unwrap()
}

fn packaging() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

impl BuiltPackage {
    /// Builds it as somebody whose files are closed to others; None without the tools of Debian.
    fn build() -> Option<Self> {
        let found = Command::new("dpkg-deb").arg("--version").output();
        if found.is_err() {
            assert!(std::env::var_os("CI").is_none(), "CI needs dpkg-deb");
            eprintln!("\n!!! SKIPPED: no dpkg-deb, so the Debian package is not checked. !!!\n");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::write(&program, PROGRAM).unwrap();
        let built = folder.path().join("built");
        output(
            Command::new("sh")
                .args(["-c", "umask 077; exec sh \"$@\"", "sh"])
                .arg(packaging().join("build-deb.sh"))
                .args([&program, &built]),
        );
        let mut files = fs::read_dir(&built).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        Some(Self { folder, file })
    }

    fn dpkg_deb(&self, action: &str) -> Command {
        let mut command = Command::new("dpkg-deb");
        command.arg(action).arg(&self.file);
        command
    }

    fn field(&self, name: &str) -> String {
        output(self.dpkg_deb("--field").arg(name)).trim().to_owned()
    }

    /// Unpacks it into a new folder.
    fn unpacked(&self, action: &str) -> PathBuf {
        let folder = self.folder.path().join(action.trim_start_matches('-'));
        fs::create_dir(&folder).unwrap();
        output(self.dpkg_deb(action).arg(&folder));
        folder
    }

    /// Commands of a script that would change the system, one a line.
    fn acts(control: &Path, script: &str, word: &str) -> Vec<String> {
        let script = control.join(script);
        let said = output(
            Command::new("sh")
                .args(["-c", STAND_INS, "sh"])
                .arg(script)
                .arg(word),
        );
        said.lines().map(str::to_owned).collect()
    }
}

#[test]
fn the_package_has_the_program_its_units_and_closed_modes() {
    let Some(package) = BuiltPackage::build() else {
        return;
    };
    assert_eq!(package.field("Package"), "jarvis-runner");
    assert_eq!(package.field("Version"), env!("CARGO_PKG_VERSION"));
    let architecture = output(Command::new("dpkg").arg("--print-architecture"));
    assert_eq!(package.field("Architecture"), architecture.trim());
    let needs = package.field("Depends");
    for needed in ["adduser", "bubblewrap", "ca-certificates", "libc6"] {
        assert!(needs.contains(needed), "{needed}: {needs}");
    }
    let contents = output(&mut package.dpkg_deb("--contents"));
    let lines = contents.lines().map(|line| {
        let parts: Vec<_> = line.split_whitespace().collect();
        let [mode, owner, _, _, _, path] = parts.as_slice() else {
            panic!("{line}");
        };
        assert_eq!(*owner, "root/root", "{line}");
        format!("{mode} {path}")
    });
    let found: BTreeSet<_> = lines.collect();
    assert_eq!(found, BTreeSet::from(CONTENTS.map(str::to_owned)));
    let root = package.unpacked("--extract");
    let program = fs::read(root.join("usr/bin/jarvis-runner")).unwrap();
    assert_eq!(program, PROGRAM);
    let config = fs::read(root.join("etc/jarvis-runner/config.toml")).unwrap();
    assert_eq!(config, fs::read(packaging().join("config.toml")).unwrap());
    for (unit, service) in [("jarvis-runner", "run"), ("jarvis-launcher", "launch")] {
        let name = format!("{unit}.service");
        let text = fs::read_to_string(root.join("usr/lib/systemd/system").join(&name)).unwrap();
        let source = fs::read_to_string(packaging().join(&name)).unwrap();
        assert_eq!(text, source);
        let starts = format!("\nExecStart=/usr/bin/jarvis-runner start {service}\n");
        assert!(text.contains(&starts), "{name}");
    }
}

#[test]
fn its_scripts_make_and_remove_exactly_what_the_services_use() {
    let Some(package) = BuiltPackage::build() else {
        return;
    };
    let control = package.unpacked("--control");
    for script in SCRIPTS {
        assert_eq!(mode(&control.join(script)), 0o755, "{script}");
        let source = fs::read(packaging().join("debian").join(script)).unwrap();
        assert_eq!(fs::read(control.join(script)).unwrap(), source, "{script}");
    }
    let kept = fs::read_to_string(control.join("conffiles")).unwrap();
    assert_eq!(kept, "/etc/jarvis-runner/config.toml\n");

    // The places and users of the program's own defaults.
    let config = RunnerConfig::default();
    let adduser = "adduser --system --group --quiet --no-create-home --home /nonexistent";
    let folder = |mode: &str, user: &str, path: &Path| {
        format!(
            "install -d -m {mode} -o {user} -g {user} {}",
            path.display()
        )
    };
    let made = [
        format!("{adduser} {}", config.user),
        format!("{adduser} {}", config.job_user),
        folder("0755", "root", &config.settings),
        folder("0700", &config.user, &config.state),
        folder("0700", "root", &config.fence),
        folder("0755", "root", &config.programs),
    ];
    // Only where systemd runs.
    let services = [
        "systemctl daemon-reload",
        "systemctl enable --quiet jarvis-launcher.service jarvis-runner.service",
        "systemctl restart jarvis-launcher.service jarvis-runner.service",
    ];
    let (with, without): (Vec<_>, Vec<_>) = BuiltPackage::acts(&control, "postinst", "configure")
        .into_iter()
        .partition(|line| line.starts_with("systemctl"));
    assert_eq!(without, made);
    assert!(with.is_empty() || with == services, "{with:?}");

    let removed = BuiltPackage::acts(&control, "prerm", "remove");
    let disabled =
        ["systemctl disable --now --quiet jarvis-runner.service jarvis-launcher.service"];
    assert!(removed.is_empty() || removed == disabled, "{removed:?}");
    let all = [
        &config.settings,
        &config.state,
        &config.fence,
        &config.programs,
    ];
    let all: Vec<_> = all.map(|path| path.display().to_string()).into();
    let purged = BuiltPackage::acts(&control, "postrm", "purge");
    assert_eq!(purged, [format!("rm -rf {}", all.join(" "))]);
    // An upgrade keeps the key, the fence and the versions, and so does a removal.
    for (script, word) in [
        ("prerm", "upgrade"),
        ("postrm", "upgrade"),
        ("postrm", "remove"),
        ("postinst", "abort-upgrade"),
    ] {
        let acts = BuiltPackage::acts(&control, script, word);
        assert_eq!(acts, [""; 0], "{script} {word}");
    }
}
