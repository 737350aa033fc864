//! The pages of documents on the simulated company.

use agent::ports::{Happening, Teller, Toolset};
use erp::{Erp, ErpConfig, RestVersion};
use protocol::{ErrorBody, PageQuery, Timestamp, UserId};
use serde_json::{Value, json};
use simerp::{SimErpProfile, SimErpUser};
use tokio::sync::mpsc;

use crate::simulated::{NOW, World, data, first, is};

async fn ask(erp: &Erp, id: &str, part: &str) -> Result<Value, ErrorBody> {
    let query = PageQuery {
        kind: "document".to_owned(),
        name: id.to_owned(),
        part: part.to_owned(),
    };
    erp.page(UserId::new(Timestamp(1), 1), &query).await
}

pub(crate) async fn page(erp: &Erp, id: &str, part: &str) -> Value {
    ask(erp, id, part)
        .await
        .unwrap_or_else(|error| panic!("{id} {part}: {error}"))
}

/// The value of a field of the head.
fn head<'a>(page: &'a Value, label: &str) -> &'a Value {
    let fields = page["head"].as_array().unwrap();
    let field = fields.iter().find(|field| field["label"] == label);
    &field.unwrap_or_else(|| panic!("no {label}: {page}"))["value"]
}

#[tokio::test]
async fn the_main_types_have_a_page_with_all_parts() {
    for world in World::both().await {
        let before = world.site.control().digest();
        let erp = world.erp(SimErpUser::Agent);
        for doctype in [
            "Customer",
            "Supplier",
            "Item",
            "Quotation",
            "Sales Order",
            "Delivery Note",
            "Sales Invoice",
            "Purchase Order",
            "Purchase Receipt",
            "Purchase Invoice",
            "Payment Entry",
            "Journal Entry",
            "Stock Entry",
            "Material Request",
            "Work Order",
            "BOM",
        ] {
            let name = first(&erp, doctype, json!([])).await;
            let id = format!("{doctype}/{name}");
            let document = page(&erp, &id, "document").await;
            assert_eq!(document["name"], name, "{id}");
            assert!(document["modified_at"].is_i64(), "{document}");
            for table in document["tables"].as_array().unwrap() {
                let columns = table["columns"].as_array().unwrap().len();
                let rows = table["rows"].as_array().unwrap();
                assert!(!rows.is_empty() && columns > 0, "{table}");
                assert!(
                    rows.iter()
                        .all(|row| row.as_array().unwrap().len() == columns)
                );
            }
            for part in ["ledger", "links", "history"] {
                let answer = page(&erp, &id, part).await;
                assert!(answer["at"].is_i64(), "{id} {part}: {answer}");
            }
        }
        assert_eq!(world.site.control().digest(), before);
    }
}

#[tokio::test]
async fn an_invoice_has_its_money_and_its_lines() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Merlin Bikes"), is("status", "Overdue")]);
        let name = first(&erp, "Sales Invoice", filters).await;
        let id = format!("Sales Invoice/{name}");
        let document = page(&erp, &id, "document").await;
        let total = head(&document, "Grand Total");
        assert_eq!(total["unit"], "EUR", "{document}");
        let books = world
            .site
            .control()
            .document("Sales Invoice", &name)
            .unwrap();
        let shown: f64 = total["text"].as_str().unwrap().parse().unwrap();
        assert!((shown - books["grand_total"].as_f64().unwrap()).abs() < 0.001);
        assert_eq!(head(&document, "Customer")["to"], "Customer/Merlin Bikes");
        let sections = document["sections"].to_string();
        assert!(!sections.contains("ACC-SINV-.YYYY.-"), "{sections}");
        assert_eq!(
            (&document["docstatus"], &document["status"]),
            (&json!("submitted"), &json!("Overdue"))
        );
        let ledger = page(&erp, &id, "ledger").await;
        assert_eq!(ledger["balanced"], true, "{ledger}");
        let table = &ledger["accounting"];
        let at = |label: &str| {
            let columns = table["columns"].as_array().unwrap();
            columns.iter().position(|it| it["label"] == label).unwrap()
        };
        let foot = &table["foot"];
        assert_eq!(foot[at("Debit")], foot[at("Credit")], "{table}");
        assert_eq!(foot[at("Debit")]["unit"], "EUR");
        assert_eq!(table["columns"][at("Debit")]["is_number"], true);
    }
}

#[tokio::test]
async fn a_draft_shows_what_it_would_post_and_what_it_came_from() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let filters = json!([is("customer", "Rheinrad"), is("docstatus", 0)]);
        let name = first(&erp, "Sales Invoice", filters).await;
        let id = format!("Sales Invoice/{name}");
        let ledger = page(&erp, &id, "ledger").await;
        assert_eq!(ledger["docstatus"], "draft", "{ledger}");
        let lines = ledger["accounting"]["rows"].as_array().unwrap();
        assert!(lines.len() >= 2 && ledger["balanced"] == true, "{ledger}");
        let note = ledger["accounting"]["notes"][0].as_str().unwrap();
        assert!(note.contains("preview"), "{note}");
        let links = page(&erp, &id, "links").await;
        assert_eq!(links["before"][0]["doctype"], "Sales Order", "{links}");
        let order = links["before"][0]["name"].as_str().unwrap();
        // An order posts to no ledger, also while it is a draft: no preview of it is missing.
        let draft = first(&erp, "Sales Order", json!([is("docstatus", 0)])).await;
        for order in [order, draft.as_str()] {
            let mut ledger = page(&erp, &format!("Sales Order/{order}"), "ledger").await;
            ledger["at"].take();
            assert_eq!(ledger, json!({"at": null}), "{order}");
        }
        // A journal entry moves no stock, and so has no preview of it.
        let journal = first(&erp, "Journal Entry", json!([is("docstatus", 0)])).await;
        let ledger = page(&erp, &format!("Journal Entry/{journal}"), "ledger").await;
        assert!(ledger["accounting"]["rows"].is_array(), "{ledger}");
        assert_eq!(ledger["stock"], Value::Null, "{ledger}");
    }
}

#[tokio::test]
async fn links_lead_on_and_back() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let erp = world.erp(SimErpUser::Agent);
    let filters = json!([
        is("customer", "Harbour Wheels"),
        is("docstatus", 1),
        is("delivery_date", "2026-11-19")
    ]);
    let order = first(&erp, "Sales Order", filters).await;
    let links = page(&erp, &format!("Sales Order/{order}"), "links").await;
    let after = links["after"].as_array().unwrap();
    let note = after.iter().find(|it| it["doctype"] == "Delivery Note");
    let note = note.unwrap_or_else(|| panic!("{links}"))["name"].as_str();
    let links = page(&erp, &format!("Delivery Note/{}", note.unwrap()), "links").await;
    let before = links["before"].as_array().unwrap();
    assert!(before.iter().any(|it| it["name"] == order), "{links}");
}

#[tokio::test]
async fn history_says_who_changed_what() {
    let world = World::start(SimErpProfile::V15, RestVersion::V1).await;
    let (key, secret) = world.site.key(SimErpUser::Agent);
    let config = ErpConfig {
        url: world.site.url(),
        api_key: key,
        api_secret: secret.into(),
        readable_types: vec!["Bank Account".to_owned()],
        ..ErpConfig::default()
    };
    let erp = Erp::connect_with_clock(config, || i64::try_from(NOW).unwrap() * 1000).unwrap();
    let history = page(&erp, "Bank Account/Tubal Metals - Union Bank", "history").await;
    let entries = history["entries"].as_array().unwrap();
    let change = entries.iter().find(|it| it["kind"] == "changed").unwrap();
    assert_eq!(change["by"], SimErpUser::Clerk.email(), "{change}");
    assert!(change["at"].is_i64(), "{change}");
    let bank = json!({"label": "Bank", "before": "Union Bank", "after": "Baltic Direct"});
    assert!(
        change["changes"].as_array().unwrap().contains(&bank),
        "{change}"
    );
    assert!(
        entries.iter().any(|it| it["kind"] == "created"),
        "{history}"
    );
}

#[tokio::test]
async fn odd_names_are_names_and_hostile_text_is_text() {
    let world = World::start(SimErpProfile::V16, RestVersion::V2).await;
    let erp = world.erp(SimErpUser::Agent);
    let name = "Ünal & Söhne 100% / <b>\"x\"</b> ? #1";
    let token = world.site.token(SimErpUser::Manager);
    // Plain HTTP only, but the library wants a provider; another test may have set it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let made = reqwest::Client::new()
        .post(format!("{}/api/resource/Customer", world.site.url()))
        .header("Authorization", format!("token {token}"))
        .header("Accept", "application/json")
        .header("Content-Type", "application/json")
        .body(json!({"customer_name": name, "customer_type": "Company"}).to_string())
        .send()
        .await
        .unwrap();
    let status = made.status();
    let made: Value = serde_json::from_slice(&made.bytes().await.unwrap()).unwrap();
    assert!(status.is_success(), "{made}");
    let stored = made["data"]["name"].as_str().unwrap();
    let document = page(&erp, &format!("Customer/{stored}"), "document").await;
    assert_eq!(document["name"], stored);
    let hostile = page(&erp, "Item/TOOLKIT", "document").await.to_string();
    assert!(
        !hostile.contains("<script") && !hostile.contains("<p"),
        "{hostile}"
    );
    for (id, part) in [
        ("Customer/nobody", "document"),
        ("User/boss@aldergate.example", "document"),
        ("User/boss@aldergate.example", "history"),
        ("../Item/PUMP", "document"),
        ("Item", "document"),
        ("Item/PUMP", "secrets"),
        ("Sales Order Item/x", "document"),
    ] {
        assert!(ask(&erp, id, part).await.is_err(), "{id} {part}");
    }
}

#[tokio::test]
async fn an_order_that_waits_for_others_says_for_whom() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    for (user, roles) in [
        (SimErpUser::Agent, json!(["Purchase Manager"])),
        (SimErpUser::Manager, Value::Null),
    ] {
        let erp = world.erp(user);
        let filters = json!([is("supplier", "Sprocket & Daughters"), is("docstatus", 0)]);
        let name = first(&erp, "Purchase Order", filters).await;
        let document = page(&erp, &format!("Purchase Order/{name}"), "document").await;
        assert_eq!(document["workflow"]["waits_for"], roles, "{document}");
        let input = json!({"doctype": "Purchase Order", "name": name});
        let read = data(&erp, "get_doc", input).await;
        assert_eq!(read["workflow"]["waits_for"], roles, "{read}");
    }
}

/// The rows of a list of the glance, each cell with its unit.
fn glance_rows(glance: &Value, title: &str) -> Vec<Vec<String>> {
    let lists = glance["lists"].as_array().unwrap();
    let list = lists.iter().find(|it| it["title"] == title);
    let rows = &list.unwrap_or_else(|| panic!("no {title}: {glance}"))["table"]["rows"];
    let rows = rows
        .as_array()
        .unwrap_or_else(|| panic!("{title}: {glance}"));
    let cell = |cell: &Value| {
        let text = |field: &str| cell[field].as_str().unwrap_or_default().to_owned();
        format!("{} {}", text("text"), text("unit"))
            .trim_end()
            .to_owned()
    };
    let cells = |row: &Value| row.as_array().unwrap().iter().map(cell).collect();
    rows.iter().map(cells).collect()
}

#[tokio::test]
async fn a_party_and_an_item_show_what_people_look_for_first() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let party = page(&erp, "Customer/Merlin Bikes", "glance").await;
        let balance = glance_rows(&party, "Balance");
        assert_eq!(balance.len(), 1, "{party}");
        assert!(balance[0][1].ends_with(" EUR"), "{party}");
        let invoices = glance_rows(&party, "Open invoices");
        assert!(!invoices.is_empty(), "{party}");
        assert!(
            invoices.iter().all(|row| row[3].ends_with(" EUR")),
            "{party}"
        );
        glance_rows(&party, "Open orders");
        let item = page(&erp, "Item/PUMP", "glance").await;
        let stock = glance_rows(&item, "Stock by warehouse");
        assert!(stock.iter().any(|row| row[0] == "Stores - AC"), "{item}");
        let prices = glance_rows(&item, "Selling prices");
        assert!(prices.iter().any(|row| row[1].ends_with(" EUR")), "{item}");
        let order = first(&erp, "Sales Order", json!([])).await;
        let order = page(&erp, &format!("Sales Order/{order}"), "glance").await;
        assert_eq!(order["lists"], json!([]), "{order}");
    }
    // What the key may not read is unknown, with the reason.
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let withdrawn = SimErpUser::Agent.email();
    world
        .site
        .control()
        .set_withdrawn(withdrawn, "GL Entry", true);
    let erp = world.erp(SimErpUser::Agent);
    let party = page(&erp, "Customer/Merlin Bikes", "glance").await;
    assert_eq!(party["lists"][0]["title"], "Balance");
    assert!(party["lists"][0]["table"]["unknown"].is_string(), "{party}");
    assert!(!glance_rows(&party, "Open invoices").is_empty(), "{party}");
}

#[tokio::test]
async fn every_offer_is_a_tool_and_fits_its_input() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    for user in [SimErpUser::Agent, SimErpUser::Manager] {
        let erp = world.erp(user);
        let names: Vec<_> = erp.tools().iter().map(|it| it.spec()).collect();
        for (doctype, docstatus) in [
            ("Sales Order", 0),
            ("Sales Order", 1),
            ("Sales Invoice", 0),
            ("Sales Invoice", 1),
            ("Purchase Order", 0),
            ("Quotation", 0),
        ] {
            let name = first(&erp, doctype, json!([is("docstatus", docstatus)])).await;
            let document = page(&erp, &format!("{doctype}/{name}"), "document").await;
            for offer in document["offers"].as_array().unwrap() {
                let spec = names.iter().find(|it| offer["tool"] == it.name);
                let schema = &spec
                    .unwrap_or_else(|| panic!("no tool: {offer}"))
                    .input_schema;
                let with = offer["with"].as_object().unwrap();
                let known = |field: &String| schema["properties"].get(field).is_some();
                assert!(with.keys().all(known), "{offer}: {schema}");
                let required = schema["required"].as_array().cloned().unwrap_or_default();
                let given = |field: &Value| with.contains_key(field.as_str().unwrap());
                assert!(required.iter().all(given), "{offer}: {schema}");
            }
        }
    }
}

#[tokio::test]
async fn the_feed_has_what_somebody_did() {
    let world = World::start(SimErpProfile::V16, RestVersion::V1).await;
    let erp = world.erp(SimErpUser::Agent);
    let (sender, mut told) = mpsc::unbounded_channel::<Happening>();
    let teller = Teller::new(move |seen| {
        for one in seen {
            sender.send(one).unwrap();
        }
        Box::pin(async { true })
    });
    let happenings = erp.happenings().unwrap();
    let invoice = async {
        while let Some(one) = told.recv().await {
            if one
                .subject
                .as_deref()
                .is_some_and(|it| it.starts_with("document/Sales Invoice/"))
            {
                return one;
            }
        }
        unreachable!("the follower tells on")
    };
    let one = tokio::select! {
        () = happenings.follow(teller) => unreachable!("a follower never returns"),
        one = invoice => one,
    };
    assert!(one.line.starts_with("Sales Invoice ACC-SINV-"), "{one:?}");
    assert!(
        one.line.contains("EUR") || one.line.contains("USD"),
        "{one:?}"
    );
    assert!(one.person.is_some() && one.source.as_deref() == Some("erp"));
    let asked = world.site.control().requests();
    let lists = asked
        .iter()
        .filter(|it| it.path == "/api/resource/Sales Invoice");
    assert_eq!(lists.count(), 1);
}
