//! Ledger previews of saved drafts: a real posting that is taken back.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{MethodAnswer, MethodRow, MethodVerb, need};
use crate::books::SimBooks;
use crate::cell::{Decimal, SimCell, SimDoc, float};
use crate::docs;
use crate::refusal::{SimResult, crashed};
use crate::wire::Args;

pub(super) const METHODS: &[MethodRow] = &[
    (
        "erpnext.controllers.stock_controller.show_accounting_ledger_preview",
        MethodVerb::Reads,
        accounting,
    ),
    (
        "erpnext.controllers.stock_controller.show_stock_ledger_preview",
        MethodVerb::Reads,
        stock,
    ),
];

/// Types with a stock ledger that the preview of version 15 knows.
const STOCK: [&str; 4] = [
    "Sales Invoice",
    "Purchase Invoice",
    "Purchase Receipt",
    "Delivery Note",
];

/// The sale of a till, which posts nothing by itself; its preview has the lines of its own invoice.
fn sale(books: &SimBooks, args: &Args) -> SimResult<Option<Arc<SimDoc>>> {
    let (kind, name) = (need(args, "doctype")?, need(args, "docname")?);
    let doc = books.load(&kind, &name)?;
    Ok((doc.kind == "POS Invoice").then_some(doc))
}

/// Runs what posts, and takes it back. No right is checked, as before July 2026.
fn taken_back<T>(
    books: &mut SimBooks,
    run: impl FnOnce(&mut SimBooks) -> SimResult<T>,
) -> SimResult<T> {
    let point = books.savepoint();
    let user = std::mem::replace(&mut books.user, "Administrator".to_owned());
    let done = run(books);
    books.rollback_to(point);
    books.user = user;
    done
}

/// Submits, reads and takes back.
fn posted<T>(
    books: &mut SimBooks,
    args: &Args,
    read: impl Fn(&SimBooks, &SimDoc) -> T,
) -> SimResult<T> {
    let (kind, name) = (need(args, "doctype")?, need(args, "docname")?);
    let doc = books.load(&kind, &name)?;
    let has_ledger = STOCK.contains(&doc.kind)
        || matches!(
            doc.kind,
            "Payment Entry" | "Journal Entry" | "Stock Entry" | "Stock Reconciliation"
        );
    if !has_ledger {
        return Err(crashed(
            "AttributeError",
            format!("'{}' object has no attribute 'get_gl_entries'", doc.kind),
        ));
    }
    taken_back(books, |books| {
        docs::submit_stored(books, &kind, &name).map(|doc| read(books, &doc))
    })
}

fn amount(value: Decimal) -> Value {
    if value.is_zero() {
        json!("")
    } else {
        float(value)
    }
}

fn text(cell: &SimCell) -> Value {
    json!(cell.shown())
}

fn columns(names: &[(&str, &str)]) -> Value {
    let rows = names.iter().map(|(name, fieldtype)| {
        json!({"name": name, "editable": false, "width": 100, "fieldtype": fieldtype})
    });
    Value::Array(rows.collect())
}

fn accounting(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let lines = match sale(books, args)? {
        Some(sale) => taken_back(books, |books| docs::lines_of(books, &sale))?,
        None => posted(books, args, crate::ledger::live)?,
    };
    let rows = lines.iter().map(|it| {
        json!([
            text(it.get("posting_date")),
            text(it.get("account")),
            amount(it.num("debit")),
            amount(it.num("credit")),
            text(it.get("against")),
            text(it.get("party_type")),
            text(it.get("party")),
            text(it.get("cost_center")),
            text(it.get("against_voucher_type")),
            text(it.get("against_voucher")),
        ])
    });
    let rows: Vec<_> = rows.collect();
    let names = [
        ("Posting Date", "Date"),
        ("Account", "Link"),
        ("Debit", "Currency"),
        ("Credit", "Currency"),
        ("Against Account", "Text"),
        ("Party Type", "Link"),
        ("Party", "Dynamic Link"),
        ("Cost Center", "Link"),
        ("Against Voucher Type", "Link"),
        ("Against Voucher", "Dynamic Link"),
    ];
    Ok(json!({"gl_columns": columns(&names), "gl_data": rows}).into())
}

fn stock(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    if sale(books, args)?.is_some() {
        // Tills of this company move no stock.
        return Ok(json!({"sl_columns": [], "sl_data": []}).into());
    }
    let is_16 = books.profile.is_16();
    let rows = posted(books, args, |books, doc| {
        if !is_16 && !STOCK.contains(&doc.kind) {
            return Vec::new();
        }
        let entries = books.by("Stock Ledger Entry", "voucher_no", &doc.name);
        let entries = entries.filter(|it| it.text("voucher_type") == doc.kind);
        let rows = entries.map(|it| {
            let qty = it.num("actual_qty");
            // Neither has a sign.
            let (into, out) = (qty.max(Decimal::ZERO), (-qty).max(Decimal::ZERO));
            json!([
                text(it.get("item_code")),
                text(it.get("stock_uom")),
                amount(into),
                amount(out),
                amount(it.num("qty_after_transaction")),
                text(it.get("warehouse")),
                amount(it.num("incoming_rate")),
                amount(it.num("valuation_rate")),
                amount(it.num("stock_value")),
                amount(it.num("stock_value_difference")),
            ])
        });
        rows.collect()
    })?;
    let names = [
        ("Item", "Link"),
        ("Stock UOM", "Link"),
        ("In Qty", "Float"),
        ("Out Qty", "Float"),
        ("Qty After Transaction", "Float"),
        ("Warehouse", "Link"),
        ("Incoming Rate", "Currency"),
        ("Valuation Rate", "Currency"),
        ("Balance Stock Value", "Currency"),
        ("Change in Stock Value", "Currency"),
    ];
    Ok(json!({"sl_columns": columns(&names), "sl_data": rows}).into())
}
