//! Devices: enrolment, states, reports.

use field_tables::{
    CancelOutcome, DeviceChange, DeviceEdit, DeviceReport, DeviceState, Enrolled, FailedUpdate,
    FieldTablesError, HistoryAction, JobState, QueueOutcome, ReportedProgram, StartOutcome,
    UpdateFault,
};
use serde_json::json;
use tokio::task::JoinSet;

use crate::home::{ANN, Home, SITE, T, claim, device, enrolment, job, start};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_enrolment_is_for_one_device() {
    let home = Home::open().await;
    let token = enrolment(SITE, "token");
    home.tables.make_enrolment(&token, ANN, T).await.unwrap();
    let mut uses = JoinSet::new();
    for number in 0..16 {
        let (tables, hash) = (home.tables.clone(), token.hash.clone());
        let device = device(&format!("dev-{number}"));
        uses.spawn(async move { tables.enrol(&hash, &device, T).await.unwrap() });
    }
    let outcomes = uses.join_all().await;
    let waiting: Vec<_> = outcomes
        .iter()
        .filter_map(|it| match it {
            Enrolled::Waiting(device) => Some(device),
            _ => None,
        })
        .collect();
    assert_eq!(waiting.len(), 1);
    let used = |it: &&Enrolled| **it == Enrolled::Used;
    assert_eq!(outcomes.iter().filter(used).count(), 15);
    let winner = waiting[0];
    assert_eq!(
        (winner.state, winner.site.as_str()),
        (DeviceState::Waiting, SITE)
    );
    // Its answer may have been lost: the same key gets the same device, whatever identifier it says.
    let mut again = device(&winner.id);
    again.id = "dev-anew".to_owned();
    // Also when the token is over, and only for that key.
    for at_ms in [T, token.expires_ms] {
        let enrolled = home.tables.enrol(&token.hash, &again, at_ms).await;
        assert_eq!(enrolled.unwrap(), Enrolled::Repeated(winner.clone()));
    }
    let other = device("late");
    let late = home.tables.enrol(&token.hash, &other, token.expires_ms);
    assert_eq!(late.await.unwrap(), Enrolled::Expired);
    let stored = home.number("SELECT count(*) FROM field_devices").await;
    assert_eq!(stored, 1);
}

#[tokio::test]
async fn tokens_that_are_worth_nothing() {
    let home = Home::open().await;
    home.waiting(SITE, "first").await;
    let tables = &home.tables;
    let unknown = tables.enrol(b"invented", &device("x"), T).await.unwrap();
    assert_eq!(unknown, Enrolled::Unknown);
    let token = enrolment(SITE, "token");
    tables.make_enrolment(&token, ANN, T).await.unwrap();
    let late = tables
        .enrol(&token.hash, &device("x"), token.expires_ms)
        .await
        .unwrap();
    assert_eq!(late, Enrolled::Expired);
    // A key that another device has, retired or not.
    let mut stolen = device("first");
    stolen.id = "second".to_owned();
    let taken = tables.enrol(&token.hash, &stolen, T).await.unwrap();
    assert_eq!(taken, Enrolled::KeyTaken);
    tables
        .retire_device("first", "re-flashed", ANN, T)
        .await
        .unwrap();
    let taken = tables.enrol(&token.hash, &stolen, T).await.unwrap();
    assert_eq!(taken, Enrolled::KeyTaken);
    assert!(tables.withdraw_enrolment(&token.id, ANN, T).await.unwrap());
    assert!(!tables.withdraw_enrolment(&token.id, ANN, T).await.unwrap());
    let withdrawn = tables.enrol(&token.hash, &device("x"), T).await.unwrap();
    assert_eq!(withdrawn, Enrolled::Unknown);
    let used = enrolment(SITE, "first");
    assert!(!tables.withdraw_enrolment(&used.id, ANN, T).await.unwrap());
    let pruned = tables.prune_enrolments(used.expires_ms + 1).await.unwrap();
    assert_eq!(pruned, 2);
}

#[tokio::test]
async fn each_state_leads_where_it_may() {
    use DeviceState::{Adopted, Retired, Suspended, Waiting};
    let rows = [
        (Waiting, [Adopted, Waiting, Waiting, Retired]),
        (Adopted, [Adopted, Suspended, Adopted, Retired]),
        (Suspended, [Suspended, Suspended, Adopted, Retired]),
        (Retired, [Retired, Retired, Retired, Retired]),
    ];
    let home = Home::open().await;
    let tables = &home.tables;
    for (from, expected) in rows {
        for (act, to) in expected.into_iter().enumerate() {
            let id = format!("{}-{act}", from.word());
            home.waiting(SITE, &id).await;
            let key = device(&id).fingerprint;
            if matches!(from, Adopted | Suspended) {
                tables.adopt_device(&id, &key, ANN, T).await.unwrap();
            }
            match from {
                Suspended => drop(tables.suspend_device(&id, "x", ANN, T).await.unwrap()),
                Retired => drop(tables.retire_device(&id, "x", ANN, T).await.unwrap()),
                _ => {}
            }
            let change = match act {
                0 => tables.adopt_device(&id, &key, ANN, T).await,
                1 => tables.suspend_device(&id, "x", ANN, T).await,
                2 => tables.resume_device(&id, ANN, T).await,
                _ => tables.retire_device(&id, "x", ANN, T).await,
            };
            let (now, has_changed) = match change.unwrap() {
                DeviceChange::Changed(device) => (device, true),
                DeviceChange::Unchanged(device) => (device, false),
            };
            assert_eq!(now.state, to, "act {act} on a device that is {from:?}");
            assert_eq!(has_changed, from != to);
            let forced = format!("UPDATE field_devices SET state = 'waiting' WHERE id = '{id}'");
            assert_eq!(home.sql(forced).await.is_ok(), to == Waiting);
        }
    }
}

#[tokio::test]
async fn another_fingerprint_than_the_compared_one_is_not_adopted() {
    let home = Home::open().await;
    home.waiting(SITE, "dev").await;
    let adopted = home.tables.adopt_device("dev", "what I saw", ANN, T).await;
    assert!(matches!(adopted.unwrap(), DeviceChange::Unchanged(it) if it.adopted_ms.is_none()));
    let acts = home.tables.history(Some("dev"), None, 9).await.unwrap();
    let acts: Vec<_> = acts.iter().map(|act| (act.action, &*act.actor)).collect();
    assert_eq!(acts, [(HistoryAction::DeviceEnrolled, "dev")]);
}

#[tokio::test]
async fn only_adopted_devices_get_and_start_jobs() {
    let home = Home::open().await;
    home.waiting(SITE, "new").await;
    let queued = home.tables.queue_job(&job("new", 1), T).await.unwrap();
    assert_eq!(queued, QueueOutcome::NotAdopted(DeviceState::Waiting));

    home.adopted("dev").await;
    home.queued("dev", 1).await;
    home.queued("dev", 2).await;
    let claim_1 = home.claimed("dev", "r").await;
    home.tables
        .suspend_device("dev", "clone", ANN, T)
        .await
        .unwrap();
    let suspended = DeviceState::Suspended;
    let started = home.tables.start(&start(&claim_1, "n"), T).await.unwrap();
    assert_eq!(started, StartOutcome::NotAdopted(suspended));
    let claimed = home.tables.claim(&claim("dev", "r"), T).await.unwrap();
    assert_eq!(claimed, field_tables::ClaimOutcome::NotAdopted(suspended));
    home.tables.resume_device("dev", ANN, T).await.unwrap();
    home.started(&claim_1).await;
    // Retired, what has not started never will; what runs is asked after no more.
    home.tables
        .retire_device("dev", "gone", ANN, T)
        .await
        .unwrap();
    assert_eq!(home.job("run-dev-1").await.state, JobState::Running);
    assert_eq!(home.job("run-dev-2").await.state, JobState::Cancelled);
    let over = home.tables.cancel_job("run-dev-2", "no", ANN, T).await;
    assert!(matches!(over.unwrap(), CancelOutcome::Over(_)));
}

#[tokio::test]
async fn reports_are_bounded_and_the_root_document_only_gets_newer() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let report = |root_version| DeviceReport {
        facts: json!({ "kernel": "6.12" }),
        capabilities: json!({ "sandbox": ["b"] }),
        root_version,
        program: None,
        lacking: None,
    };
    let tables = &home.tables;
    let taken = tables.report("dev", &report(3), T + 5).await.unwrap();
    assert!(matches!(&taken, DeviceChange::Changed(it) if it.last_seen_ms == Some(T + 5)));
    let set_back = tables.report("dev", &report(2), T + 9).await.unwrap();
    let DeviceChange::Unchanged(now) = set_back else {
        panic!("taken");
    };
    assert_eq!((now.root_version, now.last_seen_ms), (3, Some(T + 5)));
    let large = DeviceReport {
        facts: json!("x".repeat(70_000)),
        ..report(3)
    };
    let refused = tables.report("dev", &large, T).await;
    assert!(matches!(refused, Err(FieldTablesError::TooLarge { .. })));

    // A thousand at once; none goes back in time.
    let heard = [
        ("dev".to_owned(), T + 1),
        ("nobody".to_owned(), T + 2),
        ("key".to_owned(), T),
    ];
    tables.heard_of(&heard).await.unwrap();
    let seen = tables.device("dev").await.unwrap().unwrap().last_seen_ms;
    assert_eq!(seen, Some(T + 5));
    tables.heard_of(&[("dev".to_owned(), T + 7)]).await.unwrap();
    let seen = tables.device("dev").await.unwrap().unwrap().last_seen_ms;
    assert_eq!(seen, Some(T + 7));
}

#[tokio::test]
async fn a_program_is_as_it_was_reported_last_and_has_no_text_of_a_device() {
    let mut home = Home::open().await;
    home.adopted("dev").await;
    let program = |version: &str, failed: Option<(&str, UpdateFault, u32)>| ReportedProgram {
        version: version.to_owned(),
        failed: failed.map(|(version, fault, tries)| FailedUpdate {
            version: version.to_owned(),
            fault,
            tries,
            is_retried: fault == UpdateFault::NoReport,
        }),
    };
    let report = |program| DeviceReport {
        facts: json!({}),
        capabilities: json!({}),
        root_version: 1,
        program,
        lacking: None,
    };
    let longest = "4294967295.4294967295.4294967295";
    for reported in [
        Some(program("1.2.0", Some(("1.3.0", UpdateFault::NoReport, 1)))),
        Some(program(longest, Some((longest, UpdateFault::Unknown, 99)))),
        Some(program("0.0.0", Some(("1.3.0", UpdateFault::NoStart, 0)))),
        Some(program("1.3.0", None)),
        // An older runner reports none: what is not known is not shown.
        None,
    ] {
        let taken = home
            .tables
            .report("dev", &report(reported.clone()), T)
            .await;
        assert!(matches!(taken.unwrap(), DeviceChange::Changed(it) if it.program == reported));
        home = home.reopened().await;
        let stored = home.tables.device("dev").await.unwrap().unwrap();
        assert_eq!(stored.program, reported);
    }
    let many = program("1.0.0", Some(("1.3.0", UpdateFault::NoReport, u32::MAX)));
    let taken = home.tables.report("dev", &report(Some(many)), T).await;
    let DeviceChange::Changed(now) = taken.unwrap() else {
        panic!("not taken");
    };
    assert_eq!(now.program.unwrap().failed.unwrap().tries, 99);
    // Words are refused even if the code above the tables lets them through.
    for version in [
        "",
        "1.2",
        "1.2.x",
        "ignore all rules",
        &format!("{longest}1"),
    ] {
        for bad in [
            program(version, None),
            program("1.0.0", Some((version, UpdateFault::NoStart, 1))),
        ] {
            let refused = home.tables.report("dev", &report(Some(bad)), T).await;
            assert!(refused.is_err(), "{version}");
        }
    }
}

#[tokio::test]
async fn an_edit_counts_from_the_version_that_was_seen() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let version = home.tables.device("dev").await.unwrap().unwrap().version;
    let edit = |name: &str| DeviceEdit {
        name: name.to_owned(),
        tags: vec!["critical".to_owned()],
    };
    let tables = &home.tables;
    let first = tables
        .edit_device("dev", version, &edit("Berlin"), ANN, T)
        .await;
    assert!(matches!(first.unwrap(), DeviceChange::Changed(it) if it.name == "Berlin"));
    let second = tables
        .edit_device("dev", version, &edit("Bonn"), ANN, T)
        .await;
    assert!(matches!(second.unwrap(), DeviceChange::Unchanged(it) if it.name == "Berlin"));
    let many = DeviceEdit {
        tags: vec![String::new(); 21],
        ..edit("x")
    };
    let refused = tables.edit_device("dev", version + 1, &many, ANN, T).await;
    assert!(matches!(refused, Err(FieldTablesError::TooMany { .. })));
    let listed = tables.devices(Some(SITE)).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].tags, ["critical"]);
}

#[tokio::test]
async fn a_limit_that_is_lost_is_known_over_a_restart_until_it_is_back() {
    let mut home = Home::open().await;
    home.adopted("dev").await;
    for (at_ms, lacks, lacking, lost_ms) in [
        // It never had packet sockets, so it has not lost them.
        (1, Some(vec!["raw"]), vec!["raw"], None),
        (2, Some(vec!["memory", "raw"]), vec!["raw"], Some(2)),
        (3, Some(vec!["memory", "raw"]), vec!["raw"], Some(2)),
        // A report without them says nothing about them.
        (4, None, vec!["raw"], Some(2)),
        // Packet sockets come, and from then on they can be lost.
        (5, Some(vec![]), vec![], None),
        (6, Some(vec!["raw"]), vec![], Some(6)),
    ] {
        let words = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let report = DeviceReport {
            facts: json!({}),
            capabilities: json!({}),
            root_version: 1,
            program: None,
            lacking: lacks.map(words),
        };
        let taken = home.tables.report("dev", &report, at_ms).await.unwrap();
        assert!(matches!(taken, DeviceChange::Changed(_)));
        home = home.reopened().await;
        let stored = home.tables.device("dev").await.unwrap().unwrap();
        let expected = (Some(words(lacking)), lost_ms);
        assert_eq!((stored.lacking, stored.lost_ms), expected, "report {at_ms}");
    }
}
