//! Orders, sales and profit.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Sheet, cell, days, object, wanted};
use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::clock::{days_between, parse_date};
use crate::price::party_of;
use crate::refusal::SimResult;
use crate::wire::Args;

/// Submitted documents of a type within the days, oldest first.
fn within<'a>(books: &'a SimBooks, filters: &Args, kind: &str) -> SimResult<Vec<&'a SimDoc>> {
    let (from, to) = days(books, filters)?;
    let company = filters.text("company");
    let mut found: Vec<&SimDoc> = books
        .all(kind)
        .map(AsRef::as_ref)
        .filter(|it| it.docstatus() == 1 && it.text("company") == company)
        .filter(|it| {
            let day = crate::price::day_of(it);
            from <= day && day <= to
        })
        .collect();
    found.sort_by_key(|it| (crate::price::day_of(it), it.name.clone()));
    Ok(found)
}

pub(super) fn analysis(books: &SimBooks, filters: &Args, kind: &'static str) -> Sheet {
    let sells = kind == "Sales Order";
    let (party, done, due) = if sells {
        ("customer", "delivered_qty", "delivery_date")
    } else {
        ("supplier", "received_qty", "schedule_date")
    };
    let mut sheet = Sheet::new(&[
        ("date", "Date", "Date", ""),
        ("order", "Order", "Link", kind),
        ("status", "Status", "Data", ""),
        (
            party,
            "Party",
            "Link",
            if sells { "Customer" } else { "Supplier" },
        ),
        ("item_code", "Item Code", "Link", "Item"),
        ("qty", "Qty", "Float", ""),
        (done, "Done Qty", "Float", ""),
        ("pending_qty", "Pending Qty", "Float", ""),
        ("amount", "Amount", "Currency", ""),
        ("billed_amount", "Billed Amount", "Currency", ""),
        ("pending_amount", "Pending Amount", "Currency", ""),
        (due, "Due Date", "Date", ""),
        ("delay", "Delay (in Days)", "Int", ""),
    ]);
    let named = if sells {
        "sales_order"
    } else {
        "purchase_order"
    };
    for order in within(books, filters, kind).unwrap_or_default() {
        if !wanted(filters, "status", order.text("status")) || !wanted(filters, named, &order.name)
        {
            continue;
        }
        for row in order.rows("items") {
            let left = (row.num("qty") - row.num(done)).max(Decimal::ZERO);
            let late = parse_date(row.text(due)).map_or(0, |day| days_between(day, books.today()));
            let mut cells = object(json!({
                "date": order.get("transaction_date").json(), "status": order.text("status"),
                "item_code": row.text("item_code"), "item_name": row.text("item_name"),
                "qty": cell(row.num("qty")), "pending_qty": cell(left),
                "amount": cell(row.num("base_amount")), "billed_amount": cell(row.num("billed_amt")),
                "pending_amount": cell(row.num("base_amount") - row.num("billed_amt")),
                "delay": if left.is_zero() { 0 } else { late.max(0) },
                "warehouse": row.text("warehouse"), "company": order.text("company"),
            }));
            cells.insert(named.to_owned(), json!(order.name));
            cells.insert(party.to_owned(), json!(party_of(order)));
            cells.insert(done.to_owned(), cell(row.num(done)));
            cells.insert(due.to_owned(), row.get(due).json());
            sheet.row(Value::Object(cells));
        }
    }
    sheet
}

pub(super) fn delayed(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let mut sheet = Sheet::new(&[
        ("name", "Sales Order", "Link", "Sales Order"),
        ("customer", "Customer", "Link", "Customer"),
        ("item_code", "Item Code", "Link", "Item"),
        ("qty", "Pending Qty", "Float", ""),
        ("amount", "Amount", "Currency", ""),
        ("delivery_date", "Expected Delivery Date", "Date", ""),
        ("no_of_days_delayed", "Delay (in Days)", "Int", ""),
    ]);
    for order in within(books, filters, "Sales Order")? {
        if matches!(order.text("status"), "Closed") {
            continue;
        }
        for row in order.rows("items") {
            let left = row.num("qty") - row.num("delivered_qty");
            let late = parse_date(row.text("delivery_date"))
                .map_or(0, |day| days_between(day, books.today()));
            if left > Decimal::ZERO && late > 0 {
                sheet.row(json!({
                    "name": order.name, "customer": order.text("customer"),
                    "item_code": row.text("item_code"), "item_name": row.text("item_name"),
                    "qty": cell(left), "amount": cell(books.money(left * row.num("rate"))),
                    "delivery_date": row.get("delivery_date").json(), "no_of_days_delayed": late,
                }));
            }
        }
    }
    Ok(sheet)
}

/// Revenue of invoices against the cost of what they delivered, or of what their delivery did.
pub(super) fn gross_profit(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let mut sheet = Sheet::new(&[
        ("invoice_or_item", "Sales Invoice", "Link", "Sales Invoice"),
        ("customer", "Customer", "Link", "Customer"),
        ("posting_date", "Posting Date", "Date", ""),
        ("selling_amount", "Selling Amount", "Currency", "currency"),
        ("buying_amount", "Buying Amount", "Currency", "currency"),
        ("gross_profit", "Gross Profit", "Currency", "currency"),
        ("gross_profit_%", "Gross Profit Percent", "Percent", ""),
    ]);
    let (mut sold, mut bought) = (Decimal::ZERO, Decimal::ZERO);
    let cost_of = |voucher: &str| -> Decimal {
        let entries = books.by("Stock Ledger Entry", "voucher_no", voucher);
        let live = entries.filter(|it| !it.flag("is_cancelled"));
        -live
            .map(|it| it.num("stock_value_difference"))
            .sum::<Decimal>()
    };
    let share = |profit: Decimal, sold: Decimal| {
        if sold.is_zero() {
            Decimal::ZERO
        } else {
            (profit / sold * Decimal::ONE_HUNDRED).round_dp(3)
        }
    };
    for invoice in within(books, filters, "Sales Invoice")? {
        let orders: Vec<&str> = invoice
            .rows("items")
            .iter()
            .map(|it| it.text("sales_order"))
            .collect();
        let mut cost = cost_of(&invoice.name);
        for note in books.all("Delivery Note").filter(|it| it.docstatus() == 1) {
            let mut rows = note.rows("items").iter();
            let own = rows.any(|it| {
                let order = it.text("against_sales_order");
                !order.is_empty() && orders.contains(&order)
            });
            if own {
                cost += cost_of(&note.name);
            }
        }
        let net = invoice.num("base_net_total");
        sold += net;
        bought += cost;
        sheet.row(json!({
            "invoice_or_item": invoice.name, "parent_invoice": "", "indent": 0.0,
            "customer": invoice.text("customer"), "posting_date": invoice.text("posting_date"),
            "selling_amount": cell(net), "buying_amount": cell(cost),
            "gross_profit": cell(net - cost), "gross_profit_%": cell(share(net - cost, net)),
        }));
    }
    sheet.row(json!({
        "invoice_or_item": "Total", "selling_amount": cell(sold), "buying_amount": cell(bought),
        "gross_profit": cell(sold - bought), "gross_profit_%": cell(share(sold - bought, sold)),
    }));
    Ok(sheet)
}

pub(super) fn analytics(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let asked = filters.text("doc_type");
    let kind = if asked.is_empty() {
        "Sales Invoice"
    } else {
        &asked
    };
    let by_item = matches!(filters.text("tree_type").as_str(), "Item" | "Item Group");
    let quantity = filters.text("value_quantity") == "Quantity";
    let range = filters.text("range");
    let length = match range.as_str() {
        "Yearly" => 4,
        "" | "Monthly" => 7,
        _ => 10,
    };
    let mut periods: Vec<String> = Vec::new();
    let mut rows: BTreeMap<String, BTreeMap<String, Decimal>> = BTreeMap::new();
    for doc in within(books, filters, kind)? {
        let day = crate::price::day_of(doc);
        let period = day.get(..length).unwrap_or(&day).to_owned();
        if !periods.contains(&period) {
            periods.push(period.clone());
        }
        for row in doc.rows("items") {
            let entity = if by_item {
                row.text("item_code")
            } else {
                party_of(doc)
            };
            let value = if quantity {
                row.num("stock_qty")
            } else {
                row.num("base_net_amount")
            };
            let sums = rows.entry(entity.to_owned()).or_default();
            *sums.entry(period.clone()).or_default() += value;
        }
    }
    let keys: Vec<String> = periods.iter().map(|it| it.replace('-', "_")).collect();
    let mut columns = vec![("entity", "Entity", "Data", "")];
    columns.extend(
        keys.iter()
            .zip(&periods)
            .map(|(key, it)| (key.as_str(), it.as_str(), "Float", "")),
    );
    columns.push(("total", "Total", "Float", ""));
    let mut sheet = Sheet::new(&columns);
    for (entity, sums) in rows {
        let mut cells = object(json!({"entity": entity, "entity_name": entity}));
        for (period, key) in periods.iter().zip(&keys) {
            cells.insert(
                key.clone(),
                cell(sums.get(period).copied().unwrap_or_default()),
            );
        }
        cells.insert("total".to_owned(), cell(sums.values().sum()));
        sheet.row(Value::Object(cells));
    }
    Ok(sheet)
}
