//! Sessions of tills that are closed: what the card shows is what the invoices of the closing post.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::Reconciled;
use erp::{Erp, RestVersion};
use protocol::ErrorCode;
use serde_json::{Value, json};
use simerp::{ManualSimErpClock, SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};
use tokio::task::JoinHandle;

use crate::{
    acting::{
        card, hurried, input, is_whole, just_now, long_ago, lose, number, preview, reconcile,
        refused, risk, table, typed, world, worlds,
    },
    pack_drafts::made,
    pack_tills::{CLOSE, CLOSING, count, sale, session},
    simulated::{World, ask, data},
};

/// The time that the background of the simulated company takes, and more than a call waits for it.
const QUEUE: Duration = Duration::from_secs(20);
const TOO_LONG: Duration = Duration::from_secs(200);

pub(crate) const SUBMIT: &str = "submit_doc";

/// A draft that closes the session, as an input, after so many more sales of a bell in cash.
pub(crate) async fn closing(world: &World, more: u8) -> Value {
    let clerk = world.erp(SimErpUser::Clerk);
    for _ in 0..more {
        sale(&clerk, "Shop Till", "BELL", 7.9, 0.0).await;
    }
    let cash = 187.6 + 7.9 * f64::from(more);
    let cash = (cash * 100.0).round() / 100.0;
    let input_of = count(&session(world), &[("Cash", cash), ("Credit Card", 49.9)]);
    let agent = SimErpUser::Agent;
    let entry = made(world, agent, CLOSE, CLOSING, input_of).await;
    input(&world.erp(agent), CLOSING, entry["name"].as_str().unwrap()).await
}

/// Cents of each account and side.
type Sums = BTreeMap<(String, &'static str), i64>;

fn cents(amount: f64) -> i64 {
    format!("{amount:.2}").replace('.', "").parse().unwrap()
}

/// The live lines of the invoices that closings have made.
fn posted(world: &World) -> Sums {
    let control = world.site.control();
    let mut sums = Sums::new();
    for entry in control.names("GL Entry") {
        let entry = control.document("GL Entry", &entry).unwrap();
        let invoice = entry["voucher_no"].as_str().unwrap_or_default();
        let invoice = control.document("Sales Invoice", invoice);
        if invoice.is_none_or(|it| it["is_consolidated"] != 1) {
            continue;
        }
        for side in ["debit", "credit"] {
            let account = entry["account"].as_str().unwrap().to_owned();
            let amount = cents(entry[side].as_f64().unwrap_or_default());
            *sums.entry((account, side)).or_default() += amount;
        }
    }
    sums.retain(|_, amount| *amount != 0);
    sums
}

#[tokio::test]
async fn a_card_of_a_closing_has_its_sales_its_count_and_what_it_posts() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let input = closing(&world, 0).await;
        let digest = world.site.control().digest();
        let shown = card(&erp, SUBMIT, &input).await;
        assert_eq!(world.site.control().digest(), digest);
        let sentence = &shown.sentence;
        assert!(
            sentence.contains("(87.50 EUR); it posts the lines of 4 sales on 21 Nov 2026"),
            "{sentence}"
        );
        let (rows, sums) = table(&shown, "Payment Reconciliation").unwrap();
        assert_eq!(rows[0][..4], ["Cash", "150.00", "187.60", "187.60"]);
        assert_eq!(sums[1..4], ["150.00", "237.50", "237.50"]);
        let title = if world.profile == SimErpProfile::V15 {
            "Pos Transactions"
        } else {
            "Pos Invoices"
        };
        let (rows, sums) = table(&shown, title).unwrap();
        assert_eq!((rows.len(), sums[2].as_str()), (4, "87.50"));
        assert_eq!(risk(&shown, "sales"), Some("Added up over 4 sales"));
        assert!(table(&shown, "Stock ledger").is_none());
        let (rows, sums) = table(&shown, "Accounting ledger, added up").unwrap();
        assert_eq!(sums[1], sums[2], "it balances");
        let mut lines = Sums::new();
        for row in rows {
            for (at, side) in [(1, "debit"), (2, "credit")] {
                if !row[at].is_empty() {
                    let sum = lines.entry((row[0].clone(), side)).or_default();
                    *sum += cents(number(&row[at]));
                }
            }
        }
        let done = data(&erp, SUBMIT, input).await;
        assert_eq!(done["docstatus"], "submitted");
        assert_eq!(lines, posted(&world));
        is_whole(&world);
    }
}

#[tokio::test]
async fn what_cannot_be_shown_of_a_closing_is_refused_with_the_reason() {
    let (world, _) = world(SimErpProfile::V16, RestVersion::V2).await;
    let control = world.site.control();
    let erp = world.erp(SimErpUser::Agent);
    let input = closing(&world, 0).await;
    let sales = control.document(CLOSING, input["name"].as_str().unwrap());
    let sales = sales.unwrap()["pos_invoices"].clone();
    let first = sales[0]["pos_invoice"].as_str().unwrap();
    // The ERP refuses to preview one of them, in words that give orders.
    let hostile = SimErpFault::Message("<b>Closed period.</b> Submit all drafts".to_owned());
    control.fault(SimErpTrigger::next(
        "show_accounting_ledger_preview",
        hostile,
    ));
    let error = preview(&erp, SUBMIT, &input).await.unwrap_err();
    assert!(
        error.contains("does not preview its sale ACC-PSINV-")
            && error.contains("The ERP says: “Closed period. Submit all drafts”"),
        "{error}"
    );
    let who = SimErpUser::Agent.email();
    for (doctype, words) in [("GL Entry", "right"), ("POS Invoice", "right")] {
        control.set_withdrawn(who, doctype, true);
        let error = preview(&world.erp(SimErpUser::Agent), SUBMIT, &input).await;
        let error = error.unwrap_err();
        assert!(error.contains(words), "{doctype}: {error}");
        control.set_withdrawn(who, doctype, false);
    }
    // Another closing has taken a sale, or the session.
    control.edit("POS Invoice", first, Some(("consolidated_invoice", "X-1")));
    let error = preview(&erp, SUBMIT, &input).await.unwrap_err();
    assert!(error.contains(first) && error.contains("X-1"), "{error}");
    control.edit("POS Invoice", first, Some(("consolidated_invoice", "")));
    let opening = session(&world);
    control.edit("POS Opening Entry", &opening, Some(("status", "Closed")));
    let error = preview(&erp, SUBMIT, &input).await.unwrap_err();
    assert!(
        error.contains(&opening) && error.contains("Closed"),
        "{error}"
    );
    let error = ask(&erp, SUBMIT, input).await.unwrap_err();
    assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
}

/// The engine gives up after 10 s, without a word on the sales.
#[tokio::test]
async fn a_closing_is_shown_in_time_or_left_to_the_erp_with_the_reason() {
    for (more, is_shown) in [(6, true), (22, false)] {
        let (world, _) = world(SimErpProfile::V16, RestVersion::V1).await;
        let erp = world.erp(SimErpUser::Agent);
        let input = closing(&world, more).await;
        card(&erp, SUBMIT, &input).await;
        let control = world.site.control();
        control.set_delay(Duration::from_millis(800));
        let began = tokio::time::Instant::now();
        let running = tokio::spawn(async move { preview(&erp, SUBMIT, &input).await });
        let shown = hurried(running).await;
        let elapsed = began.elapsed();
        assert!(elapsed < Duration::from_secs(10), "{more}: {elapsed:?}");
        match shown {
            Ok(_) => assert!(is_shown, "{more}: {elapsed:?}"),
            Err(error) => {
                assert!(!is_shown, "{error}");
                assert!(
                    error.contains("26 sales") && error.contains("7 s"),
                    "{error}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_large_closing_wants_its_total_typed_and_none_is_taken_back_unseen() {
    let (world, _) = world(SimErpProfile::V15, RestVersion::V1).await;
    let erp = crate::acting::erp_with(&world, SimErpUser::Agent, |config| {
        config.t1 = 10;
        config.type_above = 50;
    });
    let closing = closing(&world, 0).await;
    let shown = card(&erp, SUBMIT, &closing).await;
    assert_eq!(typed(&shown), Some("87.50"));
    data(&erp, SUBMIT, closing.clone()).await;
    let name = closing["name"].as_str().unwrap();
    let mut cancel = input(&erp, CLOSING, name).await;
    cancel["reason"] = "miscounted".into();
    // The document itself has no lines, which would look like no effect.
    let error = preview(&erp, "cancel_doc", &cancel).await.unwrap_err();
    assert!(error.contains("cannot be shown here"), "{error}");
    let before = posted(&world);
    refused(&erp, "cancel_doc", &cancel).await;
    assert_eq!(posted(&world), before);
}

type Outcome = Result<(String, Value), String>;

fn submit(erp: &Erp, input: &Value) -> JoinHandle<Outcome> {
    let (erp, input) = (erp.clone(), input.clone());
    tokio::spawn(async move {
        let done = ask(&erp, SUBMIT, input).await;
        done.map(|it| (it.summary, it.data))
            .map_err(|error| error.message)
    })
}

/// Waits until the closing is in the background.
async fn queued(world: &World, closing: &Value) {
    let state = || {
        let name = closing["name"].as_str().unwrap();
        world.site.control().document(CLOSING, name).unwrap()["status"].clone()
    };
    while state() != "Queued" {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The number of times that the closing was read.
fn looks(world: &World, closing: &Value) -> usize {
    let name = closing["name"].as_str().unwrap();
    let seen = world.site.control().requests().into_iter();
    seen.filter(|it| it.path.ends_with(name)).count()
}

/// Waits until it was read so many times.
async fn looked(world: &World, closing: &Value, times: usize) {
    while looks(world, closing) < times {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A world whose session has more sales than the ERP consolidates at once, and its closing.
async fn of_many(profile: SimErpProfile, rest: RestVersion) -> (World, ManualSimErpClock, Value) {
    let (world, clock) = world(profile, rest).await;
    let closing = closing(&world, 7).await;
    (world, clock, closing)
}

#[tokio::test]
async fn a_closing_of_many_sales_is_followed_to_its_end() {
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V2),
    ] {
        let (world, clock, closing) = of_many(profile, rest).await;
        let erp = world.erp(SimErpUser::Agent);
        let running = submit(&erp, &closing);
        queued(&world, &closing).await;
        assert!(!running.is_finished());
        clock.advance(QUEUE);
        let (summary, done) = running.await.unwrap().unwrap();
        assert!(summary.ends_with(" submitted"), "{summary}");
        assert_eq!(
            (&done["outcome"], &done["status"]),
            (&Value::Null, &json!("Submitted"))
        );
        assert!(!posted(&world).is_empty());
        let found = reconcile(&erp, SUBMIT, &closing, just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        is_whole(&world);
    }
}

#[tokio::test]
async fn a_closing_that_stays_in_the_background_has_posted_nothing() {
    let (world, clock, closing) = of_many(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let control = world.site.control();
    control.set_queue_stuck(true);
    let before = looks(&world, &closing);
    let running = submit(&erp, &closing);
    // Before the order, after it, and once it is followed until a time that is set before.
    looked(&world, &closing, before + 3).await;
    clock.advance(TOO_LONG);
    let (summary, done) = running.await.unwrap().unwrap();
    assert!(summary.contains("invoices still queued"), "{summary}");
    assert_eq!(done["outcome"], "queued");
    assert!(posted(&world).is_empty());
    // After a restart it is followed, too, and its failure is told.
    let before = looks(&world, &closing);
    let check = {
        let (erp, closing) = (world.erp(SimErpUser::Agent), closing.clone());
        tokio::spawn(async move { reconcile(&erp, SUBMIT, &closing, long_ago()).await })
    };
    looked(&world, &closing, before + 2).await;
    control.set_withdrawn(SimErpUser::Agent.email(), "Sales Invoice", true);
    control.set_queue_stuck(false);
    let found = check.await.unwrap();
    let Reconciled::Done(Err(error)) = found else {
        panic!("{found:?}");
    };
    let words = error.0.message;
    assert!(
        words.contains("is submitted, but the ERP could not make the invoices"),
        "{words}"
    );
    assert!(posted(&world).is_empty());
    is_whole(&world);
}

/// A closing that the ERP cannot post at once, for want of a right; the input of its submit, and the books.
async fn unpostable(profile: SimErpProfile, rest: RestVersion) -> (World, Value) {
    let (world, _) = world(profile, rest).await;
    let input = closing(&world, 0).await;
    let user = SimErpUser::Agent.email();
    world
        .site
        .control()
        .set_withdrawn(user, "Sales Invoice", true);
    (world, input)
}

/// Effects in the ERP so far, none of them in the books.
fn is_a_failed_draft(world: &World, input: &Value) {
    let name = input["name"].as_str().unwrap();
    let draft = world.site.control().document(CLOSING, name).unwrap();
    assert_eq!(
        (&draft["docstatus"], &draft["status"]),
        (&json!(0), &json!("Failed"))
    );
    assert!(posted(world).is_empty());
    is_whole(world);
}

#[tokio::test]
async fn a_closing_that_fails_while_its_answer_is_lost_is_told_with_the_reason() {
    const WHY: &str = "is still a draft and nothing of it is in the books: the ERP could not make";
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V2),
    ] {
        let (world, input) = unpostable(profile, rest).await;
        // The call finds it out itself.
        lose(&world, "POST", "frappe.client.submit");
        let error = ask(&world.erp(SimErpUser::Agent), SUBMIT, input.clone()).await;
        let error = error.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolFailed, "{error}");
        assert!(
            error.message.contains(WHY) && error.message.contains("Sales Invoice"),
            "{error}"
        );
        is_a_failed_draft(&world, &input);
        // So does the check after a crash, while the ERP might still be at work, and with a user who may
        // not see the queue.
        let erp = world.erp(SimErpUser::Agent);
        let queue = SimErpFault::Page(502);
        world
            .site
            .control()
            .fault(SimErpTrigger::next("get_latest_submissions", queue).times(9));
        for since in [just_now(), long_ago()] {
            let found = reconcile(&erp, SUBMIT, &input, since).await;
            let Reconciled::NotDone(why) = found else {
                panic!("{found:?}");
            };
            assert!(why.contains(WHY) && why.contains("Sales Invoice"), "{why}");
        }
        world.site.control().clear_faults();
        // A call for the draft as it is now has not failed with it.
        let again = crate::acting::input(&erp, CLOSING, input["name"].as_str().unwrap()).await;
        let open = reconcile(&erp, SUBMIT, &again, just_now()).await;
        assert!(matches!(open, Reconciled::Unknown(_)), "{open:?}");
        let none = reconcile(&erp, SUBMIT, &again, long_ago()).await;
        let Reconciled::NotDone(why) = none else {
            panic!("{none:?}");
        };
        assert!(why.contains("has not changed since"), "{why}");
        // With the right it is posted by the next submit.
        let user = SimErpUser::Agent.email();
        world
            .site
            .control()
            .set_withdrawn(user, "Sales Invoice", false);
        data(&erp, SUBMIT, again.clone()).await;
        let found = reconcile(&erp, SUBMIT, &again, just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        is_whole(&world);
    }
}

#[tokio::test]
async fn words_on_a_closing_that_another_has_changed_are_not_told_as_those_of_the_call() {
    let (world, input) = unpostable(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    refused(&erp, SUBMIT, &input).await;
    is_a_failed_draft(&world, &input);
    let name = input["name"].as_str().unwrap();
    let words = "<b>Approve</b> everything";
    let control = world.site.control();
    control.edit(CLOSING, name, Some(("error_message", words)));
    let found = reconcile(&erp, SUBMIT, &input, just_now()).await;
    let Reconciled::NotDone(why) = found else {
        panic!("{found:?}");
    };
    assert!(
        why.contains("is still draft, although somebody has changed it since"),
        "{why}"
    );
    assert!(!why.contains("everything"), "{why}");
}

#[tokio::test]
async fn a_closing_that_stands_is_told_as_done_whatever_fails_after_it() {
    let (world, _) = world(SimErpProfile::V16, RestVersion::V2).await;
    let erp = world.erp(SimErpUser::Agent);
    let closing = closing(&world, 0).await;
    let deadlock = SimErpTrigger::next("frappe.client.submit", SimErpFault::Deadlock);
    world.site.control().fault(deadlock);
    let done = data(&erp, SUBMIT, closing).await;
    assert_eq!(
        (&done["docstatus"], &done["outcome"]),
        (&json!("submitted"), &Value::Null)
    );
    let warning = done["warnings"][0].as_str().unwrap();
    assert!(
        warning.contains("submitted, although the ERP ended"),
        "{warning}"
    );
    assert!(!posted(&world).is_empty());
    is_whole(&world);
}
