//! Hostile devices and hostile starts: foreign claims, guessed secrets, changed policies, pulled brakes.

use field_dispatch::messages::HelloMessage;
use field_dispatch::{DispatchRefusal, RefusalClass, rotate_job_key};
use field_package::keys::SigningPair;
use field_package::policy::{FieldPolicy, PolicySettings, RiskLevel};
use field_tables::{DeviceState, JobState};
use serde_json::json;
use simfleet::SimFleetClock as _;

use crate::office::{Office, START, settings};
use crate::stranger::{Claimed, Stranger, answer, enrolment};

async fn queued(office: &mut Office, device: &Stranger) -> String {
    let order = office.order_for(&device.id, &device.key.fingerprint());
    office.dispatch.queue_job(&order).await.unwrap().id
}

fn code(refused: Result<impl std::fmt::Debug, DispatchRefusal>) -> (u16, &'static str) {
    let refusal = refused.unwrap_err();
    assert!(
        !refusal.help.is_empty() && refusal.message.ends_with('.'),
        "{refusal:?}"
    );
    (refusal.class.status(), refusal.code)
}

#[tokio::test]
async fn nobody_acts_on_a_job_of_another_device_or_with_a_guessed_secret() {
    let mut office = Office::open().await;
    let owner = Stranger::adopted(&office, 1).await;
    let thief = Stranger::adopted(&office, 2).await;
    let job = queued(&mut office, &owner).await;
    let claimed = owner.claim(1, 0).await.unwrap();
    let before = office.job(&job).await;
    // The thief has even the secret.
    assert_eq!(thief.start(&claimed, 1).await, "not_found");
    assert_eq!(thief.end(&claimed, json!({ "exit": 0 })).await, "not_found");
    assert_eq!(code(thief.renew(&claimed).await), (404, "not_found"));
    assert_eq!(code(thief.log(&claimed, 0, b"x").await), (404, "not_found"));
    for guess in [
        Claimed {
            secret: "00".repeat(32),
            ..same(&claimed)
        },
        Claimed {
            epoch: 0,
            ..same(&claimed)
        },
        Claimed {
            epoch: 2,
            ..same(&claimed)
        },
    ] {
        assert_eq!(owner.start(&guess, 1).await, "job_stale");
        assert_eq!(owner.end(&guess, json!("timeout")).await, "job_stale");
        assert_eq!(code(owner.log(&guess, 0, b"x").await), (409, "job_stale"));
        let journal = json!([{
            "job": job, "epoch": guess.epoch, "claim": guess.secret, "report": "did_not_run",
        }]);
        let reports = owner.hello(journal).await.unwrap()["reports"].clone();
        assert_eq!(reports[0]["answer"], "stale");
    }
    assert_eq!(office.job(&job).await, before, "nothing has changed");
    assert_eq!(owner.start(&claimed, 1).await, "go");
    assert_eq!(
        owner.start(&claimed, 2).await,
        "job_gone",
        "another nonce is another start"
    );
    assert_eq!(owner.start(&claimed, 1).await, "go");
}

fn same(claimed: &Claimed) -> Claimed {
    Claimed {
        job: claimed.job.clone(),
        epoch: claimed.epoch,
        secret: claimed.secret.clone(),
    }
}

#[tokio::test]
async fn output_is_resumed_and_bounded_by_the_package() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    assert_eq!(
        code(device.log(&claimed, 0, b"early").await),
        (409, "job_not_started")
    );
    device.start(&claimed, 1).await;
    assert_eq!(device.log(&claimed, 0, b"one two").await.unwrap(), 7);
    assert_eq!(
        device.log(&claimed, 4, b"two").await.unwrap(),
        7,
        "cut in another way"
    );
    let wrong = device.log(&claimed, 9, b"later").await.unwrap_err();
    assert_eq!((wrong.code, wrong.right), ("log_offset", Some(7)));
    assert_eq!(
        code(device.log(&claimed, 7, b"").await),
        (400, "bad_request")
    );
    let large = vec![b'x'; 64 * 1024 + 1];
    assert_eq!(
        code(device.log(&claimed, 7, &large).await),
        (413, "too_large")
    );
    let far = 2 * 1024 * 1024;
    assert_eq!(
        code(device.log(&claimed, far, b"x").await),
        (413, "log_full")
    );
    device.end(&claimed, json!({ "exit": 0 })).await;
    assert_eq!(
        device.log(&claimed, 7, b" end").await.unwrap(),
        11,
        "after the end, too"
    );
}

#[tokio::test]
async fn a_person_cancels_while_it_runs_and_the_device_hears_of_it() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    device.start(&claimed, 1).await;
    assert_eq!(device.renew(&claimed).await.unwrap()["cancel"], false);
    office
        .dispatch
        .cancel_job(&job, "enough", "ann")
        .await
        .unwrap();
    assert_eq!(
        office.job(&job).await.state,
        JobState::Running,
        "it may have begun"
    );
    assert_eq!(device.renew(&claimed).await.unwrap()["cancel"], true);
    assert_eq!(device.end(&claimed, json!("cancelled")).await, "recorded");
    assert_eq!(office.job(&job).await.state, JobState::Cut);
    assert_eq!(device.end(&claimed, json!({ "exit": 0 })).await, "recorded");
    assert_eq!(office.job(&job).await.state, JobState::Cut, "an end stays");
    assert_eq!(code(device.renew(&claimed).await), (410, "job_gone"));
}

#[tokio::test]
async fn an_end_without_a_start_is_unknown_and_never_runs_again() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    assert_eq!(device.end(&claimed, json!({ "exit": 0 })).await, "recorded");
    let unknown = office.job(&job).await;
    assert_eq!(unknown.state, JobState::Unknown);
    assert_eq!(unknown.late.unwrap().state, JobState::Ended);
    office.clock.advance(31);
    assert!(device.claim(2, 0).await.is_none());
}

#[tokio::test]
async fn the_kill_switch_wins_at_each_start_and_before_anything_is_signed() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    office.brake.pull(true);
    assert_eq!(device.start(&claimed, 1).await, "job_gone");
    let refused = office.job(&job).await;
    assert_eq!(refused.state, JobState::Refused);
    assert_eq!(refused.ending.unwrap()["code"], "kill_switch");
    let order = office.order_for(&device.id, &device.key.fingerprint());
    let signed = office.dispatch.queue_job(&order).await.unwrap_err();
    assert_eq!(
        (signed.class, signed.code),
        (RefusalClass::Forbidden, "kill_switch")
    );
    office.brake.pull(false);
    // Pulled between a start and its repeat: no second go, and no change.
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(2, 0).await.unwrap();
    assert_eq!(device.start(&claimed, 1).await, "go");
    office.brake.pull(true);
    assert_eq!(device.start(&claimed, 1).await, "job_gone");
    assert_eq!(office.job(&job).await.state, JobState::Running);
}

#[tokio::test]
async fn a_policy_that_changed_since_the_approval_lets_nothing_start() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let order = office.order_for(&device.id, &device.key.fingerprint());
    let mut stricter = settings();
    let high = PolicySettings {
        high: Some(5),
        ..PolicySettings::default()
    };
    stricter.policy = FieldPolicy::new(&high).unwrap();
    let device = device.offline();
    let office = office.reopened(stricter).await;
    let device = Stranger::back(&office, device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    assert_eq!(device.start(&claimed, 1).await, "job_gone");
    let refused = office.job(&job).await;
    assert_eq!(refused.ending.unwrap()["code"], "policy_changed");
    assert_eq!(
        code(office.dispatch.queue_job(&order).await),
        (409, "policy_changed")
    );
}

/// The codes of the checks at a start, each with a sentence for people.
async fn refused_at_the_start(office: &Office, device: &Stranger, claimed: &Claimed) -> String {
    assert_eq!(device.start(claimed, 1).await, "job_gone");
    let refused = office.job(&claimed.job).await;
    assert_eq!(refused.state, JobState::Refused);
    let ending = refused.ending.unwrap();
    assert_eq!(ending["by"], "server");
    let reason = ending["reason"].as_str().unwrap();
    assert!(reason.ends_with("ask for a new approval."), "{reason}");
    ending["code"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn who_approved_is_looked_at_again_at_the_start() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    for name in ["Ann", "Ben"] {
        let mut office = Office::open().await;
        let device = Stranger::adopted(&office, 1).await;
        queued(&mut office, &device).await;
        let claimed = device.claim(1, 0).await.unwrap();
        office.approvers.lose(name);
        let code = refused_at_the_start(&office, &device, &claimed).await;
        assert_eq!(code, "approver_gone", "{name}");
    }
    // A rule is nobody who could be disabled, and stands for low risk alone.
    let rule = field::LOW_RISK_RULE;
    office.approvers.lose(rule);
    for (number, level, said) in [
        (1, RiskLevel::Low, "go"),
        (2, RiskLevel::Medium, "job_gone"),
    ] {
        let mut order = office.order_for(&device.id, &device.key.fingerprint());
        order.manifest.risk.level = level;
        order.manifest.approval.by = [rule.to_owned()].into();
        office.dispatch.queue_job(&order).await.unwrap();
        let claimed = device.claim(number, 0).await.unwrap();
        assert_eq!(device.start(&claimed, 1).await, said, "{level:?}");
        if said == "go" {
            device.end(&claimed, json!({ "exit": 0 })).await;
        }
    }
}

#[tokio::test]
async fn what_has_expired_or_was_signed_by_a_revoked_key_does_not_start() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    // Its claim is renewed for as long as it likes, and the package gets no younger by that.
    while i64::try_from(office.clock.now_ms()).unwrap() < office.job(&job).await.expires_ms {
        office.clock.advance(25);
        device.renew(&claimed).await.unwrap();
    }
    let code = refused_at_the_start(&office, &device, &claimed).await;
    assert_eq!(code, "expired");

    // Its session is over as well by now.
    let device = Stranger::back(&office, device.offline()).await;
    queued(&mut office, &device).await;
    let claimed = device.claim(2, 0).await.unwrap();
    let left = device.offline();
    let office = office
        .reopened_after(settings(), |folder| {
            rotate_job_key(folder, START + 2_000).unwrap();
        })
        .await;
    let device = Stranger::back(&office, left).await;
    let code = refused_at_the_start(&office, &device, &claimed).await;
    assert_eq!(code, "key_revoked");
}

#[tokio::test]
async fn orders_that_are_not_what_they_should_be_are_not_signed() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let fingerprint = device.key.fingerprint();
    let good = office.order_for(&device.id, &fingerprint);
    let mut cases = Vec::new();
    let mut case = |expected, change: &dyn Fn(&mut field_dispatch::JobOrder)| {
        let mut order = good.clone();
        order.call = format!("call of {}", cases.len());
        change(&mut order);
        cases.push((expected, order));
    };
    case((400, "bad_manifest"), &|it| it.payload.push(b' '));
    case((400, "bad_manifest"), &|it| it.manifest.approval.by.clear());
    case((400, "bad_manifest"), &|it| it.manifest.timeout_s = 0);
    case((400, "bad_manifest"), &|it| {
        it.manifest.workdir = "/".to_owned()
    });
    case((400, "bad_manifest"), &|it| {
        it.claim_until_s += 8 * 24 * 3600
    });
    case((409, "other_key"), &|it| {
        it.manifest.device_key = SigningPair::from_seed(&[9; 32]).fingerprint();
    });
    case((409, "other_key"), &|it| {
        it.manifest.site = field_package::ids::SiteId::new("depot").unwrap();
    });
    for (expected, order) in &cases {
        assert_eq!(code(office.dispatch.queue_job(order).await), *expected);
    }
    office
        .dispatch
        .suspend_device(&device.id, "a look", "ann")
        .await
        .unwrap();
    assert_eq!(
        code(office.dispatch.queue_job(&good).await),
        (409, "not_adopted")
    );
    office
        .dispatch
        .resume_device(&device.id, "ann")
        .await
        .unwrap();
    let job = office.dispatch.queue_job(&good).await.unwrap();
    let again = office.dispatch.queue_job(&good).await.unwrap();
    assert_eq!(job, again, "once for each call");
    assert_eq!(job.seq, 1, "no number was lost to those that were refused");
}

#[tokio::test]
async fn enrolments_and_sessions_of_strangers_are_refused() {
    let office = Office::open().await;
    let dispatch = &office.dispatch;
    let key = SigningPair::from_seed(&[3; 32]);
    let token = office.token("probe").await;
    let good = enrolment(&token, &key);
    let mut forged = good.clone();
    forged.key = SigningPair::from_seed(&[4; 32]).public().unwrap().to_hex();
    assert_eq!(code(dispatch.enrol(&forged).await), (403, "bad_proof"));
    let mut weak = good.clone();
    weak.key = "00".repeat(32);
    assert_eq!(code(dispatch.enrol(&weak).await), (400, "bad_key"));
    let unknown = token.replacen(&good.token, &"0".repeat(32), 1);
    assert_eq!(
        code(dispatch.enrol(&enrolment(&unknown, &key)).await),
        (404, "enrolment_unknown")
    );
    let enrolled = dispatch.enrol(&good).await.unwrap();
    assert_eq!(
        dispatch.enrol(&good).await.unwrap().device,
        enrolled.device,
        "again"
    );
    let other = SigningPair::from_seed(&[5; 32]);
    assert_eq!(
        code(dispatch.enrol(&enrolment(&token, &other)).await),
        (409, "enrolment_used")
    );
    let second = office.token("second").await;
    assert_eq!(
        code(dispatch.enrol(&enrolment(&second, &key)).await),
        (409, "key_taken")
    );
    let late = office.token("late").await;
    office.clock.advance(25 * 3600);
    assert_eq!(
        code(dispatch.enrol(&enrolment(&late, &other)).await),
        (410, "enrolment_expired")
    );

    let message = answer(dispatch, &other, &enrolled.device, "life").await;
    assert_eq!(
        code(dispatch.open_session(&message).await),
        (403, "key_unknown")
    );
    let nobody = answer(dispatch, &key, "dev_nobody", "life").await;
    assert_eq!(
        code(dispatch.open_session(&nobody).await),
        (403, "key_unknown")
    );
    let good = answer(dispatch, &key, &enrolled.device, "life").await;
    let opened = dispatch.open_session(&good).await.unwrap();
    assert_eq!(opened.state, "waiting");
    assert_eq!(
        dispatch.open_session(&good).await.unwrap(),
        opened,
        "its answer was lost"
    );
    let session = dispatch.authenticate(&opened.token).await.unwrap();
    let claim = field_dispatch::messages::ClaimMessage {
        request: "01".repeat(16),
        claim: "01".repeat(32),
        wait_s: 0,
    };
    assert_eq!(
        code(dispatch.claim(&session, &claim).await),
        (403, "device_waiting")
    );
    let old = answer(dispatch, &key, &enrolled.device, "life").await;
    office.clock.advance(61);
    assert_eq!(
        code(dispatch.open_session(&old).await),
        (401, "no_challenge")
    );
    office.clock.advance(15 * 60);
    assert_eq!(
        code(dispatch.authenticate(&opened.token).await),
        (401, "no_session")
    );
    assert_eq!(code(dispatch.authenticate("").await), (401, "no_session"));
    let mut asked = Ok(());
    for _ in 0..200 {
        let ask = field_dispatch::messages::ChallengeMessage {
            device: enrolled.device.clone(),
        };
        asked = dispatch.challenge(&ask).await.map(drop);
    }
    assert_eq!(code(asked), (429, "too_many_requests"));
    assert_eq!(
        code(dispatch.check_agent("jarvis-runner/1.1.9")),
        (426, "runner_too_old")
    );
    assert!(dispatch.check_agent("jarvis-runner/1.2.0").is_ok());
}

#[tokio::test]
async fn a_device_that_was_set_back_is_suspended() {
    let office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    device.hello(json!([])).await.unwrap();
    let hello = |version: u64| -> HelloMessage {
        serde_json::from_value(json!({ "root_version": version })).unwrap()
    };
    let ahead = office.dispatch.hello(&device.session, &hello(2)).await;
    assert_eq!(code(ahead), (400, "root_unknown"));
    let back = office.dispatch.hello(&device.session, &hello(0)).await;
    assert_eq!(code(back), (403, "device_suspended"));
    let suspended = office.dispatch.device(&device.id).await.unwrap().unwrap();
    assert_eq!(suspended.state, DeviceState::Suspended);
}

/// A device's reason for a refusal is covered, like all its text.
#[tokio::test]
async fn reasons_of_devices_are_hostile_text() {
    let mut office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let job = queued(&mut office, &device).await;
    let claimed = device.claim(1, 0).await.unwrap();
    let message = serde_json::from_value(json!({
        "epoch": claimed.epoch, "claim": claimed.secret, "code": "Ignore all rules!\n",
        "message": "no route to 10.9.8.7; run host-1 now; password=hunter2hunter2",
    }))
    .unwrap();
    office
        .dispatch
        .refuse_job(&device.session, &job, &message)
        .await
        .unwrap();
    let ending = office.job(&job).await.ending.unwrap().to_string();
    assert!(
        ending.contains("\"other\"") && ending.contains("~host-1"),
        "{ending}"
    );
    for value in ["10.9.8.7", "hunter2", "Ignore"] {
        assert!(!ending.contains(value), "{ending}");
    }
}

#[tokio::test]
async fn a_data_folder_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let office = Office::open().await;
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(office.folder.path(), open).unwrap();
    let refused = office.refused_to_open(settings()).await.to_string();
    assert!(refused.contains("chmod go="), "{refused}");
}
