//! Stock entries and counts.

use crate::books::{SimBooks, bin_name};
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::ledger::{self, LedgerLine};
use crate::price;
use crate::refusal::{SimResult, unsuitable};
use crate::stock::{self, StockMove};

fn in_bin(books: &SimBooks, item: &str, warehouse: &str, field: &str) -> Decimal {
    books.value("Bin", &bin_name(item, warehouse), field).num()
}

pub(super) fn validate_entry(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let purpose = books.value_text("Stock Entry Type", doc.text("stock_entry_type"), "purpose");
    doc.set("purpose", purpose.clone());
    let (from, to) = (
        doc.text("from_warehouse").to_owned(),
        doc.text("to_warehouse").to_owned(),
    );
    let needs_source = !matches!(purpose.as_str(), "Material Receipt");
    let needs_target = !matches!(purpose.as_str(), "Material Issue");
    let makes = matches!(purpose.as_str(), "Manufacture" | "Repack");
    let company = books.load("Company", doc.text("company"))?;
    let (mut out, mut into) = (Decimal::ZERO, Decimal::ZERO);
    let mut items = doc.rows("items").to_vec();
    for (at, row) in items.iter_mut().enumerate() {
        let item = price::item_for(books, row, at)?;
        price::fill_row(row, &item);
        let finished = row.flag("is_finished_item");
        if row.text("s_warehouse").is_empty() && needs_source && !(makes && finished) {
            row.set("s_warehouse", from.clone());
        }
        if row.text("t_warehouse").is_empty() && needs_target && (!makes || finished) {
            row.set("t_warehouse", to.clone());
        }
        let source = &*row.text("s_warehouse").to_owned();
        let target = &*row.text("t_warehouse").to_owned();
        if source.is_empty() && target.is_empty() || (!makes && needs_source && source.is_empty()) {
            return Err(unsuitable(format!(
                "Row #{}: Source or target warehouse is mandatory",
                at + 1
            )));
        }
        if source == target {
            return Err(unsuitable(format!(
                "Row #{}: Source and target warehouse cannot be the same",
                at + 1
            )));
        }
        let qty = row.num("qty");
        if qty.is_sign_negative() || qty.is_zero() {
            return Err(unsuitable(format!("Row #{}: Qty is mandatory", at + 1)));
        }
        let moved = qty * row.num("conversion_factor");
        row.set("transfer_qty", moved);
        if !source.is_empty() {
            let rate = in_bin(books, &item.name, source, "valuation_rate");
            row.set("basic_rate", rate);
            out += books.money(rate * moved);
        } else if row.num("basic_rate").is_zero() && !finished {
            let known = if target.is_empty() {
                Decimal::ZERO
            } else {
                in_bin(books, &item.name, target, "valuation_rate")
            };
            let rate = if known.is_zero() {
                item.num("last_purchase_rate")
            } else {
                known
            };
            if rate.is_zero() && !books.is_seeding {
                return Err(unsuitable(format!(
                    "Valuation Rate for the Item {} is required to do accounting entries",
                    item.name
                )));
            }
            row.set("basic_rate", rate);
        }
        if row.text("expense_account").is_empty() {
            row.set("expense_account", company.text("stock_adjustment_account"));
        }
        if row.text("cost_center").is_empty() {
            row.set("cost_center", company.text("cost_center"));
        }
    }
    let made: Decimal = items
        .iter()
        .filter(|row| row.flag("is_finished_item"))
        .map(|row| row.num("transfer_qty"))
        .sum();
    for row in &mut items {
        if row.flag("is_finished_item") && !made.is_zero() {
            row.set("basic_rate", (out / made).round_dp(9));
        }
        let amount = books.money(row.num("basic_rate") * row.num("transfer_qty"));
        row.set("basic_amount", amount);
        row.set("amount", amount);
        if !row.text("t_warehouse").is_empty() {
            into += amount;
        }
    }
    doc.tables.insert("items", items);
    doc.set("total_outgoing_value", out);
    doc.set("total_incoming_value", into);
    doc.set("value_difference", into - out);
    Ok(())
}

pub(super) fn post_entry(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let company = books.load("Company", doc.text("company"))?;
    let mut lines = Vec::new();
    let mut consumed = Decimal::ZERO;
    let rows = doc.rows("items");
    // What goes out first: it is what the finished goods cost.
    for row in rows
        .iter()
        .filter(|row| !row.text("s_warehouse").is_empty())
    {
        let (item, source, target) = (
            row.text("item_code"),
            row.text("s_warehouse"),
            row.text("t_warehouse"),
        );
        let qty = row.num("transfer_qty");
        let mut it = StockMove {
            item,
            warehouse: source,
            qty: -qty,
            rate: None,
            row: &row.name,
        };
        let change = stock::book(books, doc, &it)?;
        lines.push(LedgerLine::new(
            stock::stock_account(books, &company, source),
            change,
        ));
        if target.is_empty() {
            consumed -= change;
            if !rows.iter().any(|row| row.flag("is_finished_item")) {
                lines.push(LedgerLine::new(row.text("expense_account"), -change).center(row));
            }
            continue;
        }
        it.warehouse = target;
        it.qty = qty;
        it.rate = Some(-change / qty);
        let into = stock::book(books, doc, &it)?;
        lines.push(LedgerLine::new(
            stock::stock_account(books, &company, target),
            into,
        ));
    }
    let made: Vec<_> = rows
        .iter()
        .filter(|row| row.text("s_warehouse").is_empty())
        .collect();
    let finished = made.iter().filter(|row| row.flag("is_finished_item"));
    let finished: Decimal = finished.map(|row| row.num("transfer_qty")).sum();
    let mut left = consumed;
    for row in made {
        let qty = row.num("transfer_qty");
        let is_finished = row.flag("is_finished_item");
        let rate = if is_finished {
            consumed / finished
        } else {
            row.num("basic_rate")
        };
        let it = StockMove {
            item: row.text("item_code"),
            warehouse: row.text("t_warehouse"),
            qty,
            rate: Some(rate),
            row: &row.name,
        };
        let change = stock::book(books, doc, &it)?;
        lines.push(LedgerLine::new(
            stock::stock_account(books, &company, row.text("t_warehouse")),
            change,
        ));
        if is_finished {
            left -= change;
        } else {
            lines.push(LedgerLine::new(row.text("expense_account"), -change).center(row));
        }
    }
    if !finished.is_zero() && !left.is_zero() {
        // Cents that no unit cost takes.
        lines.push(LedgerLine::new(
            company.text("stock_adjustment_account"),
            left,
        ));
    }
    ledger::post(books, doc, lines)
}

pub(super) fn validate_count(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let company = books.load("Company", doc.text("company"))?;
    if doc.text("expense_account").is_empty() {
        doc.set("expense_account", company.text("stock_adjustment_account"));
    }
    let mut difference = Decimal::ZERO;
    let mut seen: Vec<(String, String)> = Vec::new();
    for (at, row) in doc.rows_mut("items").iter_mut().enumerate() {
        let item = price::item_for(books, row, at)?;
        let warehouse = row.text("warehouse").to_owned();
        let place = (item.name.clone(), warehouse.clone());
        if seen.contains(&place) || !item.flag("is_stock_item") {
            return Err(unsuitable(format!(
                "Row # {}: Duplicate entry, or not a stock item: {}",
                at + 1,
                item.name
            )));
        }
        seen.push(place);
        if row.num("qty").is_sign_negative() {
            return Err(unsuitable(format!(
                "Row # {}: Negative Quantity is not allowed",
                at + 1
            )));
        }
        let had = in_bin(books, &item.name, &warehouse, "actual_qty");
        let rate = in_bin(books, &item.name, &warehouse, "valuation_rate");
        if row.num("valuation_rate").is_zero() {
            row.set("valuation_rate", rate);
        }
        let value = books.money(row.num("qty") * row.num("valuation_rate"));
        row.set("amount", value);
        row.set("current_qty", had);
        row.set("current_valuation_rate", rate);
        let more = row.num("qty") - had;
        row.set("quantity_difference", SimCell::Num(more).shown());
        difference += value - in_bin(books, &item.name, &warehouse, "stock_value");
    }
    doc.set("difference_amount", difference);
    Ok(())
}

/// The whole stock goes out at its average, and what was counted comes in at its rate.
pub(super) fn post_count(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let company = books.load("Company", doc.text("company"))?;
    let mut lines = Vec::new();
    for row in doc.rows("items") {
        let (item, warehouse) = (row.text("item_code"), row.text("warehouse"));
        let had = in_bin(books, item, warehouse, "actual_qty");
        let mut it = StockMove {
            item,
            warehouse,
            qty: -had,
            rate: None,
            row: &row.name,
        };
        let mut change = stock::book(books, doc, &it)?;
        it.qty = row.num("qty");
        it.rate = Some(row.num("valuation_rate"));
        change += stock::book(books, doc, &it)?;
        lines.push(LedgerLine::new(
            stock::stock_account(books, &company, warehouse),
            change,
        ));
        lines.push(LedgerLine::new(doc.text("expense_account"), -change));
    }
    ledger::post(books, doc, lines)
}
