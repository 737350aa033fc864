//! Releases that are old, forged, cut or too large, handed over by a runner that may be anybody.

use std::{collections::BTreeSet, fs, os::unix::fs::symlink};

use field_package::{
    keys::SigningPair,
    release::MAX_PROGRAM,
    root::{RoleKeys, RootDocument},
};

use super::*;
use crate::{files, launch::VerifiedTime};

const NOW: u64 = 1_790_000_000;
const PACKAGED: ReleaseVersion = ReleaseVersion([1, 0, 0]);

fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

/// Two of three update keys have to sign.
fn root() -> TrustedRoot {
    let role = |seeds: &[u8], threshold| {
        let keys = seeds.iter().map(|seed| pair(*seed).public().unwrap());
        RoleKeys {
            keys: keys.map(|key| key.to_hex()).collect(),
            threshold,
        }
    };
    let document = RootDocument {
        version: 1,
        expires: NOW + 1_000,
        root: role(&[1], 1),
        job: role(&[11], 1),
        update: role(&[21, 22, 23], 2),
        revoked: BTreeSet::new(),
    };
    TrustedRoot::enrol(&document.sign(&[&pair(1)]), &pair(1).fingerprint()).unwrap()
}

fn clock() -> DeviceClock {
    DeviceClock {
        wall: NOW,
        floor: NOW - 100,
        server: Some(NOW),
    }
}

fn program(minor: u32) -> Vec<u8> {
    format!("the program of version 1.{minor}.0").into_bytes()
}

fn release(minor: u32) -> RunnerRelease {
    let program = program(minor);
    RunnerRelease {
        version: ReleaseVersion([1, minor, 0]),
        minimum: PACKAGED,
        architecture: std::env::consts::ARCH.to_owned(),
        bytes: program.len() as u64,
        sha256: Sha256Hex::digest(&program),
        expires: NOW + 500,
    }
}

fn signed(release: &RunnerRelease) -> Vec<u8> {
    release.sign(&[&pair(21), &pair(22)])
}

struct DeviceFolders {
    folder: tempfile::TempDir,
    config: RunnerConfig,
}

impl DeviceFolders {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = RunnerConfig {
            state: folder.path().join("state"),
            programs: folder.path().join("programs"),
            ..RunnerConfig::default()
        };
        Self { folder, config }
    }

    /// A launcher that a starter started as this program.
    fn launcher(&self, program: &[u8]) -> LauncherUpdates {
        let started = StartedProgram {
            packaged: PACKAGED,
            sha256: Sha256Hex::digest(program),
        };
        LauncherUpdates::open(&self.config, Some(started)).unwrap()
    }

    /// The file of a program in the runner's folder.
    fn download(&self, release: &RunnerRelease) -> PathBuf {
        let folder = downloads_folder(&self.config.state);
        files::make_private_folder(&folder).unwrap();
        download_file(&folder, &release.sha256)
    }

    fn fetched(&self, release: &RunnerRelease, program: &[u8]) {
        fs::write(self.download(release), program).unwrap();
    }

    /// The bytes that the next start runs, none for the packaged program.
    fn next(&self) -> Option<Vec<u8>> {
        fs::read(self.config.programs.join("current")).ok()
    }
}

fn code(result: Result<ReleaseVersion, RunnerError>) -> String {
    result.unwrap_err().code().to_owned()
}

#[test]
fn a_good_release_is_installed_once_and_stays_when_it_reports() {
    let device = DeviceFolders::new();
    let (good, root) = (release(2), root());
    device.fetched(&good, &program(2));
    let updates = device.launcher(b"packaged");
    assert_eq!(updates.admit(&signed(&good), &root, clock()).unwrap(), good);
    let installed = updates.install(&signed(&good), &root, clock());
    assert_eq!(installed.unwrap(), good.version);
    assert_eq!(device.next(), Some(program(2)));
    // Until it reports nothing else comes, and only this program can report.
    let newer = updates.install(&signed(&release(3)), &root, clock());
    assert_eq!(code(newer), "release_on_trial");
    let stale = updates.reported(&Sha256Hex::digest(b"packaged"));
    assert_eq!(stale.unwrap_err().code(), OTHER_PROGRAM);
    let updates = device.launcher(&program(2));
    let other = updates.reported(&Sha256Hex::digest(b"packaged"));
    assert_eq!(other.unwrap_err().code(), OTHER_PROGRAM);
    updates.reported(&good.sha256).unwrap();
    let again = updates.install(&signed(&good), &root, clock());
    assert_eq!(code(again), "release_not_newer");
}

#[test]
fn nothing_that_was_not_signed_so_is_installed() {
    let device = DeviceFolders::new();
    let root = root();
    let updates = device.launcher(b"packaged");
    let good = release(5);
    let with = |change: &dyn Fn(&mut RunnerRelease)| {
        let mut changed = good.clone();
        change(&mut changed);
        signed(&changed)
    };
    let mut bit = signed(&good);
    let middle = bit.len() / 2;
    bit[middle] ^= 1;
    for (about, envelope) in [
        ("a bit", bit),
        ("one key of two", good.sign(&[&pair(21)])),
        ("one key twice", good.sign(&[&pair(21), &pair(21)])),
        ("a job key", good.sign(&[&pair(21), &pair(11)])),
        ("a root key", good.sign(&[&pair(1), &pair(21)])),
        ("expired", with(&|it| it.expires = NOW)),
        (
            "other machine",
            with(&|it| it.architecture = "vax".to_owned()),
        ),
        ("too large", with(&|it| it.bytes = MAX_PROGRAM + 1)),
        ("no bytes", with(&|it| it.bytes = 0)),
    ] {
        device.fetched(&good, &program(5));
        let refused = updates.install(&envelope, &root, clock());
        assert_eq!(code(refused), "release_refused", "{about}");
    }
    for minor in [0, 1] {
        let older = RunnerRelease {
            version: ReleaseVersion([0, minor, 9]),
            minimum: ReleaseVersion::default(),
            ..good.clone()
        };
        let refused = updates.install(&signed(&older), &root, clock());
        assert_eq!(code(refused), "release_not_newer");
    }
    assert_eq!(device.next(), None);
    updates.install(&signed(&good), &root, clock()).unwrap();
}

#[test]
fn the_program_is_the_signed_one_whatever_the_runner_left_there() {
    let device = DeviceFolders::new();
    let root = root();
    let updates = device.launcher(b"packaged");
    let good = release(2);
    let path = device.download(&good);
    let install = |about: &str| {
        let refused = updates.install(&signed(&good), &root, clock());
        assert_eq!(code(refused), "release_refused", "{about}");
        assert_eq!(device.next(), None, "{about}");
    };
    install("nothing");
    let mut bytes = program(2);
    bytes.pop();
    device.fetched(&good, &bytes);
    install("truncated");
    device.fetched(&good, &program(3));
    install("another program");
    device.fetched(&good, &[&program(2)[..], b"!"].concat());
    install("one byte more");
    // Even a link to the right bytes: what it leads to can change, and can be what only root may read.
    fs::remove_file(&path).unwrap();
    let real = device.folder.path().join("real");
    fs::write(&real, program(2)).unwrap();
    symlink(&real, &path).unwrap();
    install("a link");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    install("a folder");
    fs::remove_dir(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if made.is_ok_and(|it| it.success()) {
        install("a pipe that nobody writes to");
        fs::remove_file(&path).unwrap();
    }
    device.fetched(&good, &program(2));
    updates.install(&signed(&good), &root, clock()).unwrap();
}

#[test]
fn a_wrong_clock_is_named_and_the_servers_time_decides() {
    let device = DeviceFolders::new();
    let root = root();
    let updates = device.launcher(b"packaged");
    let good = release(2);
    device.fetched(&good, &program(2));
    let alone = DeviceClock {
        wall: 3_600,
        server: None,
        ..clock()
    };
    let refused = updates.install(&signed(&good), &root, alone);
    assert_eq!(code(refused), "clock", "1970, and no server");
    let back = DeviceClock {
        server: Some(NOW - 10_000),
        ..clock()
    };
    let refused = updates.install(&signed(&good), &root, back);
    assert_eq!(code(refused), "clock", "a server whose time went back");
    let late = DeviceClock {
        server: Some(NOW + 500),
        ..clock()
    };
    let refused = updates.install(&signed(&good), &root, late);
    assert_eq!(code(refused), "release_refused", "expired");
    let unset = DeviceClock {
        wall: 3_600,
        ..clock()
    };
    updates.install(&signed(&good), &root, unset).unwrap();
}

#[test]
fn a_version_that_did_not_report_waits_and_a_newer_one_does_not() {
    let device = DeviceFolders::new();
    let root = root();
    let good = release(2);
    device.fetched(&good, &program(2));
    let updates = device.launcher(b"packaged");
    updates.install(&signed(&good), &root, clock()).unwrap();
    drop(updates);
    // As the starter does when the program has not reported.
    let mut folder = ProgramFolder::open(&device.config.programs, PACKAGED).unwrap();
    assert!(folder.overdue(crate::programs::TRIAL).unwrap());
    drop(folder);
    let updates = device.launcher(b"packaged");
    updates.reported(&Sha256Hex::digest(b"packaged")).unwrap();
    device.fetched(&good, &program(2));
    for (minor, expected) in [(1, "release_not_newer"), (2, "release_retried_later")] {
        let refused = updates.install(&signed(&release(minor)), &root, clock());
        assert_eq!(code(refused), expected, "{minor}");
    }
    let newer = release(3);
    device.fetched(&newer, &program(3));
    updates.install(&signed(&newer), &root, clock()).unwrap();
    assert_eq!(device.next(), Some(program(3)));
}

#[test]
fn switched_off_or_without_a_starter_nothing_is_installed() {
    let mut device = DeviceFolders::new();
    let (good, root) = (release(2), root());
    device.fetched(&good, &program(2));
    let by_hand = LauncherUpdates::open(&device.config, None).unwrap();
    let refused = by_hand.install(&signed(&good), &root, clock());
    assert_eq!(code(refused), "updates_off");
    by_hand.reported(&good.sha256).unwrap();
    device.config.updates = false;
    let off = device.launcher(b"packaged");
    let refused = off.install(&signed(&good), &root, clock());
    assert_eq!(code(refused), "updates_off");
    // What is installed reports as before.
    off.reported(&Sha256Hex::digest(b"packaged")).unwrap();
}

#[test]
fn a_runner_that_turns_the_clock_back_after_a_reboot_gets_no_expired_release_installed() {
    let device = DeviceFolders::new();
    let (good, root) = (release(2), root());
    device.fetched(&good, &program(2));
    let updates = device.launcher(b"packaged");
    let fence = device.folder.path();
    let offered = |time: &mut VerifiedTime, wall, server| {
        let clock = time.clock(wall, server).unwrap();
        let admitted = updates.admit(&signed(&good), &root, clock);
        admitted.map(|it| it.version)
    };
    // A launcher that has verified nothing yet knows no better.
    let mut time = VerifiedTime::load(fence).unwrap();
    offered(&mut time, 3_600, Some(NOW)).unwrap();
    time.raise(good.expires + 400).unwrap();
    drop(time);
    let mut time = VerifiedTime::load(fence).unwrap();
    let ten_years = 10 * 365 * 24 * 60 * 60;
    for (wall, server) in [
        (3_600, None),
        (3_600, Some(NOW)),
        (NOW, None),
        (NOW, Some(NOW)),
        (NOW + ten_years, None),
        (NOW + ten_years, Some(NOW)),
    ] {
        let refused = offered(&mut time, wall, server);
        assert_eq!(code(refused), "clock", "{wall} {server:?}");
    }
    // As far back as the server's time may go, it is expired still.
    let refused = offered(&mut time, NOW, Some(good.expires + 399));
    assert_eq!(code(refused), "release_refused");
}

#[test]
fn the_server_learns_what_runs_and_what_failed() {
    let device = DeviceFolders::new();
    let root = root();
    let report = |version: &str, failed: Option<&str>| ProgramReport {
        version: version.to_owned(),
        failed: failed.map(|version| FailedVersion {
            version: version.to_owned(),
            reason: "no_report".to_owned(),
            tries: 1,
            retried: true,
        }),
    };
    let by_hand = LauncherUpdates::open(&device.config, None).unwrap();
    assert_eq!(by_hand.report(), report(env!("CARGO_PKG_VERSION"), None));
    let updates = device.launcher(b"packaged");
    assert_eq!(updates.report(), report("1.0.0", None));
    let good = release(2);
    device.fetched(&good, &program(2));
    updates.install(&signed(&good), &root, clock()).unwrap();
    // The process goes on for a moment, as what it is.
    assert_eq!(updates.report(), report("1.0.0", None));
    let on_trial = device.launcher(&program(2));
    assert_eq!(on_trial.report(), report("1.2.0", None));
    let mut folder = ProgramFolder::open(&device.config.programs, PACKAGED).unwrap();
    assert!(folder.overdue(crate::programs::TRIAL).unwrap());
    let updates = device.launcher(b"packaged");
    assert_eq!(updates.report(), report("1.0.0", Some("1.2.0")));
    let newer = release(3);
    device.fetched(&newer, &program(3));
    updates.install(&signed(&newer), &root, clock()).unwrap();
    let works = device.launcher(&program(3));
    works.reported(&newer.sha256).unwrap();
    assert_eq!(works.report(), report("1.3.0", None));
    // A damaged program does not start, and the starter falls back to the packaged one.
    fs::write(device.config.programs.join("current"), "").unwrap();
    let updates = device.launcher(b"packaged");
    assert_eq!(updates.report(), report("1.0.0", None));
}
