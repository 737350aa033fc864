//! The packs on the simulated company: figures that come from its books.

use std::collections::BTreeMap;

use protocol::ErrorCode;
use serde_json::{Value, json};
use simerp::SimErpUser;

use crate::{
    acting::{DAY, worlds},
    simulated::{World, ask, data},
};

const MAKER: &str = "Aldergate Cycles";

/// All documents of a type, without regard to rights.
fn all(world: &World, doctype: &str) -> Vec<Value> {
    let control = world.site.control();
    let names = control.names(doctype).into_iter();
    names
        .filter_map(|it| control.document(doctype, &it))
        .collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

/// The stock of an item in a company's warehouses, by its bins.
fn on_hand(world: &World, item: &str, warehouse: Option<&str>) -> f64 {
    let bins = all(world, "Bin").into_iter();
    let bins = bins.filter(|bin| bin["item_code"] == item);
    let bins = bins.filter(|bin| match warehouse {
        Some(warehouse) => bin["warehouse"] == warehouse,
        None => bin["warehouse"].as_str().unwrap().ends_with(" - AC"),
    });
    bins.map(|bin| number(&bin["actual_qty"])).sum()
}

fn find<'a>(rows: &'a Value, field: &str, value: &str) -> &'a Value {
    let found = rows.as_array().unwrap().iter();
    let found = found.into_iter().find(|row| row[field] == value);
    found.unwrap_or_else(|| panic!("no {value} in {rows}"))
}

#[tokio::test]
async fn materials_over_all_levels() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let input = json!({"item": "BIKE-RACE", "qty": 40, "company": MAKER});
        let found = data(&erp, "bom_explode", input).await;
        // Two wheels of 32 spokes, one frame of 4.2 metres of tube and 0.3 kg of paint.
        let materials: BTreeMap<_, _> = found["materials"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["item"].as_str().unwrap(), row["needed"].clone()))
            .collect();
        let expect = [
            ("RAW-BAR", json!(40)),
            ("RAW-BRAKE", json!(40)),
            ("RAW-CHAIN", json!(40)),
            ("RAW-CRANK", json!(40)),
            ("RAW-HUB", json!(80)),
            ("RAW-PAINT", json!(12)),
            ("RAW-RIM", json!(80)),
            ("RAW-SADDLE", json!(40)),
            ("RAW-SPOKE", json!(2560)),
            ("RAW-TUBE-AL", json!(168)),
            ("RAW-TYRE", json!(80)),
        ];
        assert_eq!(materials, expect.into());
        for row in found["materials"].as_array().unwrap() {
            let there = on_hand(&world, row["item"].as_str().unwrap(), None);
            assert_eq!(number(&row["in_stock"]), there, "{row}");
            let missing = (number(&row["needed"]) - there).max(0.0);
            assert_eq!(number(&row["missing"]), missing, "{row}");
        }
        // An item without a bill is no item without materials.
        let input = json!({"item": "PUMP", "qty": 1, "company": MAKER});
        let error = ask(&erp, "bom_explode", input).await.unwrap_err();
        assert!(error.message.contains("PUMP"), "{error}");
        for qty in [json!(0), json!(-3)] {
            let input = json!({"item": "BIKE-RACE", "qty": qty, "company": MAKER});
            let error = ask(&erp, "bom_explode", input).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::ToolInputInvalid);
        }
    }
}

#[tokio::test]
async fn what_work_orders_lack() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let found = data(&erp, "material_shortage", json!({ "company": MAKER })).await;
        let open: Vec<_> = all(&world, "Work Order")
            .into_iter()
            .filter(|it| it["docstatus"] == 1)
            .filter(|it| it["status"] == "Not Started" || it["status"] == "In Process")
            .collect();
        assert_eq!(found["open_work_orders"], open.len());
        let mut needs: BTreeMap<(String, String), f64> = BTreeMap::new();
        for order in &open {
            for row in order["required_items"].as_array().unwrap() {
                let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
                let taken = number(&row["transferred_qty"]).max(number(&row["consumed_qty"]));
                let need = needs.entry((text("item_code"), text("source_warehouse")));
                *need.or_default() += number(&row["required_qty"]) - taken;
            }
        }
        needs.retain(|(item, place), need| *need > on_hand(&world, item, Some(place)));
        assert!(!needs.is_empty(), "the scene has a shortage");
        let rows = found["missing"].as_array().unwrap();
        assert_eq!(rows.len(), needs.len());
        for ((item, place), need) in needs {
            let row = find(&found["missing"], "item", &item);
            let there = on_hand(&world, &item, Some(&place));
            assert_eq!(row["warehouse"], place.as_str());
            assert_eq!(number(&row["needed"]), need, "{row}");
            assert_eq!(number(&row["missing"]), need - there, "{row}");
            assert!(row["receipts_due"].is_array(), "{row}");
        }
        // The scene's order is due in two days: until today nothing starts.
        let input = json!({"company": MAKER, "until": "2026-11-21"});
        let until = data(&erp, "material_shortage", input).await;
        assert!(number(&until["open_work_orders"]) < number(&found["open_work_orders"]));
        let input = json!({"company": MAKER, "work_order": "MFG-WO-1999-00001"});
        let error = ask(&erp, "material_shortage", input).await.unwrap_err();
        assert!(error.message.contains("MFG-WO-1999-00001"), "{error}");
    }
}

#[tokio::test]
async fn work_orders_by_day() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let found = data(&erp, "work_orders_due", json!({ "company": MAKER })).await;
        let race = find(&found["work_orders"], "item", "BIKE-RACE");
        assert_eq!(race["due"], "2026-11-23");
        assert_eq!((&race["qty"], &race["percent"]), (&json!(40), &json!(0)));
        assert_eq!(race.get("late"), None);
        let input = json!({"company": MAKER, "to": "2026-11-22"});
        let before = data(&erp, "work_orders_due", input).await;
        let rows = before["work_orders"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["item"] != "BIKE-RACE"));
        let input = json!({"company": MAKER, "status": "Completed"});
        let done = data(&erp, "work_orders_due", input).await;
        for row in done["work_orders"].as_array().unwrap() {
            assert_eq!((&row["percent"], row.get("late")), (&json!(100), None));
        }
        let input = json!({"company": "Aldergate"});
        let error = ask(&erp, "work_orders_due", input).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{error}");
    }
}

#[tokio::test]
async fn stock_goes_to_the_earliest_order() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let found = data(&erp, "orders_to_deliver", json!({ "company": MAKER })).await;
        let mut given: BTreeMap<(String, String), f64> = BTreeMap::new();
        for order in found["orders"].as_array().unwrap() {
            let name = order["sales_order"].as_str().unwrap();
            let document = world.site.control().document("Sales Order", name).unwrap();
            for row in order["rows"].as_array().unwrap() {
                let source = find(
                    &document["items"],
                    "name",
                    row["source_row"].as_str().unwrap(),
                );
                let open = number(&source["qty"]) - number(&source["delivered_qty"]);
                assert_eq!(number(&row["open"]), open, "{row}");
                let place = ["item", "warehouse"].map(|it| row[it].as_str().unwrap().to_owned());
                *given.entry(place.into()).or_default() += number(&row["can_go"]);
            }
        }
        for ((item, place), given) in given {
            if !item.starts_with("SRV") {
                assert!(
                    given <= on_hand(&world, &item, Some(&place)),
                    "{item} {place}"
                );
            }
        }
        // Half of the ten pumps went out.
        let orders = found["orders"].as_array().unwrap();
        let is_half = |row: &Value| row["item"] == "PUMP" && row["open"] == 5;
        let pumps = orders.iter().find(|order| {
            let mut rows = order["rows"].as_array().unwrap().iter();
            order["customer"] == "Harbour Wheels" && rows.any(is_half)
        });
        let pumps = pumps.unwrap();
        assert_eq!(pumps["late"], true);
        // Narrowed, it has the same share: the others keep theirs.
        let input = json!({"company": MAKER, "customer": "Harbour Wheels"});
        let narrow = data(&erp, "orders_to_deliver", input).await;
        let name = pumps["sales_order"].as_str().unwrap();
        assert_eq!(find(&narrow["orders"], "sales_order", name), pumps);
        let others = narrow["orders"].as_array().unwrap().iter();
        assert!(others.clone().all(|it| it["customer"] == "Harbour Wheels"));
    }
}

#[tokio::test]
async fn stock_now_and_to_come() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let found = data(&erp, "stock_projected", json!({ "item": "PUMP" })).await;
        let bins = all(&world, "Bin").into_iter();
        let bins = bins.filter(|bin| bin["item_code"] == "PUMP");
        let there: f64 = bins.map(|bin| number(&bin["actual_qty"])).sum();
        assert_eq!(number(&found["there"]), there);
        for row in found["warehouses"].as_array().unwrap() {
            let bins = all(&world, "Bin");
            let bin = bins
                .iter()
                .find(|bin| bin["item_code"] == "PUMP" && bin["warehouse"] == row["warehouse"]);
            assert_eq!(
                number(&row["projected"]),
                number(&bin.unwrap()["projected_qty"])
            );
        }
        let changes = found["to_come"].as_array().unwrap();
        let reserved: f64 = found["warehouses"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| number(&row["reserved"]))
            .sum();
        let taken = changes.iter().filter(|it| it["sales_order"].is_string());
        let taken: f64 = taken.map(|it| -number(&it["change"])).sum();
        assert_eq!(taken, reserved, "{found}");
        let sum: f64 = changes.iter().map(|it| number(&it["change"])).sum();
        let last = changes.last().unwrap();
        assert_eq!(number(&last["stock_after"]), number(&found["there"]) + sum);
        for input in [
            json!({"item": "PUMPS"}),
            json!({"item": "PUMP", "warehouses": ["Nowhere - AC"]}),
        ] {
            let error = ask(&erp, "stock_projected", input).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{error}");
        }
    }
}

#[tokio::test]
async fn hours_that_are_not_billed() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let project = world.site.control().names("Project").remove(0);
        let input = json!({"from": "2026-11-01", "to": "2026-11-30", "project": project});
        let found = data(&erp, "unbilled_time", input).await;
        // 6.5 hours at 90 and 3 at 65; four more hours are not billable, eight are in a draft.
        assert_eq!(
            found["totals"],
            json!([{"currency": "EUR", "hours": 9.5, "amount": 780}])
        );
        assert_eq!(found["groups"].as_array().unwrap().len(), 2);
        let input = json!({"from": "2026-11-18", "to": "2026-11-18"});
        let day = data(&erp, "unbilled_time", input).await;
        assert_eq!(day["totals"][0]["hours"], 3);
        for (from, to) in [("2026-11-30", "2026-11-01"), ("2026-01-01", "2026-12-31")] {
            let input = json!({ "from": from, "to": to });
            let error = ask(&erp, "unbilled_time", input).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{error}");
        }
    }
}

#[tokio::test]
async fn where_a_project_stands() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let project = world.site.control().names("Project").remove(0);
        let found = data(&erp, "project_status", json!({ "project": project })).await;
        assert_eq!(found["fields"]["project_name"], "Rental Fleet");
        // Above the level of this user: not there, and not zero.
        assert_eq!(found["fields"].get("estimated_costing"), None);
        let tasks = &found["tasks"];
        assert_eq!(
            (&tasks["count"], &tasks["late_count"]),
            (&json!(3), &json!(1))
        );
        assert_eq!(tasks["late"][0]["subject"], "Fit the locks");
        let time = &found["time"];
        assert_eq!(
            (&time["hours"], &time["unbilled"]),
            (&json!(13.5), &json!("780.00 EUR"))
        );
        assert_eq!(time.get("cost"), None, "the ERP keeps none");
        // What is due in two currencies is told apart.
        let control = world.site.control();
        for currency in ["EUR", "USD"] {
            let due = control.names("Sales Invoice").into_iter().find(|name| {
                let it = control.document("Sales Invoice", name).unwrap();
                it["party_account_currency"] == currency && it["docstatus"] == 1
            });
            let set = Some(("project", project.as_str()));
            control.edit("Sales Invoice", &due.unwrap(), set);
            let input = json!({ "project": project });
            let found = data(&erp, "project_status", input).await;
            let invoices = &found["invoices"];
            let outstanding = invoices["outstanding"].as_str().unwrap();
            assert!(outstanding.ends_with(currency), "{invoices}");
            assert!(
                invoices["net"].as_str().unwrap().contains(" EUR"),
                "{invoices}"
            );
            match currency {
                "EUR" => assert!(!outstanding.contains(" and "), "{invoices}"),
                _ => assert!(outstanding.contains(" EUR and "), "{invoices}"),
            }
        }
        let gone = ask(&erp, "project_status", json!({"project": "PROJ-99999"})).await;
        assert_eq!(gone.unwrap_err().code, ErrorCode::ToolFailed);
    }
}

#[tokio::test]
async fn days_without_hours() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let input = json!({"company": MAKER, "from": "2026-11-14", "to": "2026-11-20"});
        let found = data(&erp, "timesheet_gaps", input).await;
        assert_eq!(
            (&found["working_days"], &found["employees"]),
            (&json!(5), &json!(6))
        );
        let days = |name: &str| find(&found["gaps"], "name", name)["days_without_hours"].clone();
        // Ada's sheet is of Tuesday, Bruno's of Wednesday, Carla's draft of Thursday.
        for name in ["Ada Wren", "Bruno Kestner", "Carla Voss"] {
            assert_eq!(days(name), 4, "{name}");
        }
        assert_eq!(days("Farid Noor"), 5);
        assert!(
            found["definition"]
                .as_str()
                .unwrap()
                .contains("holidays are not known")
        );
    }
}

#[tokio::test]
async fn what_an_item_costs_and_why() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let input = json!({"item": "LOCK-U", "qty": 3, "company": MAKER});
        let found = data(&erp, "price_check", input).await;
        assert_eq!(found["price_list"], "Retail EUR");
        let price = &found["price"];
        assert_eq!(
            (&price["rate"], &price["amount"]),
            (&json!(39.9), &json!(119.7))
        );
        assert_eq!(
            (&price["currency"], &found["rules"]),
            (&json!("EUR"), &json!([]))
        );
        assert!(found["taxes"]["unknown"].is_string());
        // Not sold, so without a price: unknown, and not nothing.
        let input = json!({"item": "RAW-HUB", "company": MAKER, "price_list": "Retail EUR"});
        let none = data(&erp, "price_check", input).await;
        assert!(
            none["price"]["unknown"]
                .as_str()
                .unwrap()
                .contains("RAW-HUB")
        );
        for wrong in [
            json!({"item": "NO-SUCH", "company": MAKER}),
            json!({"item": "LOCK-U", "company": MAKER, "price_list": "Retail"}),
            json!({"item": "LOCK-U", "company": "Nobody"}),
        ] {
            let error = ask(&erp, "price_check", wrong).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::ToolInputInvalid, "{error}");
        }
    }
}

#[tokio::test]
async fn after_midnight_the_price_of_the_new_day_counts() {
    for (world, clock) in worlds().await {
        let price = json!({"item": "LOCK-U", "price_list": "Retail EUR", "rate": 45,
            "valid_from": "2026-11-22"});
        data(&world.erp(SimErpUser::Manager), "set_item_price", price).await;
        let erp = world.erp(SimErpUser::Agent);
        let input = json!({"item": "LOCK-U", "company": MAKER});
        let before = data(&erp, "price_check", input.clone()).await;
        assert_eq!(before["price"]["rate"], 39.9);
        clock.advance(DAY);
        // Nothing has told the new day but the answers to this very call.
        let after = data(&erp, "price_check", input).await;
        assert_eq!(after["price"]["rate"], 45);
    }
}

#[tokio::test]
async fn a_day_of_a_till() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let input = json!({"profile": "Shop Till", "date": "2026-11-21"});
        let found = data(&erp, "pos_day", input).await;
        let totals = &found["totals"][0];
        // Two bells of 7.90, a helmet of 49.90, three bottles of 9.90; one bell came back.
        assert_eq!(
            (&totals["sales"], &totals["sales_count"]),
            (&json!(95.4), &json!(3))
        );
        assert_eq!(
            (&totals["returns"], &totals["net"]),
            (&json!(-7.9), &json!(87.5))
        );
        let mode = |mode: &str| find(&totals["payments"], "mode", mode)["paid"].clone();
        assert_eq!(
            (mode("Cash"), mode("Credit Card")),
            (json!(37.6), json!(49.9))
        );
        assert_eq!(totals["not_consolidated"], 4);
        assert_eq!(found["open_sessions"].as_array().unwrap().len(), 1);
        let input = json!({"profile": "Event Till", "date": "2026-11-21"});
        let quiet = data(&erp, "pos_day", input).await;
        assert_eq!(
            (&quiet["totals"], &quiet["open_sessions"]),
            (&json!([]), &json!([]))
        );
        let input = json!({"profile": "Till", "date": "2026-11-21"});
        assert!(ask(&erp, "pos_day", input).await.is_err());
    }
}

#[tokio::test]
async fn rooms_that_are_free_and_sold() {
    for world in World::both().await {
        let erp = world.erp(SimErpUser::Agent);
        let input = json!({"from": "2026-11-23", "to": "2026-11-28"});
        let found = data(&erp, "room_availability", input).await;
        let double = find(&found["room_types"], "room_type", "Double");
        let nights = double["nights"].as_array().unwrap();
        let free: Vec<_> = nights.iter().map(|it| it["free"].clone()).collect();
        // Two of three from the 24th to the 26th: the night of the last day counts.
        assert_eq!(free, [json!(3), json!(1), json!(1), json!(1), json!(3)]);
        assert_eq!(double["free_all_nights"], 1);
        let input = json!({"from": "2026-11-24", "to": "2026-11-26"});
        let found = data(&erp, "occupancy", input).await;
        // Two doubles for three nights at 90, a bunk room for one at 120, of five rooms.
        assert_eq!(found["room_nights_sold"], 7);
        assert_eq!(found["occupancy_percent"], 46.67);
        assert_eq!(
            (&found["revenue"], &found["average_rate"]),
            (&json!("660.00 EUR"), &json!("94.29 EUR"))
        );
        assert_eq!(found["revenue_per_room"], "44.00 EUR");
        let input = json!({"from": "2026-12-24", "to": "2026-12-26"});
        let empty = data(&erp, "occupancy", input).await;
        assert!(empty["average_rate"]["unknown"].is_string(), "{empty}");
        for (from, to) in [("2026-11-24", "2026-11-24"), ("2026-11-25", "2026-11-24")] {
            let input = json!({ "from": from, "to": to });
            assert!(ask(&erp, "room_availability", input).await.is_err());
        }
    }
}
