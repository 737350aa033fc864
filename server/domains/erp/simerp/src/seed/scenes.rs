//! Situations that demonstrations and tests need, as of the day of the start.

use super::masters::account;
use super::{Filled, MAKER, Seed};
use crate::books::put_new;
use crate::cell::{Decimal, SimDoc, cents};
use crate::users::SimErpUser;

pub(super) fn set(seed: &mut Seed<'_>) -> Filled<()> {
    let now = seed.books.now.clone();
    overdue_invoice(seed)?;
    half_delivered(seed)?;
    seed.books.now = now.clone();
    over_the_limit(seed)?;
    blocked_order(seed)?;
    waiting_order(seed)?;
    shortage(seed)?;
    changed_bank(seed);
    seed.books.now = now;
    long_journal(seed)?;
    delivery_to_come(seed)?;
    small_things(seed)?;
    super::industries::fill(seed)
}

fn order(seed: &Seed<'_>, customer: &str, rows: &[(&str, i64)], due: i64) -> SimDoc {
    let mut doc = SimDoc::new("Sales Order")
        .with("customer", customer)
        .with("company", MAKER)
        .with("taxes_and_charges", "VAT 19 - AC")
        .with("delivery_date", seed.day(due));
    for (code, qty) in rows {
        let row = SimDoc::new("Sales Order Item").with("item_code", *code);
        doc.push("items", row.with("qty", Decimal::from(*qty)));
    }
    doc
}

/// An invoice of Merlin Bikes, due 40 days ago.
fn overdue_invoice(seed: &mut Seed<'_>) -> Filled<()> {
    seed.go_to(-70);
    let mut doc = SimDoc::new("Sales Invoice")
        .with("customer", "Merlin Bikes")
        .with("company", MAKER)
        .with("taxes_and_charges", "VAT 19 - AC")
        .with("remarks", "Workshop hours");
    let row = SimDoc::new("Sales Invoice Item").with("item_code", "SRV-REPAIR");
    doc.push("items", row.with("qty", Decimal::from(38)));
    seed.submit(doc)?;
    Ok(())
}

/// Ten pumps ordered by Harbour Wheels, of which five were delivered.
fn half_delivered(seed: &mut Seed<'_>) -> Filled<()> {
    seed.go_to(-8);
    let doc = order(seed, "Harbour Wheels", &[("PUMP", 10)], -2);
    let name = seed.submit(doc)?.name;
    seed.go_to(-3);
    let mut note = seed.mapped("Sales Order", &name, "Delivery Note")?;
    for row in note.rows_mut("items") {
        row.set("qty", Decimal::from(5));
    }
    seed.submit(note)?;
    Ok(())
}

/// A draft order of Kestrel Cycles beyond its credit limit.
fn over_the_limit(seed: &mut Seed<'_>) -> Filled<()> {
    let doc = order(seed, "Kestrel Cycles", &[("BIKE-CARGO", 14)], 30);
    seed.add(doc.with("po_no", "KC-4711"))?;
    Ok(())
}

/// An order whose draft invoice stands in the way of a cancel.
fn blocked_order(seed: &mut Seed<'_>) -> Filled<()> {
    let doc = order(seed, "Rheinrad", &[("HELMET-M", 6), ("BOTTLE", 12)], 7);
    let name = seed.submit(doc)?.name;
    let invoice = seed.mapped("Sales Order", &name, "Sales Invoice")?;
    seed.add(invoice)?;
    Ok(())
}

/// A purchase order that the agent made, and that waits for the manager.
fn waiting_order(seed: &mut Seed<'_>) -> Filled<()> {
    SimErpUser::Agent.email().clone_into(&mut seed.books.user);
    let mut doc = SimDoc::new("Purchase Order")
        .with("supplier", "Sprocket & Daughters")
        .with("company", MAKER)
        .with("schedule_date", seed.day(9))
        .with("taxes_and_charges", "Input VAT 19 - AC");
    for (code, qty) in [("RAW-CRANK", 60), ("RAW-CHAIN", 60)] {
        let row = SimDoc::new("Purchase Order Item").with("item_code", code);
        doc.push("items", row.with("qty", Decimal::from(qty)));
    }
    let mut doc = seed.add(doc)?;
    doc.set("workflow_state", "Pending Approval");
    seed.books.put(doc.clone());
    crate::flow::wait_for_action(seed.books, &doc);
    "Administrator".clone_into(&mut seed.books.user);
    Ok(())
}

/// Forty racing bicycles due in two days, for which the parts do not suffice.
fn shortage(seed: &mut Seed<'_>) -> Filled<()> {
    let bom = seed.books.value_text("Item", "BIKE-RACE", "default_bom");
    let day = seed.day(2);
    let doc = SimDoc::new("Work Order")
        .with("production_item", "BIKE-RACE")
        .with("bom_no", bom)
        .with("company", MAKER)
        .with("qty", Decimal::from(40))
        .with("source_warehouse", "Raw - AC")
        .with("fg_warehouse", "Finished - AC")
        .with("wip_warehouse", "WIP - AC")
        .with("expected_delivery_date", day)
        .with("planned_start_date", format!("{day} 08:00:00"));
    seed.submit(doc)?;
    Ok(())
}

/// Yesterday somebody changed the bank account of Tubal Metals.
fn changed_bank(seed: &mut Seed<'_>) {
    seed.go_to(-1);
    let name = "Tubal Metals - Union Bank";
    let Some(doc) = seed.books.find("Bank Account", name).cloned() else {
        return;
    };
    let mut doc = SimDoc::clone(&doc);
    let before = doc.text("iban").to_owned();
    let stamp = seed.books.stamp();
    doc.set("iban", "LT121000011101001000");
    doc.set("bank", "Baltic Direct");
    doc.set("modified", stamp);
    doc.set("modified_by", SimErpUser::Clerk.email());
    SimErpUser::Clerk.email().clone_into(&mut seed.books.user);
    seed.books.put(doc);
    let data = serde_json::json!({
        "changed": [["iban", before, "LT121000011101001000"], ["bank", "Union Bank", "Baltic Direct"]],
        "row_changed": [], "added": [], "removed": [],
    });
    let version = SimDoc::new("Version")
        .with("ref_doctype", "Bank Account")
        .with("docname", name)
        .with("data", data.to_string());
    put_new(seed.books, version);
    "Administrator".clone_into(&mut seed.books.user);
}

/// A draft journal entry of 120 rows, which is submitted in the background.
fn long_journal(seed: &mut Seed<'_>) -> Filled<()> {
    let mut doc = SimDoc::new("Journal Entry")
        .with("company", MAKER)
        .with("user_remark", "Allocation of travel costs");
    for at in 0..120_i64 {
        let (number, side) = if at % 2 == 0 {
            ("5410", "debit_in_account_currency")
        } else {
            ("2500", "credit_in_account_currency")
        };
        let row = SimDoc::new("Journal Entry Account")
            .with("account", account(number, "AC"))
            .with(side, cents(1_000 + (at / 2) * 10));
        doc.push("accounts", row);
    }
    seed.add(doc)?;
    Ok(())
}

/// A draft delivery that is dated ten days ahead.
fn delivery_to_come(seed: &mut Seed<'_>) -> Filled<()> {
    let doc = order(seed, "Lindgren Rad", &[("LOCK-U", 4)], 10);
    let name = seed.submit(doc)?.name;
    let note = seed.mapped("Sales Order", &name, "Delivery Note")?;
    let day = seed.day(10);
    seed.add(note.with("set_posting_time", 1).with("posting_date", day))?;
    Ok(())
}

/// A quotation, a request for material, hours, tills.
fn small_things(seed: &mut Seed<'_>) -> Filled<()> {
    let mut quote = SimDoc::new("Quotation")
        .with("quotation_to", "Customer")
        .with("party_name", "Isar Velo")
        .with("company", MAKER)
        .with("valid_till", seed.day(21))
        .with("taxes_and_charges", "VAT 19 - AC");
    let row = SimDoc::new("Quotation Item").with("item_code", "BIKE-TOUR");
    quote.push("items", row.with("qty", Decimal::from(4)));
    seed.add(quote)?;
    let mut request = SimDoc::new("Material Request")
        .with("material_request_type", "Purchase")
        .with("company", MAKER)
        .with("schedule_date", seed.day(12))
        .with("set_warehouse", "Raw - AC");
    let row = SimDoc::new("Material Request Item").with("item_code", "RAW-BRAKE");
    request.push("items", row.with("qty", Decimal::from(50)));
    seed.submit(request)?;
    let employee = seed.books.all("Employee").next().map(|it| it.name.clone());
    let project = seed.books.all("Project").next().map(|it| it.name.clone());
    let mut sheet = SimDoc::new("Timesheet").with("company", MAKER);
    sheet.set("employee", employee.unwrap_or_default());
    let row = SimDoc::new("Timesheet Detail")
        .with("activity_type", "Consulting")
        .with("from_time", format!("{} 09:00:00", seed.day(-4)))
        .with("hours", cents(650))
        .with("project", project.unwrap_or_default())
        .with("is_billable", 1);
    sheet.push("time_logs", row);
    seed.submit(sheet)?;
    for (name, place) in [("Shop Till", "Shop - AC"), ("Event Till", "Stores - AC")] {
        let doc = SimDoc::new("POS Profile")
            .named(name)
            .with("company", MAKER);
        seed.add(
            doc.with("warehouse", place)
                .with("selling_price_list", "Retail EUR"),
        )?;
    }
    Ok(())
}
