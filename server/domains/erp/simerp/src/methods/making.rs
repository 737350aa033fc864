//! Methods that make one document from another, or look up prices and stock.

use serde_json::{Value, json};

use super::{MethodAnswer, MethodRow, MethodVerb, need};
use crate::books::{SimBooks, bin_name};
use crate::cell::{Decimal, float, parse_decimal};
use crate::mappers;
use crate::refusal::{SimResult, forbidden};
use crate::rights::{Right, demand_doc};
use crate::rules::bom_rows;
use crate::status;
use crate::wire::Args;

pub(super) const METHODS: &[MethodRow] = &[
    (
        "erpnext.selling.doctype.quotation.quotation.make_sales_order",
        MethodVerb::Reads,
        |books, args| map(books, args, "Quotation", "Sales Order"),
    ),
    (
        "erpnext.selling.doctype.sales_order.sales_order.make_delivery_note",
        MethodVerb::Reads,
        |books, args| map(books, args, "Sales Order", "Delivery Note"),
    ),
    (
        "erpnext.selling.doctype.sales_order.sales_order.make_sales_invoice",
        MethodVerb::Reads,
        |books, args| map(books, args, "Sales Order", "Sales Invoice"),
    ),
    (
        "erpnext.stock.doctype.delivery_note.delivery_note.make_sales_invoice",
        MethodVerb::Reads,
        |books, args| map(books, args, "Delivery Note", "Sales Invoice"),
    ),
    (
        "erpnext.buying.doctype.purchase_order.purchase_order.make_purchase_receipt",
        MethodVerb::Reads,
        |books, args| map(books, args, "Purchase Order", "Purchase Receipt"),
    ),
    (
        "erpnext.buying.doctype.purchase_order.purchase_order.make_purchase_invoice",
        MethodVerb::Reads,
        |books, args| map(books, args, "Purchase Order", "Purchase Invoice"),
    ),
    (
        "erpnext.stock.doctype.purchase_receipt.purchase_receipt.make_purchase_invoice",
        MethodVerb::Reads,
        |books, args| map(books, args, "Purchase Receipt", "Purchase Invoice"),
    ),
    (
        "erpnext.stock.doctype.material_request.material_request.make_purchase_order",
        MethodVerb::Reads,
        |books, args| map(books, args, "Material Request", "Purchase Order"),
    ),
    (
        "erpnext.buying.doctype.supplier_quotation.supplier_quotation.make_purchase_order",
        MethodVerb::Reads,
        |books, args| map(books, args, "Supplier Quotation", "Purchase Order"),
    ),
    (
        "erpnext.selling.doctype.sales_order.sales_order.create_pick_list",
        MethodVerb::Reads,
        |books, args| {
            let doc = mappers::pick_list(books, &need(args, "source_name")?)?;
            Ok(doc.json(true).into())
        },
    ),
    (
        "erpnext.selling.doctype.sales_order.sales_order.make_material_request",
        MethodVerb::Reads,
        |books, args| {
            let doc = mappers::request(books, &need(args, "source_name")?)?;
            Ok(doc.json(true).into())
        },
    ),
    (
        "erpnext.stock.doctype.material_request.material_request.make_stock_entry",
        MethodVerb::Reads,
        |books, args| {
            let doc = mappers::entry_of_request(books, &need(args, "source_name")?)?;
            Ok(doc.json(true).into())
        },
    ),
    (
        "erpnext.accounts.doctype.payment_entry.payment_entry.get_payment_entry",
        MethodVerb::Reads,
        |books, args| {
            let doc = mappers::payment(books, &need(args, "dt")?, &need(args, "dn")?)?;
            Ok(doc.json(true).into())
        },
    ),
    (
        "erpnext.manufacturing.doctype.work_order.work_order.make_stock_entry",
        MethodVerb::Reads,
        |books, args| {
            let qty = args.text("qty");
            let qty = (!qty.is_empty()).then(|| parse_decimal(&qty));
            let order = need(args, "work_order_id")?;
            let doc = mappers::production(books, &order, &need(args, "purpose")?, qty)?;
            Ok(doc.json(true).into())
        },
    ),
    (
        "erpnext.manufacturing.doctype.bom.bom.get_bom_items",
        MethodVerb::Reads,
        bom_items,
    ),
    (
        "erpnext.selling.doctype.sales_order.sales_order.update_status",
        MethodVerb::Writes,
        |books, args| update_status(books, args, "Sales Order", "name"),
    ),
    (
        "erpnext.buying.doctype.purchase_order.purchase_order.update_status",
        MethodVerb::Writes,
        |books, args| update_status(books, args, "Purchase Order", "name"),
    ),
    (
        "erpnext.stock.doctype.material_request.material_request.update_status",
        MethodVerb::Writes,
        |books, args| update_status(books, args, "Material Request", "name"),
    ),
    (
        "erpnext.stock.doctype.delivery_note.delivery_note.update_delivery_note_status",
        MethodVerb::Writes,
        |books, args| update_status(books, args, "Delivery Note", "docname"),
    ),
    (
        "erpnext.stock.doctype.purchase_receipt.purchase_receipt.update_purchase_receipt_status",
        MethodVerb::Writes,
        |books, args| update_status(books, args, "Purchase Receipt", "docname"),
    ),
    (
        "erpnext.stock.utils.get_stock_balance",
        MethodVerb::Reads,
        |books, args| {
            let bin = bin_name(&need(args, "item_code")?, &need(args, "warehouse")?);
            Ok(float(books.value("Bin", &bin, "actual_qty").num()).into())
        },
    ),
    (
        "erpnext.setup.utils.get_exchange_rate",
        MethodVerb::Reads,
        |books, args| {
            let day = args.text("transaction_date");
            let day = if day.is_empty() {
                books.today().to_string()
            } else {
                day
            };
            let from = need(args, "from_currency")?;
            let rate = books.exchange_rate(&from, &need(args, "to_currency")?, &day);
            Ok(rate.map_or(json!(0.0), float).into())
        },
    ),
];

fn map(
    books: &mut SimBooks,
    args: &Args,
    from: &'static str,
    to: &'static str,
) -> SimResult<MethodAnswer> {
    let doc = mappers::map(books, from, &need(args, "source_name")?, to)?;
    Ok(doc.json(true).into())
}

fn bom_items(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let bom = need(args, "bom")?;
    let qty = match args.text("qty") {
        qty if qty.is_empty() => Decimal::ONE,
        qty => parse_decimal(&qty),
    };
    let explode = args.text("fetch_exploded") != "0";
    books.load("BOM", &bom)?;
    let rows = bom_rows(books, &bom, qty, explode);
    let rows = rows.into_iter().map(|(item, qty)| {
        json!({
            "item_code": item, "qty": float(qty),
            "item_name": books.value("Item", &item, "item_name").json(),
            "stock_uom": books.value("Item", &item, "stock_uom").json(),
        })
    });
    Ok(Value::Array(rows.collect()).into())
}

/// Closes, holds or reopens an order, or closes a note. `Draft` and other words that are no such
/// choice reopen it.
fn update_status(
    books: &mut SimBooks,
    args: &Args,
    kind: &'static str,
    name: &str,
) -> SimResult<MethodAnswer> {
    let (status, name) = (need(args, "status")?, need(args, name)?);
    let doc = books.load(kind, &name)?;
    demand_doc(books, &doc, Right::Submit)?;
    if doc.docstatus() != 1 {
        return Err(forbidden(format!("{kind} {name} is not submitted")));
    }
    let chosen = match status.as_str() {
        "Closed" | "On Hold" | "Stopped" => status.as_str(),
        _ => "",
    };
    let stamp = books.stamp();
    let user = books.user.clone();
    books.set_fields(
        kind,
        &name,
        [("modified", stamp.into()), ("modified_by", user.into())],
    );
    status::choose(books, kind, &name, chosen);
    Ok(Value::Null.into())
}
