//! Limits at submit: quantities of orders, and credit.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::refusal::{SimResult, invalid, unsuitable};
use crate::status::{self, rows_sum};

/// More than ordered is neither moved nor billed.
pub(super) fn check_allowance(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    let (order, link, field, moves) = match doc.kind {
        "Delivery Note" => ("Sales Order", "items.so_detail", "qty", true),
        "Sales Invoice" => ("Sales Order", "items.so_detail", "amount", false),
        "Purchase Receipt" => ("Purchase Order", "items.purchase_order_item", "qty", true),
        _ => ("Purchase Order", "items.po_detail", "amount", false),
    };
    let column = link.trim_start_matches("items.");
    let named = if order == "Sales Order" {
        ["against_sales_order", "sales_order"]
    } else {
        ["purchase_order", "purchase_order"]
    };
    for (at, row) in doc.rows("items").iter().enumerate() {
        let detail = row.text(column);
        let name = named
            .iter()
            .map(|it| row.text(it))
            .find(|it| !it.is_empty());
        let Some(source) = name.and_then(|name| books.find(order, name)) else {
            continue;
        };
        let Some(of) = source.rows("items").iter().find(|it| it.name == detail) else {
            continue;
        };
        let before = rows_sum(books, doc.kind, link, detail, field, |it| {
            it.name != doc.name
        });
        let own: Decimal = doc
            .rows("items")
            .iter()
            .filter(|it| it.text(column) == detail)
            .map(|it| it.num(field))
            .sum();
        if before + own > of.num(field) {
            let what = if moves { "Qty" } else { "Amount" };
            return Err(invalid(
                "OverAllowanceError",
                format!(
                    "Row #{}: {what} {} for Item {} exceeds what {order} {} allows ({})",
                    at + 1,
                    (before + own).normalize(),
                    row.text("item_code"),
                    source.name,
                    of.num(field).normalize()
                ),
            ));
        }
    }
    if doc.kind == "Sales Invoice" {
        return check_credit(books, doc);
    }
    Ok(())
}

/// Open invoices and unbilled orders of a customer stay within the limit.
pub(super) fn check_credit(books: &SimBooks, doc: &SimDoc) -> SimResult<()> {
    if books.is_seeding || doc.flag("is_return") {
        return Ok(());
    }
    let (name, company) = (doc.text("customer"), doc.text("company"));
    let Some(customer) = books.find("Customer", name) else {
        return Ok(());
    };
    let limits = customer.rows("credit_limits").iter();
    let mut limits = limits.filter(|it| it.text("company") == company);
    let Some(limit) = limits.next().map(|it| it.num("credit_limit")) else {
        return Ok(());
    };
    let billed_order = doc.kind == "Sales Invoice"
        && doc
            .rows("items")
            .iter()
            .all(|it| !it.text("sales_order").is_empty());
    let added = if billed_order {
        Decimal::ZERO
    } else {
        doc.num("base_grand_total")
    };
    let total = status::exposure(books, name, company) + added;
    if !limit.is_zero() && total > limit {
        return Err(unsuitable(format!(
            "Credit limit has been crossed for customer {name} ({total}/{limit}). Please contact any \
             of the following users to extend the credit limits: manager@aldergate.example"
        )));
    }
    Ok(())
}
