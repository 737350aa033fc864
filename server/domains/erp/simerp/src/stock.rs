//! Stock ledger with moving average, and bins.

use std::sync::Arc;

use crate::books::{SimBooks, bin_name, put_new};
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::ledger::{self, LedgerLine};
use crate::refusal::{SimResult, invalid, unsuitable};

/// A movement of one item in one warehouse.
pub(crate) struct StockMove<'a> {
    pub item: &'a str,
    pub warehouse: &'a str,
    /// In the stock unit; negative goes out.
    pub qty: Decimal,
    /// Value of a unit that comes in; outgoing units take the average.
    pub rate: Option<Decimal>,
    pub row: &'a str,
}

/// Books a movement and returns the change of the stock's value.
pub(crate) fn book(books: &mut SimBooks, doc: &SimDoc, it: &StockMove<'_>) -> SimResult<Decimal> {
    let item = books.load("Item", it.item)?;
    if !item.flag("is_stock_item") || it.qty.is_zero() {
        return Ok(Decimal::ZERO);
    }
    if it.warehouse.is_empty() {
        return Err(unsuitable(format!(
            "Warehouse is mandatory for stock Item {}",
            it.item
        )));
    }
    let warehouse = books.load("Warehouse", it.warehouse)?;
    if warehouse.text("company") != doc.text("company") || warehouse.flag("is_group") {
        return Err(unsuitable(format!(
            "Warehouse {} cannot be used by company {}",
            it.warehouse,
            doc.text("company")
        )));
    }
    let bin = bin(books, &item, it.warehouse);
    let (qty, value) = (bin.num("actual_qty"), bin.num("stock_value"));
    let left = qty + it.qty;
    if left.is_sign_negative() && !left.is_zero() {
        return Err(short(it, doc, qty));
    }
    let average = bin.num("valuation_rate");
    let change = if it.qty.is_sign_positive() {
        let rate = it.rate.unwrap_or(average);
        books.money(rate * it.qty)
    } else if left.is_zero() {
        -value
    } else {
        -books.money(average * -it.qty).min(value)
    };
    let entry = write(books, doc, &bin, it, change);
    keep(books, bin, &entry);
    Ok(change)
}

fn short(it: &StockMove<'_>, doc: &SimDoc, qty: Decimal) -> crate::refusal::SimRefusal {
    invalid(
        "NegativeStockError",
        format!(
            "{} units of <a href=\"#\">{}</a> needed in <a href=\"#\">{}</a> on {} for {} to complete \
             this transaction.",
            (-it.qty - qty).normalize(),
            it.item,
            it.warehouse,
            doc.text("posting_date"),
            doc.name
        ),
    )
    .titled("Insufficient Stock")
}

/// The bin of an item in a warehouse; a new one is not stored yet.
fn bin(books: &SimBooks, item: &SimDoc, warehouse: &str) -> SimDoc {
    let name = bin_name(&item.name, warehouse);
    match books.find("Bin", &name) {
        Some(bin) => SimDoc::clone(bin),
        None => SimDoc::new("Bin")
            .named(name)
            .with("item_code", &item.name)
            .with("warehouse", warehouse)
            .with("stock_uom", item.text("stock_uom"))
            .with("docstatus", 0),
    }
}

fn write(
    books: &mut SimBooks,
    doc: &SimDoc,
    bin: &SimDoc,
    it: &StockMove<'_>,
    change: Decimal,
) -> SimDoc {
    let qty = bin.num("actual_qty") + it.qty;
    let value = bin.num("stock_value") + change;
    let average = if qty.is_zero() {
        bin.num("valuation_rate")
    } else {
        (value / qty).round_dp(9)
    };
    let unit = if it.qty.is_zero() {
        Decimal::ZERO
    } else {
        (change / it.qty).round_dp(9)
    };
    let is_in = it.qty.is_sign_positive();
    let zero = Decimal::ZERO;
    let entry = SimDoc::new("Stock Ledger Entry")
        .with("item_code", it.item)
        .with("warehouse", it.warehouse)
        .with("posting_date", doc.text("posting_date"))
        .with("posting_time", doc.text("posting_time"))
        .with("voucher_type", doc.kind)
        .with("voucher_no", &doc.name)
        .with("voucher_detail_no", it.row)
        .with("actual_qty", it.qty)
        .with("qty_after_transaction", qty)
        .with("incoming_rate", if is_in { unit } else { zero })
        .with("outgoing_rate", if is_in { zero } else { unit })
        .with("valuation_rate", average)
        .with("stock_value", value)
        .with("stock_value_difference", change)
        .with("stock_uom", bin.text("stock_uom"))
        .with("company", doc.text("company"))
        .with("is_cancelled", 0)
        .with("docstatus", 1);
    let entry = entry.named(ledger::ledger_name(books, "MAT-SLE"));
    put_new(books, entry.clone());
    entry
}

fn keep(books: &mut SimBooks, mut bin: SimDoc, entry: &SimDoc) {
    bin.set("actual_qty", entry.num("qty_after_transaction"));
    bin.set("stock_value", entry.num("stock_value"));
    bin.set("valuation_rate", entry.num("valuation_rate"));
    project(&mut bin);
    put_new(books, bin);
}

/// Takes the movements of a voucher back at exactly their value. Value that remains without stock, because
/// later movements went out at another average, is booked by a Repost Item Valuation.
pub(crate) fn reverse(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let entries: Vec<_> = books
        .by("Stock Ledger Entry", "voucher_no", &doc.name)
        .filter(|it| it.text("voucher_type") == doc.kind && !it.flag("is_cancelled"))
        .cloned()
        .collect();
    for entry in entries.iter().rev() {
        let item = books.load("Item", entry.text("item_code"))?;
        let bin = bin(books, &item, entry.text("warehouse"));
        let back = StockMove {
            item: &item.name,
            warehouse: entry.text("warehouse"),
            qty: -entry.num("actual_qty"),
            rate: None,
            row: entry.text("voucher_detail_no"),
        };
        let left = bin.num("actual_qty") + back.qty;
        if left.is_sign_negative() && !left.is_zero() {
            return Err(short(&back, doc, bin.num("actual_qty")));
        }
        let average = bin.num("valuation_rate");
        let change = -entry.num("stock_value_difference");
        let written = write(books, doc, &bin, &back, change);
        for name in [&entry.name, &written.name] {
            books.set_fields(
                "Stock Ledger Entry",
                name,
                [("is_cancelled", SimCell::Int(1))],
            );
        }
        let value = written.num("stock_value");
        keep(books, bin, &written);
        let fits = if left.is_zero() {
            value.is_zero()
        } else {
            !value.is_sign_negative() && !value.is_zero()
        };
        if !fits {
            let change = books.money(left * average) - value;
            revalue(books, doc, &item, back.warehouse, change)?;
        }
    }
    Ok(())
}

/// Books a change of value without a change of quantity.
fn revalue(
    books: &mut SimBooks,
    cause: &SimDoc,
    item: &Arc<SimDoc>,
    warehouse: &str,
    change: Decimal,
) -> SimResult<()> {
    let prefix = format!("REPOST-{}-", books.today().year());
    let name = format!("{prefix}{:05}", books.next_number(&prefix));
    let (today, time) = (books.today(), books.now.time());
    let mut doc = SimDoc::new("Repost Item Valuation")
        .named(name)
        .with("company", cause.text("company"))
        .with("item_code", &item.name)
        .with("warehouse", warehouse)
        .with("posting_date", today)
        .with("posting_time", time)
        .with("difference_amount", change)
        .with("voucher_type", cause.kind)
        .with("voucher_no", &cause.name)
        .with("status", "Completed")
        .with("docstatus", 1);
    if books.is_seeding {
        doc.set("posting_date", cause.text("posting_date"));
    }
    put_new(books, doc.clone());
    let bin = bin(books, item, warehouse);
    let none = StockMove {
        item: &item.name,
        warehouse,
        qty: Decimal::ZERO,
        rate: None,
        row: "",
    };
    let entry = write(books, &doc, &bin, &none, change);
    keep(books, bin, &entry);
    let company = books.load("Company", cause.text("company"))?;
    let lines = vec![
        LedgerLine::new(stock_account(books, &company, warehouse), change),
        LedgerLine::new(company.text("stock_adjustment_account"), -change),
    ];
    ledger::post(books, &doc, lines)
}

/// The account that carries the value of a warehouse.
pub(crate) fn stock_account(books: &SimBooks, company: &SimDoc, warehouse: &str) -> String {
    let own = books.value_text("Warehouse", warehouse, "account");
    if own.is_empty() {
        company.text("default_inventory_account").to_owned()
    } else {
        own
    }
}

/// Sets a planning quantity of a bin, such as what orders reserve.
pub(crate) fn plan(
    books: &mut SimBooks,
    item: &str,
    warehouse: &str,
    field: &'static str,
    qty: Decimal,
) {
    let Some(item) = books.find("Item", item).cloned() else {
        return;
    };
    if !item.flag("is_stock_item") || warehouse.is_empty() {
        return;
    }
    let mut bin = bin(books, &item, warehouse);
    if bin.num(field) == qty && books.find("Bin", &bin.name).is_some() {
        return;
    }
    bin.set(field, qty);
    project(&mut bin);
    put_new(books, bin);
}

fn project(bin: &mut SimDoc) {
    let sum = |fields: &[&str]| fields.iter().map(|it| bin.num(it)).sum::<Decimal>();
    let plus = sum(&["actual_qty", "ordered_qty", "indented_qty", "planned_qty"]);
    let minus = sum(&["reserved_qty", "reserved_qty_for_production"]);
    bin.set("projected_qty", plus - minus);
}
