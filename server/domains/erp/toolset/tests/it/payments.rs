//! Payments that the ERP would refuse are refused before anybody is asked.

use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{draft, preview, with, writes},
    drafts::{post, set, stored},
    simulated::{World, ask, data},
};

const PAYMENT: &str = "Payment Entry";

/// A draft that pays a supplier out of the bank, as an input.
async fn paid(world: &World) -> Value {
    let fields = json!({
        "payment_type": "Pay", "party_type": "Supplier", "party": "Rimfire Wheels",
        "company": "Aldergate Cycles", "paid_amount": 120, "received_amount": 120,
        "paid_from": "1120 - Main Bank - AC", "paid_to": "2100 - Creditors - AC",
        "reference_no": "TR-88", "reference_date": "2026-11-20",
    });
    let erp = world.erp(SimErpUser::Agent);
    draft(&erp, PAYMENT, fields, json!({})).await
}

#[tokio::test]
async fn a_changed_payment_wants_its_reference_too() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let made = paid(&world).await;
        let name = &made["name"];
        let change = |field: &str, value: &str| json!({"fields": [set(field, value)]});
        let sent = writes(&world);
        let draft = with(&made, json!({"submitted": false}));
        let emptied = with(&draft, change("reference_no", ""));
        let error = preview(&erp, "update_doc", &emptied).await.unwrap_err();
        let of_bank = |error: &str, gives: &str| {
            assert!(
                error.contains("Main Bank") && error.ends_with(gives),
                "{error}"
            );
        };
        of_bank(&error, "give \"reference_no\".");
        ask(&erp, "update_doc", emptied).await.unwrap_err();
        let other = with(&draft, change("reference_no", "TR-89"));
        preview(&erp, "update_doc", &other).await.unwrap();
        assert_eq!(writes(&world), sent);

        let document = json!({"doc": stored(&world, PAYMENT, name)});
        post(&world, "/api/method/frappe.client.submit", &document).await;
        let which = json!({"doctype": PAYMENT, "name": name});
        post(&world, "/api/method/frappe.client.cancel", &which).await;
        let sent = writes(&world);
        for (field, gives) in [
            ("reference_date", "give \"reference_date\"."),
            ("reference_no", "give \"reference_no\"."),
        ] {
            let emptied = with(&which, change(field, ""));
            let error = preview(&erp, "amend_doc", &emptied).await.unwrap_err();
            of_bank(&error, gives);
            ask(&erp, "amend_doc", emptied).await.unwrap_err();
        }
        assert_eq!(writes(&world), sent);
        let amended = with(&which, change("reference_no", "TR-90"));
        preview(&erp, "amend_doc", &amended).await.unwrap();
        let made = data(&erp, "amend_doc", amended).await;
        let made = stored(&world, PAYMENT, &made["name"]);
        assert_eq!(made["reference_no"], "TR-90");
        assert_eq!(&made["amended_from"], name);
    }
}
