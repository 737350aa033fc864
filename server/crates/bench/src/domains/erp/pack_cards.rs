//! Calls of the packs whose cards a person waits for, one of each tool that writes.

use anyhow::Result;
use serde_json::{Value, json};
use simerp::SimErp;

use super::tools::find;

/// The company that makes and sells.
const MAKER: &str = "Aldergate Cycles";

/// One call of each tool. Its days are far ahead, where the company has nothing yet.
pub(super) fn all(company: &SimErp) -> Result<[(&'static str, Value); 11]> {
    let race = find(company, "Work Order", |it| {
        it["production_item"] == "BIKE-RACE" && it["docstatus"] == 1
    })?;
    let order = find(company, "Sales Order", |it| {
        it["customer"] == "Harbour Wheels" && it["status"] == "To Deliver and Bill"
    })?;
    let project = find(company, "Project", |it| {
        it["project_name"] == "Rental Fleet"
    })?;
    let person = find(company, "Employee", |it| {
        it["employee_name"] == "Farid Noor"
    })?;
    let session = find(company, "POS Opening Entry", |it| it["status"] == "Open")?;
    let plan = json!({
        "item": "BIKE-CITY", "qty": 3, "company": MAKER, "fg_warehouse": "Finished - AC",
        "wip_warehouse": "WIP - AC", "start": "2099-12-01",
    });
    let produce = json!({
        "work_order": race["name"], "purpose": "Material Transfer for Manufacture", "qty": 1,
    });
    let stop = json!({
        "work_order": race["name"], "modified": race["modified"], "action": "stop",
    });
    let transfer = json!({
        "company": MAKER, "from": "Stores - AC", "to": "Shop - AC",
        "items": [{ "item": "PUMP", "qty": 4 }],
    });
    let reorder = json!({ "company": MAKER, "needed_by": "2099-12-10", "warehouse": "Raw - AC" });
    let deliver = json!({ "sales_order": order["name"], "as": "Delivery Note" });
    let bill = json!({ "project": project["name"], "item": "SRV-REPAIR" });
    let hours = json!({
        "employee": person["name"],
        "rows": [{ "activity": "Repair", "date": "2099-11-20", "hours": 3 }],
    });
    let count = json!({
        "opening_entry": session["name"],
        "counted": [
            { "mode_of_payment": "Cash", "amount": 187.5 },
            { "mode_of_payment": "Credit Card", "amount": 49.9 },
        ],
    });
    let price = json!({
        "item": "BELL", "price_list": "Retail EUR", "rate": 8.5, "valid_from": "2099-11-23",
    });
    let book = json!({
        "guest": "Jonas Feld", "room_type": "Double", "from": "2099-11-28", "to": "2099-11-30",
        "rooms": 2,
    });
    Ok([
        ("plan_work_order", plan),
        ("record_production", produce),
        ("stop_work_order", stop),
        ("prepare_transfer", transfer),
        ("prepare_reorder", reorder),
        ("prepare_delivery", deliver),
        ("prepare_project_invoice", bill),
        ("log_time", hours),
        ("prepare_pos_closing", count),
        ("set_item_price", price),
        ("book_room", book),
    ])
}
