//! Acts of people, through the toolset's ports: tokens, the standing of a device, a word on a run.

use field::ports::{
    DeviceAdministration as _, DeviceStanding, DeviceWish, EnrolmentWish, FieldFaultCode,
    FieldMemory as _, ResolveOrder, RunResolution, StandingChange, WishedSite,
};
use field_dispatch::CoverSource;
use field_package::keys::SigningPair;
use field_tables::{HistoryAction, VaultRow, VaultWrite};
use protocol::{CallId, Timestamp, UserId};
use simfleet::{DeviceFault, DeviceTurn, FleetDevice, OfficeDevice};

use crate::office::{Office, SITE, evidence};
use crate::ports::backend;
use crate::stranger::enrolment;

fn ann() -> UserId {
    UserId::new(Timestamp(1), 1)
}

fn wish(number: u128, site: WishedSite) -> EnrolmentWish {
    EnrolmentWish {
        call: CallId::new(Timestamp(5), number),
        site,
        name: "Attic probe".to_owned(),
        hours: Some(2),
        person: ann(),
    }
}

fn here() -> WishedSite {
    WishedSite::Known(SITE.to_owned())
}

async fn turn(device: &mut FleetDevice) -> DeviceTurn {
    Box::pin(device.turn()).await.unwrap()
}

/// Every byte of the data folder.
fn stored(office: &Office) -> Vec<u8> {
    let entries = std::fs::read_dir(office.folder.path()).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    files
        .flat_map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_works_once_in_its_time_unless_it_was_withdrawn() {
    let office = Office::open().await;
    let people = backend(&office).await;
    let enrol = async |token: &str, seed: u8| {
        let key = SigningPair::from_seed(&[seed; 32]);
        let enrolled = office.dispatch.enrol(&enrolment(token, &key)).await;
        enrolled.map_err(|refusal| refusal.code)
    };
    let used = people.issue(&wish(1, here())).await.unwrap();
    let root = office.dispatch.keys().root;
    assert_eq!(
        used.token.split('.').nth(2),
        Some(root.as_str()),
        "a device trusts this root key alone"
    );
    assert!(!format!("{used:?}").contains(&used.token));
    let open = people.open_enrolments().await.unwrap();
    assert_eq!(
        (open.len(), &*open[0].by, &*open[0].name),
        (1, "Ann", "Attic probe")
    );
    assert_eq!(open[0].expires, used.expires);
    let device = enrol(&used.token, 1).await.unwrap().device;
    assert_eq!(enrol(&used.token, 2).await.unwrap_err(), "enrolment_used");
    let note = people.withdraw(&used.enrolment, ann()).await.unwrap();
    assert_eq!(
        (note.is_withdrawn, note.device),
        (false, Some(device)),
        "too late"
    );

    let withdrawn = people.issue(&wish(2, here())).await.unwrap();
    for _ in 0..2 {
        let note = people.withdraw(&withdrawn.enrolment, ann()).await.unwrap();
        assert!(note.is_withdrawn, "a repetition is as good");
    }
    let refused = enrol(&withdrawn.token, 3).await.unwrap_err();
    assert_eq!(refused, "enrolment_unknown");

    let late = people.issue(&wish(3, here())).await.unwrap();
    office.clock.advance(2 * 60 * 60 + 1);
    assert_eq!(
        enrol(&late.token, 4).await.unwrap_err(),
        "enrolment_expired"
    );
    assert_eq!(people.open_enrolments().await.unwrap(), []);
    let missing = people.withdraw("enr_x", ann()).await.unwrap_err();
    assert_eq!(missing.code, FieldFaultCode::UnknownEnrolment);

    // The call finds out what it made, and nothing on the disk has a secret.
    let made = people.enrolment_of(wish(3, here()).call).await.unwrap();
    assert_eq!(made.unwrap().id, late.enrolment);
    assert_eq!(
        people.enrolment_of(wish(9, here()).call).await.unwrap(),
        None
    );
    let bytes = stored(&office);
    for token in [&used, &withdrawn, &late] {
        let secret = token.token.split('.').nth(1).unwrap().as_bytes();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_name_is_a_new_site() {
    let office = Office::open().await;
    let people = backend(&office).await;
    let new = || WishedSite::New("Installation".to_owned());
    // The hidden site has this identifier.
    for (number, id) in [(1, "installation-2"), (2, "installation-3")] {
        let issued = people.issue(&wish(number, new())).await.unwrap();
        let note = people.enrolment(&issued.enrolment).await.unwrap().unwrap();
        assert_eq!(note.site, id);
        let shown = people.snapshot().borrow().site(id).cloned().unwrap();
        assert_eq!(shown.name, "Installation");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_gets_work_only_while_people_let_it() {
    let office = Office::open().await;
    let people = backend(&office).await;
    let token = people.issue(&wish(1, here())).await.unwrap().token;
    let options = office.options(OfficeDevice::MeetingRoom, token);
    let mut device = FleetDevice::new(options).unwrap();
    let waits = |word: &str| DeviceTurn::Waiting(word.to_owned());
    assert_eq!(turn(&mut device).await, waits("waiting"));
    let id = office.id_of(&device).await;
    let change = async |change: StandingChange| {
        let now = people.change_standing(&id, &change, ann()).await.unwrap();
        let shown = people.snapshot();
        let shown = shown.borrow().device(&id).map(|it| it.standing);
        let is_shown = now != DeviceStanding::Retired;
        assert_eq!(shown, is_shown.then_some(now), "it is seen at once");
        now
    };
    let adopt = |fingerprint: String| StandingChange::Adopt { fingerprint };
    let other = change(adopt("0".repeat(64))).await;
    assert_eq!(other, DeviceStanding::Waiting, "another key");
    assert_eq!(turn(&mut device).await, waits("waiting"));
    for _ in 0..2 {
        let adopted = change(adopt(device.fingerprint())).await;
        assert_eq!(adopted, DeviceStanding::Adopted);
    }
    device.restart();
    assert_eq!(turn(&mut device).await, DeviceTurn::Idle);
    let reason = || "It was stolen.".to_owned();
    change(StandingChange::Suspend { reason: reason() }).await;
    device.restart();
    let refused = Box::pin(device.turn()).await.unwrap_err();
    assert!(format!("{refused:?}").contains("device_suspended"));
    change(StandingChange::Resume).await;
    device.restart();
    assert_eq!(turn(&mut device).await, DeviceTurn::Idle);
    assert_eq!(people.retired(&id).await.unwrap(), None);
    change(StandingChange::Retire { reason: reason() }).await;
    let left = people.retired(&id).await.unwrap().unwrap();
    assert_eq!((&*left.by, &*left.reason), ("Ann", "It was stolen."));
    assert_eq!(left.at, Timestamp(office.dispatch.now_ms()));
    assert_eq!(left.device.standing, DeviceStanding::Retired);
    assert!(!left.device.is_online && left.device.id == id);
    device.restart();
    let retired = Box::pin(device.turn()).await.ok();
    assert_ne!(retired, Some(DeviceTurn::Idle));
    let resumed = change(StandingChange::Resume).await;
    assert_eq!(resumed, DeviceStanding::Retired, "for good");
    let history = office.tables.history(Some(&id), None, 50).await.unwrap();
    let by_ann = history.iter().filter(|row| row.actor == ann().to_string());
    let actions: Vec<_> = by_ann.map(|row| row.action).collect();
    let expected = [
        HistoryAction::DeviceRetired,
        HistoryAction::DeviceResumed,
        HistoryAction::DeviceSuspended,
        HistoryAction::DeviceAdopted,
    ];
    assert_eq!(actions, expected);
}

/// The acts of Ann on a thing, newest first.
async fn acts(office: &Office, thing: &str) -> Vec<HistoryAction> {
    let history = office.tables.history(Some(thing), None, 50).await.unwrap();
    let by_ann = history.iter().filter(|row| row.actor == ann().to_string());
    by_ann.map(|row| row.action).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_policy_reads_what_people_say_about_a_device() {
    let office = Office::open().await;
    let device = office.adopted(OfficeDevice::MeetingRoom).await;
    let people = backend(&office).await;
    let id = office.id_of(&device).await;
    let edit = async |wish: DeviceWish| people.edit_device(&id, &wish, ann()).await.unwrap();
    let critical = |is_so: bool| DeviceWish {
        critical: Some(is_so),
        ..DeviceWish::default()
    };
    let said = || {
        let around = people.surroundings(&id).unwrap().device;
        (around.critical, around.metered)
    };
    assert_eq!(said(), (false, false));
    for _ in 0..2 {
        edit(critical(true)).await;
        assert_eq!(said(), (true, false));
    }
    edit(DeviceWish {
        name: Some("Board room".to_owned()),
        metered: Some(true),
        ..DeviceWish::default()
    })
    .await;
    edit(critical(false)).await;
    assert_eq!(said(), (false, true));
    let shown = people.snapshot();
    let shown = shown.borrow().device(&id).cloned().unwrap();
    assert_eq!(
        (&*shown.name, &*shown.tags.concat()),
        ("Board room", "metered")
    );
    let missing = people.edit_device("dev_x", &critical(true), ann()).await;
    assert_eq!(missing.unwrap_err().code, FieldFaultCode::UnknownDevice);
    let expected = [HistoryAction::DeviceEdited; 3];
    assert_eq!(acts(&office, &id).await, expected, "a repetition is none");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_shows_public_addresses_by_choice_of_a_person() {
    let office = Office::open().await;
    let people = backend(&office).await;
    let text = "93.184.215.14 and 10.1.2.3";
    let cover = async || {
        let covered = office
            .dispatch
            .cover(SITE, text, CoverSource::Outside)
            .await;
        covered.unwrap().text
    };
    let hidden = cover().await;
    assert!(!hidden.contains("93.184.215.14"), "{hidden}");
    for _ in 0..2 {
        people.hide_public(SITE, false, ann()).await.unwrap();
        let shown = cover().await;
        assert!(shown.starts_with("93.184.215.14 and "), "{shown}");
        assert!(!shown.contains("10.1.2.3"), "{shown}");
    }
    // Former tokens still stand for their values.
    let restored = office.dispatch.restore(SITE, &hidden).unwrap().unwrap();
    assert_eq!(restored, text);
    people.hide_public(SITE, true, ann()).await.unwrap();
    assert_eq!(cover().await, hidden);
    for site in ["installation", "nowhere"] {
        let unknown = people.hide_public(site, false, ann()).await.unwrap_err();
        assert_eq!(unknown.code, FieldFaultCode::UnknownSite, "{site}");
    }
    let expected = [HistoryAction::SiteChanged; 2];
    assert_eq!(acts(&office, SITE).await, expected);
}

/// The choice is stored, and its vault can't be read then: no text is covered by the former one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_that_could_not_come_into_force_comes_before_the_next_text() {
    let office = Office::open().await;
    let people = backend(&office).await;
    people.hide_public(SITE, false, ann()).await.unwrap();
    let cover = async || {
        let text = "93.184.215.14 and 10.1.2.3";
        let covered = office.dispatch.cover(SITE, text, CoverSource::Outside);
        covered.await.map(|it| it.text)
    };
    let shown = cover().await.unwrap();
    assert!(shown.starts_with("93.184.215.14 and "), "{shown}");
    let stored = office.tables.vault(SITE).await.unwrap();
    let whole = stored.entries[0].clone();
    let damaged = VaultRow {
        sealed: b"damaged".to_vec(),
        ..whole.clone()
    };
    let keep = async |revision: u64, row: VaultRow| {
        let kept = office.tables.keep_values(SITE, revision, &[row]).await;
        assert_eq!(kept.unwrap(), VaultWrite::Kept(revision + 1));
    };
    keep(stored.revision, damaged).await;
    let failed = people.hide_public(SITE, true, ann()).await.unwrap_err();
    assert_eq!(failed.code, FieldFaultCode::Storage);
    let covered = cover().await;
    assert!(covered.is_err(), "{covered:?}");
    keep(stored.revision + 1, whole).await;
    let hidden = cover().await.unwrap();
    assert!(!hidden.contains("93.184.215.14"), "{hidden}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finding_about_a_run_is_recorded_once_and_changes_nothing_else() {
    let mut office = Office::open().await;
    let mut device = office.adopted(OfficeDevice::MeetingRoom).await;
    let people = backend(&office).await;
    device.switches().switch_on(DeviceFault::DiesAfterStarted);
    let run = office.queued(&device, &evidence()).await.id;
    let order = |finding, reason: &str| ResolveOrder {
        run: run.clone(),
        finding,
        reason: reason.to_owned(),
        person: ann(),
    };
    let known = people
        .resolve(&order(RunResolution::Ran, "I saw it."))
        .await;
    assert_eq!(known.unwrap_err().code, FieldFaultCode::NotUnknown);
    turn(&mut device).await;
    turn(&mut device).await;
    let unknown = office.job(&run).await;
    assert_eq!(people.resolutions(&run).await.unwrap(), []);
    // Nobody can tell at first, which is no finding.
    let cannot_tell = order(RunResolution::CannotTell, "The line is down.");
    people.resolve(&cannot_tell).await.unwrap();
    for _ in 0..2 {
        let word = order(RunResolution::DidNotRun, "Its log is empty.");
        people.resolve(&word).await.unwrap();
    }
    let other = people.resolve(&order(RunResolution::Ran, "It did.")).await;
    assert_eq!(other.unwrap_err().code, FieldFaultCode::AlreadyResolved);
    let notes = people.resolutions(&run).await.unwrap();
    let [note, before] = &notes[..] else {
        panic!("{notes:?}");
    };
    assert_eq!(
        (note.finding, &*note.by, &*note.reason),
        (RunResolution::DidNotRun, "Ann", "Its log is empty.")
    );
    assert_eq!(note.at, Timestamp(office.dispatch.now_ms()));
    assert_eq!(
        (before.finding, &*before.by, &*before.reason),
        (RunResolution::CannotTell, "Ann", "The line is down.")
    );
    let resolved = office.job(&run).await;
    assert_eq!(resolved.state, unknown.state);
    assert_eq!(
        turn(&mut device).await,
        DeviceTurn::Idle,
        "it never runs again"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_keys_are_fingerprints() {
    let office = Office::open().await;
    let people = backend(&office).await;
    let keys = people.keys();
    assert_eq!(keys.root, office.dispatch.keys().root.as_str());
    let roles: Vec<_> = keys.signing.iter().map(|key| key.role).collect();
    assert_eq!(roles, ["root", "job", "update"]);
    let now = Timestamp(office.dispatch.now_ms());
    assert!(
        keys.signing
            .iter()
            .all(|key| key.since == now && key.revoked.is_none() && key.fingerprint.len() == 64)
    );
}
