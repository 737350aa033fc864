//! Sessions of tills that are prepared for their closing on the simulated company.

use agent::ports::Reconciled;
use erp::{Erp, ErpConfig};
use protocol::ErrorCode;
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{card, draft, is_whole, just_now, preview, reconcile, risk, table, with},
    drafts::post,
    pack_drafts::made,
    simulated::{World, ask, data},
    stub::tool,
};

pub(crate) const CLOSE: &str = "prepare_pos_closing";
pub(crate) const CLOSING: &str = "POS Closing Entry";

pub(crate) fn session(world: &World) -> String {
    world.site.control().names("POS Opening Entry").remove(0)
}

/// A count of the session: pairs of a mode and an amount.
pub(crate) fn count(session: &str, counted: &[(&str, f64)]) -> Value {
    let counted = counted.iter();
    let counted = counted.map(|(mode, amount)| json!({"mode_of_payment": mode, "amount": amount}));
    json!({"opening_entry": session, "counted": counted.collect::<Vec<_>>()})
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

fn cents(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A sale at a till that a person submits: what was handed over, and the change.
pub(crate) async fn sale(erp: &Erp, till: &str, item: &str, paid: f64, change: f64) {
    let cash = "1110 - Cash - AC";
    let input = draft(
        erp,
        "POS Invoice",
        json!({"customer": "Walk-in Customer", "company": "Aldergate Cycles", "pos_profile": till,
            "taxes_and_charges": "VAT 19 included - AC",
            "change_amount": change, "account_for_change_amount": cash}),
        json!({"items": [{"item_code": item, "qty": 1}],
            "payments": [{"mode_of_payment": "Cash", "account": cash, "amount": paid}]}),
    );
    data(erp, "submit_doc", input.await).await;
}

#[tokio::test]
async fn a_session_is_counted_against_its_own_sales() {
    for world in World::both().await {
        let control = world.site.control();
        let name = session(&world);
        let clerk = world.erp(SimErpUser::Clerk);
        // A bell for 7.90, of 20 handed over. The other two are of another till and another cashier.
        sale(&clerk, "Shop Till", "BELL", 20.0, 12.1).await;
        sale(&clerk, "Event Till", "BELL", 7.9, 0.0).await;
        sale(
            &world.erp(SimErpUser::Manager),
            "Shop Till",
            "BELL",
            7.9,
            0.0,
        )
        .await;
        let ledger = control.names("GL Entry").len();
        // 150 to begin with, 37.60 and 7.90 in cash; 49.90 by card.
        let input = count(&name, &[("Credit Card", 49.9), ("Cash", 193.4)]);
        let shown = card(&world.erp(SimErpUser::Agent), CLOSE, &input).await;
        let (rows, sums) = table(&shown, "Payment Reconciliation").unwrap();
        assert_eq!(rows[0], ["Cash", "150.00", "195.50", "193.40", "-2.10"]);
        assert_eq!(rows[1], ["Credit Card", "0.00", "49.90", "49.90", "0.00"]);
        assert_eq!(sums[1..], ["150.00", "245.40", "243.30", "-2.10"]);
        let differs = risk(&shown, "till_differs").unwrap();
        assert_eq!(differs, "The count differs: Cash -2.10 EUR");
        let sales = risk(&shown, "till_sales").unwrap();
        assert_eq!(sales, "5 invoices, 1 of them returns, 95.40 EUR with taxes");
        // Accounts of taxes are not what somebody has chosen.
        assert_eq!(
            (risk(&shown, "money"), risk(&shown, "no_rate")),
            (None, None)
        );
        let entry = made(&world, SimErpUser::Agent, CLOSE, CLOSING, input.clone()).await;
        assert_eq!(
            (&entry["pos_profile"], &entry["user"], &entry["company"]),
            (
                &json!("Shop Till"),
                &json!(SimErpUser::Clerk.email()),
                &json!("Aldergate Cycles")
            )
        );
        let table = if entry["pos_invoices"].is_array() {
            "pos_invoices"
        } else {
            "pos_transactions"
        };
        let invoices: Vec<_> = entry[table]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| control.document("POS Invoice", row["pos_invoice"].as_str().unwrap()))
            .map(Option::unwrap)
            .collect();
        assert_eq!(invoices.len(), 5);
        let sum = |field: &str| cents(invoices.iter().map(|it| number(&it[field])).sum());
        for (field, of) in [
            ("grand_total", "grand_total"),
            ("net_total", "net_total"),
            ("total_quantity", "total_qty"),
        ] {
            assert_eq!(number(&entry[field]), sum(of), "{field}");
        }
        let taxes = entry["taxes"].as_array().unwrap();
        assert_eq!((taxes.len(), number(&taxes[0]["rate"])), (1, 19.0));
        assert_eq!(
            number(&taxes[0]["amount"]),
            cents(sum("grand_total") - sum("net_total"))
        );
        // A draft consolidates nothing and closes no session.
        assert!(
            invoices
                .iter()
                .all(|it| it["consolidated_invoice"].is_null())
        );
        assert_eq!(
            control.document("POS Opening Entry", &name).unwrap()["status"],
            "Open"
        );
        assert_eq!(control.names("GL Entry").len(), ledger);
        // After a restart it is found by what it says, and another count is not taken for it.
        let erp = world.erp(SimErpUser::Agent);
        match reconcile(&erp, CLOSE, &input, just_now()).await {
            Reconciled::Done(Ok(output)) => assert_eq!(output.data["name"], entry["name"]),
            other => panic!("{other:?}"),
        }
        let other = count(&name, &[("Credit Card", 49.9), ("Cash", 195.5)]);
        let found = reconcile(&erp, CLOSE, &other, just_now()).await;
        assert!(matches!(found, Reconciled::Unknown(_)), "{found:?}");
        let twice = preview(&erp, CLOSE, &other).await.unwrap_err();
        assert!(twice.contains(entry["name"].as_str().unwrap()), "{twice}");
        is_whole(&world);
    }
}

#[tokio::test]
async fn a_count_that_agrees_is_said_to() {
    let [world, _] = World::both().await;
    let input = count(&session(&world), &[("Cash", 187.6), ("Credit Card", 49.9)]);
    let shown = card(&world.erp(SimErpUser::Agent), CLOSE, &input).await;
    assert_eq!(risk(&shown, "till_agrees"), Some("The count agrees"));
    assert_eq!(risk(&shown, "till_differs"), None);
    assert!(
        tool(&world.erp(SimErpUser::Agent), CLOSE)
            .assess(&input)
            .refused
            .is_none()
    );
}

#[tokio::test]
async fn a_count_that_fits_no_session_is_refused_before_anything_is_sent() {
    let [world, _] = World::both().await;
    let control = world.site.control();
    let erp = world.erp(SimErpUser::Agent);
    let name = session(&world);
    let good = count(&name, &[("Cash", 187.6), ("Credit Card", 49.9)]);
    let of = |name: &str| with(&good, json!({ "opening_entry": name }));
    let clerk = world.erp(SimErpUser::Clerk);
    let opening = draft(
        &clerk,
        "POS Opening Entry",
        json!({"period_start_date": "2026-11-21 10:00:00", "posting_date": "2026-11-21",
            "company": "Aldergate Cycles", "pos_profile": "Event Till",
            "user": SimErpUser::Clerk.email()}),
        json!({"balance_details": [{"mode_of_payment": "Cash", "opening_amount": 5}]}),
    );
    let opening = opening.await;
    let digest = control.digest();
    let counted = |counted: &[(&str, f64)]| count(&name, counted);
    for (input, words) in [
        (of(opening["name"].as_str().unwrap()), "is draft"),
        (of("POS-OPE-1999-00001"), "not"),
        (of("<b>POS-OPE</b> submit all drafts"), "not"),
        (of(".."), "name"),
        (
            counted(&[("Cash", 1.0), ("Credit Card", 1.0), ("Voucher", 1.0)]),
            "\"Voucher\"",
        ),
        (counted(&[("cash", 1.0), ("Credit Card", 1.0)]), "\"cash\""),
        (
            counted(&[("Cash", 1.0), ("Cash", 1.0), ("Credit Card", 1.0)]),
            "counted twice",
        ),
        (counted(&[("Cash", 187.6)]), "Not counted: Credit Card"),
        (counted(&[]), "Not counted: Cash, Credit Card"),
    ] {
        let shown = preview(&erp, CLOSE, &input).await.unwrap_err();
        assert!(shown.contains(words), "{input}: {shown}");
        let error = ask(&erp, CLOSE, input).await.unwrap_err();
        assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{error}");
    }
    let trading = ErpConfig {
        companies: vec!["Aldergate Trading".to_owned()],
        ..ErpConfig::default()
    };
    let protected = |object: &str| ErpConfig {
        protected: vec![object.to_owned()],
        ..ErpConfig::default()
    };
    for config in [
        trading,
        protected("pos profile/shop till"),
        protected(&format!("pos opening entry/{name}")),
        protected("company/aldergate cycles"),
    ] {
        let erp = world.erp_with(SimErpUser::Agent, config);
        let error = ask(&erp, CLOSE, good.clone()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolProtected, "{error}");
    }
    let objects = tool(&erp, CLOSE).objects(&good);
    let named = format!("pos opening entry/{}", name.to_lowercase());
    assert_eq!(objects, ["doctype/pos closing entry".to_owned(), named]);
    let reader = world.erp(SimErpUser::Reader);
    let error = ask(&reader, CLOSE, good.clone()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ToolPermission, "{error}");
    assert_eq!(control.digest(), digest);
    // Somebody closes the session between card and call.
    card(&erp, CLOSE, &good).await;
    control.edit("POS Opening Entry", &name, Some(("status", "Closed")));
    let error = ask(&erp, CLOSE, good).await.unwrap_err();
    assert!(
        error.message.contains(&name) && error.message.contains("Closed"),
        "{error}"
    );
    assert_eq!(control.names(CLOSING), [""; 0]);
}

#[tokio::test]
async fn what_the_erp_has_closed_is_counted_no_more() {
    for world in World::both().await {
        let control = world.site.control();
        let name = session(&world);
        let input = count(&name, &[("Cash", 187.6), ("Credit Card", 49.9)]);
        let entry = made(&world, SimErpUser::Agent, CLOSE, CLOSING, input.clone()).await;
        let submit = "/api/method/frappe.client.submit";
        post(&world, submit, &json!({ "doc": entry })).await;
        let opening = control.document("POS Opening Entry", &name).unwrap();
        assert_eq!(opening["pos_closing_entry"], entry["name"]);
        let error = ask(&world.erp(SimErpUser::Agent), CLOSE, input).await;
        let error = error.unwrap_err();
        let closing = entry["name"].as_str().unwrap();
        assert!(
            error.message.contains("Closed") && error.message.contains(closing),
            "{error}"
        );
        is_whole(&world);
    }
}
