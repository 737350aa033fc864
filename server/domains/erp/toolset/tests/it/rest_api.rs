//! One generation of the REST API alone: nothing goes by the other one, and connections are used again.

use erp::{ErpConfig, RestVersion};
use serde_json::json;
use simerp::{SimErpProfile, SimErpUser};

use crate::{
    acting::{COMPANY, input, with},
    drafts::order,
    simulated::{World, ask, data, first, is},
};

#[tokio::test]
async fn each_generation_does_everything_without_the_other() {
    for (profile, rest) in [
        (SimErpProfile::V15, RestVersion::V1),
        (SimErpProfile::V15, RestVersion::V2),
        (SimErpProfile::V16, RestVersion::V1),
        (SimErpProfile::V16, RestVersion::V2),
        // Methods that write take POST alone.
        (SimErpProfile::V16Verbs, RestVersion::V1),
        (SimErpProfile::V16Verbs, RestVersion::V2),
    ] {
        let world = World::start(profile, rest).await;
        let config = ErpConfig {
            methods: rest,
            ..ErpConfig::default()
        };
        let erp = world.erp_with(SimErpUser::Agent, config);
        let posted = json!([is("customer", "Merlin Bikes"), is("docstatus", 1)]);
        let invoice = first(&erp, "Sales Invoice", posted).await;
        let any = json!([
            is("customer", "Merlin Bikes"),
            is("customer", "Harbour Wheels")
        ]);
        for (name, input) in [
            (
                "search_doc",
                json!({"doctype": "Sales Order", "any_of": any, "limit": 5}),
            ),
            ("search_doc", json!({"doctype": "Item", "total": true})),
            (
                "get_doc",
                json!({"doctype": "Sales Invoice", "name": invoice}),
            ),
            ("describe_doctype", json!({"doctype": "Sales Order"})),
            (
                "find_link",
                json!({"doctype": "Customer", "text": "kestrel"}),
            ),
            ("list_approvals", json!({})),
            (
                "trace_doc",
                json!({"doctype": "Sales Invoice", "name": invoice}),
            ),
            (
                "get_ledger",
                json!({"doctype": "Sales Invoice", "name": invoice, "kind": "accounting"}),
            ),
            // It reads rows of tables.
            ("orders_to_deliver", json!({"company": COMPANY})),
        ] {
            let found = data(&erp, name, input.clone()).await;
            let is_found = name != "search_doc" || found["rows"][0]["name"].is_string();
            assert!(is_found, "{input}: {found}");
        }
        let made = data(&erp, "create_doc", order(3)).await;
        let name = made["name"].as_str().unwrap();
        let draft = input(&erp, "Sales Order", name).await;
        data(&erp, "submit_doc", draft).await;
        let comment = json!({"doctype": "Sales Order", "name": name, "text": "Called them"});
        data(&erp, "add_comment", comment).await;
        let placed = input(&erp, "Sales Order", name).await;
        let hold = with(&placed, json!({"status": "hold", "reason": "Waits"}));
        // It is done or refused: its address is what counts.
        ask(&erp, "set_order_status", hold).await.ok();
        let allowed: &[&str] = match rest {
            RestVersion::V1 => &["/api/resource/", "/api/method/"],
            RestVersion::V2 => &["/api/v2/document/", "/api/v2/method/"],
        };
        let asked = world.site.control().requests();
        assert!(asked.iter().any(|it| it.method == "POST"));
        for it in asked {
            let fits = allowed.iter().any(|start| it.path.starts_with(start));
            assert!(fits, "{profile:?} {rest:?}: {} {}", it.method, it.path);
        }
        let order = world.site.control().document("Sales Order", name).unwrap();
        assert_eq!(order["docstatus"], 1);
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn reads_in_a_row_use_their_connection_again() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let invoice = first(&erp, "Sales Invoice", json!([is("docstatus", 1)])).await;
    let before = world.site.control().connections();
    let asked = world.site.control().requests().len();
    for _ in 0..20 {
        let input = json!({"doctype": "Sales Invoice", "name": invoice});
        data(&erp, "get_doc", input).await;
    }
    let opened = world.site.control().connections() - before;
    assert!(opened <= 2, "{opened} connections");
    assert!(world.site.control().requests().len() >= asked + 20);
}
