//! Bills of materials, work orders and hours.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::price;
use crate::refusal::{SimResult, unsuitable};
use crate::stock;

pub(super) fn validate_bom(books: &mut SimBooks, doc: &mut SimDoc) {
    if doc.text("currency").is_empty() {
        let own = books.value("Company", doc.text("company"), "default_currency");
        doc.set("currency", own);
    }
    let mut cost = Decimal::ZERO;
    for (at, row) in doc.rows_mut("items").iter_mut().enumerate() {
        if let Ok(item) = price::item_for(books, row, at) {
            row.set("item_name", item.get("item_name").clone());
            if row.text("uom").is_empty() {
                row.set("uom", item.text("stock_uom"));
            }
            if row.text("bom_no").is_empty() {
                row.set("bom_no", item.get("default_bom").clone());
            }
            if row.num("rate").is_zero() {
                let bom = books.find("BOM", row.text("bom_no"));
                let made =
                    bom.map(|it| it.num("total_cost") / it.num("quantity").max(Decimal::ONE));
                row.set(
                    "rate",
                    books.money(made.unwrap_or_else(|| item.num("last_purchase_rate"))),
                );
            }
        }
        let amount = books.money(row.num("rate") * row.num("qty"));
        row.set("amount", amount);
        row.set("stock_qty", row.num("qty"));
        cost += amount;
    }
    doc.set("raw_material_cost", cost);
    doc.set("total_cost", cost);
}

pub(super) fn on_submit_bom(books: &mut SimBooks, doc: &SimDoc) {
    if doc.flag("is_default") {
        let name = SimCell::from(&doc.name);
        books.set_fields("Item", doc.text("item"), [("default_bom", name)]);
    }
}

/// Raw materials of a bill for a quantity; with `explode` over all levels.
pub(crate) fn bom_rows(
    books: &SimBooks,
    bom: &str,
    qty: Decimal,
    explode: bool,
) -> Vec<(String, Decimal)> {
    let mut found: Vec<(String, Decimal)> = Vec::new();
    let mut open = vec![(bom.to_owned(), qty, 0)];
    while let Some((bom, qty, depth)) = open.pop() {
        let Some(bom) = books.find("BOM", &bom) else {
            continue;
        };
        let of = bom.num("quantity");
        if of.is_zero() || depth > 8 {
            continue;
        }
        for row in bom.rows("items") {
            let need = (row.num("qty") * qty / of).round_dp(6);
            if explode && !row.text("bom_no").is_empty() {
                open.push((row.text("bom_no").to_owned(), need, depth + 1));
                continue;
            }
            let item = row.text("item_code");
            match found.iter_mut().find(|(it, _)| it == item) {
                Some((_, all)) => *all += need,
                None => found.push((item.to_owned(), need)),
            }
        }
    }
    found
}

pub(super) fn validate_order(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let bom = books.load("BOM", doc.text("bom_no"))?;
    if bom.text("item") != doc.text("production_item") || bom.docstatus() != 1 {
        return Err(unsuitable(format!(
            "BOM {} is not a submitted one of Item {}",
            bom.name,
            doc.text("production_item")
        )));
    }
    if doc.num("qty").is_zero() || doc.num("qty").is_sign_negative() {
        return Err(unsuitable(
            "Quantity to Manufacture must be greater than 0.",
        ));
    }
    if doc.rows("required_items").is_empty() {
        for (item, qty) in required(books, doc) {
            let row = SimDoc::new("Work Order Item")
                .with("item_code", &item)
                .with("item_name", books.value("Item", &item, "item_name"))
                .with("source_warehouse", doc.text("source_warehouse"))
                .with("required_qty", qty);
            doc.push("required_items", row);
        }
    }
    for row in doc.rows_mut("required_items") {
        let bin = crate::books::bin_name(row.text("item_code"), row.text("source_warehouse"));
        let there = books.value("Bin", &bin, "actual_qty").num();
        row.set("available_qty_at_source_warehouse", there);
    }
    Ok(())
}

/// Materials that a work order needs, one level.
fn required(books: &SimBooks, order: &SimDoc) -> Vec<(String, Decimal)> {
    bom_rows(books, order.text("bom_no"), order.num("qty"), false)
}

/// Quantities that open work orders bring and reserve.
pub(crate) fn replan(books: &mut SimBooks, doc: &SimDoc) {
    let order = match doc.kind {
        "Work Order" => doc.name.as_str(),
        "Stock Entry" => doc.text("work_order"),
        _ => return,
    };
    let Some(order) = books.find("Work Order", order).cloned() else {
        return;
    };
    let open = |it: &&std::sync::Arc<SimDoc>| {
        it.docstatus() == 1 && !matches!(it.text("status"), "Stopped" | "Closed")
    };
    let (item, place) = (order.text("production_item"), order.text("fg_warehouse"));
    let orders = books.by("Work Order", "production_item", item).filter(open);
    let planned: Decimal = orders
        .filter(|it| it.text("fg_warehouse") == place)
        .map(|it| (it.num("qty") - it.num("produced_qty")).max(Decimal::ZERO))
        .sum();
    stock::plan(books, item, place, "planned_qty", planned);
    for row in order.rows("required_items") {
        let (item, place) = (row.text("item_code"), row.text("source_warehouse"));
        let rows = books
            .by("Work Order", "required_items.item_code", item)
            .filter(open)
            .flat_map(|it| it.rows("required_items"));
        let rows =
            rows.filter(|it| it.text("item_code") == item && it.text("source_warehouse") == place);
        let reserved: Decimal = rows
            .map(|it| {
                let done = it.num("transferred_qty").max(it.num("consumed_qty"));
                (it.num("required_qty") - done).max(Decimal::ZERO)
            })
            .sum();
        stock::plan(books, item, place, "reserved_qty_for_production", reserved);
    }
}

pub(super) fn validate_hours(books: &mut SimBooks, doc: &mut SimDoc) {
    let (mut all, mut billable, mut amount) = (Decimal::ZERO, Decimal::ZERO, Decimal::ZERO);
    let (mut first, mut last) = (String::new(), String::new());
    for row in doc.rows_mut("time_logs") {
        let hours = row.num("hours");
        all += hours;
        if row.flag("is_billable") {
            if row.num("billing_rate").is_zero() {
                let rate = books.value("Activity Type", row.text("activity_type"), "billing_rate");
                row.set("billing_rate", rate.num());
            }
            if row.num("billing_hours").is_zero() {
                row.set("billing_hours", hours);
            }
            let hours = row.num("billing_hours");
            let part = books.money(hours * row.num("billing_rate"));
            row.set("billing_amount", part);
            billable += hours;
            amount += part;
        }
        let day = row
            .text("from_time")
            .get(..10)
            .unwrap_or_default()
            .to_owned();
        if first.is_empty() || day < first {
            first.clone_from(&day);
        }
        last = last.max(day);
    }
    doc.set("total_hours", all);
    doc.set("total_billable_hours", billable);
    doc.set("total_billable_amount", amount);
    super::hours::sum_billed(doc);
    if !first.is_empty() {
        doc.set("start_date", first);
        doc.set("end_date", last);
    }
}
