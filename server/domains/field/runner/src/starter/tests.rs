//! Programs that do not start, end at once, hang, or are damaged: a program runs at each next start.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use super::*;
use crate::programs::FailureReason;

const HANGS: &str = "exec sleep 1000";
const FAILS: &str = "exit 1";

/// A folder of programs, and a packaged program that leaves a line.
struct DeviceFolder(tempfile::TempDir);

impl DeviceFolder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::create_dir(folder.at("programs")).unwrap();
        folder.write("packaged", "echo packaged >> \"$1\"");
        folder
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a program and returns its digest.
    fn write(&self, name: &str, script: &str) -> String {
        let path = self.at(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        digest(&path).unwrap()
    }

    /// Version 1.2.0 as it is installed, before its first start.
    fn install(&self, script: &str, on_trial: bool) {
        let sha256 = self.write("programs/current", script);
        let trial = json!({ "before": [0, 0, 0], "sha256": sha256, "starts": 0 });
        let state = json!({
            "version": [1, 2, 0],
            "minimum": [1, 0, 0],
            "failed": null,
            "trial": on_trial.then_some(trial),
        });
        fs::write(self.at("programs/state.json"), state.to_string()).unwrap();
    }

    fn starter(&self, trial: Duration) -> ProgramStarter {
        ProgramStarter {
            packaged_program: self.at("packaged"),
            packaged: ReleaseVersion::default(),
            programs: self.at("programs"),
            arguments: vec![self.at("lines").into()],
            trial,
        }
    }

    fn failed(&self) -> Option<(ReleaseVersion, FailureReason)> {
        let folder = ProgramFolder::open(&self.at("programs"), ReleaseVersion::default());
        let failure = folder.unwrap().failure();
        failure.map(|it| (it.version, it.reason))
    }

    /// Lines of the programs so far.
    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.at("lines")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

fn failed_by(reason: FailureReason) -> Option<(ReleaseVersion, FailureReason)> {
    Some((ReleaseVersion([1, 2, 0]), reason))
}

#[test]
fn without_releases_the_packaged_program_runs_and_knows_what_it_is() {
    let device = DeviceFolder::new();
    let sha256 = device.write(
        "packaged",
        &format!("echo ${PROGRAM_VARIABLE} ${PACKAGED_VARIABLE} >> \"$1\""),
    );
    let ended = device.starter(TRIAL).launch().unwrap();
    assert!(ended.unwrap().success());
    let ended = device.starter(TRIAL).run().unwrap();
    assert!(ended.unwrap().success());
    let line = format!("{sha256} 0.0.0");
    assert_eq!(device.lines(), [line.clone(), line]);
}

#[test]
fn after_three_failed_starts_the_one_before_runs_and_the_version_is_remembered() {
    let device = DeviceFolder::new();
    device.install(FAILS, true);
    for start in 1..=3 {
        let ended = device.starter(TRIAL).launch().unwrap();
        assert!(!ended.unwrap().success(), "start {start}");
        assert_eq!(device.failed(), None, "start {start}");
    }
    assert!(device.lines().is_empty());
    let ended = device.starter(TRIAL).launch().unwrap();
    assert!(ended.unwrap().success());
    assert_eq!(device.lines(), ["packaged"]);
    assert_eq!(device.failed(), failed_by(FailureReason::NoStart));
}

#[test]
fn a_program_that_cannot_be_started_is_given_up_as_well() {
    let device = DeviceFolder::new();
    device.install(FAILS, true);
    let mode = fs::Permissions::from_mode(0o644);
    fs::set_permissions(device.at("programs/current"), mode).unwrap();
    for start in 1..=3 {
        let refused = device.starter(TRIAL).launch();
        assert!(refused.is_err(), "start {start}: {refused:?}");
    }
    device.starter(TRIAL).launch().unwrap();
    assert_eq!(device.lines(), ["packaged"]);
    assert_eq!(device.failed(), failed_by(FailureReason::NoStart));
}

#[test]
fn a_program_that_hangs_is_ended_when_its_time_is_over() {
    let device = DeviceFolder::new();
    device.install(HANGS, true);
    let ended = device.starter(Duration::ZERO).launch().unwrap();
    assert_eq!(ended, None);
    assert_eq!(device.failed(), failed_by(FailureReason::NoReport));
    device.starter(TRIAL).launch().unwrap();
    assert_eq!(device.lines(), ["packaged"]);
}

/// The program confirms its trial as the launcher does, before it ends.
#[test]
fn a_program_that_reported_is_waited_for_and_never_given_up() {
    let device = DeviceFolder::new();
    device.install(FAILS, false);
    let confirmed = device.at("confirmed");
    fs::copy(device.at("programs/state.json"), &confirmed).unwrap();
    let state = device.at("programs/state.json");
    device.install(
        // Whole or not at all, as the launcher writes it.
        &format!(
            "cp {0} {0}.copy && mv {0}.copy {1}",
            confirmed.display(),
            state.display()
        ),
        true,
    );
    for start in 1..=5 {
        let ended = device.starter(TRIAL).launch().unwrap();
        assert!(ended.unwrap().success(), "start {start}");
    }
    assert_eq!((device.failed(), device.lines().len()), (None, 0));
}

#[test]
fn a_damaged_program_that_had_reported_gives_way_to_the_packaged_one() {
    let device = DeviceFolder::new();
    device.install(FAILS, false);
    fs::write(device.at("programs/current"), "").unwrap();
    let mode = fs::Permissions::from_mode(0o644);
    fs::set_permissions(device.at("programs/current"), mode).unwrap();
    device.starter(TRIAL).launch().unwrap();
    device.starter(TRIAL).run().unwrap();
    assert_eq!(device.lines(), ["packaged", "packaged"]);
}

/// A runner that hangs would otherwise outlive its version.
#[test]
fn the_runner_ends_when_another_program_takes_its_place() {
    let device = DeviceFolder::new();
    let (next, current) = (device.at("next"), device.at("programs/current"));
    device.write("next", HANGS);
    device.write(
        "packaged",
        &format!("mv {} {}; {HANGS}", next.display(), current.display()),
    );
    assert_eq!(device.starter(TRIAL).run().unwrap(), None);
    // And back: the one before is the packaged one.
    device.write("next", &format!("rm {}; {HANGS}", current.display()));
    fs::rename(&next, &current).unwrap();
    assert_eq!(device.starter(TRIAL).run().unwrap(), None);
    assert!(!current.exists());
}
