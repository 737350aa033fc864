//! Submits that the ERP does in the background: followed to their end, or told as what they are.

use std::time::Duration;

use agent::ports::Reconciled;
use erp::{Erp, RestVersion};
use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};
use tokio::task::JoinHandle;

use crate::{
    acting::{card, find, is_whole, just_now, long_ago, lose, reconcile, table, world, writes},
    simulated::{World, ask, data, is},
};

/// The time that the queue of the simulated company takes, and more than a call waits for it.
const QUEUE: Duration = Duration::from_secs(20);
const TOO_LONG: Duration = Duration::from_secs(200);

async fn journal(erp: &Erp) -> Value {
    let filters = json!([is("user_remark", "Allocation of travel costs")]);
    find(erp, "Journal Entry", filters).await
}

type Outcome = Result<(String, Value), String>;

fn submit(erp: &Erp, input: &Value) -> JoinHandle<Outcome> {
    let (erp, input) = (erp.clone(), input.clone());
    tokio::spawn(async move {
        let done = ask(&erp, "submit_doc", input).await;
        done.map(|it| (it.summary, it.data))
            .map_err(|error| error.message)
    })
}

/// Waits until the queue has been asked so many times more.
async fn asked(world: &World, before: usize, times: usize) {
    while asks(world) < before + times {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn asks(world: &World) -> usize {
    let seen = world.site.control().requests().into_iter();
    seen.filter(|it| it.path.contains("get_latest_submissions"))
        .count()
}

#[tokio::test]
async fn what_is_queued_is_followed_to_its_end() {
    let (world, clock) = world(SimErpProfile::V16, RestVersion::V2).await;
    let erp = world.erp(SimErpUser::Agent);
    let input = journal(&erp).await;
    let shown = card(&erp, "submit_doc", &input).await;
    let (rows, sums) = table(&shown, "Accounting ledger").unwrap();
    assert!(rows.len() <= 51 && sums[1] == sums[2], "{sums:?}");
    // It was asked before the order, and after it.
    let (sent, before) = (writes(&world), asks(&world));
    let running = submit(&erp, &input);
    asked(&world, before, 2).await;
    assert!(!running.is_finished());
    clock.advance(QUEUE);
    let (summary, done) = running.await.unwrap().unwrap();
    assert!(summary.ends_with(" submitted"), "{summary}");
    assert_eq!(
        (&done["docstatus"], &done["outcome"]),
        (&json!("submitted"), &Value::Null)
    );
    assert_eq!(writes(&world), sent + 1);
    is_whole(&world);
}

#[tokio::test]
async fn what_stays_in_the_queue_is_not_done() {
    let (world, clock) = world(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let input = journal(&erp).await;
    world.site.control().set_queue_stuck(true);
    let before = asks(&world);
    let running = submit(&erp, &input);
    // Before the order, after it, and once it is followed until a time that is set before.
    asked(&world, before, 3).await;
    clock.advance(TOO_LONG);
    let (summary, done) = running.await.unwrap().unwrap();
    assert!(summary.contains("still queued in the ERP"), "{summary}");
    assert_eq!(
        (&done["outcome"], &done["docstatus"]),
        (&json!("queued"), &json!("draft"))
    );
    // After a restart it is followed too.
    let follow = || {
        let (erp, input) = (world.erp(SimErpUser::Agent), input.clone());
        let check = async move { reconcile(&erp, "submit_doc", &input, long_ago()).await };
        (asks(&world), tokio::spawn(check))
    };
    let (before, running) = follow();
    asked(&world, before, 2).await;
    clock.advance(TOO_LONG);
    let open = Reconciled::Unknown("It is still queued in the ERP.".to_owned());
    assert_eq!(running.await.unwrap(), open);
    let (before, running) = follow();
    asked(&world, before, 2).await;
    world.site.control().set_queue_stuck(false);
    let found = running.await.unwrap();
    assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
    is_whole(&world);
}

#[tokio::test]
async fn what_the_queue_cannot_do_is_said_and_can_be_tried_again() {
    let (world, clock) = world(SimErpProfile::V15, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let input = journal(&erp).await;
    let control = world.site.control();
    let withdraw = |it| control.set_withdrawn(SimErpUser::Agent.email(), "Journal Entry", it);
    let before = asks(&world);
    let running = submit(&erp, &input);
    asked(&world, before, 2).await;
    withdraw(true);
    clock.advance(QUEUE);
    let has_failed = || {
        let jobs = control.names("Submission Queue");
        let mut jobs = jobs
            .iter()
            .filter_map(|it| control.document("Submission Queue", it));
        jobs.any(|it| it["status"] == "Failed")
    };
    while !has_failed() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    withdraw(false);
    let error = running.await.unwrap().unwrap_err();
    assert!(
        error.starts_with("The ERP's queue could not submit it"),
        "{error}"
    );
    let found = reconcile(&erp, "submit_doc", &input, long_ago()).await;
    assert_eq!(found, Reconciled::NotDone(error));
    // What failed before is no end of the next one.
    let before = asks(&world);
    let running = submit(&erp, &input);
    asked(&world, before, 2).await;
    clock.advance(QUEUE);
    let (_, done) = running.await.unwrap().unwrap();
    assert_eq!(done["docstatus"], "submitted", "{done}");
    is_whole(&world);
}

/// Profiles that keep an entry in the queue, and those that leave a comment where something fails.
const BOTH: [(SimErpProfile, RestVersion); 2] = [
    (SimErpProfile::V16, RestVersion::V2),
    (SimErpProfile::V15, RestVersion::V1),
];

#[tokio::test]
async fn a_failure_in_the_queue_is_told_although_the_answer_was_lost() {
    for (profile, rest) in BOTH {
        let (world, clock) = world(profile, rest).await;
        let erp = world.erp(SimErpUser::Agent);
        let input = journal(&erp).await;
        let control = world.site.control();
        let sent = writes(&world);
        lose(&world, "POST", "frappe.client.submit");
        let running = submit(&erp, &input);
        while writes(&world) == sent {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        control.set_withdrawn(SimErpUser::Agent.email(), "Journal Entry", true);
        clock.advance(QUEUE);
        // The next request of anybody lets the queue work.
        control.broken();
        control.set_withdrawn(SimErpUser::Agent.email(), "Journal Entry", false);
        let error = running.await.unwrap().unwrap_err();
        assert!(
            error.starts_with("The ERP's queue could not submit it. The ERP says: “"),
            "{error}"
        );
        assert_eq!(writes(&world), sent + 1);
        is_whole(&world);
    }
}

#[tokio::test]
async fn a_comment_about_a_failure_counts_only_if_the_erp_has_left_it() {
    let (world, clock) = world(SimErpProfile::V15, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let input = journal(&erp).await;
    let control = world.site.control();
    let check =
        async |since| reconcile(&world.erp(SimErpUser::Agent), "submit_doc", &input, since).await;
    let open = "may still be in the ERP's queue";
    let is_open =
        |found: &Reconciled| matches!(found, Reconciled::Unknown(why) if why.contains(open));
    // Nothing tells that it is not in the queue, however long ago it was.
    let found = check(long_ago()).await;
    assert!(is_open(&found), "{found:?}");
    let mut comment = input.clone();
    comment["text"] = "Action Failed\n\nIt was not submitted. Submit it again.".into();
    comment.as_object_mut().unwrap().remove("modified");
    data(&erp, "add_comment", comment).await;
    let found = check(just_now()).await;
    assert!(is_open(&found), "{found:?}");
    // The ERP's own says so at once.
    let sent = writes(&world);
    let running = submit(&erp, &input);
    while writes(&world) == sent {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    control.set_withdrawn(SimErpUser::Agent.email(), "Journal Entry", true);
    clock.advance(QUEUE);
    control.broken();
    control.set_withdrawn(SimErpUser::Agent.email(), "Journal Entry", false);
    running.await.unwrap().unwrap_err();
    let found = check(just_now()).await;
    assert!(
        matches!(&found, Reconciled::NotDone(why) if why.starts_with("The ERP's queue")),
        "{found:?}"
    );
}
