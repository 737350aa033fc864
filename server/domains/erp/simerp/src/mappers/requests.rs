//! Mappers of goods that are asked for: lists to pick an order by, requests of what it needs, and the
//! stock entry of a request.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::refusal::{SimResult, unsuitable};
use crate::rights::{Right, demand_doc};
use crate::status::rows_sum;

const PICKED: [&str; 6] = [
    "item_code",
    "item_name",
    "uom",
    "stock_uom",
    "conversion_factor",
    "warehouse",
];

/// A list to pick what is open of an order.
pub(crate) fn pick_list(books: &SimBooks, order: &str) -> SimResult<SimDoc> {
    let source = submitted(books, "Sales Order", order)?;
    let mut doc = SimDoc::new("Pick List")
        .with("docstatus", 0)
        .with("company", source.text("company"))
        .with("purpose", "Delivery")
        .with("customer", source.text("customer"));
    for row in source.rows("items") {
        let open = row.num("qty") - row.num("delivered_qty");
        let is_stock = books.value("Item", row.text("item_code"), "is_stock_item");
        if open <= Decimal::ZERO || is_stock.num().is_zero() {
            continue;
        }
        let mut out = SimDoc::new("Pick List Item");
        out.take_from(row, &PICKED);
        out.set("qty", open);
        out.set("stock_qty", open * row.num("conversion_factor"));
        out.set("sales_order", &source.name);
        out.set("sales_order_item", &row.name);
        doc.push("locations", out);
    }
    with_rows(doc, "locations", &source.name)
}

/// A request of what an order needs and nobody has asked for yet.
pub(crate) fn request(books: &SimBooks, order: &str) -> SimResult<SimDoc> {
    let source = submitted(books, "Sales Order", order)?;
    let day = source.get("delivery_date").clone();
    let mut doc = SimDoc::new("Material Request")
        .with("docstatus", 0)
        .with("material_request_type", "Purchase")
        .with("company", source.text("company"))
        .with("transaction_date", books.today())
        .with("schedule_date", day.clone());
    for row in source.rows("items") {
        let index = "items.sales_order_item";
        let asked = rows_sum(books, "Material Request", index, &row.name, "qty", |_| true);
        let open = row.num("qty") - row.num("delivered_qty") - asked;
        if open <= Decimal::ZERO {
            continue;
        }
        let mut out = SimDoc::new("Material Request Item");
        out.take_from(row, &PICKED);
        out.set("qty", open);
        out.set("stock_qty", open * row.num("conversion_factor"));
        out.set("schedule_date", day.clone());
        out.set("sales_order", &source.name);
        out.set("sales_order_item", &row.name);
        doc.push("items", out);
    }
    with_rows(doc, "items", &source.name)
}

/// The stock entry that fulfils a request for a transfer or an issue.
pub(crate) fn entry_of_request(books: &SimBooks, request: &str) -> SimResult<SimDoc> {
    let source = submitted(books, "Material Request", request)?;
    let purpose = source.text("material_request_type");
    let moves = purpose == "Material Transfer";
    if !moves && purpose != "Material Issue" {
        return Err(unsuitable(format!(
            "Cannot map because following condition fails: material_request_type of {request}"
        )));
    }
    let mut doc = SimDoc::new("Stock Entry")
        .with("docstatus", 0)
        .with("stock_entry_type", purpose)
        .with("purpose", purpose)
        .with("company", source.text("company"))
        .with("posting_date", books.today());
    for row in source.rows("items") {
        let open = row.num("qty") - row.num("ordered_qty");
        if open <= Decimal::ZERO {
            continue;
        }
        let mut out = SimDoc::new("Stock Entry Detail");
        out.take_from(row, &PICKED[..5]);
        out.set("qty", open);
        out.set("transfer_qty", open * row.num("conversion_factor"));
        if moves {
            out.set("s_warehouse", row.text("from_warehouse"));
            out.set("t_warehouse", row.text("warehouse"));
        } else {
            out.set("s_warehouse", row.text("warehouse"));
        }
        out.set("material_request", &source.name);
        out.set("material_request_item", &row.name);
        doc.push("items", out);
    }
    with_rows(doc, "items", &source.name)
}

/// A source that is submitted and open.
fn submitted(books: &SimBooks, kind: &str, name: &str) -> SimResult<std::sync::Arc<SimDoc>> {
    let source = books.load(kind, name)?;
    demand_doc(books, &source, Right::Read)?;
    let held = matches!(source.text("status"), "Closed" | "On Hold" | "Stopped");
    if source.docstatus() != 1 || held {
        return Err(unsuitable(format!(
            "Cannot map because following condition fails: docstatus of {name} must be 1, and it must be open"
        )));
    }
    Ok(source)
}

fn with_rows(doc: SimDoc, table: &str, source: &str) -> SimResult<SimDoc> {
    if doc.rows(table).is_empty() {
        return Err(unsuitable(format!(
            "Nothing of {source} is open for a {}",
            doc.kind
        )));
    }
    Ok(doc)
}
