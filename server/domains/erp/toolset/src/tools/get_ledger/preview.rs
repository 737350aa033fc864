//! The lines that a saved draft would post, by the ERP's own posting run, which it rolls back.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{ACCOUNTING, LedgerLines, LedgerSource};
use crate::{
    client::ErpMethod,
    decimal::{decimal, number},
    error::ErpError,
    meta::TypeMeta,
    site::{Document, ErpSite, ListQuery, NEWEST},
    texts::readings as say,
};

/// Types whose drafts the ERP previews. For any other the request fails inside the ERP.
const ACCOUNTING_TYPES: [&str; 8] = [
    "Delivery Note",
    "Journal Entry",
    "Payment Entry",
    "Purchase Invoice",
    "Purchase Receipt",
    "Sales Invoice",
    "Stock Entry",
    "Stock Reconciliation",
];
const STOCK_TYPES: [&str; 5] = [
    "Delivery Note",
    "Purchase Invoice",
    "Purchase Receipt",
    "Sales Invoice",
    "Stock Entry",
];

/// Columns of a preview's rows, which are lists by position. The ERP has another name for the valuation rate.
const ACCOUNTING_COLUMNS: [&str; 10] = [
    "posting_date",
    "account",
    "debit",
    "credit",
    "against",
    "party_type",
    "party",
    "cost_center",
    "against_voucher_type",
    "against_voucher",
];
const STOCK_COLUMNS: [&str; 10] = [
    "item_code",
    "stock_uom",
    "in_qty",
    "out_qty",
    "qty_after_transaction",
    "warehouse",
    "incoming_rate",
    "valuation_rate",
    "stock_value",
    "stock_value_difference",
];

/// True if the ERP previews drafts of this type.
pub(super) fn has_preview(doctype: &str, source: &LedgerSource) -> bool {
    let types: &[&str] = if source.doctype == ACCOUNTING.doctype {
        &ACCOUNTING_TYPES
    } else {
        &STOCK_TYPES
    };
    types.contains(&doctype)
}

/// Refuses a ledger that this user may not read: before July 2026 the preview checked no right, so the ledger
/// itself is asked first.
pub(super) async fn demand_right(
    site: &ErpSite,
    source: &LedgerSource,
) -> Result<Arc<TypeMeta>, ErpError> {
    let ledger = site.readable_type(source.doctype).await?;
    let query = ListQuery {
        doctype: source.doctype,
        fields: vec![json!("name")],
        order: NEWEST.to_owned(),
        limit: 1,
        ..ListQuery::default()
    };
    site.list(&ledger, query).await?;
    Ok(ledger)
}

/// The lines of a posting run, and the ERP's warnings. `of`: company, type and name of the document.
pub(super) async fn run(
    site: &ErpSite,
    source: &LedgerSource,
    [company, doctype, name]: [&str; 3],
) -> Result<(Vec<Document>, Vec<String>), ErpError> {
    let is_accounting = source.doctype == ACCOUNTING.doctype;
    let (method, field, columns): (_, _, &[&str]) = if is_accounting {
        (ErpMethod::AccountingPreview, "gl_data", &ACCOUNTING_COLUMNS)
    } else {
        (ErpMethod::StockPreview, "sl_data", &STOCK_COLUMNS)
    };
    let parameters = [
        ("company", company.to_owned()),
        ("doctype", doctype.to_owned()),
        ("docname", name.to_owned()),
    ];
    let answer = site.method(method, &parameters).await?;
    let rows = answer.data[field]
        .as_array()
        .ok_or_else(|| site.unusable(field))?;
    let named = |row: &Value| match row {
        Value::Array(cells) => {
            let cells = columns.iter().zip(cells);
            cells
                .map(|(column, cell)| ((*column).to_owned(), cell.clone()))
                .collect()
        }
        row => row.as_object().cloned().unwrap_or_default(),
    };
    let mut rows: Vec<Document> = rows.iter().map(named).collect();
    if !is_accounting {
        rows.iter_mut().for_each(join_quantities);
    }
    Ok((rows, answer.warnings))
}

/// The note about the lines comes first in their notes, then the site's warnings.
pub(super) async fn read(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
    source: &LedgerSource,
) -> Result<LedgerLines, ErpError> {
    let ledger = demand_right(site, source).await?;
    let text = |field: &str| {
        let text = document.get(field).and_then(Value::as_str);
        text.unwrap_or_default()
    };
    let of = [text("company"), &meta.name, text("name")];
    let (mut rows, warnings) = run(site, source, of).await?;
    let is_accounting = source.doctype == ACCOUNTING.doctype;
    let mut note = say::PREVIEW;
    if rows.is_empty() && !is_accounting && meta.name == "Stock Entry" {
        // On v15 the preview does not know this type, which looks like no effect.
        rows = own_moves(document);
        note = say::FROM_OWN_ROWS;
    }
    if rows.is_empty() {
        note = say::PREVIEW_IS_EMPTY;
    }
    let mut notes = vec![note.to_owned()];
    notes.extend(warnings);
    Ok(LedgerLines {
        ledger,
        rows,
        notes,
    })
}

/// The preview has what comes in and what goes out apart, both without a sign; the ledger has one number.
fn join_quantities(row: &mut Document) {
    let (incoming, outgoing) = (row.shift_remove("in_qty"), row.shift_remove("out_qty"));
    let zero = |it: &Value| it == "" || it.is_null() || it.as_f64() == Some(0.0);
    let moved = match (incoming, outgoing) {
        (Some(incoming), _) if !zero(&incoming) => incoming,
        (_, Some(outgoing)) => match decimal(&outgoing) {
            Some(moved) => number(-moved.abs()),
            None => outgoing,
        },
        _ => return,
    };
    row.insert("actual_qty".to_owned(), moved);
}

/// The moves that the rows of a stock entry say.
fn own_moves(document: &Document) -> Vec<Document> {
    let rows = document.get("items").and_then(Value::as_array);
    let mut moves = Vec::new();
    for row in rows.into_iter().flatten() {
        // The stock quantity is in the item's own unit.
        let quantity = match row["transfer_qty"].as_f64() {
            Some(quantity) if quantity != 0.0 => quantity,
            _ => row["qty"].as_f64().unwrap_or_default(),
        };
        for (warehouse, sign) in [("s_warehouse", -1.0), ("t_warehouse", 1.0)] {
            let Some(warehouse) = row[warehouse].as_str().filter(|it| !it.is_empty()) else {
                continue;
            };
            let line = json!({
                "item_code": row["item_code"],
                "warehouse": warehouse,
                "stock_uom": row["stock_uom"],
                "actual_qty": sign * quantity,
            });
            moves.extend(line.as_object().cloned());
        }
    }
    moves
}
