//! The ledger tool on drafts, where the ERP previews them and where its version does not.

use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};

use crate::{
    acting::{COMPANY, draft, find, worlds},
    simulated::{ask, data, is},
};

fn of(draft: &Value, kind: &str) -> Value {
    json!({"doctype": draft["doctype"], "name": draft["name"], "kind": kind})
}

#[tokio::test]
async fn a_stock_entry_is_previewed_or_told_by_its_rows_without_values() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let fields = json!({"stock_entry_type": "Material Transfer", "company": COMPANY});
        let rows = json!({"items": [{"item_code": "PUMP", "qty": 2, "s_warehouse": "Stores - AC", "t_warehouse": "Shop - AC"}]});
        let entry = draft(&erp, "Stock Entry", fields, rows).await;
        let found = data(&erp, "get_ledger", of(&entry, "stock")).await;
        let stock = &found["stock"];
        let lines = stock["lines"].as_array().unwrap();
        let mut moves: Vec<_> = lines
            .iter()
            .map(|it| it["actual_qty"].to_string())
            .collect();
        moves.sort_unstable();
        assert!(
            moves[0].starts_with("-2") && moves[1].starts_with('2'),
            "{found}"
        );
        assert_eq!((&stock["of"], lines.len()), (&json!(2), 2), "{found}");
        let (note, summary) = (
            stock["note"].as_str().unwrap(),
            found["summary"].as_str().unwrap(),
        );
        if world.profile == SimErpProfile::V15 {
            assert!(note.contains("no stock preview"), "{note}");
            assert!(summary.contains("values are not known"), "{summary}");
            assert_eq!(stock.get("sums"), None, "{found}");
        } else {
            assert!(note.starts_with("a preview"), "{note}");
            assert!(stock["sums"]["stock_value_difference"].is_string());
        }
    }
}

#[tokio::test]
async fn both_ledgers_of_a_delivery_are_previewed_by_both_versions() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Lindgren Rad"), is("docstatus", 0)]);
        let note = find(&erp, "Delivery Note", filters).await;
        let found = data(&erp, "get_ledger", of(&note, "both")).await;
        for (ledger, sum) in [("accounting", "debit"), ("stock", "stock_value_difference")] {
            let ledger = &found[ledger];
            assert_eq!(ledger["preview"], true, "{found}");
            assert!(ledger["of"].as_u64() > Some(0), "{found}");
            assert!(ledger["sums"][sum].is_string(), "{found}");
        }
        assert_eq!(found["accounting"]["balanced"], true);
    }
}

#[tokio::test]
async fn what_no_version_previews_is_said_and_is_no_empty_ledger() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let order = find(&erp, "Sales Order", json!([is("docstatus", 0)])).await;
        let before = world.site.control().requests().len();
        let found = data(&erp, "get_ledger", of(&order, "both")).await;
        for ledger in ["accounting", "stock"] {
            let reason = found[ledger]["unknown"].as_str().unwrap();
            assert!(reason.contains("no preview"), "{found}");
        }
        // The ERP would answer with an error of its own code.
        let asked = world.site.control().requests().split_off(before);
        let previews = asked.iter().filter(|it| it.path.contains("ledger_preview"));
        assert_eq!(previews.count(), 0);
        let customer = json!({"doctype": "Customer", "name": "Rheinrad", "kind": "both"});
        let error = ask(&erp, "get_ledger", customer).await.unwrap_err();
        assert!(error.message.contains("Customer"), "{error}");
    }
}
