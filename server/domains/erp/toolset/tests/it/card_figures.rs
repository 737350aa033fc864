//! Figures on cards beside their rows: taxes and totals of the ERP, estimates of what it has not computed,
//! the workflow that governs a new document, and the stock before and after.

use agent::ports::Preview;
use protocol::{CardSection, RiskWeight};
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{
        COMPANY, card, clerk, draft, find, input, is_whole, number, risk, table, with, worlds,
    },
    drafts::{order, post, set, stored},
    simulated::{data, is},
    stub::tool,
};

/// The fields of a section.
fn fields<'a>(card: &'a Preview, of: &str) -> Vec<(&'a str, &'a str)> {
    let found = card.sections.iter().find_map(|section| match section {
        CardSection::Fields { title, fields } if title == of => Some(fields),
        _ => None,
    });
    let fields = found
        .unwrap_or_else(|| panic!("{of}: {:?}", card.sections))
        .iter();
    fields
        .map(|it| (it.label.as_str(), it.value.as_str()))
        .collect()
}

fn field<'a>(card: &'a Preview, of: &str, label: &str) -> &'a str {
    let fields = fields(card, of);
    let found = fields.iter().find(|it| it.0 == label);
    found.unwrap_or_else(|| panic!("{label}: {fields:?}")).1
}

fn fact<'a>(card: &'a Preview, label: &str) -> Option<&'a str> {
    let mut facts = card.facts.iter();
    facts
        .find(|it| it.label == label)
        .map(|it| it.value.as_str())
}

/// An amount with its currency.
fn euros(text: &str) -> f64 {
    number(text.strip_suffix(" EUR").unwrap())
}

#[tokio::test]
async fn what_becomes_final_shows_its_taxes_and_totals() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Rheinrad"), is("docstatus", 0)]);
        let invoice = find(&erp, "Sales Invoice", filters).await;
        let stored = stored(&world, "Sales Invoice", &invoice["name"]);
        let shown = card(&erp, "submit_doc", &invoice).await;
        for (label, of) in [
            ("Net Total", "net_total"),
            ("Total Taxes And Charges", "total_taxes_and_charges"),
            ("Grand Total", "grand_total"),
        ] {
            let value = euros(field(&shown, "Totals", label));
            assert_eq!(Some(value), stored[of].as_f64(), "{label}");
        }
        let (taxes, sums) = table(&shown, "Taxes").unwrap();
        let tax = &stored["taxes"][0];
        assert_eq!(taxes[0][0], tax["account_head"].as_str().unwrap());
        assert_eq!(Some(number(&taxes[0][2])), tax["tax_amount"].as_f64());
        assert!(sums.is_empty(), "{sums:?}");

        let erp = world.erp(SimErpUser::Manager);
        let filters = json!([is("supplier", "Sprocket & Daughters"), is("docstatus", 0)]);
        let order = find(&erp, "Purchase Order", filters).await;
        let stored = crate::drafts::stored(&world, "Purchase Order", &order["name"]);
        let approve = with(&order, json!({"action": "Approve"}));
        let shown = card(&erp, "apply_workflow", &approve).await;
        let total = euros(field(&shown, "Totals", "Grand Total"));
        assert_eq!(Some(total), stored["grand_total"].as_f64());
        assert!(world.site.control().effects().is_empty());
    }
}

#[tokio::test]
async fn an_order_without_taxes_says_so_and_warns_where_others_have_some() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let shown = card(&erp, "create_doc", &order(3)).await;
        let untaxed = shown.risks.iter().find(|it| it.rule == "untaxed").unwrap();
        assert_eq!(untaxed.sentence, "No taxes are given");
        assert_eq!(untaxed.weight, RiskWeight::Warning, "{untaxed:?}");
        let detail = untaxed.detail.as_deref().unwrap();
        assert!(detail.contains("has taxes: SAL-ORD-"), "{detail}");
        // Its submit warns as well, when the ERP adds none any more.
        let made = data(&erp, "create_doc", order(3)).await;
        let made = input(&erp, "Sales Order", made["name"].as_str().unwrap()).await;
        let shown = card(&erp, "submit_doc", &made).await;
        let untaxed = shown.risks.iter().find(|it| it.rule == "untaxed").unwrap();
        assert_eq!(untaxed.sentence, "It has no taxes");
        assert_eq!(untaxed.weight, RiskWeight::Warning, "{untaxed:?}");
        let detail = untaxed.detail.as_deref().unwrap();
        assert!(!detail.contains("tax rule"), "{detail}");
        let mut taxed = order(3);
        let fields = taxed["fields"].as_array_mut().unwrap();
        fields.push(set("taxes_and_charges", "VAT 19 - AC"));
        let shown = card(&erp, "create_doc", &taxed).await;
        assert_eq!(risk(&shown, "untaxed"), None);
        // A request for material has no taxes at all.
        let request = json!({
            "doctype": "Material Request",
            "fields": [set("material_request_type", "Purchase"), set("company", COMPANY),
                set("schedule_date", "2026-12-10")],
            "tables": [{"table": "items", "rows": [{"fields": [
                set("item_code", "RAW-RIM"), set("qty", 40), set("warehouse", "Raw - AC")]}]}],
        });
        let shown = card(&erp, "create_doc", &request).await;
        assert_eq!(risk(&shown, "untaxed"), None);
    }
}

#[tokio::test]
async fn a_change_shows_the_totals_before_it_and_an_estimate() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let mut unpriced = order(3);
        let shown = card(&erp, "create_doc", &unpriced).await;
        let estimate = risk(&shown, "estimate").unwrap();
        assert!(
            estimate == "Estimate: 48.00 (currency not given)",
            "{estimate}"
        );
        let row = unpriced["tables"][0]["rows"][1]["fields"]
            .as_array_mut()
            .unwrap();
        row.retain(|it| it["field"] != "rate");
        let shown = card(&erp, "create_doc", &unpriced).await;
        let estimate = risk(&shown, "estimate").unwrap();
        assert!(
            estimate.ends_with("sets the rate of 1 of 2 rows"),
            "{estimate}"
        );

        let made = data(&erp, "create_doc", order(3)).await;
        let before = stored(&world, "Sales Order", &made["name"]);
        let change = |fields: Value| {
            json!({"doctype": "Sales Order", "name": made["name"], "modified": made["modified"],
                "submitted": false, "rows": [{"table": "items", "action": "change",
                "row": before["items"][0]["name"], "fields": fields}]})
        };
        let shown = card(&erp, "update_doc", &change(json!([set("rate", 20)]))).await;
        let total = euros(field(&shown, "Totals before the change", "Grand Total"));
        assert_eq!(Some(total), before["grand_total"].as_f64());
        let estimate = risk(&shown, "estimate").unwrap();
        assert!(estimate == "Estimate: 72.00 EUR", "{estimate}");
        // What the ERP computed is bound, what is guessed is not.
        let bound = json!([shown.state, shown.sections]).to_string();
        assert!(!bound.contains("72.00"), "{bound}");
        let shown = card(
            &erp,
            "update_doc",
            &change(json!([set("discount_percentage", 5)])),
        )
        .await;
        let estimate = risk(&shown, "estimate").unwrap();
        assert!(estimate.starts_with("No estimate"), "{estimate}");

        // The amounts of the cancelled document are not those of a copy with another quantity.
        for method in ["submit", "cancel"] {
            let document = stored(&world, "Sales Order", &made["name"]);
            let body = if method == "submit" {
                json!({"doc": document})
            } else {
                json!({"doctype": "Sales Order", "name": made["name"]})
            };
            post(
                &world,
                &format!("/api/method/frappe.client.{method}"),
                &body,
            )
            .await;
        }
        let amend = json!({"doctype": "Sales Order", "name": made["name"], "rows": [{"table": "items",
            "action": "change", "row": before["items"][0]["name"], "fields": [set("qty", 2)]}]});
        let shown = card(&erp, "amend_doc", &amend).await;
        let total = euros(field(
            &shown,
            "Totals of the cancelled document",
            "Grand Total",
        ));
        assert_eq!(Some(total), before["grand_total"].as_f64());
        let (rows, _) = table(&shown, "Items").unwrap();
        let amount = format!("{}.00", 3 * 12);
        assert!(rows.iter().flatten().all(|it| *it != amount), "{rows:?}");
        let estimate = risk(&shown, "estimate").unwrap();
        assert!(estimate == "Estimate: 36.00 EUR", "{estimate}");
        data(&erp, "amend_doc", amend).await;
        is_whole(&world);
    }
}

#[tokio::test]
async fn some_rows_of_a_mapping_have_no_amounts_of_all() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([
            is("customer", "Harbour Wheels"),
            is("status", "To Deliver and Bill")
        ]);
        let source = find(&erp, "Sales Order", filters).await;
        let row = stored(&world, "Sales Order", &source["name"])["items"][0].clone();
        let all = json!({"source_doctype": "Sales Order", "source_name": source["name"],
            "target_doctype": "Delivery Note"});
        let shown = card(&erp, "make_from", &all).await;
        assert!(risk(&shown, "estimate").is_none());
        let whole = table(&shown, "Items").unwrap().0[0].clone();
        let some = with(
            &all,
            json!({"rows": [{"source_row": row["name"], "qty": 2}]}),
        );
        let shown = card(&erp, "make_from", &some).await;
        let (rows, _) = table(&shown, "Items").unwrap();
        let open = 5.0 * row["rate"].as_f64().unwrap();
        let has = |row: &[String]| row.iter().any(|it| it.replace(',', "").parse() == Ok(open));
        assert!(has(&whole) && !has(&rows[0]), "{whole:?} {rows:?}");
        let (taxes, _) = table(&shown, "Taxes").unwrap();
        assert_eq!(taxes[0].len(), 2, "{taxes:?}");
        let estimate = risk(&shown, "estimate").unwrap();
        let sum = euros(estimate.strip_prefix("Estimate: ").unwrap());
        assert_eq!(sum, 2.0 * row["rate"].as_f64().unwrap(), "{estimate}");
        // A day says nothing about amounts, but the ERP has not computed with it.
        let dated = with(
            &all,
            json!({"fields": [set("posting_date", "2026-11-20"), set("set_posting_time", true)]}),
        );
        let shown = card(&erp, "make_from", &dated).await;
        field(&shown, "Totals without the given fields", "Grand Total");
    }
}

#[tokio::test]
async fn a_new_document_names_the_workflow_that_governs_it() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Manager);
        let row = json!({"fields": [set("item_code", "PUMP"), set("qty", 2), set("rate", 7)]});
        let create = json!({"doctype": "Purchase Order", "fields": [set("supplier", "Rimfire Wheels"),
            set("company", COMPANY), set("schedule_date", "2026-12-10")],
            "tables": [{"table": "items", "rows": [row]}]});
        let shown = card(&erp, "create_doc", &create).await;
        let sentence = "The ERP's workflow \"Purchase Order Approval\" governs it, and it starts as \"Draft\".";
        assert_eq!(risk(&shown, "workflow"), Some(sentence));
        assert_eq!(shown.state["workflow"], "Purchase Order Approval");
        let note = shown.risks.iter().find(|it| it.rule == "workflow").unwrap();
        assert_eq!(note.weight, RiskWeight::Note);

        let filters = json!([is("docstatus", 1), is("material_request_type", "Purchase")]);
        let request = find(&erp, "Material Request", filters).await;
        let make = json!({"source_doctype": "Material Request", "source_name": request["name"],
            "target_doctype": "Purchase Order", "fields": [set("supplier", "Rimfire Wheels")]});
        let shown = card(&erp, "make_from", &make).await;
        assert_eq!(risk(&shown, "workflow"), Some(sentence));
        assert_eq!(shown.state["workflow"], "Purchase Order Approval");
        let shown = card(&erp, "create_doc", &order(1)).await;
        assert_eq!(risk(&shown, "workflow"), None);
        assert_eq!(shown.state["workflow"], Value::Null);

        let filters = json!([is("supplier", "Sprocket & Daughters"), is("docstatus", 0)]);
        let order = find(&erp, "Purchase Order", filters).await;
        let name = order["name"].as_str().unwrap();
        for action in ["Approve", "Cancel"] {
            let step = with(
                &input(&erp, "Purchase Order", name).await,
                json!({"action": action}),
            );
            data(&erp, "apply_workflow", step).await;
        }
        let amend = json!({"doctype": "Purchase Order", "name": name});
        let shown = card(&erp, "amend_doc", &amend).await;
        assert_eq!(risk(&shown, "workflow"), Some(sentence));
        is_whole(&world);
    }
}

#[tokio::test]
async fn stock_before_and_after_is_shown_and_not_bound() {
    for (world, _) in worlds().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Lindgren Rad"), is("docstatus", 0)]);
        let note = find(&erp, "Delivery Note", filters).await;
        let bin = || {
            let names = world.site.control().names("Bin");
            let bins = names
                .iter()
                .filter_map(|it| world.site.control().document("Bin", it));
            let mut bins = bins.filter(|it| it["item_code"] == "LOCK-U");
            bins.find(|it| it["warehouse"] == "Stores - AC").unwrap()
        };
        let level = |moved: f64| {
            let before = bin()["actual_qty"].as_f64().unwrap();
            format!("{before} → {} Nos", before + moved)
        };
        let stock = |shown: &Preview| {
            let found = shown
                .facts
                .iter()
                .find(|it| it.label.starts_with("Stock after it: LOCK-U"));
            found.unwrap_or_else(|| panic!("{:?}", shown.facts)).clone()
        };
        let before = card(&erp, "submit_doc", &note).await;
        // The note is dated ahead, so the figures are those of its day.
        let day = fact(&before, "Posts on").unwrap();
        let label = format!("Stock after it: LOCK-U in Stores - AC on {day}");
        assert_eq!(
            (stock(&before).label, stock(&before).value),
            (label, level(-4.0))
        );
        // More of the same at the same value: the lines are the same, and the decision still counts.
        let rate = bin()["valuation_rate"].clone();
        let fields = json!({"stock_entry_type": "Material Receipt", "company": COMPANY});
        let row = json!([{"item_code": "LOCK-U", "qty": 6, "t_warehouse": "Stores - AC", "basic_rate": rate}]);
        let other = clerk(&world);
        let receipt = draft(&other, "Stock Entry", fields, json!({"items": row})).await;
        let shown = card(&other, "submit_doc", &receipt).await;
        assert_eq!(stock(&shown).value, level(6.0));
        assert_eq!(stock(&shown).label, "Stock after it: LOCK-U in Stores - AC");
        data(&other, "submit_doc", receipt).await;
        let after = card(&erp, "submit_doc", &note).await;
        assert_eq!(stock(&after).value, level(-4.0));
        assert_ne!(stock(&after), stock(&before));
        assert_eq!(
            (&after.state, &after.sections),
            (&before.state, &before.sections)
        );
        // It is also never what made the card another one.
        let drift = tool(&erp, "submit_doc")
            .drift(&before.facts, &after)
            .unwrap();
        assert!(!drift.contains("Stock"), "{drift}");
        data(&erp, "submit_doc", note.clone()).await;
        let note = input(&erp, "Delivery Note", note["name"].as_str().unwrap()).await;
        let cancel = with(&note, json!({"reason": "Wrong customer"}));
        let shown = card(&erp, "cancel_doc", &cancel).await;
        assert_eq!(stock(&shown).value, level(4.0));
        // Without the right to see stock it is unknown; where no preview tells it.
        let who = SimErpUser::Agent.email();
        world.site.control().set_withdrawn(who, "Bin", true);
        let erp = world.erp(SimErpUser::Agent);
        let shown = card(&erp, "cancel_doc", &cancel).await;
        let unknown = fact(&shown, "Stock after it").unwrap();
        assert!(unknown.starts_with("unknown: "), "{unknown}");
        let fields = json!({"stock_entry_type": "Material Receipt", "company": COMPANY});
        let row = json!([{"item_code": "LOCK-U", "qty": 1, "t_warehouse": "Stores - AC", "basic_rate": 5}]);
        let receipt = draft(&erp, "Stock Entry", fields, json!({"items": row})).await;
        let shown = card(&erp, "submit_doc", &receipt).await;
        let is_unknown = fact(&shown, "Stock after it").is_some();
        assert_eq!(
            is_unknown,
            risk(&shown, "own_rows").is_some(),
            "{:?}",
            shown.facts
        );
        is_whole(&world);
    }
}
