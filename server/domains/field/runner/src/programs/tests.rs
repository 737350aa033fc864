//! Installations that are attacked, cut and killed, and programs that never report.

use std::collections::BTreeSet;

use field_package::{
    keys::SigningPair,
    release::ReleaseRefusal,
    root::{RoleKeys, RootDocument},
};

use super::{state::WAITS, *};

const NOW: u64 = 1_790_000_000;
const PACKAGED: ReleaseVersion = ReleaseVersion([1, 0, 0]);

fn pair(seed: u8) -> SigningPair {
    SigningPair::from_seed(&[seed; 32])
}

fn root() -> TrustedRoot {
    let one = |seed| RoleKeys {
        keys: BTreeSet::from([pair(seed).public().unwrap().to_hex()]),
        threshold: 1,
    };
    let document = RootDocument {
        version: 1,
        expires: NOW + 1_000,
        root: one(1),
        job: one(11),
        update: one(21),
        revoked: BTreeSet::new(),
    };
    TrustedRoot::enrol(&document.sign(&[&pair(1)]), &pair(1).fingerprint()).unwrap()
}

/// The program of a version.
fn program(version: ReleaseVersion) -> Vec<u8> {
    format!("the program of version {version}").into_bytes()
}

fn release(version: ReleaseVersion) -> RunnerRelease {
    let program = program(version);
    RunnerRelease {
        version,
        minimum: PACKAGED,
        architecture: std::env::consts::ARCH.to_owned(),
        bytes: program.len() as u64,
        sha256: Sha256Hex::digest(&program),
        expires: NOW + 500,
    }
}

fn signed(release: &RunnerRelease) -> Vec<u8> {
    release.sign(&[&pair(21)])
}

fn version(minor: u32) -> ReleaseVersion {
    ReleaseVersion([1, minor, 0])
}

/// Installs a version up to a point.
fn install(
    programs: &mut ProgramFolder,
    version: ReleaseVersion,
    last: InstallPoint,
) -> Result<ReleaseVersion, RunnerError> {
    let envelope = signed(&release(version));
    programs.install_until(&envelope, &program(version), &root(), NOW, last)
}

/// The bytes that run, none for the packaged program.
fn runs(programs: &ProgramFolder) -> Option<Vec<u8>> {
    let path = programs.program().unwrap()?;
    Some(fs::read(path).unwrap())
}

fn reported(folder: &Path, version: ReleaseVersion) -> ProgramFolder {
    let mut programs = ProgramFolder::open(folder, PACKAGED).unwrap();
    install(&mut programs, version, InstallPoint::Done).unwrap();
    assert!(!programs.started().unwrap());
    programs.confirm().unwrap();
    programs
}

#[test]
fn a_program_that_reports_stays() {
    let folder = tempfile::tempdir().unwrap();
    let programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    assert_eq!((programs.version(), runs(&programs)), (PACKAGED, None));
    let programs = reported(folder.path(), version(1));
    assert_eq!(runs(&programs), Some(program(version(1))));
    let path = programs.program().unwrap().unwrap();
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o755
    );
    let mut again = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    for _ in 0..MOST_STARTS + 2 {
        assert!(!again.started().unwrap());
    }
    assert!(!again.overdue(TRIAL * 2).unwrap());
    assert_eq!(again.version(), version(1));
    assert_eq!(runs(&again), Some(program(version(1))));
}

#[test]
fn what_is_tampered_old_or_for_another_machine_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut programs = reported(folder.path(), version(2));
    let good = release(version(3));
    let with = |change: &dyn Fn(&mut RunnerRelease)| {
        let mut changed = good.clone();
        change(&mut changed);
        signed(&changed)
    };
    let mut cut = program(version(3));
    cut.pop();
    let other_key = good.sign(&[&pair(11)]);
    for (envelope, bytes, code) in [
        (signed(&good), cut, "cut"),
        (signed(&good), program(version(4)), "other program"),
        (signed(&good), Vec::new(), "nothing"),
        (other_key, program(version(3)), "job key"),
        (
            with(&|it| it.architecture = "vax".to_owned()),
            program(version(3)),
            "architecture",
        ),
        (with(&|it| it.expires = NOW), program(version(3)), "expired"),
        (signed(&release(version(2))), program(version(2)), "same"),
        (signed(&release(version(1))), program(version(1)), "older"),
    ] {
        let refused = programs.install(&envelope, &bytes, &root(), NOW);
        let is_refused = matches!(refused, Err(RunnerError::Release(_)));
        assert!(is_refused, "{code}: {refused:?}");
        assert!(!folder.path().join("next").exists(), "{code}");
    }
    let again = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    assert_eq!((again.version(), again.is_on_trial()), (version(2), false));
    assert_eq!(runs(&again), Some(program(version(2))));
}

#[test]
fn killed_at_any_point_it_is_the_old_program_or_the_new_one() {
    for (last, is_new) in [
        (InstallPoint::NextWritten, false),
        (InstallPoint::PreviousKept, false),
        (InstallPoint::StateWritten, true),
        (InstallPoint::Done, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut killed = reported(folder.path(), version(1));
        install(&mut killed, version(2), last).unwrap();
        drop(killed);
        let mut programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
        let expected = if is_new { version(2) } else { version(1) };
        assert_eq!(programs.version(), expected, "{last:?}");
        assert_eq!(runs(&programs), Some(program(expected)), "{last:?}");
        assert_eq!(programs.is_on_trial(), is_new, "{last:?}");
        // A trial that fails leads back to the first; else the installation is done again.
        if is_new {
            assert!(programs.overdue(TRIAL).unwrap());
            assert_eq!(runs(&programs), Some(program(version(1))), "{last:?}");
        } else {
            install(&mut programs, version(2), InstallPoint::Done).unwrap();
            assert_eq!(runs(&programs), Some(program(version(2))), "{last:?}");
        }
    }
}

#[test]
fn power_lost_on_the_way_back_confirms_no_program_that_does_not_run() {
    for last in [
        InstallPoint::ReasonKept,
        InstallPoint::ProgramBack,
        InstallPoint::NextRemoved,
    ] {
        for before in [PACKAGED, version(1)] {
            let folder = tempfile::tempdir().unwrap();
            let mut killed = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
            if before != PACKAGED {
                killed = reported(folder.path(), before);
            }
            install(&mut killed, version(2), InstallPoint::Done).unwrap();
            killed.give_up_until(FailureReason::NoReport, last).unwrap();
            drop(killed);
            let mut programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
            programs.confirm().unwrap();
            let expected = (before != PACKAGED).then(|| program(before));
            assert_eq!(programs.version(), before, "{last:?}");
            assert_eq!(runs(&programs), expected, "{last:?}");
            let failure = programs.failure().unwrap();
            assert_eq!(failure.version, version(2), "{last:?}");
            assert_eq!(failure.reason, FailureReason::NoReport, "{last:?}");
        }
    }
}

#[test]
fn a_folder_that_a_mask_closed_is_opened_to_the_runner() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("programs");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    ProgramFolder::open(&folder, PACKAGED).unwrap();
    let mode = fs::metadata(&folder).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn a_newer_package_replaces_an_installed_program_but_not_one_on_trial() {
    let folder = tempfile::tempdir().unwrap();
    drop(reported(folder.path(), version(1)));
    let mut programs = ProgramFolder::open(folder.path(), version(3)).unwrap();
    assert_eq!((programs.version(), runs(&programs)), (version(3), None));
    let older = install(&mut programs, version(2), InstallPoint::Done);
    assert!(matches!(older, Err(RunnerError::Release(_))), "{older:?}");
    // Killed between the state and the removal.
    fs::write(folder.path().join("current"), program(version(1))).unwrap();
    let mut programs = ProgramFolder::open(folder.path(), version(3)).unwrap();
    assert_eq!((programs.version(), runs(&programs)), (version(3), None));
    install(&mut programs, version(4), InstallPoint::Done).unwrap();
    let mut tried = ProgramFolder::open(folder.path(), version(5)).unwrap();
    assert_eq!(runs(&tried), Some(program(version(4))));
    tried.confirm().unwrap();
    let programs = ProgramFolder::open(folder.path(), version(5)).unwrap();
    assert_eq!((programs.version(), runs(&programs)), (version(5), None));
}

#[test]
fn a_program_that_never_reports_gives_way_to_the_one_before_and_is_not_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut programs = reported(folder.path(), version(1));
    install(&mut programs, version(2), InstallPoint::Done).unwrap();
    let other = install(&mut programs, version(3), InstallPoint::Done);
    assert!(matches!(other, Err(RunnerError::Trial)), "{other:?}");
    // Each start is a process of its own that dies before it reports.
    for start in 1..=MOST_STARTS {
        let mut process = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
        assert!(!process.started().unwrap(), "start {start}");
        assert_eq!(runs(&process), Some(program(version(2))));
    }
    let mut process = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    assert!(process.started().unwrap());
    assert_eq!(runs(&process), Some(program(version(1))));
    assert_eq!(process.version(), version(1));
    let again = install(&mut process, version(2), InstallPoint::Done);
    assert!(
        matches!(
            again,
            Err(RunnerError::Release(ReleaseRefusal::NotNewer { .. }))
        ),
        "{again:?}"
    );
    let failure = process.failure().unwrap();
    assert_eq!((failure.reason, failure.tries), (FailureReason::NoStart, 1));
    assert!(!failure.is_retried());
    install(&mut process, version(3), InstallPoint::Done).unwrap();
    assert_eq!(runs(&process), Some(program(version(3))));
}

/// Offers a version at a time. True if it would be installed.
fn is_admitted(folder: &Path, minor: u32, now: u64) -> bool {
    let mut programs = ProgramFolder::open(folder, PACKAGED).unwrap();
    match programs.admit(&signed(&release(version(minor))), &root(), now) {
        Ok(_) => true,
        Err(error) => {
            assert!(error.is_usual(), "{error}");
            false
        }
    }
}

/// Each step is a process of its own: all that counts is on the disk.
#[test]
fn a_version_that_only_did_not_report_is_tried_twice_more_after_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    drop(reported(at, version(1)));
    let fails = || {
        let mut programs = ProgramFolder::open(at, PACKAGED).unwrap();
        install(&mut programs, version(2), InstallPoint::Done).unwrap();
        drop(programs);
        let mut programs = ProgramFolder::open(at, PACKAGED).unwrap();
        assert_eq!(programs.failure(), None, "on trial nothing has failed");
        assert!(programs.overdue(TRIAL).unwrap());
        assert_eq!(runs(&programs), Some(program(version(1))));
        programs.failure().unwrap()
    };
    for (tries, wait) in (1..).zip(WAITS) {
        // The last wait ends at the time of the tests' installations.
        let offered = NOW - wait;
        assert_eq!(fails().tries, tries);
        assert!(!is_admitted(at, 2, offered), "{tries}: its wait begins");
        assert!(!is_admitted(at, 2, offered + wait - 1), "{tries}: early");
        assert!(!is_admitted(at, 1, NOW), "{tries}: older");
        assert!(
            is_admitted(at, 3, NOW),
            "{tries}: a newer one need not wait"
        );
        assert!(is_admitted(at, 2, offered + wait), "{tries}");
    }
    let last = fails();
    assert_eq!((last.tries, last.is_retried()), (3, false));
    for now in [NOW, NOW + 400] {
        assert!(!is_admitted(at, 2, now), "never again");
    }
    assert!(is_admitted(at, 3, NOW));
}

#[test]
fn a_clock_that_moves_makes_no_wait_longer_and_no_version_immortal() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let give_up = |reason| {
        let mut programs = ProgramFolder::open(at, PACKAGED).unwrap();
        install(&mut programs, version(2), InstallPoint::Done).unwrap();
        programs.give_up(reason).unwrap();
    };
    give_up(FailureReason::NoReport);
    assert!(!is_admitted(at, 2, NOW + 499), "offered with a clock ahead");
    assert!(
        !is_admitted(at, 2, NOW - WAITS[0]),
        "set back: it waits anew"
    );
    assert!(!is_admitted(at, 2, NOW - 1));
    assert!(is_admitted(at, 2, NOW));
    // It could not start the next time: it is left alone, whatever it was before.
    give_up(FailureReason::NoStart);
    assert!(!is_admitted(at, 2, NOW));
    let programs = ProgramFolder::open(at, PACKAGED).unwrap();
    assert_eq!(programs.failure().unwrap().tries, 2);
}

#[test]
fn a_retried_version_that_reports_has_not_failed() {
    let folder = tempfile::tempdir().unwrap();
    let mut programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    install(&mut programs, version(2), InstallPoint::Done).unwrap();
    assert!(programs.overdue(TRIAL).unwrap());
    assert!(!is_admitted(folder.path(), 2, NOW - WAITS[0]));
    let mut programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    install(&mut programs, version(2), InstallPoint::Done).unwrap();
    programs.confirm().unwrap();
    let programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    assert_eq!((programs.version(), programs.failure()), (version(2), None));
}

#[test]
fn a_state_of_another_version_of_the_program_is_kept_and_its_failure_is_final() {
    let folder = tempfile::tempdir().unwrap();
    let written = |failure: serde_json::Value| {
        let state = serde_json::json!({
            "version": [1, 0, 0], "minimum": [0, 0, 0], "failed": [1, 2, 0],
            "failure": failure, "trial": null, "colour": { "of": "tomorrow" },
        });
        fs::write(folder.path().join("state.json"), state.to_string()).unwrap();
    };
    for failure in [
        serde_json::json!(null),
        serde_json::json!({ "version": [1, 1, 0], "reason": "no_report", "tries": 1 }),
        serde_json::json!({ "version": [1, 2, 0], "reason": "of_tomorrow", "tries": 1, "more": 1 }),
        serde_json::json!({ "version": [1, 2, 0], "reason": "no_report", "tries": 4_000_000_000_u32 }),
    ] {
        written(failure);
        assert!(!is_admitted(folder.path(), 2, NOW));
        assert!(is_admitted(folder.path(), 3, NOW));
    }
    let mut programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    install(&mut programs, version(3), InstallPoint::Done).unwrap();
    let state = fs::read_to_string(folder.path().join("state.json")).unwrap();
    assert!(state.contains("tomorrow"), "{state}");
}

#[test]
fn the_packaged_program_is_the_last_way_back_and_the_minimum_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut programs = ProgramFolder::open(folder.path(), PACKAGED).unwrap();
    let withdrawing = RunnerRelease {
        minimum: version(5),
        ..release(version(5))
    };
    let bytes = program(version(5));
    let installed = programs.install(&signed(&withdrawing), &bytes, &root(), NOW);
    assert_eq!(installed.unwrap(), version(5));
    assert!(!programs.overdue(TRIAL / 2).unwrap());
    assert!(programs.overdue(TRIAL).unwrap());
    assert_eq!((programs.version(), runs(&programs)), (PACKAGED, None));
    assert_eq!(programs.state.minimum, version(5));
    assert!(install(&mut programs, version(4), InstallPoint::Done).is_err());
    install(&mut programs, version(6), InstallPoint::Done).unwrap();
}

#[test]
fn a_download_goes_on_where_it_stopped_and_is_whole_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (wanted, bytes) = (release(version(2)), program(version(2)));
    let other = ProgramDownload::open(folder.path(), &release(version(1)));
    other.unwrap().append(b"pieces of another").unwrap();
    let mut half = ProgramDownload::open(folder.path(), &wanted).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    half.append(&bytes[..9]).unwrap();
    assert!(half.check().is_err(), "half of a program is none");
    drop(half);
    let mut rest = ProgramDownload::open(folder.path(), &wanted).unwrap();
    assert_eq!((rest.offset(), rest.is_whole()), (9, false));
    rest.append(&bytes[9..]).unwrap();
    assert!(rest.is_whole());
    rest.check().unwrap();
    assert_eq!(fs::read(rest.path()).unwrap(), bytes);
    // More than was signed, and other bytes of the same length: both begin anew.
    assert!(rest.append(b"!").is_err());
    assert_eq!(rest.offset(), 0);
    rest.append(&vec![b'x'; bytes.len()]).unwrap();
    assert!(rest.check().is_err());
    assert_eq!(rest.offset(), 0);
}
