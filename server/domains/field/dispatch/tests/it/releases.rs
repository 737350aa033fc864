//! Releases of the runner: signed on the server, read by devices piece by piece.

use field_dispatch::{KeyError, ReleaseOrder, make_release};
use field_package::release::{MAX_PROGRAM, ReleaseRefusal, ReleaseVersion, RunnerRelease};
use field_package::root::TrustedRoot;

use crate::office::{Office, START};

fn order(version: [u32; 3]) -> ReleaseOrder {
    ReleaseOrder {
        version: ReleaseVersion(version),
        minimum: None,
        architecture: "aarch64".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_release_reaches_devices_whole_and_only_goes_up() {
    let office = Office::open().await;
    let folder = office.folder.path();
    let desk = tempfile::tempdir().unwrap();
    let file = desk.path().join("jarvis-runner");
    let program: Vec<u8> = (0..600_000_u32).map(|at| (at % 251) as u8).collect();
    std::fs::write(&file, &program).unwrap();
    let none = office.dispatch.release("aarch64").await.unwrap_err();
    assert_eq!(none.code, "no_update");
    let first = ReleaseOrder {
        minimum: Some(ReleaseVersion([1, 9, 0])),
        ..order([1, 10, 0])
    };
    make_release(folder, &file, &first, START).unwrap();
    // As a device does: the root document by its enrolment, then the release, then the program.
    let document = office.dispatch.root_document(1).unwrap();
    let root = TrustedRoot::enrol(&document, &office.dispatch.keys().root).unwrap();
    let envelope = office.dispatch.release("aarch64").await.unwrap();
    let release = RunnerRelease::verified(&envelope, &root).unwrap();
    assert_eq!(release.version, ReleaseVersion([1, 10, 0]));
    let mut fetched = Vec::new();
    loop {
        let offset = fetched.len() as u64;
        let piece = office
            .dispatch
            .program_piece(release.sha256.as_str(), offset)
            .await
            .unwrap();
        if piece.is_empty() {
            break;
        }
        fetched.extend(piece);
    }
    assert_eq!(release.check_program(&fetched), Ok(()));
    for old in [[1, 10, 0], [1, 9, 9]] {
        let refused = make_release(folder, &file, &order(old), START).unwrap_err();
        let is_old = matches!(refused, KeyError::Release(ReleaseRefusal::NotNewer { .. }));
        assert!(is_old, "{refused}");
    }
    let next = make_release(folder, &file, &order([1, 11, 0]), START).unwrap();
    assert_eq!(next.minimum, ReleaseVersion([1, 9, 0]), "it never falls");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_name_leads_out_of_the_folder_and_nothing_impossible_is_signed() {
    let office = Office::open().await;
    let folder = office.folder.path();
    for name in [
        "",
        "../field-keys/job",
        "aarch64/../x",
        "AARCH64",
        "a.b",
        "%2e",
    ] {
        let refused = office.dispatch.release(name).await.unwrap_err();
        assert_eq!(refused.code, "no_update", "{name}");
        let piece = office.dispatch.program_piece(name, 0).await.unwrap_err();
        assert_eq!(piece.code, "no_update", "{name}");
    }
    let desk = tempfile::tempdir().unwrap();
    let file = desk.path().join("jarvis-runner");
    std::fs::write(&file, b"").unwrap();
    let empty = make_release(folder, &file, &order([1, 0, 0]), START).unwrap_err();
    let is_refused =
        |error: &KeyError| matches!(error, KeyError::Release(ReleaseRefusal::Impossible));
    assert!(is_refused(&empty), "{empty}");
    let large = std::fs::File::create(&file).unwrap();
    large.set_len(MAX_PROGRAM + 1).unwrap();
    let large = make_release(folder, &file, &order([1, 0, 0]), START).unwrap_err();
    assert!(is_refused(&large), "{large}");
    let bad = ReleaseOrder {
        architecture: "../x".to_owned(),
        ..order([1, 0, 0])
    };
    let bad = make_release(folder, &file, &bad, START).unwrap_err();
    assert!(matches!(bad, KeyError::Architecture), "{bad}");
    let none = office.dispatch.release("aarch64").await.unwrap_err();
    assert_eq!(none.code, "no_update");
}
