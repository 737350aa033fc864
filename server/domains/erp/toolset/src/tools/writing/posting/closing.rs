//! The lines of a till's closing: those of the invoices that the ERP makes of its sales. It previews no closing,
//! but each of the sales by its own posting run, and their lines add up to what those invoices post.

use std::time::Duration;

use futures::{future::try_join_all, join};
use protocol::ErrorBody;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{LineSource, Posting, PostingDay};
use crate::tools::writing::plan::{ErpSubject, refused};
use crate::{
    decimal::{decimal_or_zero, number, sane},
    error::ErpError,
    site::{Document, ErpSite, ListQuery},
    texts::{packs::till, posting as say},
    tools::get_ledger::{LedgerKind, demand_ledger, previewed},
};

/// The type of closings.
pub(crate) const CLOSING: &str = "POS Closing Entry";
/// The type of the sales that post nothing until then.
const SALE: &str = "POS Invoice";
/// The closing's tables of such sales, by version.
const TABLES: [&str; 2] = ["pos_invoices", "pos_transactions"];
/// The most sales that are previewed while somebody waits for a card.
const MOST: usize = 60;
/// Time for all of them. The engine gives a card 10 s, and would not say what took them; the ERP has few workers, so
/// that more at a time would only keep others waiting.
const WITHIN: Duration = Duration::from_secs(7);

/// A sale of the session.
struct ClosedSale {
    name: String,
    total: Decimal,
}

/// The lines of all sales, added up.
///
/// # Errors
/// The session is not open, a sale is not as the closing needs it, or its lines cannot be read, also for want of
/// time: then the closing cannot be shown.
pub(super) async fn read(site: &ErpSite, subject: &ErpSubject) -> Result<Posting, ErrorBody> {
    let sales = sales(&subject.document);
    if sales.len() > MOST {
        let message = say::too_many_sales(&subject.name, sales.len(), MOST);
        return Err(refused(message));
    }
    let read = timeout(WITHIN, Box::pin(added_up(site, subject, &sales))).await;
    read.unwrap_or_else(|_| {
        let seconds = WITHIN.as_secs();
        let message = say::sales_take_too_long(&subject.name, sales.len(), seconds);
        Err(refused(message))
    })
}

async fn added_up(
    site: &ErpSite,
    subject: &ErpSubject,
    sales: &[ClosedSale],
) -> Result<Posting, ErrorBody> {
    let (open, fit) = join!(demand_open(site, subject), demand_fit(site, sales));
    open?;
    let moves_stock = fit?;
    let company = subject.raw("company").unwrap_or_default();
    let of = |kind, names: Vec<String>| async move {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        demand_ledger(site, kind).await?;
        let read = names.into_iter().map(|name| async move {
            let lines = previewed(site, kind, [company, SALE, &name]).await;
            lines
                .map(|(rows, warnings)| (name.clone(), rows, warnings))
                .map_err(|error| refused(say::sale_not_previewed(&name, &error.body().message)))
        });
        try_join_all(read).await
    };
    let names = sales.iter().map(|it| it.name.clone()).collect();
    let (accounting, stock) = join!(
        of(LedgerKind::Accounting, names),
        of(LedgerKind::Stock, moves_stock),
    );
    let (accounting, stock) = (accounting?, stock?);
    let is_without_lines = |sale: &&ClosedSale| {
        let mut of = accounting.iter().filter(|it| it.0 == sale.name);
        !sale.total.is_zero() && of.all(|it| it.1.is_empty())
    };
    // An empty preview would look like no effect.
    if let Some(sale) = sales.iter().find(is_without_lines) {
        return Err(refused(say::sale_without_lines(&sale.name)));
    }
    // After the previews, whose answers tell the time.
    let day = PostingDay::reckoned(site, subject).await?.day;
    let day = day.map(Value::from);
    let mut posting = Posting {
        source: LineSource::Sales(sales.len()),
        currency: subject.values().company_currency(),
        ..Posting::default()
    };
    for (_, rows, warnings) in accounting {
        rows.iter()
            .for_each(|row| add_entry(&mut posting.accounting, row, day.as_ref()));
        posting.warnings.extend(warnings);
    }
    for (_, rows, warnings) in stock {
        rows.iter()
            .for_each(|row| add_move(&mut posting.stock, row));
        posting.warnings.extend(warnings);
    }
    let is_told = |line: &Document| {
        let mut figures = ["debit", "credit", "actual_qty"].into_iter();
        figures.all(|it| {
            line.get(it)
                .is_none_or(|it| sane(decimal_or_zero(it)).is_some())
        })
    };
    let mut lines = posting.accounting.iter().chain(&posting.stock);
    if !lines.all(is_told) {
        return Err(refused(say::SALES_ABSURD));
    }
    posting.warnings.sort();
    posting.warnings.dedup();
    Ok(posting)
}

fn sales(closing: &Document) -> Vec<ClosedSale> {
    let rows = TABLES.iter().filter_map(|it| closing.get(*it)?.as_array());
    let rows = rows.flatten().filter_map(|row| {
        Some(ClosedSale {
            name: row["pos_invoice"].as_str()?.to_owned(),
            total: decimal_or_zero(&row["grand_total"]),
        })
    });
    rows.collect()
}

/// Refuses a closing whose session another one has closed.
async fn demand_open(site: &ErpSite, subject: &ErpSubject) -> Result<(), ErpError> {
    let Some(name) = subject.raw("pos_opening_entry") else {
        return Ok(());
    };
    let meta = site.readable_type("POS Opening Entry").await?;
    let opening = site.document(&meta, name).await?;
    let text = |field: &str| opening.get(field).and_then(Value::as_str);
    match text("status").unwrap_or_default() {
        "Open" => Ok(()),
        status => {
            let by = text("pos_closing_entry").unwrap_or_default();
            Err(ErpError::input(till::is_closed(name, status, by)))
        }
    }
}

/// Refuses sales that no closing takes. Returns the names of those that move stock.
async fn demand_fit(site: &ErpSite, sales: &[ClosedSale]) -> Result<Vec<String>, ErpError> {
    if sales.is_empty() {
        return Ok(Vec::new());
    }
    let meta = site.readable_type(SALE).await?;
    let columns = ["name", "docstatus", "consolidated_invoice", "update_stock"];
    let names: Vec<_> = sales.iter().map(|it| it.name.as_str()).collect();
    let query = ListQuery {
        filters: vec![json!(["name", "in", names])],
        order: "name asc".to_owned(),
        limit: MOST,
        ..ListQuery::of(&meta, &columns)
    };
    let found = site.list(&meta, query).await?.rows;
    let mut moving = Vec::new();
    for name in names {
        let sale = found.iter().find(|it| it.get("name") == Some(&json!(name)));
        let sale = sale.ok_or_else(|| ErpError::input(say::sale_unreadable(name)))?;
        let invoice = sale.get("consolidated_invoice").and_then(Value::as_str);
        if let Some(invoice) = invoice.filter(|it| !it.is_empty()) {
            return Err(ErpError::input(say::sale_consolidated(name, invoice)));
        }
        if sale.get("docstatus").and_then(Value::as_i64) != Some(1) {
            return Err(ErpError::input(say::sale_not_submitted(name)));
        }
        if sale.get("update_stock").is_some_and(|it| *it == 1) {
            moving.push(name.to_owned());
        }
    }
    Ok(moving)
}

/// Adds an entry to that of the same account, party, cost centre and side.
fn add_entry(entries: &mut Vec<Document>, row: &Document, day: Option<&Value>) {
    const OF: [&str; 4] = ["account", "party_type", "party", "cost_center"];
    for side in ["debit", "credit"] {
        let amount = row.get(side).map(decimal_or_zero).unwrap_or_default();
        if amount.is_zero() {
            continue;
        }
        let same = |it: &&mut Document| {
            it.contains_key(side) && OF.iter().all(|field| it.get(*field) == row.get(*field))
        };
        if let Some(entry) = entries.iter_mut().find(same) {
            let sum = entry.get(side).map(decimal_or_zero).unwrap_or_default() + amount;
            entry.insert(side.to_owned(), number(sum));
            continue;
        }
        let mut entry = Document::new();
        // The invoices of a closing have its day, whenever the sales were.
        entry.extend(day.map(|day| ("posting_date".to_owned(), day.clone())));
        for field in OF {
            let value = row.get(field).cloned();
            entry.extend(value.map(|value| (field.to_owned(), value)));
        }
        entry.insert(side.to_owned(), number(amount));
        entries.push(entry);
    }
}

/// Adds a move to that of the same item and warehouse.
fn add_move(moves: &mut Vec<Document>, row: &Document) {
    const OF: [&str; 3] = ["item_code", "warehouse", "stock_uom"];
    let moved = |of: &Document| {
        of.get("actual_qty")
            .map(decimal_or_zero)
            .unwrap_or_default()
    };
    let quantity = moved(row);
    let same = |it: &&mut Document| OF.iter().all(|field| it.get(*field) == row.get(*field));
    if let Some(line) = moves.iter_mut().find(same) {
        let sum = moved(line) + quantity;
        line.insert("actual_qty".to_owned(), number(sum));
        return;
    }
    let mut line = Document::new();
    for field in OF {
        let value = row.get(field).cloned();
        line.extend(value.map(|value| (field.to_owned(), value)));
    }
    line.insert("actual_qty".to_owned(), number(quantity));
    moves.push(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: Value) -> Document {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn entries_of_one_account_and_side_are_one() {
        let mut entries = Vec::new();
        let day = json!("2026-11-21");
        for entry in [
            json!({"posting_date": "2026-11-20", "account": "Cash", "debit": 15.8, "credit": ""}),
            json!({"account": "Debtors", "party": "Walk-in", "debit": 15.8}),
            json!({"account": "Debtors", "party": "Walk-in", "credit": 15.8}),
            json!({"account": "Cash", "debit": 0.2}),
            json!({"account": "Debtors", "party": "Anna", "credit": "0.20"}),
        ] {
            add_entry(&mut entries, &row(entry), Some(&day));
        }
        let shown: Vec<_> = entries
            .iter()
            .map(|it| {
                json!([
                    it["account"],
                    it.get("party"),
                    it.get("debit"),
                    it.get("credit")
                ])
            })
            .collect();
        assert_eq!(
            shown,
            [
                json!(["Cash", null, 16, null]),
                json!(["Debtors", "Walk-in", 15.8, null]),
                json!(["Debtors", "Walk-in", null, 15.8]),
                json!(["Debtors", "Anna", null, 0.2]),
            ]
        );
        assert!(entries.iter().all(|it| it["posting_date"] == day));
    }

    #[test]
    fn moves_of_one_item_and_place_are_one() {
        let mut moves = Vec::new();
        for (item, quantity) in [("BELL", -2), ("PUMP", -1), ("BELL", 1)] {
            let line = json!({"item_code": item, "warehouse": "Shop", "stock_uom": "Nos",
                "actual_qty": quantity, "qty_after_transaction": 40});
            add_move(&mut moves, &row(line));
        }
        let moved: Vec<_> = moves.iter().map(|it| &it["actual_qty"]).collect();
        assert_eq!(moved, [&json!(-1), &json!(-1)]);
        assert!(
            moves
                .iter()
                .all(|it| !it.contains_key("qty_after_transaction"))
        );
    }
}
