//! Methods that stop, resume and close work orders.

use serde_json::Value;

use super::{MethodAnswer, MethodRow, MethodVerb, need};
use crate::books::SimBooks;
use crate::refusal::{SimResult, unsuitable};
use crate::rights::{Right, demand_doc};
use crate::rules::plan_production;
use crate::status;
use crate::wire::Args;

pub(super) const METHODS: &[MethodRow] = &[
    (
        "erpnext.manufacturing.doctype.work_order.work_order.stop_unstop",
        MethodVerb::Writes,
        |books, args| change(books, args, &["Stopped", "Resumed"]),
    ),
    (
        "erpnext.manufacturing.doctype.work_order.work_order.close_work_order",
        MethodVerb::Writes,
        |books, args| change(books, args, &["Closed"]),
    ),
];

/// Sets the status that people choose. Any word but those of a choice finds it by what is made.
fn change(books: &mut SimBooks, args: &Args, takes: &[&str]) -> SimResult<MethodAnswer> {
    const KIND: &str = "Work Order";
    let (name, wanted) = (need(args, "work_order")?, need(args, "status")?);
    let order = books.load(KIND, &name)?;
    demand_doc(books, &order, Right::Write)?;
    if order.docstatus() != 1 {
        return Err(unsuitable(format!("Work Order {name} is not submitted")));
    }
    if !takes.contains(&wanted.as_str()) {
        return Err(unsuitable(format!("{wanted} is no status to choose here")));
    }
    let now = order.text("status").to_owned();
    if now == "Closed" && wanted != "Closed" {
        return Err(unsuitable(
            "A closed Work Order stays closed: it is neither stopped nor resumed",
        ));
    }
    let chosen = if wanted == "Resumed" { "" } else { &wanted };
    status::choose(books, KIND, &name, chosen);
    let after = books.value_text(KIND, &name, "status");
    // The ERP writes the status alone, and only if it is another.
    if after != now {
        let (stamp, user) = (books.stamp(), books.user.clone());
        let marks = [("modified", stamp.into()), ("modified_by", user.into())];
        books.set_fields(KIND, &name, marks);
    }
    plan_production(books, &order);
    books.messages.push(format!("Work Order is {wanted} now"));
    Ok(Value::from(after).into())
}
