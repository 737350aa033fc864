//! Each draft is made at most once: a lost answer is looked for, never sent again.

use std::sync::Arc;

use agent::ports::{Progress, Reconciled, ToolCall};
use erp::{ErpConfig, RestVersion};
use erp_testkit::MemoryMadeDocuments;
use protocol::{CallId, ErrorCode, Timestamp};
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpProfile, SimErpTrigger, SimErpUser};

use crate::{
    acting::{hurried, just_now, long_ago, reconcile_call, writes},
    drafts::{order, post, set, stored},
    simulated::{World, ask, data, first, is},
    stub::{call, tool},
};

fn another(call: ToolCall) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(2), 2),
        ..call
    }
}

fn lost(world: &World, method: &str, fault: SimErpFault) {
    let trigger = SimErpTrigger::next("Sales ", fault).of_method(method);
    world.site.control().fault(trigger);
}

#[tokio::test]
async fn an_answer_lost_after_the_commit_makes_exactly_one() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([
            is("customer", "Harbour Wheels"),
            is("status", "To Deliver and Bill")
        ]);
        let source = first(&erp, "Sales Order", filters).await;
        let from = json!({"source_doctype": "Sales Order", "source_name": source, "target_doctype": "Sales Invoice"});
        for (name, doctype, input, fault) in [
            (
                "create_doc",
                "Sales Order",
                order(4),
                SimErpFault::LostAfter,
            ),
            ("make_from", "Sales Invoice", from, SimErpFault::CutBody),
        ] {
            let count = || world.site.control().names(doctype).len();
            let (before, sent) = (count(), writes(&world));
            lost(&world, "POST", fault);
            let made = data(&erp, name, input.clone()).await;
            assert_eq!(made["docstatus"], "draft", "{made}");
            assert_eq!((count(), writes(&world)), (before + 1, sent + 1), "{name}");
            // After a restart nothing but the call and its start is known.
            let erp = world.erp(SimErpUser::Agent);
            match reconcile_call(&erp, &call(name, input), just_now()).await {
                Reconciled::Done(Ok(output)) => assert_eq!(output.data["name"], made["name"]),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn an_order_that_never_came_to_the_work_is_unknown_and_sent_once() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        // What a card would have read is known by then.
        data(&erp, "create_doc", order(3)).await;
        let count = || world.site.control().names("Sales Order").len();
        let (before, sent) = (count(), writes(&world));
        lost(&world, "POST", SimErpFault::LostBefore);
        let create = another(call("create_doc", order(4)));
        let running = {
            let (tool, create) = (tool(&erp, "create_doc"), create.clone());
            tokio::spawn(async move { tool.call(create, Progress::ignored()).await })
        };
        let error = hurried(running).await.unwrap_err().0;
        assert_eq!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
        assert!(error.help.is_some(), "{error}");
        // A second order would have come to the work.
        assert_eq!((count(), writes(&world)), (before, sent));
        let found = reconcile_call(&erp, &create, just_now()).await;
        assert!(matches!(found, Reconciled::Unknown(_)), "{found:?}");
        let found = reconcile_call(&erp, &create, long_ago()).await;
        assert!(matches!(found, Reconciled::NotDone(_)), "{found:?}");
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_document_of_another_call_is_not_taken_for_ones_own() {
    let [world, _] = World::both().await;
    let erp = world.erp(SimErpUser::Agent);
    let first = data(&erp, "create_doc", order(4)).await;
    // The very same order a moment later: its own is found, not the first.
    let second = another(call("create_doc", order(4)));
    assert!(matches!(
        reconcile_call(&erp, &second, long_ago()).await,
        Reconciled::NotDone(_)
    ));
    lost(&world, "POST", SimErpFault::LostAfter);
    let made = tool(&erp, "create_doc")
        .call(second.clone(), Progress::ignored())
        .await;
    assert_ne!(made.unwrap().data["name"], first["name"]);
    // A process that knows of neither cannot tell them apart, and says so.
    let erp = world.erp(SimErpUser::Agent);
    match reconcile_call(&erp, &second, just_now()).await {
        Reconciled::Unknown(why) => assert!(why.contains(first["name"].as_str().unwrap()), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn after_a_restart_a_document_of_an_earlier_call_is_nobody_elses() {
    let [world, _] = World::both().await;
    let makers = MemoryMadeDocuments::default();
    let start = || {
        let erp = world.erp(SimErpUser::Agent);
        erp.with_made_documents(Arc::new(makers.clone()))
    };
    let erp = start();
    let made = data(&erp, "create_doc", order(4)).await;
    let note = json!({"doctype": "Sales Order", "name": made["name"], "text": "They called"});
    data(&erp, "add_comment", note.clone()).await;
    // The same again, cut off before it was sent: nothing is there that could be it.
    let erp = start();
    for (name, input) in [("create_doc", order(4)), ("add_comment", note)] {
        let second = another(call(name, input.clone()));
        let found = reconcile_call(&erp, &second, just_now()).await;
        assert!(matches!(found, Reconciled::Unknown(_)), "{found:?}");
        // The first is still known as the first one's.
        let found = reconcile_call(&erp, &call(name, input), just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
    }
    let second = another(call("create_doc", order(4)));
    let found = reconcile_call(&erp, &second, long_ago()).await;
    assert!(matches!(found, Reconciled::NotDone(_)), "{found:?}");
}

#[tokio::test]
async fn a_key_field_tells_for_certain() {
    for world in World::both().await {
        world
            .site
            .control()
            .add_field("Sales Order", "jarvis_call", true);
        let config = || ErpConfig {
            key_field: Some("jarvis_call".to_owned()),
            ..ErpConfig::default()
        };
        let erp = world.erp_with(SimErpUser::Agent, config());
        let call = call("create_doc", order(4));
        assert!(matches!(
            reconcile_call(&erp, &call, long_ago()).await,
            Reconciled::NotDone(_)
        ));
        lost(&world, "POST", SimErpFault::LostAfter);
        let made = data(&erp, "create_doc", order(4)).await;
        let document = stored(&world, "Sales Order", &made["name"]);
        assert_eq!(document["jarvis_call"], call.id.to_string());
        // Sent again under the same id, the ERP refuses it, and the first one is the answer.
        let count = world.site.control().names("Sales Order").len();
        let again = data(&erp, "create_doc", order(4)).await;
        assert_eq!(again["name"], made["name"]);
        assert_eq!(world.site.control().names("Sales Order").len(), count);
        // Another call with the same content is another document, and each is known apart.
        let second = another(call.clone());
        let erp = world.erp_with(SimErpUser::Agent, config());
        let other = tool(&erp, "create_doc")
            .call(second.clone(), Progress::ignored())
            .await;
        let other = other.unwrap().data;
        let erp = world.erp_with(SimErpUser::Agent, config());
        for (call, made) in [(&call, &made), (&second, &other)] {
            match reconcile_call(&erp, call, long_ago()).await {
                Reconciled::Done(Ok(output)) => assert_eq!(output.data["name"], made["name"]),
                other => panic!("{other:?}"),
            }
        }
        let mut forged = order(1);
        forged["fields"]
            .as_array_mut()
            .unwrap()
            .push(set("jarvis_call", "x"));
        assert!(tool(&erp, "create_doc").assess(&forged).refused.is_some());
        assert!(ask(&erp, "create_doc", forged).await.is_err());
    }
}

#[tokio::test]
async fn what_is_not_there_is_unknown_until_the_erp_can_take_it_no_more() {
    let world = World::start(SimErpProfile::V15, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let create = call("create_doc", order(7));
    assert!(matches!(
        reconcile_call(&erp, &create, just_now()).await,
        Reconciled::Unknown(_)
    ));
    assert!(matches!(
        reconcile_call(&erp, &create, long_ago()).await,
        Reconciled::NotDone(_)
    ));
    // One that was made in that time and says something else may be this one, changed since.
    data(&erp, "create_doc", order(8)).await;
    let erp = world.erp(SimErpUser::Agent);
    assert!(matches!(
        reconcile_call(&erp, &create, just_now()).await,
        Reconciled::Unknown(_)
    ));
    // A refusal of the ERP is certain.
    let count = world.site.control().names("Sales Order").len();
    lost(
        &world,
        "POST",
        SimErpFault::Message("Credit limit crossed".to_owned()),
    );
    let error = ask(&erp, "create_doc", order(7)).await.unwrap_err();
    assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    assert_eq!(world.site.control().names("Sales Order").len(), count);
}

fn change(made: &Value) -> Value {
    json!({
        "doctype": "Sales Order", "name": made["name"], "modified": made["modified"],
        "submitted": false, "fields": [set("po_no", "HW-9")],
        "rows": [{"table": "items", "action": "add", "fields": [set("item_code", "HELMET-M"), set("qty", 2)]}],
    })
}

#[tokio::test]
async fn a_change_is_made_once_and_only_on_the_copy_that_was_read() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let made = data(&erp, "create_doc", order(4)).await;
        let update = call("update_doc", change(&made));
        assert!(matches!(
            reconcile_call(&erp, &update, just_now()).await,
            Reconciled::Unknown(_)
        ));
        assert!(matches!(
            reconcile_call(&erp, &update, long_ago()).await,
            Reconciled::NotDone(_)
        ));
        // Somebody saves it between the look and the order: the ERP refuses the order.
        lost(&world, "PUT", SimErpFault::EditBefore);
        let error = ask(&erp, "update_doc", change(&made)).await.unwrap_err();
        assert!(
            error.message.contains("changed since it was read"),
            "{error}"
        );
        let document = stored(&world, "Sales Order", &made["name"]);
        assert_eq!(document["items"].as_array().unwrap().len(), 2);
        assert!(matches!(
            reconcile_call(&erp, &update, long_ago()).await,
            Reconciled::Unknown(_)
        ));
        let read = data(
            &erp,
            "get_doc",
            json!({"doctype": "Sales Order", "name": made["name"]}),
        )
        .await;
        let sent = writes(&world);
        lost(&world, "PUT", SimErpFault::LostAfter);
        let done = data(&erp, "update_doc", change(&read)).await;
        assert_eq!(writes(&world), sent + 1);
        let document = stored(&world, "Sales Order", &made["name"]);
        assert_eq!(document["items"].as_array().unwrap().len(), 3);
        let erp = world.erp(SimErpUser::Agent);
        match reconcile_call(&erp, &call("update_doc", change(&read)), just_now()).await {
            Reconciled::Done(Ok(output)) => assert_eq!(output.data["modified"], done["modified"]),
            other => panic!("{other:?}"),
        }
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_stale_copy_is_refused_with_what_changed() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let made = data(&erp, "create_doc", order(4)).await;
        let mut theirs = change(&made);
        theirs["fields"] = json!([set("delivery_date", "2026-12-24")]);
        data(&world.erp(SimErpUser::Clerk), "update_doc", theirs).await;
        let error = ask(&erp, "update_doc", change(&made)).await.unwrap_err();
        assert!(error.message.contains(SimErpUser::Clerk.email()), "{error}");
        assert!(error.message.contains("Delivery Date"), "{error}");
        assert!(error.message.contains("Items"), "{error}");
    }
}

#[tokio::test]
async fn nothing_is_mapped_that_the_card_did_not_show() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([
            is("customer", "Harbour Wheels"),
            is("status", "To Deliver and Bill")
        ]);
        let source = first(&erp, "Sales Order", filters).await;
        let input = json!({"source_doctype": "Sales Order", "source_name": source, "target_doctype": "Delivery Note"});
        let shown = call("make_from", input.clone());
        tool(&erp, "make_from").preview(&shown).await.unwrap();
        // Somebody delivers a part of it between card and run.
        let mut part = another(call("make_from", input));
        let row = stored(&world, "Sales Order", &json!(source))["items"][0]["name"].clone();
        part.input["rows"] = json!([{"source_row": row, "qty": 2}]);
        let part = tool(&erp, "make_from")
            .call(part, Progress::ignored())
            .await;
        let note = stored(&world, "Delivery Note", &part.unwrap().data["name"]);
        post(
            &world,
            "/api/method/frappe.client.submit",
            &json!({"doc": note}),
        )
        .await;
        let count = world.site.control().names("Delivery Note").len();
        let refused = tool(&erp, "make_from")
            .call(shown.clone(), Progress::ignored())
            .await;
        assert!(refused.unwrap_err().0.message.contains("has changed"));
        assert_eq!(world.site.control().names("Delivery Note").len(), count);
        // Shown anew, it runs.
        tool(&erp, "make_from").preview(&shown).await.unwrap();
        tool(&erp, "make_from")
            .call(shown, Progress::ignored())
            .await
            .unwrap();
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}
