//! Drafts that the packs make on the simulated company: each exactly once, and none without its card.

use agent::ports::{Assessment, Preview, Recovery};
use erp::{DraftMode, ErpConfig};
use protocol::{CardSection, ErrorCode, OriginSource, Tier};
use serde_json::{Value, json};
use simerp::{SimErpFault, SimErpTrigger, SimErpUser};

use crate::{
    acting::card,
    simulated::{World, ask, data, first, is},
    stub::{call, tool},
};

const MAKER: &str = "Aldergate Cycles";

/// The names of documents of a type that were not there before.
fn new_names(world: &World, doctype: &str, before: &[String]) -> Vec<String> {
    let mut names = world.site.control().names(doctype);
    names.retain(|name| !before.contains(name));
    names
}

/// Shows the card of a call, makes it, and returns the one document that came of it.
pub(crate) async fn made(
    world: &World,
    user: SimErpUser,
    name: &str,
    doctype: &str,
    input: Value,
) -> Value {
    let erp = world.erp(user);
    let tool = tool(&erp, name);
    let spec = tool.spec();
    assert_eq!(
        (spec.tier, spec.recovery),
        (Tier::Red, Recovery::Reconcilable)
    );
    let Assessment { tier, refused, .. } = tool.assess(&input);
    assert_eq!((tier, refused), (Tier::Red, None), "{name}");
    let before = world.site.control().names(doctype);
    let digest = world.site.control().digest();
    let card = tool.preview(&call(name, input.clone())).await;
    let card = card.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!card.sections.is_empty(), "{name}: {card:?}");
    assert!(card.said.is_empty(), "the input is shown beside it");
    assert_eq!(
        world.site.control().digest(),
        digest,
        "{name}: a card changes nothing"
    );
    // An answer that is lost after the work: it is found again, and not made again.
    if ["Work Order", "POS Closing Entry", "Sales Invoice"].contains(&doctype) {
        let lost = SimErpTrigger::next("", SimErpFault::LostAfter).of_method("POST");
        world.site.control().fault(lost);
    }
    let output = ask(&erp, name, input).await;
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    let new = new_names(world, doctype, &before);
    assert_eq!(new.len(), 1, "{name}");
    assert_eq!(output.data["name"], new[0].as_str(), "{name}");
    assert_eq!(world.site.control().broken(), [""; 0]);
    let document = world.site.control().document(doctype, &new[0]).unwrap();
    assert_eq!(document["docstatus"], 0, "{name}: a draft");
    document
}

#[tokio::test]
async fn each_kind_of_draft_is_made_once() {
    for world in World::both().await {
        let agent = SimErpUser::Agent;
        let input = json!({"item": "BIKE-CITY", "qty": 3, "company": MAKER,
            "fg_warehouse": "Finished - AC", "wip_warehouse": "WIP - AC", "start": "2026-12-01"});
        let order = made(&world, agent, "plan_work_order", "Work Order", input).await;
        assert_eq!(order["planned_start_date"], "2026-12-01 08:00:00");
        assert_eq!(order["required_items"].as_array().unwrap().len(), 6);

        let input = json!({"company": MAKER, "from": "Stores - AC", "to": "Shop - AC",
            "items": [{"item": "PUMP", "qty": 4}, {"item": "LOCK-U", "qty": 2}]});
        let transfer = made(&world, agent, "prepare_transfer", "Stock Entry", input).await;
        assert_eq!(transfer["purpose"], "Material Transfer");
        assert_eq!(transfer["items"][1]["t_warehouse"], "Shop - AC");

        let input = json!({"company": MAKER, "needed_by": "2026-12-10", "warehouse": "Raw - AC"});
        let reorder = made(&world, agent, "prepare_reorder", "Material Request", input).await;
        for row in reorder["items"].as_array().unwrap() {
            assert_eq!(row["warehouse"], "Raw - AC");
            assert!(row["qty"].as_f64() >= Some(20.0), "{row}");
        }

        let employee = world.site.control().names("Employee").remove(3);
        let hours =
            |date: &str, hours: f64| json!({"activity": "Repair", "date": date, "hours": hours});
        let input = json!({"employee": employee, "rows": [
            hours("2026-11-19", 2.5), hours("2026-11-19", 1.0), hours("2026-11-20", 4.0)]});
        let sheet = made(&world, agent, "log_time", "Timesheet", input).await;
        let from = |at: usize| sheet["time_logs"][at]["from_time"].clone();
        assert_eq!(
            (from(0), from(1)),
            (json!("2026-11-19 08:00:00"), json!("2026-11-19 10:30:00"))
        );
        assert_eq!(
            (&sheet["total_hours"], &sheet["company"]),
            (&json!(7.5), &json!(MAKER))
        );

        let input = json!({"guest": "<b>Jonas</b> Feld", "room_type": "Double",
            "from": "2026-11-28", "to": "2026-11-30", "rooms": 2});
        let stay = made(&world, agent, "book_room", "Hotel Room Reservation", input).await;
        // Two nights: the ERP counts the last day as one.
        assert_eq!(
            (&stay["to_date"], &stay["net_total"]),
            (&json!("2026-11-29"), &json!(360.0))
        );

        let input = json!({"item": "BELL", "price_list": "Retail EUR", "rate": 8.5,
            "valid_from": "2026-12-01"});
        let price = made(
            &world,
            SimErpUser::Manager,
            "set_item_price",
            "Item Price",
            input,
        )
        .await;
        assert_eq!(
            (&price["price_list_rate"], &price["currency"]),
            (&json!(8.5), &json!("EUR"))
        );
    }
}

#[tokio::test]
async fn drafts_that_the_erp_maps() {
    for world in World::both().await {
        let agent = SimErpUser::Agent;
        let erp = world.erp(agent);
        let open = data(
            &erp,
            "orders_to_deliver",
            json!({"company": MAKER, "customer": "Harbour Wheels"}),
        );
        let open = open.await;
        let order = &open["orders"][0];
        let row = order["rows"][0]["source_row"].clone();
        let input = json!({"sales_order": order["sales_order"], "as": "Delivery Note",
            "rows": [{"source_row": row, "qty": 2}]});
        let note = made(&world, agent, "prepare_delivery", "Delivery Note", input).await;
        assert_eq!(note["items"][0]["qty"], 2.0);
        assert_eq!(note["items"][0]["so_detail"], row);

        let wanted = json!([is("production_item", "BIKE-RACE"), is("docstatus", 1)]);
        let order = first(&erp, "Work Order", wanted).await;
        let input = json!({"work_order": order, "qty": 1,
            "purpose": "Material Transfer for Manufacture"});
        let entry = made(&world, agent, "record_production", "Stock Entry", input).await;
        assert_eq!(
            (&entry["work_order"], &entry["fg_completed_qty"]),
            (&json!(order), &json!(1.0))
        );
        assert!(!entry["items"].as_array().unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_cannot_be_made_is_refused_before_the_card() {
    let [world, _] = World::both().await;
    let erp = world.erp(SimErpUser::Agent);
    let digest = world.site.control().digest();
    for (name, input) in [
        (
            "plan_work_order",
            json!({"item": "PUMP", "qty": 1, "company": MAKER,
            "fg_warehouse": "Finished - AC", "start": "2026-12-01"}),
        ),
        (
            "prepare_transfer",
            json!({"company": MAKER, "from": "Stores - AC", "to": "Moon - AC",
            "items": [{"item": "PUMP", "qty": 4}]}),
        ),
        (
            "prepare_transfer",
            json!({"company": MAKER, "from": "Stores - AC", "to": "Shop - AC",
            "items": [{"item": "PUMP", "qty": -4}]}),
        ),
        (
            "prepare_reorder",
            json!({"company": MAKER, "needed_by": "2026-12-10", "items": ["SRV-REPAIR"]}),
        ),
        (
            "log_time",
            json!({"employee": "HR-EMP-99999",
            "rows": [{"activity": "Repair", "date": "2026-11-20", "hours": 2}]}),
        ),
        (
            "log_time",
            json!({"employee": "HR-EMP-00001",
            "rows": [{"activity": "Repair", "date": "20.11.2026", "hours": 2}]}),
        ),
        (
            "book_room",
            json!({"guest": "A", "room_type": "Suite", "from": "2026-11-28", "to": "2026-11-29"}),
        ),
        (
            "set_item_price",
            json!({"item": "BELL", "price_list": "Retail", "rate": 8,
            "valid_from": "2026-12-01"}),
        ),
        (
            "set_item_price",
            json!({"item": "BELL", "price_list": "Retail EUR", "rate": -1,
            "valid_from": "2026-12-01"}),
        ),
        (
            "record_production",
            json!({"work_order": "MFG-WO-1999-00001", "purpose": "Manufacture", "qty": 1}),
        ),
    ] {
        let card = tool(&erp, name).preview(&call(name, input.clone())).await;
        let error = card.expect_err(name);
        assert!(!error.message.is_empty());
        let error = ask(&erp, name, input).await.expect_err(name);
        assert_ne!(error.code, ErrorCode::ToolOutcomeUnknown, "{name}: {error}");
    }
    assert_eq!(world.site.control().digest(), digest);
}

#[tokio::test]
async fn more_rooms_than_are_free_are_refused_and_what_nobody_can_count_is_said() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let stay = json!({"from": "2026-11-28", "to": "2026-11-30", "room_type": "Double"});
        let found = data(&erp, "room_availability", stay.clone()).await;
        let free = found["room_types"][0]["free_all_nights"].as_u64().unwrap();
        let book = |rooms: u64| {
            let mut input = stay.clone();
            input["guest"] = json!("Jonas Feld");
            input["rooms"] = json!(rooms);
            call("book_room", input)
        };
        let tool = tool(&erp, "book_room");
        let error = tool.preview(&book(free + 1)).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{error}");
        let says = format!(": {free}, and {} are asked for", free + 1);
        assert!(error.message.contains(&says), "{error}");
        let card = tool.preview(&book(free)).await.unwrap();
        assert!(card.risks.iter().all(|it| it.rule != "rooms_unknown"));
        let who = SimErpUser::Agent.email();
        world.site.control().set_withdrawn(who, "Hotel Room", true);
        let card = tool.preview(&book(free)).await.unwrap();
        let unknown = card.risks.iter().find(|it| it.rule == "rooms_unknown");
        let unknown = &unknown.unwrap().sentence;
        assert_eq!(unknown, "It is unknown whether the rooms are free");
    }
}

#[tokio::test]
async fn a_price_is_shown_in_the_currency_of_its_list() {
    for world in World::both().await {
        let manager = world.erp(SimErpUser::Manager);
        let price = json!({"item": "BELL", "price_list": "Retail EUR", "rate": 8.125,
            "valid_from": "2026-12-01"});
        let shown = |shown: &Preview| {
            let fields = shown.sections.iter().find_map(|it| match it {
                CardSection::Fields { fields, .. } => Some(fields),
                _ => None,
            });
            let value = |label: &str| {
                let fact = fields.unwrap().iter().find(|it| it.label == label);
                fact.map_or("", |it| it.value.as_str()).to_owned()
            };
            [value("Price List Rate"), value("Currency")]
        };
        let before = card(&manager, "set_item_price", &price).await;
        assert_eq!(shown(&before), ["8.125 EUR", "EUR"]);
        assert_eq!(before.sentence, "Create Item Price: in effect at once.");
        // Another currency is another price.
        let control = world.site.control();
        control.edit("Price List", "Retail EUR", Some(("currency", "USD")));
        let after = card(&manager, "set_item_price", &price).await;
        assert_eq!(shown(&after), ["8.125 USD", "USD"]);
        assert_ne!(after.state, before.state);
        // Where the list may not be read, it is not known.
        let who = SimErpUser::Manager.email();
        control.set_withdrawn(who, "Price List", true);
        let manager = world.erp(SimErpUser::Manager);
        let unread = card(&manager, "set_item_price", &price).await;
        let [rate, currency] = shown(&unread);
        assert_eq!(currency, "");
        assert!(
            rate.starts_with("8.125 ") && !rate.contains("EUR"),
            "{rate}"
        );
    }
}

#[tokio::test]
async fn what_the_erp_surely_refuses_gets_a_sentence_and_no_card() {
    let [world, _] = World::both().await;
    let manager = world.erp(SimErpUser::Manager);
    let price = json!({"item": "BELL", "price_list": "Retail EUR", "rate": 8.5,
        "valid_from": "2026-12-01"});
    data(&manager, "set_item_price", price.clone()).await;
    let transfer = |to: &str| {
        json!({"company": MAKER, "from": "Stores - AC", "to": to,
            "items": [{"item": "PUMP", "qty": 4}]})
    };
    let order = json!({"item": "BIKE-CITY", "qty": 3, "company": MAKER,
        "fg_warehouse": "Stores - AT", "start": "2026-12-01"});
    for (name, input, says) in [
        ("set_item_price", price, "8.50 EUR"),
        (
            "prepare_transfer",
            transfer("Stores - AC"),
            "same warehouse",
        ),
        ("prepare_transfer", transfer("Stores - AT"), "Stores - AT"),
        ("plan_work_order", order, "Stores - AT"),
    ] {
        let card = tool(&manager, name).preview(&call(name, input)).await;
        let error = card.expect_err(name);
        assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{name}: {error}");
        assert!(error.message.contains(says), "{name}: {error}");
    }
}

#[tokio::test]
async fn hours_beside_others_are_said() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let employee = world.site.control().names("Employee").remove(3);
        let log = |day: &str, hours: u32| {
            let row = json!({"activity": "Repair", "date": day, "hours": hours});
            json!({"employee": employee, "rows": [row]})
        };
        let first = data(&erp, "log_time", log("2026-11-19", 2)).await;
        let told = async |input: Value| {
            let card = tool(&erp, "log_time")
                .preview(&call("log_time", input))
                .await;
            let risks = card.unwrap().risks.into_iter();
            let mut risks = risks.filter(|it| it.rule == "overlap");
            risks.next().map(|it| it.sentence)
        };
        assert_eq!(told(log("2026-11-20", 2)).await, None);
        let beside = told(log("2026-11-19", 1)).await.unwrap();
        let sheet = first["name"].as_str().unwrap();
        assert!(beside.contains(sheet), "{beside}");
    }
}

#[tokio::test]
async fn where_drafts_are_made_unasked_the_rules_of_any_draft_hold_for_those_of_packs() {
    let [world, _] = World::both().await;
    let act = || ErpConfig {
        drafts: DraftMode::Act,
        companies: vec![MAKER.to_owned()],
        ..ErpConfig::default()
    };
    let erp = world.erp_with(SimErpUser::Agent, act());
    let wanted = json!([is("customer", "Harbour Wheels"), is("docstatus", 1)]);
    let order = first(&erp, "Sales Order", wanted).await;
    let bike = json!({"item": "BIKE-CITY", "qty": 3, "company": MAKER,
        "fg_warehouse": "Finished - AC", "start": "2026-12-01"});
    let delivery = json!({"sales_order": order, "as": "Delivery Note",
        "rows": [{"source_row": "abc", "qty": 2}]});
    let transfer = json!({"company": MAKER, "from": "Stores - AC", "to": "Shop - AC",
        "items": [{"item": "PUMP", "qty": 4}]});
    let hours = json!({"employee": "HR-EMP-00001",
        "rows": [{"activity": "Repair", "date": "2026-11-20", "hours": 2}]});
    let stay =
        json!({"guest": "A", "room_type": "Double", "from": "2026-11-28", "to": "2026-11-29"});
    let price = json!({"item": "BELL", "price_list": "Retail EUR", "rate": 8.5,
        "valid_from": "2026-12-01"});
    let reorder = json!({"company": MAKER, "needed_by": "2026-12-10"});
    for (name, input, tier) in [
        ("plan_work_order", &bike, Tier::Yellow),
        ("prepare_delivery", &delivery, Tier::Yellow),
        // Rates, hours and levels are the ERP's, and the rest is no plain draft.
        ("prepare_transfer", &transfer, Tier::Red),
        ("prepare_reorder", &reorder, Tier::Red),
        ("log_time", &hours, Tier::Red),
        ("book_room", &stay, Tier::Red),
        ("set_item_price", &price, Tier::Red),
    ] {
        let spec = tool(&erp, name).spec();
        let assessment = tool(&erp, name).assess(input);
        assert_eq!((spec.tier, assessment.tier), (tier, tier), "{name}");
        let asks = spec.description.contains("person is asked");
        assert_eq!(asks, tier == Tier::Red, "{name}: {}", spec.description);
    }
    // Each value has to be the person's or the configuration's, but for those that choose nothing.
    let weighed = |name: &str, input: &Value| -> Vec<(String, Option<OriginSource>)> {
        let values = tool(&erp, name).assess(input).values.into_iter();
        values.map(|it| (it.text, it.source)).collect()
    };
    let configured = (MAKER.to_owned(), Some(OriginSource::Configuration));
    let bikes = weighed("plan_work_order", &bike);
    assert_eq!(bikes.len(), 5, "{bikes:?}");
    assert!(bikes.contains(&configured), "{bikes:?}");
    let own = |text: &str| (text.to_owned(), None);
    assert_eq!(
        weighed("prepare_delivery", &delivery),
        [own(&order), own("2")]
    );
    // The same call of the tool behind it is judged alike.
    let same = json!({"source_doctype": "Sales Order", "source_name": order,
        "target_doctype": "Delivery Note", "rows": [{"source_row": "abc", "qty": 2}]});
    let behind = tool(&erp, "make_from").assess(&same);
    assert_eq!((behind.tier, behind.risks.len()), (Tier::Yellow, 0));

    // What raises any draft raises these.
    let mut negative = bike.clone();
    negative["qty"] = json!(-3);
    let raised = tool(&erp, "plan_work_order").assess(&negative);
    assert_eq!((raised.tier, raised.risks.len()), (Tier::Red, 1));
    let mut elsewhere = bike.clone();
    elsewhere["company"] = json!("Aldergate Trading");
    let refused = tool(&erp, "plan_work_order").assess(&elsewhere);
    assert!(refused.protected.is_some(), "{refused:?}");
    let objects = tool(&erp, "plan_work_order").objects(&bike);
    assert!(
        objects.contains(&"warehouse/finished - ac".to_owned()),
        "{objects:?}"
    );
    let narrow = ErpConfig {
        black_types: vec!["Delivery Note".to_owned()],
        protected: vec!["warehouse/Finished - AC".to_owned()],
        ..act()
    };
    let narrow = world.erp_with(SimErpUser::Agent, narrow);
    let assess = |name: &str, input: &Value| tool(&narrow, name).assess(input);
    assert_eq!(assess("prepare_delivery", &delivery).tier, Tier::Black);
    assert!(assess("plan_work_order", &bike).protected.is_some());
    // A card that the gate could not weigh says the rules itself.
    let shown = card(
        &world.erp_with(SimErpUser::Manager, act()),
        "set_item_price",
        &price,
    )
    .await;
    assert!(
        shown.risks.iter().any(|it| it.rule == "grave_type"),
        "{:?}",
        shown.risks
    );
}
