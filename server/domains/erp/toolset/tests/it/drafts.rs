//! Drafts on the simulated company: what the card shows is what is stored, and the books balance.

use agent::ports::Preview;
use erp::ErpConfig;
use protocol::{CardSection, LineChange, RiskWeight};
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpTrigger, SimErpUser};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    acting::{find, number, preview, table, with},
    simulated::{World, ask, data, first, is},
};

pub(crate) fn set(field: &str, value: impl Into<Value>) -> Value {
    json!({"field": field, "value": value.into()})
}

/// An order of Harbour Wheels over pumps and locks.
pub(crate) fn order(pumps: u32) -> Value {
    let row = |item: &str, qty: u32| json!({"fields": [set("item_code", item), set("qty", qty), set("rate", 12)]});
    json!({
        "doctype": "Sales Order",
        "fields": [
            set("customer", "Harbour Wheels"), set("company", "Aldergate Cycles"),
            set("delivery_date", "2026-12-10"),
        ],
        "tables": [{"table": "items", "rows": [row("PUMP", pumps), row("LOCK-U", 1)]}],
    })
}

/// The rows of the items on a card.
fn items(card: &Preview) -> &[Vec<String>] {
    table(card, "Items").unwrap().0
}

fn lines(card: &Preview) -> Vec<(LineChange, &str)> {
    let found = card.sections.iter().find_map(|section| match section {
        CardSection::Diff { lines, .. } => Some(lines),
        _ => None,
    });
    let lines = found.unwrap().iter();
    lines.map(|it| (it.change, it.text.as_str())).collect()
}

/// A document as the site has it.
pub(crate) fn stored(world: &World, doctype: &str, name: &Value) -> Value {
    let name = name.as_str().unwrap();
    world.site.control().document(doctype, name).unwrap()
}

/// Another program of a person posts to the site.
pub(crate) async fn post(world: &World, path: &str, body: &Value) {
    let url = world.site.url();
    let host = url.strip_prefix("http://").unwrap();
    let (token, body) = (world.site.token(SimErpUser::Manager), body.to_string());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: token {token}\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn what_is_mapped_is_shown_with_its_totals_and_made() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([
            is("customer", "Harbour Wheels"),
            is("status", "To Deliver and Bill")
        ]);
        let source = first(&erp, "Sales Order", filters).await;
        let input = json!({"source_doctype": "Sales Order", "source_name": source, "target_doctype": "Sales Invoice"});
        let card = preview(&erp, "make_from", &input).await.unwrap();
        let sentence =
            format!("Make a draft Sales Invoice for Harbour Wheels from Sales Order {source}.");
        assert_eq!(card.sentence, sentence);
        assert_eq!(items(&card).len(), 1);
        let totals = card.sections.iter().find_map(|it| match it {
            CardSection::Fields { title, fields } if title == "Totals" => Some(fields),
            _ => None,
        });
        let total = totals.unwrap().iter().find(|it| it.label == "Grand Total");
        let total = total.unwrap().value.clone();
        assert!(
            card.objects
                .contains(&"company/aldergate cycles".to_owned())
        );
        assert!(
            card.objects.iter().any(|it| it.starts_with("account/")),
            "{:?}",
            card.objects
        );
        // Read again, the card is the same, so that an approval holds.
        assert_eq!(preview(&erp, "make_from", &input).await.unwrap(), card);
        assert!(world.site.control().effects().is_empty());
        let made = data(&erp, "make_from", input).await;
        let total = number(total.strip_suffix(" EUR").unwrap());
        assert_eq!(made["total"].as_f64(), Some(total), "{made}");
        let invoice = stored(&world, "Sales Invoice", &made["name"]);
        assert_eq!(invoice["docstatus"], 0);
        assert_eq!(invoice["items"][0]["sales_order"], source.as_str());
        assert_eq!(world.site.control().effects().len(), 1);
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn rows_of_a_mapping_are_narrowed_to_what_is_open() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([
            is("customer", "Harbour Wheels"),
            is("status", "To Deliver and Bill")
        ]);
        let source = first(&erp, "Sales Order", filters).await;
        let row = stored(&world, "Sales Order", &json!(source))["items"][0]["name"].clone();
        let input = |rows: Value| json!({"source_doctype": "Sales Order", "source_name": source, "target_doctype": "Delivery Note", "rows": rows});
        // Ten were ordered and five delivered.
        for (rows, word) in [
            (json!([{"source_row": row, "qty": 6}]), "5 is open"),
            (
                json!([{"source_row": row, "qty": 2}, {"source_row": row, "qty": 5}]),
                "not open",
            ),
            (json!([{"source_row": "another", "qty": 1}]), "not open"),
        ] {
            let error = preview(&erp, "make_from", &input(rows)).await.unwrap_err();
            assert!(error.contains(word), "{word}: {error}");
        }
        let input = input(json!([{"source_row": row, "qty": 2}]));
        let card = preview(&erp, "make_from", &input).await.unwrap();
        assert_eq!(items(&card)[0][1], "2");
        assert!(
            card.risks.iter().any(|it| it.rule == "no_totals"),
            "{:?}",
            card.risks
        );
        let made = data(&erp, "make_from", input).await;
        let note = stored(&world, "Delivery Note", &made["name"]);
        assert_eq!(note["items"][0]["qty"], 2.0, "{note}");
        assert_eq!(note["items"][0]["stock_qty"], note["items"][0]["qty"]);
        assert_eq!(note["items"][0]["so_detail"], row);
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_mapping_that_the_erp_lacks_is_refused() {
    let [world, _] = World::both().await;
    let erp = world.erp(SimErpUser::Agent);
    let filters = json!([is("customer", "Harbour Wheels"), is("docstatus", 1)]);
    let source = first(&erp, "Sales Order", filters).await;
    let draft = first(&erp, "Sales Order", json!([is("po_no", "KC-4711")])).await;
    for (from, name, to, word) in [
        ("Customer", "Harbour Wheels", "Sales Order", "does not make"),
        ("frappe.client.delete", "x", "Sales Order", ""),
        ("Sales Order", &*source, "Payment Entry", "due_date"),
        ("Sales Order", &*draft, "Sales Invoice", ""),
    ] {
        let mut input = json!({"source_doctype": from, "source_name": name, "target_doctype": to});
        if word == "due_date" {
            input["fields"] = json!([set("due_date", "2026-12-10")]);
        }
        let error = preview(&erp, "make_from", &input).await.unwrap_err();
        assert!(error.contains(word), "{from}: {error}");
    }
    assert!(world.site.control().effects().is_empty());
}

#[tokio::test]
async fn a_payment_through_a_bank_wants_its_reference_before_the_card() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Merlin Bikes"), is("status", "Overdue")]);
        let invoice = first(&erp, "Sales Invoice", filters).await;
        let pay = |fields: Value| {
            json!({"source_doctype": "Sales Invoice", "source_name": invoice,
                "target_doctype": "Payment Entry", "fields": fields})
        };
        let [number, day] = [
            set("reference_no", "TR-88"),
            set("reference_date", "2026-11-20"),
        ];
        for (fields, gives) in [
            (json!([]), "give \"reference_no\" and \"reference_date\"."),
            (json!([number]), "give \"reference_date\"."),
        ] {
            let error = preview(&erp, "make_from", &pay(fields)).await.unwrap_err();
            assert!(
                error.contains("Main Bank") && error.ends_with(gives),
                "{error}"
            );
        }
        let create = json!({"doctype": "Payment Entry", "fields": [
            set("payment_type", "Pay"), set("party_type", "Supplier"), set("party", "Rimfire Wheels"),
            set("company", "Aldergate Cycles"), set("paid_amount", 120), set("received_amount", 120),
            set("paid_from", "1120 - Main Bank - AC"), set("paid_to", "2100 - Creditors - AC"),
        ]});
        let error = preview(&erp, "create_doc", &create).await.unwrap_err();
        assert!(error.contains("reference_no"), "{error}");
        let whole = pay(json!([number, day]));
        preview(&erp, "make_from", &whole).await.unwrap();
        data(&erp, "make_from", whole).await;
        assert_eq!(world.site.control().effects().len(), 1);
        // Who may not read accounts is refused by the ERP alone.
        let who = SimErpUser::Agent.email();
        world.site.control().set_withdrawn(who, "Account", true);
        let erp = world.erp(SimErpUser::Agent);
        let error = preview(&erp, "create_doc", &create).await;
        assert!(!format!("{error:?}").contains("bank account"), "{error:?}");
    }
}

#[tokio::test]
async fn rows_change_and_all_others_stay_whole() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let made = data(&erp, "create_doc", order(3)).await;
        assert!(made.get("changed_by_erp").is_none(), "{made}");
        let before = stored(&world, "Sales Order", &made["name"]);
        let row = |at: usize| before["items"][at]["name"].clone();
        let input = json!({
            "doctype": "Sales Order", "name": made["name"], "modified": made["modified"], "submitted": false,
            "fields": [set("po_no", "HW-9"), set("delivery_date", "2026-12-12")],
            "rows": [
                {"table": "items", "action": "change", "row": row(0), "fields": [set("qty", 4)]},
                {"table": "items", "action": "add", "fields": [set("item_code", "HELMET-M"), set("qty", 2)]},
            ],
        });
        let card = preview(&erp, "update_doc", &input).await.unwrap();
        let (removed, added) = (LineChange::Removed, LineChange::Added);
        assert_eq!(
            lines(&card),
            [
                (removed, "Po No: (empty)"),
                (added, "Po No: HW-9"),
                (removed, "Delivery Date: 2026-12-10"),
                (added, "Delivery Date: 2026-12-12"),
                (removed, "Items 1 (PUMP), Qty: 3"),
                (added, "Items 1 (PUMP), Qty: 4"),
                (added, "Items, new row: Item Code HELMET-M, Qty 2"),
            ]
        );
        let done = data(&erp, "update_doc", input.clone()).await;
        assert!(done.get("changed_by_erp").is_none(), "{done}");
        let after = stored(&world, "Sales Order", &made["name"]);
        assert_eq!(after["items"].as_array().unwrap().len(), 3);
        assert_eq!(after["items"][0]["qty"], 4.0);
        // What was not named is as it was, to the last field.
        for field in ["item_code", "rate", "warehouse", "amount", "name", "uom"] {
            assert_eq!(
                after["items"][1][field], before["items"][1][field],
                "{field}"
            );
        }
        assert_eq!(after["items"][0]["rate"], before["items"][0]["rate"]);
        // The copy that the call was made for is gone.
        let error = ask(&erp, "update_doc", input).await.unwrap_err();
        assert!(error.message.contains("has changed"), "{error}");
        let remove = json!({
            "doctype": "Sales Order", "name": made["name"], "modified": done["modified"], "submitted": false,
            "rows": [{"table": "items", "action": "remove", "row": row(1)}],
        });
        let card = preview(&erp, "update_doc", &remove).await.unwrap();
        assert!(
            lines(&card)[0]
                .1
                .starts_with("Items 2 (LOCK-U): Item Code LOCK-U")
        );
        assert!(card.risks.iter().any(|it| it.rule == "row_removed"));
        data(&erp, "update_doc", remove).await;
        let after = stored(&world, "Sales Order", &made["name"]);
        let items: Vec<_> = after["items"].as_array().unwrap().iter().collect();
        assert_eq!(
            items.iter().map(|it| &it["item_code"]).collect::<Vec<_>>(),
            ["PUMP", "HELMET-M"]
        );
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_submitted_order_changes_only_where_the_erp_lets_it() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([
            is("customer", "Harbour Wheels"),
            is("status", "To Deliver and Bill")
        ]);
        let name = first(&erp, "Sales Order", filters).await;
        let read = data(
            &erp,
            "get_doc",
            json!({"doctype": "Sales Order", "name": name}),
        )
        .await;
        let input = |submitted: bool, fields: Value| json!({"doctype": "Sales Order", "name": name, "modified": read["modified"], "submitted": submitted, "fields": fields});
        let po = json!([set("po_no", "HW-1")]);
        let error = preview(&erp, "update_doc", &input(false, po.clone()))
            .await
            .unwrap_err();
        assert!(error.contains("submitted"), "{error}");
        let customer = json!([set("customer", "Merlin Bikes")]);
        let error = preview(&erp, "update_doc", &input(true, customer))
            .await
            .unwrap_err();
        assert!(error.contains("after the document is submitted"), "{error}");
        let card = preview(&erp, "update_doc", &input(true, po.clone()))
            .await
            .unwrap();
        assert!(
            card.risks.iter().any(|it| it.weight == RiskWeight::Warning),
            "{:?}",
            card.risks
        );
        data(&erp, "update_doc", input(true, po)).await;
        assert_eq!(stored(&world, "Sales Order", &json!(name))["po_no"], "HW-1");
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_cancelled_order_is_amended() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let made = data(&erp, "create_doc", order(3)).await;
        let name = made["name"].clone();
        let amend = json!({"doctype": "Sales Order", "name": name});
        let error = preview(&erp, "amend_doc", &amend).await.unwrap_err();
        assert!(error.contains("not cancelled"), "{error}");
        let document = stored(&world, "Sales Order", &name);
        post(
            &world,
            "/api/method/frappe.client.submit",
            &json!({"doc": document}),
        )
        .await;
        let which = json!({"doctype": "Sales Order", "name": name});
        post(&world, "/api/method/frappe.client.cancel", &which).await;
        let row = document["items"][0]["name"].clone();
        let change =
            json!({"table": "items", "action": "change", "row": row, "fields": [set("qty", 2)]});
        let amend = json!({"doctype": "Sales Order", "name": name, "rows": [change]});
        let card = preview(&erp, "amend_doc", &amend).await.unwrap();
        assert_eq!(
            lines(&card)[1],
            (LineChange::Added, "Items 1 (PUMP), Qty: 2")
        );
        assert_eq!(items(&card).len(), 2);
        let effects = world.site.control().effects().len();
        let lost = SimErpTrigger::next("Sales Order", SimErpFault::LostAfter).of_method("POST");
        world.site.control().fault(lost);
        let made = data(&erp, "amend_doc", amend.clone()).await;
        assert_eq!(world.site.control().effects().len(), effects + 1);
        let draft = stored(&world, "Sales Order", &made["name"]);
        assert_eq!(draft["amended_from"], name);
        assert_eq!(draft["docstatus"], 0);
        assert_eq!(draft["items"][0]["qty"], 2.0);
        assert_ne!(draft["items"][0]["name"], row);
        let card = preview(&erp, "amend_doc", &amend).await.unwrap();
        assert!(card.risks.iter().any(|it| it.rule == "amended_already"));
        assert_eq!(world.site.control().broken(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn what_the_erp_stored_otherwise_is_told() {
    let [world, _] = World::both().await;
    let erp = world.erp(SimErpUser::Agent);
    let hook = SimErpTrigger::next("Sales Order", SimErpFault::RateHook).of_method("POST");
    world.site.control().fault(hook);
    let made = data(&erp, "create_doc", order(3)).await;
    let changed = &made["changed_by_erp"][0];
    assert_eq!(changed["field"], "items[1].rate", "{made}");
    assert_eq!(
        (&changed["requested"], &changed["stored"]),
        (&json!(12), &json!(13))
    );
}

#[tokio::test]
async fn a_field_that_became_read_only_after_the_card_is_refused_by_name() {
    for world in World::both().await {
        // Types are read anew for each card, as after five minutes.
        let config = ErpConfig {
            meta_cache_ms: 0,
            ..ErpConfig::default()
        };
        let forgetful = world.erp_with(SimErpUser::Agent, config);
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Rheinrad"), is("docstatus", 0)]);
        let invoice = find(&erp, "Sales Invoice", filters).await;
        let change = json!({"submitted": false, "fields": [set("remarks", "Gate 4")]});
        let input = with(&invoice, change);
        let shown = preview(&erp, "update_doc", &input).await.unwrap();
        let control = world.site.control();
        control.lock_field("Sales Invoice", "remarks");
        let error = preview(&forgetful, "update_doc", &input).await.unwrap_err();
        assert!(
            error.contains("remarks") && error.contains("read-only"),
            "{error}"
        );
        assert!(control.effects().is_empty());
        // Within these minutes it is as on the card: the mark is for forms, the API stores the value.
        assert_eq!(preview(&erp, "update_doc", &input).await.unwrap(), shown);
        data(&erp, "update_doc", input).await;
        let kept = stored(&world, "Sales Invoice", &invoice["name"]);
        assert_eq!(kept["remarks"], "Gate 4");
    }
}
