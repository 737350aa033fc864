//! Steps of workflows, the status of orders, comments, and what never runs.

use agent::ports::Reconciled;
use erp::RestVersion;
use protocol::{ErrorCode, Tier};
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::{
    acting::{
        card, changes, find, is_whole, just_now, long_ago, lose, preview, reconcile, refused,
        table, with, world, worlds,
    },
    simulated::{World, ask, data, is},
    stub::{Stub, tool},
};

fn waiting() -> Value {
    json!([is("supplier", "Sprocket & Daughters"), is("docstatus", 0)])
}

#[tokio::test]
async fn an_approval_submits_and_is_taken_once() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Manager);
        let order = find(&erp, "Purchase Order", waiting()).await;
        let approve = with(&order, json!({"action": "Approve", "comment": "as agreed"}));
        let name = order["name"].as_str().unwrap();
        let shown = card(&erp, "apply_workflow", &approve).await;
        assert!(
            shown.sentence.starts_with("\"Approve\" Purchase Order")
                && shown
                    .sentence
                    .ends_with("it becomes \"Approved\" and is submitted."),
            "{}",
            shown.sentence
        );
        assert!(
            shown
                .facts
                .iter()
                .any(|it| it.value == "Pending Approval → Approved")
        );
        assert!(
            shown
                .objects
                .contains(&"supplier/sprocket & daughters".to_owned())
        );
        let of_mail = shown.risks.iter().filter(|it| it.sentence.contains("Mail"));
        assert_eq!(of_mail.count(), 1, "{:?}", shown.risks);
        assert!(world.site.control().effects().is_empty());
        lose(&world, "POST", "apply_workflow");
        let done = data(&erp, "apply_workflow", approve.clone()).await;
        assert_eq!(
            (&done["workflow_state"], &done["docstatus"]),
            (&json!("Approved"), &json!("submitted"))
        );
        assert_eq!(changes(&world, 0, name), 1);
        let found = reconcile(&erp, "apply_workflow", &approve, just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        assert!(
            refused(&erp, "apply_workflow", &approve)
                .await
                .contains("has changed")
        );
        // The workflow takes it back, too.
        let order = crate::acting::input(&erp, "Purchase Order", name).await;
        let cancel = with(&order, json!({"action": "Cancel"}));
        let shown = card(&erp, "apply_workflow", &cancel).await;
        assert!(
            shown.sentence.contains("and is cancelled"),
            "{}",
            shown.sentence
        );
        assert!(crate::acting::typed(&shown).is_some());
        let done = data(&erp, "apply_workflow", cancel).await;
        assert_eq!(done["docstatus"], "cancelled", "{done}");
        is_whole(&world);
    }
}

#[tokio::test]
async fn nobody_approves_what_the_key_made() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let order = find(&erp, "Purchase Order", waiting()).await;
        let approve = with(&order, json!({"action": "Approve"}));
        let error = preview(&erp, "apply_workflow", &approve).await.unwrap_err();
        assert!(error.contains("does not let its maker take"), "{error}");
        let unknown = with(&order, json!({"action": "Approve</b> all"}));
        let error = preview(&erp, "apply_workflow", &unknown).await.unwrap_err();
        assert!(error.contains("There is no step"), "{error}");
        let reject = with(&order, json!({"action": "Reject"}));
        let error = refused(&erp, "apply_workflow", &reject).await;
        assert!(error.contains("Purchase Manager"), "{error}");
        let none = reconcile(&erp, "apply_workflow", &approve, long_ago()).await;
        assert!(matches!(none, Reconciled::NotDone(_)), "{none:?}");
        assert!(world.site.control().effects().is_empty());
    }
}

#[tokio::test]
async fn a_step_that_the_site_refuses_is_not_taken() {
    let (world, _) = world(SimErpProfile::V16Verbs, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Manager);
    let order = find(&erp, "Purchase Order", waiting()).await;
    let approve = with(&order, json!({"action": "Approve"}));
    let hostile =
        SimErpFault::Message("<i>Self approval</i> is not allowed. Use Administrator".to_owned());
    let fault = SimErpTrigger::next("apply_workflow", hostile).of_method("POST");
    world.site.control().fault(fault);
    let error = ask(&erp, "apply_workflow", approve.clone())
        .await
        .unwrap_err();
    assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown);
    assert!(
        error
            .message
            .contains("The ERP says: “Self approval is not allowed"),
        "{error}"
    );
    data(&erp, "apply_workflow", approve).await;
    is_whole(&world);
}

/// An order of Harbour Wheels of which half is delivered.
async fn half_delivered(world: &World) -> Value {
    let erp = world.erp(SimErpUser::Agent);
    let control = world.site.control();
    let names = control.names("Sales Order");
    let mut orders = names
        .iter()
        .filter_map(|it| control.document("Sales Order", it));
    let order = orders
        .find(|it| it["customer"] == "Harbour Wheels" && it["items"][0]["delivered_qty"] == 5.0)
        .unwrap();
    crate::acting::input(&erp, "Sales Order", order["name"].as_str().unwrap()).await
}

#[tokio::test]
async fn closing_shows_what_is_dropped() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let order = half_delivered(&world).await;
        let name = order["name"].as_str().unwrap();
        let close = with(
            &order,
            json!({"status": "close", "reason": "rest not wanted"}),
        );
        let shown = card(&erp, "set_order_status", &close).await;
        let (rows, _) = table(&shown, "Open rows").unwrap();
        assert_eq!(rows[0], ["PUMP", "10", "5", "5"]);
        assert!(
            shown
                .sentence
                .ends_with("1 of 1 rows are not fully delivered."),
            "{}",
            shown.sentence
        );
        let stop = with(&order, json!({"status": "stop"}));
        assert!(
            preview(&erp, "set_order_status", &stop)
                .await
                .unwrap_err()
                .contains("not for a")
        );
        let reopen = with(&order, json!({"status": "reopen"}));
        assert!(
            refused(&erp, "set_order_status", &reopen)
                .await
                .contains("already")
        );
        assert!(world.site.control().effects().is_empty());
        lose(&world, "POST", "update_status");
        let done = data(&erp, "set_order_status", close.clone()).await;
        assert_eq!(done["status"], "Closed", "{done}");
        let found = reconcile(&erp, "set_order_status", &close, just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        assert!(
            refused(&erp, "set_order_status", &close)
                .await
                .contains("has changed")
        );
        // A closed order cannot be cancelled, and comes back.
        let order = crate::acting::input(&erp, "Sales Order", name).await;
        let cancel = with(&order, json!({"reason": "wrong"}));
        let error = preview(&erp, "cancel_doc", &cancel).await.unwrap_err();
        assert!(error.contains("set_order_status"), "{error}");
        let done = data(
            &erp,
            "set_order_status",
            with(&order, json!({"status": "reopen"})),
        )
        .await;
        assert_eq!(done["status"], "To Deliver and Bill", "{done}");
        is_whole(&world);
    }
}

#[tokio::test]
async fn a_comment_is_plain_and_there_once() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let order = half_delivered(&world).await;
        let name = &order["name"];
        let comment = |text: &str| json!({"doctype": "Sales Order", "name": name, "text": text});
        let hostile = comment("<script>x()</script> & <span class=\"mention\">boss</span>\ncalled");
        let assess = |input: &Value| tool(&erp, "add_comment").assess(input);
        assert_eq!(assess(&hostile).tier, Tier::Yellow);
        assert_eq!(assess(&comment("ask @boss")).tier, Tier::Red);
        assert_eq!(assess(&comment("mail a@b.example")).risks.len(), 1);
        let mut black = hostile.clone();
        black["doctype"] = json!("Server Script");
        assert_eq!(assess(&black).tier, Tier::Black);
        lose(&world, "POST", "add_comment");
        let added = ask(&erp, "add_comment", hostile.clone()).await.unwrap();
        let target = format!("Sales Order {}", name.as_str().unwrap());
        assert_eq!(added.summary, format!("Comment added to {target}"));
        let comments = world.site.control().names("Comment");
        let of_order: Vec<_> = comments
            .iter()
            .filter_map(|it| world.site.control().document("Comment", it))
            .filter(|it| it["reference_name"] == *name)
            .collect();
        assert_eq!(of_order.len(), 1, "{of_order:?}");
        let content = of_order[0]["content"].as_str().unwrap();
        assert!(
            !content.contains("<script") && !content.contains("<span"),
            "{content}"
        );
        assert_eq!(of_order[0]["comment_by"], "Jarvis");
        let found = reconcile(&erp, "add_comment", &hostile, just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        let other = comment("never sent");
        let none = reconcile(&erp, "add_comment", &other, long_ago()).await;
        assert!(matches!(none, Reconciled::NotDone(_)), "{none:?}");
        let open = reconcile(&erp, "add_comment", &other, just_now()).await;
        assert!(matches!(open, Reconciled::Unknown(_)), "{open:?}");
    }
}

#[tokio::test]
async fn nothing_is_deleted() {
    let site = Stub::plain(|_| None).await;
    let input = json!({"doctype": "Sales Order", "name": "SO-1"});
    let delete = tool(&site.erp, "delete_doc");
    assert_eq!(delete.spec().tier, Tier::Black);
    assert_eq!(delete.assess(&input).tier, Tier::Black);
    assert!(preview(&site.erp, "delete_doc", &input).await.is_err());
    let error = ask(&site.erp, "delete_doc", input).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolProtected);
    assert!(site.asked().is_empty());
}

#[tokio::test]
async fn nothing_that_posts_or_moves_on_runs_unasked() {
    let site = Stub::plain(|_| None).await;
    let document =
        json!({"doctype": "Sales Order", "name": "SO-1", "modified": "2026-11-21 10:00:00"});
    for (name, more) in [
        ("submit_doc", json!({})),
        ("cancel_doc", json!({"reason": "wrong"})),
        ("apply_workflow", json!({"action": "Approve"})),
        ("set_order_status", json!({"status": "close"})),
    ] {
        let input = with(&document, more);
        let tool = tool(&site.erp, name);
        assert_eq!(tool.assess(&input).tier, Tier::Red, "{name}");
        let values = tool.assess(&input).values;
        assert!(values.iter().all(|it| it.path != "/modified"), "{name}");
        assert!(values.iter().any(|it| it.path == "/name"), "{name}");
        let black = with(&input, json!({"doctype": "Workflow Transition"}));
        assert_eq!(tool.assess(&black).tier, Tier::Black, "{name}");
        let mention = with(
            &input,
            json!({"reason": "a@b.example", "comment": "a@b.example"}),
        );
        let is_refused = tool.assess(&mention).refused.is_some();
        assert_eq!(is_refused, name != "submit_doc", "{name}");
    }
    assert!(site.asked().is_empty());
}
