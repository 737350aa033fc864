//! Stock: movements, balances, and what is to come.

use std::collections::BTreeMap;

use serde_json::json;

use super::{Sheet, cell, days, wanted};
use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::refusal::SimResult;
use crate::wire::Args;

fn entries<'a>(books: &'a SimBooks, filters: &Args) -> Vec<&'a SimDoc> {
    let company = filters.text("company");
    let found = books.all("Stock Ledger Entry").map(AsRef::as_ref);
    let found = found.filter(|it: &&SimDoc| {
        (company.is_empty() || it.text("company") == company)
            && !it.flag("is_cancelled")
            && ["item_code", "warehouse", "voucher_no"]
                .into_iter()
                .all(|field| wanted(filters, field, it.text(field)))
    });
    found.collect()
}

pub(super) fn ledger(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let (from, to) = days(books, filters)?;
    let mut sheet = Sheet::new(&[
        ("date", "Date", "Datetime", ""),
        ("item_code", "Item", "Link", "Item"),
        ("warehouse", "Warehouse", "Link", "Warehouse"),
        ("in_qty", "In Qty", "Float", ""),
        ("out_qty", "Out Qty", "Float", ""),
        ("qty_after_transaction", "Balance Qty", "Float", ""),
        ("valuation_rate", "Avg Rate (Balance Stock)", "Currency", ""),
        ("stock_value", "Balance Value", "Currency", ""),
        ("stock_value_difference", "Value Change", "Currency", ""),
        ("voucher_type", "Voucher Type", "Data", ""),
        ("voucher_no", "Voucher #", "Dynamic Link", "voucher_type"),
    ]);
    for it in entries(books, filters) {
        let day = it.text("posting_date");
        if day < from.as_str() || day > to.as_str() {
            continue;
        }
        let qty = it.num("actual_qty");
        let mut row = json!({
            "date": format!("{day} {}", it.text("posting_time")), "stock_uom": it.text("stock_uom"),
            "in_qty": cell(qty.max(Decimal::ZERO)), "out_qty": cell(qty.min(Decimal::ZERO)),
        });
        for field in [
            "item_code",
            "warehouse",
            "qty_after_transaction",
            "valuation_rate",
            "stock_value",
            "stock_value_difference",
            "voucher_type",
            "voucher_no",
            "company",
        ] {
            row[field] = it.get(field).json();
        }
        sheet.row(row);
    }
    Ok(sheet)
}

#[derive(Default)]
struct PlaceSums {
    opening: (Decimal, Decimal),
    into: (Decimal, Decimal),
    out: (Decimal, Decimal),
}

pub(super) fn balance(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let (from, to) = days(books, filters)?;
    let mut sheet = Sheet::new(&[
        ("item_code", "Item", "Link", "Item"),
        ("item_name", "Item Name", "Data", ""),
        ("warehouse", "Warehouse", "Link", "Warehouse"),
        ("bal_qty", "Balance Qty", "Float", ""),
        ("bal_val", "Balance Value", "Currency", ""),
        ("opening_qty", "Opening Qty", "Float", ""),
        ("opening_val", "Opening Value", "Currency", ""),
        ("in_qty", "In Qty", "Float", ""),
        ("in_val", "In Value", "Currency", ""),
        ("out_qty", "Out Qty", "Float", ""),
        ("out_val", "Out Value", "Currency", ""),
        ("val_rate", "Valuation Rate", "Currency", ""),
    ]);
    let mut places: BTreeMap<(String, String), PlaceSums> = BTreeMap::new();
    for it in entries(books, filters) {
        let day = it.text("posting_date");
        if day > to.as_str() {
            continue;
        }
        let key = (
            it.text("item_code").to_owned(),
            it.text("warehouse").to_owned(),
        );
        let sums = places.entry(key).or_default();
        let (qty, value) = (it.num("actual_qty"), it.num("stock_value_difference"));
        let (part, sign) = if day < from.as_str() {
            (&mut sums.opening, Decimal::ONE)
        } else if qty.is_sign_negative() {
            (&mut sums.out, Decimal::NEGATIVE_ONE)
        } else {
            (&mut sums.into, Decimal::ONE)
        };
        part.0 += qty * sign;
        part.1 += value * sign;
    }
    for ((item, warehouse), sums) in places {
        let qty = sums.opening.0 + sums.into.0 - sums.out.0;
        let value = sums.opening.1 + sums.into.1 - sums.out.1;
        let rate = if qty.is_zero() {
            Decimal::ZERO
        } else {
            (value / qty).round_dp(6)
        };
        sheet.row(json!({
            "item_name": books.value("Item", &item, "item_name").json(),
            "item_code": item, "warehouse": warehouse,
            "bal_qty": cell(qty), "bal_val": cell(value), "val_rate": cell(rate),
            "opening_qty": cell(sums.opening.0), "opening_val": cell(sums.opening.1),
            "in_qty": cell(sums.into.0), "in_val": cell(sums.into.1),
            "out_qty": cell(sums.out.0), "out_val": cell(sums.out.1),
        }));
    }
    Ok(sheet)
}

pub(super) fn projected(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let mut sheet = bins_sheet();
    for bin in bins(books, filters) {
        sheet.row(bin_row(books, bin));
    }
    Ok(sheet)
}

/// Items whose planned stock is below zero.
pub(super) fn shortage(books: &SimBooks, filters: &Args) -> SimResult<Sheet> {
    let mut sheet = bins_sheet();
    for bin in bins(books, filters) {
        let left = bin.num("projected_qty");
        if left.is_sign_negative() && !left.is_zero() {
            sheet.row(bin_row(books, bin));
        }
    }
    Ok(sheet)
}

const COUNTS: [&str; 7] = [
    "actual_qty",
    "ordered_qty",
    "planned_qty",
    "indented_qty",
    "reserved_qty",
    "reserved_qty_for_production",
    "projected_qty",
];

fn bins_sheet() -> Sheet {
    let mut columns = vec![
        ("item_code", "Item", "Link", "Item"),
        ("warehouse", "Warehouse", "Link", "Warehouse"),
    ];
    columns.extend(COUNTS.iter().map(|name| (*name, *name, "Float", "")));
    Sheet::new(&columns)
}

fn bins<'a>(books: &'a SimBooks, filters: &Args) -> Vec<&'a SimDoc> {
    let company = filters.text("company");
    let found = books.all("Bin").map(AsRef::as_ref).filter(|bin: &&SimDoc| {
        let of = books.value_text("Warehouse", bin.text("warehouse"), "company");
        (company.is_empty() || of == company)
            && wanted(filters, "item_code", bin.text("item_code"))
            && wanted(filters, "warehouse", bin.text("warehouse"))
    });
    let mut found: Vec<&SimDoc> = found.collect();
    found.sort_by_key(|bin| {
        (
            bin.text("item_code").to_owned(),
            bin.text("warehouse").to_owned(),
        )
    });
    found
}

fn bin_row(books: &SimBooks, bin: &SimDoc) -> serde_json::Value {
    let mut row = json!({
        "item_code": bin.text("item_code"), "warehouse": bin.text("warehouse"),
        "item_name": books.value("Item", bin.text("item_code"), "item_name").json(),
        "stock_uom": bin.text("stock_uom"),
    });
    for name in COUNTS {
        row[name] = cell(bin.num(name));
    }
    row
}
