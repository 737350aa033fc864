//! Key files that are new, open to others, damaged, or gone.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use field_package::root::TrustedRoot;

use super::*;

const NOW: u64 = 1_790_000_000;

fn data() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    set(data.path(), 0o700);
    data
}

fn set(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_first_start_makes_closed_files_and_the_next_reads_them() {
    let data = data();
    let first = ServerKeys::open(data.path(), false, NOW).unwrap();
    let names = [
        "vault.key",
        "job.key",
        "update.key",
        "root.key",
        "root-1.json",
    ];
    for name in names {
        let found = fs::metadata(data.path().join(FOLDER).join(name)).unwrap();
        assert_eq!(found.mode() & 0o777, 0o600, "{name}");
    }
    let again = ServerKeys::open(data.path(), true, NOW + 9).unwrap();
    assert_eq!(first.summary(), again.summary());
    assert_eq!(first.roots.envelope(1), again.roots.envelope(1));
    assert_eq!(again.roots.envelope(2), None);
    // A device accepts the document by the fingerprint in its enrolment token.
    let envelope = again.roots.envelope(1).unwrap();
    let trusted = TrustedRoot::enrol(envelope, again.roots.root_key()).unwrap();
    assert_eq!(trusted.job_keys()[0].fingerprint(), again.job.fingerprint());
}

#[test]
fn what_others_can_read_is_refused() {
    for (place, mode) in [("", 0o750), ("", 0o701), (FOLDER, 0o740)] {
        let data = data();
        ServerKeys::open(data.path(), false, NOW).unwrap();
        set(&data.path().join(place), mode);
        let refused = ServerKeys::open(data.path(), false, NOW).err().unwrap();
        assert!(
            matches!(refused, KeyError::OpenToOthers(_)),
            "{place:?} {mode:o}"
        );
    }
    for name in ["vault.key", "job.key", "root.key"] {
        let data = data();
        ServerKeys::open(data.path(), false, NOW).unwrap();
        set(&data.path().join(FOLDER).join(name), 0o640);
        let refused = ServerKeys::open(data.path(), false, NOW).err().unwrap();
        let KeyError::OpenToOthers(path) = refused else {
            panic!("{name}: {refused}");
        };
        assert!(path.ends_with(name));
    }
}

#[test]
fn damaged_and_missing_keys_are_not_replaced() {
    let data = data();
    ServerKeys::open(data.path(), false, NOW).unwrap();
    let vault = data.path().join(FOLDER).join("vault.key");
    let whole = fs::read_to_string(&vault).unwrap();
    for text in [
        "",
        "jarvis field key 1\n",
        &whole[..60],
        &whole.to_uppercase(),
    ] {
        fs::write(&vault, text).unwrap();
        let refused = ServerKeys::open(data.path(), false, NOW).err().unwrap();
        assert!(matches!(refused, KeyError::Damaged(_)), "{text:?}");
        assert_eq!(fs::read_to_string(&vault).unwrap(), text);
    }
    fs::remove_file(&vault).unwrap();
    let refused = ServerKeys::open(data.path(), true, NOW).err().unwrap();
    assert!(matches!(refused, KeyError::Missing(_)), "{refused}");
    assert!(!vault.exists());
}

#[test]
fn the_root_key_may_be_taken_away_and_a_forged_document_is_refused() {
    let data = data();
    let before = ServerKeys::open(data.path(), false, NOW).unwrap().summary();
    let folder = data.path().join(FOLDER);
    fs::remove_file(folder.join("root.key")).unwrap();
    let after = ServerKeys::open(data.path(), true, NOW).unwrap().summary();
    assert!(before.root_is_here && !after.root_is_here);
    assert_eq!((before.root, before.job), (after.root, after.job));
    // Another job key than the one that the document names signs nothing that a device takes.
    fs::copy(folder.join("update.key"), folder.join("job.key")).unwrap();
    let refused = ServerKeys::open(data.path(), true, NOW).err().unwrap();
    assert!(matches!(refused, KeyError::NotTrusted), "{refused}");
    fs::remove_file(folder.join("job.key")).unwrap();
    let refused = ServerKeys::open(data.path(), true, NOW).err().unwrap();
    assert!(matches!(refused, KeyError::Missing(_)), "{refused}");
    assert!(!folder.join("job.key").exists());
    fs::copy(folder.join("update.key"), folder.join("job.key")).unwrap();
    let first = folder.join("root-1.json");
    let text = fs::read_to_string(&first).unwrap();
    fs::write(&first, text.replacen("sig\":\"", "sig\":\"AA", 1)).unwrap();
    let refused = ServerKeys::open(data.path(), true, NOW).err().unwrap();
    assert!(matches!(refused, KeyError::Root { .. }), "{refused}");
}

#[test]
fn a_rotation_revokes_the_old_key_and_is_finished_if_it_was_interrupted() {
    let data = data();
    let before = ServerKeys::open(data.path(), false, NOW).unwrap();
    let folder = data.path().join(FOLDER);
    let device = TrustedRoot::enrol(before.roots.envelope(1).unwrap(), before.roots.root_key());
    let device = device.unwrap();
    let after = rotate_job_key(data.path(), NOW + 5).unwrap();
    assert_eq!(
        (after.version, after.root.clone()),
        (2, before.summary().root)
    );
    assert_ne!(after.job, before.job.fingerprint());
    let keys = ServerKeys::open(data.path(), true, NOW + 9).unwrap();
    let followed = device.rotate(keys.roots.envelope(2).unwrap()).unwrap();
    assert_eq!(followed.job_keys().len(), 1);
    assert_eq!(followed.job_keys()[0].fingerprint(), keys.job.fingerprint());
    assert!(
        followed
            .document()
            .revoked
            .contains(&before.job.fingerprint())
    );
    // Killed behind the document: the next start takes the new key.
    rotation::trust_next(&folder, &keys, NOW + 9).unwrap();
    let finished = ServerKeys::open(data.path(), true, NOW + 9).unwrap();
    assert_eq!(finished.summary().version, 3);
    assert_ne!(finished.job.fingerprint(), keys.job.fingerprint());
    assert!(!folder.join("job-next.key").exists());
    fs::remove_file(folder.join("root.key")).unwrap();
    let away = rotate_job_key(data.path(), NOW).unwrap_err();
    assert!(matches!(away, KeyError::RootKeyAway(_)), "{away}");
    assert_eq!(
        ServerKeys::open(data.path(), true, NOW)
            .unwrap()
            .summary()
            .version,
        3
    );
}
