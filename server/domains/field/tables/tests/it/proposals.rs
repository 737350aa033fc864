//! Proposals: versions that never change, made once by each call.

use std::collections::HashMap;

use field_tables::{
    FieldTablesError, FinishedAs, NewProposal, NewVersion, PolicyCheck, ProposalForm,
    ProposalOutcome, ProposalVersion, QueueOutcome,
};
use serde_json::json;

use crate::home::{ANN, Home, T, job};

fn proposal(id: &str) -> NewProposal {
    NewProposal {
        id: id.to_owned(),
        device: "dev".to_owned(),
        title: "Check the gateway".to_owned(),
    }
}

fn version(cause: &str) -> NewVersion {
    NewVersion {
        cause: cause.to_owned(),
        form: ProposalForm::Steps,
        content: r#"[{"run":"ping","target":"ip-n1.1"}]"#.to_owned(),
        rendering: "ping -n -c 4 -- 10.0.0.1".to_owned(),
        reasons: json!({ "why": "It does not answer." }),
        made_by: "model".to_owned(),
        made_from: json!({ "conversation": "c1" }),
        check: check("policy 1"),
    }
}

fn check(policy: &str) -> PolicyCheck {
    PolicyCheck {
        at_ms: T,
        policy_version: policy.to_owned(),
        risk: json!({ "level": "low", "reasons": [] }),
    }
}

async fn propose(home: &Home, id: &str, cause: &str) -> ProposalOutcome {
    let proposed = home.tables.propose(&proposal(id), &version(cause), T).await;
    proposed.unwrap()
}

fn made(outcome: ProposalOutcome) -> ProposalVersion {
    match outcome {
        ProposalOutcome::Made(version) => version,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_call_makes_one_version_and_two_editors_meet() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let tables = &home.tables;
    let first = made(propose(&home, "pro", "call 1").await);
    let repeated = ProposalOutcome::Repeated(first.clone());
    assert_eq!(propose(&home, "pro-2", "call 1").await, repeated);
    let taken = propose(&home, "pro", "call 2").await;
    assert_eq!(taken, ProposalOutcome::IdTaken);

    let by_hand = NewVersion {
        form: ProposalForm::Sh,
        content: "ping -c 1 10.0.0.1 # by hand".to_owned(),
        made_by: ANN.to_owned(),
        ..version("request 1")
    };
    let second = made(tables.add_version("pro", 1, &by_hand, T).await.unwrap());
    assert_eq!((second.version, second.form), (2, ProposalForm::Sh));
    let other = NewVersion {
        cause: "request 2".to_owned(),
        ..by_hand.clone()
    };
    let stale = tables.add_version("pro", 1, &other, T).await.unwrap();
    assert!(matches!(stale, ProposalOutcome::Stale(it) if it.head == 2));
    let again = tables.add_version("pro", 1, &by_hand, T).await.unwrap();
    assert_eq!(again, ProposalOutcome::Repeated(second));
    assert_eq!(
        tables.proposal_version("pro", 1).await.unwrap(),
        Some(first)
    );
    assert_eq!(tables.proposal_version("pro", 3).await.unwrap(), None);
    let changed = "UPDATE field_proposal_versions SET content = ''".to_owned();
    assert!(home.sql(changed).await.is_err());
    let versions = tables.proposed_versions().await.unwrap();
    assert_eq!(versions, HashMap::from([("dev".to_owned(), 2)]));
    let listed = tables.proposals(Some("dev"), None, 9).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(tables.proposals(Some("other"), None, 9).await.unwrap(), []);
}

#[tokio::test]
async fn the_newest_check_counts_and_some_are_kept() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let tables = &home.tables;
    made(propose(&home, "pro", "call").await);
    for number in 2..=40 {
        let check = check(&format!("policy {number}"));
        assert!(tables.keep_check("pro", 1, &check).await.unwrap());
    }
    assert!(!tables.keep_check("pro", 2, &check("x")).await.unwrap());
    let now = tables.proposal_version("pro", 1).await.unwrap().unwrap();
    assert_eq!(now.check, check("policy 40"));
    let checks = tables.checks("pro", 1).await.unwrap();
    assert_eq!((checks.len(), &checks[0]), (20, &check("policy 40")));
}

#[tokio::test]
async fn scripts_are_bounded_and_need_a_device() {
    let home = Home::open().await;
    let tables = &home.tables;
    let missing = tables.propose(&proposal("pro"), &version("call"), T).await;
    assert!(matches!(missing, Err(FieldTablesError::NotFound)));
    home.adopted("dev").await;
    let large = "x".repeat(70_000);
    for large in [
        NewVersion {
            content: large.clone(),
            ..version("call")
        },
        NewVersion {
            rendering: large.clone(),
            ..version("call")
        },
        NewVersion {
            reasons: json!(large),
            ..version("call")
        },
    ] {
        let refused = tables.propose(&proposal("pro"), &large, T).await;
        assert!(matches!(refused, Err(FieldTablesError::TooLarge { .. })));
    }
    // What was refused left nothing behind.
    assert_eq!(tables.proposal("pro").await.unwrap(), None);
}

#[tokio::test]
async fn the_version_that_ran_is_the_one_that_was_let_start() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let tables = &home.tables;
    let last = || tables.last_version_that_ran("pro");
    for number in 1..=3 {
        let mut new = job("dev", number);
        new.proposal = Some(("pro".to_owned(), number));
        let queued = tables.queue_job(&new, T).await.unwrap();
        assert!(matches!(queued, QueueOutcome::Queued(_)));
        assert_eq!(last().await.unwrap(), (number > 1).then_some(1));
        let claim = home.claimed("dev", &format!("r{number}")).await;
        let ending = json!({});
        if number == 1 {
            home.started(&claim).await;
            let cut = tables.finish(&claim, FinishedAs::Cut, &ending, T);
            cut.await.unwrap();
        } else {
            let refused = tables.refused_by_device(&claim, &ending, T);
            refused.await.unwrap();
        }
    }
    assert_eq!(last().await.unwrap(), Some(1));
}
