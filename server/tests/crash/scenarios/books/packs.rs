//! Scenarios about the orders of packs.

use serde_json::{Value, json};
use simerp::SimErpControl;

use super::{LOST, half_delivered, of_company, text};
use crate::{
    company::{self, CompanyStart},
    scenario::{Act, End, Scenario},
};

const STOPPED: &str = "POST method/erpnext.manufacturing.doctype.work_order.work_order.stop_unstop";

/// Drafts that packs make in each way, a price that counts at once, and a work order that is stopped.
pub(super) fn all(company: &SimErpControl) -> anyhow::Result<Vec<Scenario>> {
    let (start, lost) = (CompanyStart::Plain, CompanyStart::AnswerLost);
    Ok(vec![
        log_time(company, "books: hours, by a pack", start)?,
        log_time(
            company,
            "books: hours, by a pack, answer lost",
            lost("POST resource/Timesheet"),
        )?,
        deliver(company, "books: a delivery, by a pack", start)?.short(&["ordered, not followed"]),
        deliver(
            company,
            "books: a delivery, by a pack, answer lost",
            lost("POST resource/Delivery Note"),
        )?
        .short(LOST),
        produce(company, "books: parts, by a pack", start)?,
        produce(
            company,
            "books: parts, by a pack, answer lost",
            lost("POST resource/Stock Entry"),
        )?
        .short(LOST),
        price("books: a price, by a pack", false),
        price("books: a price, by a pack, answer lost", true).short(LOST),
        stop(company, "books: a work order, by a pack", start)?,
        stop(
            company,
            "books: a work order, by a pack, answer lost",
            lost(STOPPED),
        )?
        .short(LOST),
    ])
}

/// A pack's draft takes the same path as all others.
fn log_time(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let person = company::find(company, "Employee", |it| {
        it["employee_name"] == "Farid Noor"
    })?;
    let input = json!({
        "employee": person["name"],
        "rows": [{ "activity": "Repair", "date": "2026-11-20", "hours": 3 }],
    });
    let act = Act::new("log_time", input, "saved Timesheet", End::Authorised)
        .followed_by(&["POST resource/Timesheet"]);
    let says = "Books: Farid Noor repaired for 3 hours on 2026-11-20.".to_owned();
    Ok(Scenario {
        packs: &["erp-services"],
        ..of_company(name, says, vec![act], start)
    })
}

/// A draft that the company maps.
fn deliver(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let order = half_delivered(company)?;
    let input = json!({ "sales_order": order["name"], "as": "Delivery Note" });
    let effect = "saved Delivery Note";
    let act = Act::new("prepare_delivery", input, effect, End::Authorised)
        .followed_by(&["POST resource/Delivery Note"]);
    let says = format!("Books: draft the delivery of {}.", text(&order, "name"));
    Ok(Scenario {
        packs: &["erp-distribution"],
        ..of_company(name, says, vec![act], start)
    })
}

/// A draft that follows from more than the call's input.
fn produce(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let order = race(company)?;
    let input = json!({
        "work_order": order["name"], "purpose": "Material Transfer for Manufacture", "qty": 1,
    });
    let effect = "saved Stock Entry";
    let act = Act::new("record_production", input, effect, End::Authorised)
        .followed_by(&["POST resource/Stock Entry"]);
    let says = format!("Books: draft the parts for {}.", text(&order, "name"));
    Ok(Scenario {
        packs: &["erp-manufacturing"],
        ..of_company(name, says, vec![act], start)
    })
}

/// A price is no draft: it is there at once, once.
fn price(name: &'static str, is_answer_lost: bool) -> Scenario {
    let input = json!({
        "item": "BELL", "price_list": "Retail EUR", "rate": 8.5, "valid_from": "2026-11-23",
    });
    let act = Act::new("set_item_price", input, "saved Item Price", End::Authorised)
        .followed_by(&["POST resource/Item Price"]);
    let says = "Books: a BELL is 8.50 from Monday, 2026-11-23.".to_owned();
    let start = CompanyStart::WithManager { is_answer_lost };
    Scenario {
        packs: &["erp-retail"],
        ..of_company(name, says, vec![act], start)
    }
}

/// A work order is stopped: the bicycle is planned no more, and its six parts are free.
fn stop(
    company: &SimErpControl,
    name: &'static str,
    start: CompanyStart,
) -> anyhow::Result<Scenario> {
    let order = race(company)?;
    let input = json!({
        "work_order": order["name"], "modified": order["modified"], "action": "stop",
    });
    let effect = "submitted Work Order";
    let act = Act::new("stop_work_order", input, effect, End::Authorised)
        .with(&["saved Bin"; 7])
        .followed_by(&[STOPPED]);
    let says = format!("Books: stop {}.", text(&order, "name"));
    Ok(Scenario {
        packs: &["erp-manufacturing"],
        ..of_company(name, says, vec![act], start)
    })
}

/// Forty bicycles of which none is made.
fn race(company: &SimErpControl) -> anyhow::Result<Value> {
    company::find(company, "Work Order", |it| {
        it["production_item"] == "BIKE-RACE" && it["docstatus"] == 1
    })
}
