//! Work orders that are stopped, resumed and closed on the simulated company.

use agent::ports::Reconciled;
use erp::{Erp, ErpConfig};
use protocol::{ErrorCode, Tier};
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{
        card, changes, is_whole, just_now, long_ago, lose, preview, reconcile, refused, risk,
        table, with, worlds, writes,
    },
    drafts::post,
    pack_drafts::made,
    simulated::{World, ask, data, first, is},
    stub::tool,
};

const STOP: &str = "stop_work_order";

/// The input for a work order as it is now.
async fn order(erp: &Erp, name: &str, action: &str) -> Value {
    let read = json!({"doctype": "Work Order", "name": name});
    let read = data(erp, "get_doc", read).await;
    json!({"work_order": name, "modified": read["modified"], "action": action})
}

async fn race(erp: &Erp) -> String {
    let wanted = json!([is("production_item", "BIKE-RACE"), is("docstatus", 1)]);
    first(erp, "Work Order", wanted).await
}

/// A figure of an item's bin.
fn bin(world: &World, item: &str, warehouse: &str, field: &str) -> f64 {
    let control = world.site.control();
    let mut bins = control.names("Bin").into_iter();
    let bin = bins.find_map(|it| {
        let bin = control.document("Bin", &it)?;
        (bin["item_code"] == item && bin["warehouse"] == warehouse).then_some(bin)
    });
    bin.map_or(0.0, |it| it[field].as_f64().unwrap_or_default())
}

#[tokio::test]
async fn an_order_is_stopped_once_resumed_and_closed_for_good() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let name = race(&erp).await;
        let planned = || bin(&world, "BIKE-RACE", "Finished - AC", "planned_qty");
        let kept = || {
            bin(
                &world,
                "RAW-BRAKE",
                "Raw - AC",
                "reserved_qty_for_production",
            )
        };
        let before = (planned(), kept());
        assert!(before.0 >= 40.0 && before.1 > 0.0, "{before:?}");
        let stop = order(&erp, &name, "stop").await;
        let shown = card(&erp, STOP, &stop).await;
        let sentence = format!("Stop Work Order {name} (BIKE-RACE); 0 of 40 are made.");
        assert_eq!(shown.sentence, sentence);
        let (rows, _) = table(&shown, "Open rows").unwrap();
        assert_eq!(rows, [["BIKE-RACE", "40", "0", "40"]]);
        assert_eq!(risk(&shown, "work_order"), Some("Nothing more is made"));
        assert_eq!(shown.said, ["work_order", "modified", "action"]);
        assert!(shown.objects.contains(&"item/bike-race".to_owned()));
        assert!(world.site.control().effects().is_empty());
        lose(&world, "POST", "stop_unstop");
        let done = data(&erp, STOP, stop.clone()).await;
        assert_eq!(
            (&done["name"], &done["status"]),
            (&json!(name), &json!("Stopped"))
        );
        assert_eq!((changes(&world, 0, &name), writes(&world)), (1, 1));
        assert_eq!((planned(), kept()), (before.0 - 40.0, 0.0));
        // After a restart nothing but the call is known.
        let erp = world.erp(SimErpUser::Agent);
        let found = reconcile(&erp, STOP, &stop, just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        let again = refused(&erp, STOP, &stop).await;
        assert!(again.contains("has changed"), "{again}");
        // What it lacks is no shortage any more; resumed, it is one again.
        let resume = order(&erp, &name, "resume").await;
        let shown = card(&erp, STOP, &resume).await;
        assert_eq!(risk(&shown, "work_order"), Some("Work goes on"));
        assert_eq!(data(&erp, STOP, resume).await["status"], "Not Started");
        assert_eq!((planned(), kept()), before);
        let close = order(&erp, &name, "close").await;
        let shown = card(&erp, STOP, &close).await;
        assert_eq!(risk(&shown, "work_order"), Some("Closed for good"));
        lose(&world, "POST", "close_work_order");
        assert_eq!(data(&erp, STOP, close.clone()).await["status"], "Closed");
        let found = reconcile(&erp, STOP, &close, just_now()).await;
        assert!(matches!(found, Reconciled::Done(Ok(_))), "{found:?}");
        for action in ["resume", "stop"] {
            let order = order(&erp, &name, action).await;
            let error = preview(&erp, STOP, &order).await.unwrap_err();
            assert!(error.contains(&name), "{error}");
        }
        is_whole(&world);
    }
}

#[tokio::test]
async fn materials_under_way_are_on_the_card() {
    let [world, _] = World::both().await;
    let erp = world.erp(SimErpUser::Agent);
    let input = json!({"item": "BIKE-CITY", "qty": 1, "company": "Aldergate Cycles",
        "fg_warehouse": "Finished - AC", "wip_warehouse": "WIP - AC", "start": "2026-12-01"});
    let draft = made(
        &world,
        SimErpUser::Agent,
        "plan_work_order",
        "Work Order",
        input,
    )
    .await;
    let mut draft = draft;
    // A person says where the materials are.
    for row in draft["required_items"].as_array_mut().unwrap() {
        row["source_warehouse"] = json!("Raw - AC");
    }
    let name = draft["name"].as_str().unwrap().to_owned();
    let submit = "/api/method/frappe.client.submit";
    post(&world, submit, &json!({"doc": draft})).await;
    let input =
        json!({"work_order": name, "qty": 1, "purpose": "Material Transfer for Manufacture"});
    let entry = made(
        &world,
        SimErpUser::Agent,
        "record_production",
        "Stock Entry",
        input,
    )
    .await;
    let moved = entry["items"].as_array().unwrap().len();
    post(&world, submit, &json!({"doc": entry})).await;
    let stop = order(&erp, &name, "stop").await;
    let shown = card(&erp, STOP, &stop).await;
    let (rows, _) = table(&shown, "Materials under way").unwrap();
    assert_eq!(rows.len(), moved);
    assert!(
        rows.iter().all(|row| row[1] == row[3] && row[2] == "0"),
        "{rows:?}"
    );
    assert!(risk(&shown, "under_way").is_some());
    assert_eq!(data(&erp, STOP, stop).await["status"], "Stopped");
    let resume = order(&erp, &name, "resume").await;
    assert_eq!(data(&erp, STOP, resume).await["status"], "In Process");
    is_whole(&world);
}

#[tokio::test]
async fn what_no_order_can_take_is_refused_before_anything_is_sent() {
    let [world, _] = World::both().await;
    let erp = world.erp(SimErpUser::Agent);
    let name = race(&erp).await;
    let input = json!({"item": "BIKE-CITY", "qty": 1, "company": "Aldergate Cycles",
        "fg_warehouse": "Finished - AC", "start": "2026-12-01"});
    let draft = data(&erp, "plan_work_order", input).await;
    let draft = draft["name"].as_str().unwrap();
    let made = json!([is("docstatus", 1), is("status", "Completed")]);
    let made = first(&erp, "Work Order", made).await;
    let (digest, sent) = (world.site.control().digest(), writes(&world));
    let stop = order(&erp, &name, "stop").await;
    let of = |name: &str| with(&stop, json!({"work_order": name}));
    let past = with(&stop, json!({"modified": "2026-01-01 00:00:00.000000"}));
    for (input, words) in [
        (order(&erp, draft, "stop").await, "is draft"),
        (order(&erp, &made, "stop").await, "nothing left to stop"),
        (order(&erp, &name, "resume").await, "already"),
        (past, "has changed"),
        (of("MFG-WO-1999-00001"), "not"),
        (of("<script>alert(1)</script>"), "not"),
        (of(".."), "name"),
        (of(&name.to_lowercase()), "not"),
    ] {
        let card = preview(&erp, STOP, &input).await.unwrap_err();
        assert!(card.contains(words), "{input}: {card}");
        let error = ask(&erp, STOP, input).await.unwrap_err();
        assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    }
    let companies = ErpConfig {
        companies: vec!["Aldergate Trading".to_owned()],
        ..ErpConfig::default()
    };
    let protected = |object: &str| ErpConfig {
        protected: vec![object.to_owned()],
        ..ErpConfig::default()
    };
    for config in [
        companies,
        protected("item/bike-race"),
        protected("company/aldergate cycles"),
    ] {
        let erp = world.erp_with(SimErpUser::Agent, config);
        let error = ask(&erp, STOP, stop.clone()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolProtected, "{error}");
    }
    let own = tool(&erp, STOP).assess(&stop);
    assert_eq!((own.tier, own.refused), (Tier::Red, None));
    let weighed: Vec<_> = own.values.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(weighed, ["/work_order", "/action"]);
    let name_of_it = format!("work order/{}", name.to_lowercase());
    assert!(tool(&erp, STOP).objects(&stop).contains(&name_of_it));
    let guarded = world.erp_with(SimErpUser::Agent, protected(&name_of_it));
    assert!(tool(&guarded, STOP).assess(&stop).protected.is_some());
    let black = ErpConfig {
        black_types: vec!["Work Order".to_owned()],
        ..ErpConfig::default()
    };
    let black = world.erp_with(SimErpUser::Agent, black);
    assert_eq!(tool(&black, STOP).assess(&stop).tier, Tier::Black);
    // The tool for orders takes none of these, and nobody who may only read stops one.
    let other = json!({"doctype": "Work Order", "name": name, "modified": stop["modified"], "status": "stop"});
    let error = ask(&erp, "set_order_status", other).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{error}");
    let reader = world.erp(SimErpUser::Reader);
    let error = ask(&reader, STOP, stop.clone()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolPermission, "{error}");
    // Never sent, it is not there.
    let none = reconcile(&erp, STOP, &stop, long_ago()).await;
    assert!(matches!(none, Reconciled::NotDone(_)), "{none:?}");
    let open = reconcile(&erp, STOP, &stop, just_now()).await;
    assert!(matches!(open, Reconciled::Unknown(_)), "{open:?}");
    assert_eq!(
        (world.site.control().digest(), writes(&world)),
        (digest, sent)
    );
}
