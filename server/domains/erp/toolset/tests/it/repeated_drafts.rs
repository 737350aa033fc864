//! A document of which a draft was made before: card, answer and page say so and lead to the draft.

use agent::ports::Preview;
use protocol::{CardLink, CardSection};
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{card, input, is_whole, risk, worlds},
    drafts::{set, stored},
    pages::page,
    simulated::{data, first, is},
};

fn links(card: &Preview) -> Vec<CardLink> {
    let links = card.sections.iter().filter_map(|section| match section {
        CardSection::Links { links, .. } => Some(links.clone()),
        _ => None,
    });
    links.flatten().collect()
}

#[tokio::test]
async fn a_second_payment_says_that_there_is_a_draft() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Merlin Bikes"), is("status", "Overdue")]);
        let invoice = first(&erp, "Sales Invoice", filters).await;
        let pay = json!({
            "source_doctype": "Sales Invoice", "source_name": invoice, "target_doctype": "Payment Entry",
            "fields": [
                set("paid_amount", 10), set("reference_no", "TR-88"), set("reference_date", "2026-11-20"),
            ],
        });
        let shown = card(&erp, "make_from", &pay).await;
        assert_eq!(risk(&shown, "draft_exists"), None);
        assert_eq!(risk(&shown, "drafts_unknown"), None);
        assert_eq!(links(&shown), []);
        let id = format!("Sales Invoice/{invoice}");
        assert_eq!(page(&erp, &id, "document").await["drafts"], Value::Null);
        let made = data(&erp, "make_from", pay.clone()).await;
        assert_eq!(made["warnings"], Value::Null, "{made}");
        let name = made["name"].as_str().unwrap();

        let sentence = format!("{name} is a draft of Sales Invoice {invoice} already.");
        let shown = card(&erp, "make_from", &pay).await;
        assert_eq!(risk(&shown, "draft_exists"), Some(&*sentence));
        let way = CardLink {
            text: format!("Payment Entry {name}"),
            href: format!("/erp/Payment%20Entry/{name}"),
        };
        assert_eq!(links(&shown), [way]);
        let document = page(&erp, &id, "document").await;
        let drafts = &document["drafts"];
        assert_eq!(drafts.as_array().map(Vec::len), Some(1), "{drafts}");
        // The button says so as well.
        let label = &document["offers"][0]["label"];
        assert_eq!(label, "Draft another Payment Entry", "{document}");
        assert_eq!(drafts[0]["name"], name, "{drafts}");
        assert_eq!(drafts[0]["doctype"], "Payment Entry");
        // Who makes another all the same is told as well.
        let second = data(&erp, "make_from", pay.clone()).await;
        assert_eq!(second["warnings"], json!([sentence]), "{second}");
        let shown = card(&erp, "make_from", &pay).await;
        assert_eq!(links(&shown).len(), 2);

        // What is final is no draft any more.
        for made in [&made, &second] {
            let draft = input(&erp, "Payment Entry", made["name"].as_str().unwrap()).await;
            data(&erp, "submit_doc", draft).await;
        }
        let shown = card(&erp, "make_from", &pay).await;
        assert_eq!(risk(&shown, "draft_exists"), None);
        assert_eq!(page(&erp, &id, "document").await["drafts"], Value::Null);
        is_whole(&world);
    }
}

#[tokio::test]
async fn so_does_each_other_document_that_a_draft_is_made_of() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let half = || {
            json!([
                is("customer", "Harbour Wheels"),
                is("status", "To Deliver and Bill")
            ])
        };
        let wanted = json!([is("docstatus", 1), is("material_request_type", "Purchase")]);
        for (source, filters, target, fields) in [
            ("Sales Order", half(), "Delivery Note", json!([])),
            ("Sales Order", half(), "Sales Invoice", json!([])),
            (
                "Material Request",
                wanted,
                "Purchase Order",
                json!([set("supplier", "Rimfire Wheels")]),
            ),
        ] {
            let name = first(&erp, source, filters).await;
            let make = json!({"source_doctype": source, "source_name": name, "target_doctype": target,
                "fields": fields});
            let shown = card(&erp, "make_from", &make).await;
            assert_eq!(risk(&shown, "draft_exists"), None, "{target}");
            assert_eq!(risk(&shown, "drafts_unknown"), None, "{target}");
            let made = data(&erp, "make_from", make.clone()).await;
            let made = made["name"].as_str().unwrap();
            let shown = card(&erp, "make_from", &make).await;
            let sentence = format!("{made} is a draft of {source} {name} already.");
            assert_eq!(risk(&shown, "draft_exists"), Some(&*sentence));
            assert_eq!(links(&shown).len(), 1);
        }
        // One that the company had before.
        let filters = json!([is("customer", "Rheinrad"), is("docstatus", 0)]);
        let draft = first(&erp, "Sales Invoice", filters).await;
        let order =
            stored(&world, "Sales Invoice", &json!(draft))["items"][0]["sales_order"].clone();
        let make = json!({"source_doctype": "Sales Order", "source_name": order,
            "target_doctype": "Sales Invoice"});
        let shown = card(&erp, "make_from", &make).await;
        assert!(risk(&shown, "draft_exists").unwrap().starts_with(&draft));
        is_whole(&world);
    }
}
