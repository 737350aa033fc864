//! Events for those who follow: one for each thing that happened, in order, and the newest of them alone.

use field_tables::{
    FieldEvent, FieldEventSubject, NewBundle, NewProposal, NewVersion, PolicyCheck, ProposalForm,
};
use serde_json::json;

use crate::home::{ANN, Home, SITE, T};

/// The events after a cursor: number, subject, identifier, kind.
async fn after(home: &Home, number: i64) -> Vec<(i64, &'static str, String, String)> {
    let found = home.tables.events(number, 100).await.unwrap();
    assert!(!found.is_gap, "{number}");
    let words = |event: FieldEvent| {
        let subject = event.subject.word();
        (event.number, subject, event.id, event.kind)
    };
    found.events.into_iter().map(words).collect()
}

fn check() -> PolicyCheck {
    PolicyCheck {
        at_ms: T,
        policy_version: "1".to_owned(),
        risk: json!({ "level": "low" }),
    }
}

#[tokio::test]
async fn each_change_is_one_event_also_after_a_restart() {
    let home = Home::open().await;
    assert!(after(&home, 0).await.is_empty());
    home.adopted("dev").await;
    let tables = &home.tables;
    tables.suspend_device("dev", "lost", ANN, T).await.unwrap();
    tables.suspend_device("dev", "lost", ANN, T).await.unwrap();
    tables.resume_device("dev", ANN, T).await.unwrap();
    let bundle = NewBundle {
        id: "bun".to_owned(),
        site: SITE.to_owned(),
        device: None,
        source: "token_1".to_owned(),
        taken_ms: None,
    };
    for _ in 0..2 {
        tables.begin_bundle(&bundle, T).await.unwrap();
        tables.complete_bundle("bun", T + 1).await.unwrap();
    }
    let proposal = NewProposal {
        id: "pro".to_owned(),
        device: "dev".to_owned(),
        title: "Check 10.0.0.1".to_owned(),
    };
    let version = NewVersion {
        cause: "call".to_owned(),
        form: ProposalForm::Steps,
        content: "[]".to_owned(),
        rendering: String::new(),
        reasons: json!({}),
        made_by: "program".to_owned(),
        made_from: json!({}),
        check: check(),
    };
    for _ in 0..2 {
        tables.propose(&proposal, &version, T).await.unwrap();
    }
    tables.keep_check("pro", 1, &check()).await.unwrap();
    home.queued("dev", 1).await;
    let claim = home.claimed("dev", "r").await;
    home.started(&claim).await;

    let expected = [
        ("device", "dev", "enrolled"),
        ("device", "dev", "adopted"),
        ("device", "dev", "suspended"),
        ("device", "dev", "resumed"),
        ("bundle", "bun", "begun"),
        ("bundle", "bun", "complete"),
        ("proposal", "pro", "proposed"),
        ("proposal", "pro", "checked"),
        ("run", "run-dev-1", "queued"),
        ("run", "run-dev-1", "claimed"),
        ("run", "run-dev-1", "running"),
    ];
    let expected = (1..)
        .zip(expected)
        .map(|(number, (subject, id, kind))| (number, subject, id.to_owned(), kind.to_owned()));
    let expected: Vec<_> = expected.collect();
    assert_eq!(after(&home, 0).await, expected);
    let home = home.reopened().await;
    assert_eq!(after(&home, 6).await, expected[6..]);
    let first = home.tables.events(6, 1).await.unwrap();
    assert_eq!((first.events.len(), first.newest), (1, 11));
    let event = FieldEvent {
        number: 7,
        at_ms: T,
        site: SITE.to_owned(),
        device: Some("dev".to_owned()),
        subject: FieldEventSubject::Proposal,
        id: "pro".to_owned(),
        version: Some(1),
        kind: "proposed".to_owned(),
    };
    assert_eq!(first.events, [event]);
}

#[tokio::test]
async fn the_oldest_make_room_and_a_gap_is_known() {
    let home = Home::open().await;
    for (cursor, is_gap) in [(0, false), (1, true)] {
        let found = home.tables.events(cursor, 10).await.unwrap();
        assert_eq!((found.is_gap, found.newest), (is_gap, 0), "{cursor}");
    }
    let filled = home.sql(
        "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20005) \
         INSERT INTO field_events (at_ms, site, subject, id, kind) \
         SELECT x, 'office', 'run', 'run', 'queued' FROM n"
            .to_owned(),
    );
    filled.await.unwrap();
    assert_eq!(
        home.number("SELECT count(*) FROM field_events").await,
        20_000
    );
    for (cursor, is_gap, first) in [
        (4, true, Some(6)),
        (5, false, Some(6)),
        (20_005, false, None),
        (20_006, true, None),
        (i64::MAX, true, None),
    ] {
        let found = home.tables.events(cursor, 1).await.unwrap();
        let number = found.events.first().map(|event| event.number);
        assert_eq!((found.is_gap, number), (is_gap, first), "{cursor}");
        assert_eq!(found.newest, 20_005);
    }
}
