//! Documents that are taken back on the simulated company: what stands in the way, and what comes loose.

use agent::ports::{Preview, Reconciled};
use erp::{Erp, RestVersion};
use protocol::Tier;
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::{
    acting::{
        DAY, card, changes, find, input, is_whole, just_now, long_ago, lose, number, preview,
        reconcile, refused, table, typed, with, world, worlds,
    },
    drafts::post,
    simulated::{World, data, first, is},
    stub::tool,
};

fn because(input: &Value) -> Value {
    with(
        input,
        json!({"reason": "Wrong customer; 1 < 2 & <b>so on</b>"}),
    )
}

/// A submitted invoice that a submitted payment pays, and the payment.
async fn paid_invoice(world: &World, erp: &Erp) -> (Value, String) {
    let control = world.site.control();
    let of_invoice = |payment: &Value| {
        let mut rows = payment["references"].as_array()?.iter();
        let row = rows.find(|it| it["reference_doctype"] == "Sales Invoice")?;
        Some(row["reference_name"].as_str().unwrap().to_owned())
    };
    for name in control.names("Payment Entry") {
        let payment = control.document("Payment Entry", &name).unwrap();
        if payment["docstatus"] != 1 || payment["company"] != "Aldergate Cycles" {
            continue;
        }
        let Some(invoice) = of_invoice(&payment) else {
            continue;
        };
        let stored = control.document("Sales Invoice", &invoice).unwrap();
        let is_recent = stored["posting_date"].as_str().unwrap() >= "2026-10-01";
        if is_recent && stored["docstatus"] == 1 {
            return (input(erp, "Sales Invoice", &invoice).await, name);
        }
    }
    panic!("no paid invoice");
}

#[tokio::test]
async fn payments_that_come_loose_are_on_the_card() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let (invoice, payment) = paid_invoice(&world, &erp).await;
        let invoice = because(&invoice);
        let name = invoice["name"].as_str().unwrap();
        let shown = card(&erp, "cancel_doc", &invoice).await;
        let (rows, _) = table(&shown, "Payments that come loose").unwrap();
        assert_eq!(
            rows[0][..2],
            ["Payment Entry", payment.as_str()],
            "{rows:?}"
        );
        assert!(number(&rows[0][2]) > 0.0, "{rows:?}");
        let posted = json!({"doctype": "Sales Invoice", "name": name, "kind": "accounting"});
        let posted = data(&erp, "get_ledger", posted).await;
        let (_, sums) = table(&shown, "Accounting ledger").unwrap();
        let debit = posted["accounting"]["sums"]["debit"].as_str();
        assert_eq!(debit, Some(format!("{} EUR", sums[2]).as_str()));
        // A word is always typed: the last digits of the name.
        assert!(
            name.ends_with(typed(&shown).unwrap()),
            "{:?}",
            shown.assurance
        );
        assert!(world.site.control().effects().is_empty());
        assert_eq!(card(&erp, "cancel_doc", &invoice).await, shown);
        lose(&world, "PUT", name);
        let done = data(&erp, "cancel_doc", invoice.clone()).await;
        assert_eq!(done["docstatus"], "cancelled", "{done}");
        assert_eq!(changes(&world, 0, name), 1);
        let comments = world.site.control().names("Comment");
        let comments: Vec<_> = comments
            .iter()
            .filter_map(|it| world.site.control().document("Comment", it))
            .filter(|it| it["reference_name"] == name)
            .collect();
        assert_eq!(comments.len(), 1, "{comments:?}");
        let words = comments[0]["content"].as_str().unwrap();
        assert_eq!(
            words,
            "Wrong customer; 1 &lt; 2 &amp; &lt;b&gt;so on&lt;/b&gt;"
        );
        let found = reconcile(&erp, "cancel_doc", &invoice, just_now()).await;
        let Reconciled::Done(Ok(found)) = found else {
            panic!("{found:?}");
        };
        assert!(found.data["warnings"].is_null(), "{found:?}");
        assert!(
            refused(&erp, "cancel_doc", &invoice)
                .await
                .contains("cancelled")
        );
        is_whole(&world);
    }
}

#[tokio::test]
async fn in_an_immutable_ledger_the_reversal_is_of_today() {
    let reversed_on = |card: &Preview| {
        let mut facts = card.facts.iter();
        let day = facts.find(|it| it.label == "Reversed on").unwrap();
        day.value.clone()
    };
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let (invoice, _) = paid_invoice(&world, &erp).await;
        let invoice = because(&invoice);
        let name = invoice["name"].as_str().unwrap();
        let stored = world.site.control().document("Sales Invoice", name);
        let own = stored.unwrap()["posting_date"].as_str().unwrap().to_owned();
        let today = "2026-11-21";
        assert_ne!(own, today);
        let shown = card(&erp, "cancel_doc", &invoice).await;
        assert_eq!(reversed_on(&shown), own);
        let on = json!({"doctype": "Accounts Settings", "name": "Accounts Settings",
            "fieldname": "enable_immutable_ledger", "value": 1});
        post(&world, "/api/method/frappe.client.set_value", &on).await;
        let shown = card(&erp, "cancel_doc", &invoice).await;
        assert_eq!(reversed_on(&shown), today);

        let ledger = json!({"doctype": "Sales Invoice", "name": name, "kind": "accounting"});
        let before = data(&erp, "get_ledger", ledger.clone()).await;
        data(&erp, "cancel_doc", invoice.clone()).await;
        let after = data(&erp, "get_ledger", ledger).await;
        let (before, after) = (&before["accounting"], &after["accounting"]);
        // The lines as they were, and the same ones the other way round.
        let count = |ledger: &Value| ledger["of"].as_u64().unwrap();
        assert_eq!(count(after), 2 * count(before), "{after}");
        let days = after["lines"].as_array().unwrap().iter();
        let of_today = days.filter(|it| it["posting_date"] == today);
        assert_eq!(
            u64::try_from(of_today.count()),
            Ok(count(before)),
            "{after}"
        );
        assert_eq!(after["balanced"], true);
        is_whole(&world);
    }
}

#[tokio::test]
async fn what_hangs_on_it_is_named_and_nothing_is_sent() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        // A draft invoice blocks its order.
        let filters = json!([is("customer", "Rheinrad"), is("docstatus", 0)]);
        let invoice = first(&erp, "Sales Invoice", filters).await;
        let stored = world
            .site
            .control()
            .document("Sales Invoice", &invoice)
            .unwrap();
        let order = stored["items"][0]["sales_order"].as_str().unwrap();
        let order = because(&input(&erp, "Sales Order", order).await);
        let error = preview(&erp, "cancel_doc", &order).await.unwrap_err();
        assert!(error.contains(&invoice), "{error}");
        // So does a delivery.
        let filters = json!([is("customer", "Harbour Wheels"), is("docstatus", 1)]);
        let note = first(&erp, "Delivery Note", filters).await;
        let stored = world
            .site
            .control()
            .document("Delivery Note", &note)
            .unwrap();
        let order = stored["items"][0]["against_sales_order"].as_str().unwrap();
        let order = because(&input(&erp, "Sales Order", order).await);
        let error = refused(&erp, "cancel_doc", &order).await;
        assert!(error.contains(&format!("Delivery Note {note}")), "{error}");
        let asked = world.site.control().requests();
        assert!(asked.iter().all(|it| it.method == "GET"));
    }
}

#[tokio::test]
async fn nothing_that_has_changed_is_cancelled() {
    for (world, clock) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("remarks", "Workshop hours")]);
        let invoice = because(&find(&erp, "Sales Invoice", filters).await);
        let name = invoice["name"].as_str().unwrap();
        let before = card(&erp, "cancel_doc", &invoice).await;
        assert!(
            before.facts.iter().any(|it| it.label == "Reversed on"),
            "{:?}",
            before.facts
        );
        world.site.control().edit("Sales Invoice", name, None);
        assert!(
            preview(&erp, "cancel_doc", &invoice)
                .await
                .unwrap_err()
                .contains("has changed")
        );
        assert!(
            refused(&erp, "cancel_doc", &invoice)
                .await
                .contains("has changed")
        );
        let left = reconcile(&erp, "cancel_doc", &invoice, long_ago()).await;
        assert!(matches!(left, Reconciled::NotDone(_)), "{left:?}");
        let open = reconcile(&erp, "cancel_doc", &invoice, just_now()).await;
        let is_told = |why: &str| {
            why.contains("was changed by ") && why.ends_with("The ERP may still be working on it.")
        };
        assert!(
            matches!(&open, Reconciled::Unknown(why) if is_told(why)),
            "{open:?}"
        );
        clock.advance(DAY);
        is_whole(&world);
    }
}

#[tokio::test]
async fn a_reason_that_could_not_be_added_is_no_failure_and_is_missed_later() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let notes = json!([is("customer", "Harbour Wheels"), is("docstatus", 1)]);
        let note = because(&find(&erp, "Delivery Note", notes).await);
        let control = world.site.control();
        let fault = SimErpFault::Message("Not now".to_owned());
        control.fault(SimErpTrigger::next("add_comment", fault));
        let done = data(&erp, "cancel_doc", note.clone()).await;
        let said = done["warnings"][0].as_str().unwrap_or_default();
        assert!(said.contains("was not added"), "{done}");
        assert_eq!(done["docstatus"], "cancelled", "{done}");
        // After the comment the site is asked nothing whose failure would hide what is done.
        let asked = control.requests();
        let last = &asked.last().unwrap().path;
        assert!(last.contains("add_comment"), "{last}");
        // After a restart nobody knows of the warning.
        match reconcile(&erp, "cancel_doc", &note, just_now()).await {
            Reconciled::Done(Ok(found)) => {
                let said = found.data["warnings"][0].as_str().unwrap_or_default();
                assert!(said.contains("is not there"), "{found:?}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(control.names("Comment").len(), 0);
        is_whole(&world);
    }
}

#[tokio::test]
async fn a_workflow_cancels_its_own_and_a_reason_mentions_nobody() {
    let (world, _) = world(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Manager);
    let filters = json!([is("docstatus", 1)]);
    let order = because(&find(&erp, "Purchase Order", filters).await);
    let error = refused(&erp, "cancel_doc", &order).await;
    assert!(
        error.contains("Use apply_workflow") && error.contains("\"Cancel\""),
        "{error}"
    );
    let cancel = tool(&erp, "cancel_doc");
    assert_eq!(cancel.assess(&order).tier, Tier::Red);
    assert_eq!(cancel.assess(&order).refused, None);
    let mail = with(&order, json!({"reason": "for boss@evil.example"}));
    assert!(cancel.assess(&mail).refused.is_some());
    assert_eq!(
        cancel
            .assess(&with(&order, json!({"doctype": "Company"})))
            .tier,
        Tier::Black
    );
}
