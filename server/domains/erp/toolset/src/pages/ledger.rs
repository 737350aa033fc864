//! Part `ledger`: the lines that a document posted, or that a draft would post.

use erp_wire::{DocumentCell, DocumentColumn, DocumentLedger, DocumentTable};
use futures::{future::OptionFuture, join};
use protocol::Known;
use rust_decimal::Decimal;
use serde_json::Value;

use super::{OpenedDocument, document::column};
use crate::{
    cell,
    decimal::{are_equal, decimal_or_zero},
    error::ErpError,
    meta::{MetaField, MetaFieldKind},
    shown::{self, CellContext, Currencies},
    site::{Document, ErpSite},
    texts::pages as say,
    tools::{
        get_ledger::{self, ACCOUNTING, LedgerLines, LedgerSource, STOCK},
        writing::posting::posts_nothing,
    },
};

/// The most lines that are shown; sums are of all that were read.
const MOST_SHOWN: usize = 200;
/// Types that post to the accounting ledger and never move stock: the ERP previews none for them.
const MOVES_NO_STOCK: [&str; 2] = ["Journal Entry", "Payment Entry"];

pub(super) async fn page(site: &ErpSite, opened: &OpenedDocument) -> DocumentLedger {
    let OpenedDocument { meta, document, at } = opened;
    // The card of a submit knows these types as well: what posts nothing has no preview that is missing.
    if !meta.is_submittable || posts_nothing(&meta.name) {
        return DocumentLedger {
            docstatus: None,
            accounting: None,
            balanced: None,
            stock: None,
            at: *at,
        };
    }
    let status = cell::docstatus(document.get("docstatus").unwrap_or(&Value::Null));
    let moves_stock = !MOVES_NO_STOCK.contains(&meta.name.as_str());
    let stock = moves_stock.then(|| get_ledger::lines(site, meta, document, &STOCK));
    let (accounting, stock, currencies) = join!(
        get_ledger::lines(site, meta, document, &ACCOUNTING),
        OptionFuture::from(stock),
        site.currencies(),
    );
    let currencies = currencies.unwrap_or_default();
    let table =
        |lines: Result<LedgerLines, ErpError>, title: &str, source: &LedgerSource| match lines {
            Ok(lines) => Known::Value(ledger(site, opened, &currencies, &lines, title, source)),
            Err(error) => Known::unknown(error.reason()),
        };
    let balanced = accounting.as_ref().ok().filter(|it| !it.rows.is_empty());
    let balanced =
        balanced.and_then(|lines| are_equal(sum(&lines.rows, "debit"), sum(&lines.rows, "credit")));
    // Of a document without any lines the page says it once.
    let is_empty = says_nothing(&accounting) && stock.as_ref().is_none_or(says_nothing);
    let accounting = (!is_empty).then(|| table(accounting, say::ACCOUNTING, &ACCOUNTING));
    let stock = stock.filter(|_| !is_empty);
    DocumentLedger {
        docstatus: Some(status.to_owned()),
        balanced,
        accounting,
        stock: stock.map(|lines| table(lines, say::STOCK, &STOCK)),
        at: *at,
    }
}

/// True for a ledger without lines and without words of the site.
fn says_nothing(lines: &Result<LedgerLines, ErpError>) -> bool {
    lines
        .as_ref()
        .is_ok_and(|it| it.rows.is_empty() && it.notes.len() < 2)
}

fn sum(rows: &[Document], column: &str) -> Decimal {
    let values = rows.iter().filter_map(|row| row.get(column));
    values.map(decimal_or_zero).sum()
}

fn ledger(
    site: &ErpSite,
    opened: &OpenedDocument,
    currencies: &Currencies,
    lines: &LedgerLines,
    title: &str,
    source: &LedgerSource,
) -> DocumentTable {
    // A dimension that no line has, or that this version lacks, is no column.
    let is_set = |name: &&&str| {
        let mut values = lines.rows.iter().filter_map(|row| row.get(**name));
        values.any(|value| !value.is_null() && *value != "")
    };
    let listed = source.columns.iter().filter(|name| **name != "party_type");
    let fields: Vec<_> = listed
        .filter(is_set)
        .filter_map(|name| lines.ledger.field(name))
        .map(in_company_currency)
        .collect();
    let cell = |row: &Document, field: &MetaField| {
        let value = row.get(&field.name)?;
        // A zero on the other side of a line says nothing.
        let is_empty_side =
            matches!(field.name.as_str(), "debit" | "credit") && decimal_or_zero(value).is_zero();
        if is_empty_side {
            return None;
        }
        let around = CellContext {
            meta: &opened.meta,
            document: &opened.document,
            row: Some(row),
            currencies,
            reach: &site.reach,
            // A ledger has days, and times of the day beside them.
            zone: None,
        };
        around.cell(field, value, cell::IN_LIST)
    };
    let cells = |row: &Document| {
        let cells = fields
            .iter()
            .map(|field| cell(row, field).unwrap_or_default());
        cells.collect::<Vec<_>>()
    };
    let foot = |field: &MetaField| {
        if !source.sums.contains(&field.name.as_str()) {
            return DocumentCell::default();
        }
        let company = opened.text("company").and_then(|it| currencies.get(it));
        shown::amount(sum(&lines.rows, &field.name), company.map(String::as_str))
    };
    // The first note of an empty ledger says that it is.
    let of_lines = usize::from(lines.rows.is_empty());
    let mut notes: Vec<_> = lines.notes.iter().skip(of_lines).cloned().collect();
    let hidden = lines.rows.len().saturating_sub(MOST_SHOWN);
    notes.extend((hidden > 0).then(|| say::rows_not_shown(hidden)));
    DocumentTable {
        title: title.to_owned(),
        columns: fields.iter().map(named_column).collect(),
        rows: lines.rows.iter().take(MOST_SHOWN).map(cells).collect(),
        of: u32::try_from(lines.rows.len()).unwrap_or(u32::MAX),
        foot: if lines.rows.len() > 1 {
            fields.iter().map(foot).collect()
        } else {
            Vec::new()
        },
        notes,
    }
}

/// Ledgers are kept in the company's currency, whatever their types say of other columns.
fn in_company_currency(field: &MetaField) -> MetaField {
    let mut field = field.clone();
    if field.kind == MetaFieldKind::Currency {
        "Company:company:default_currency".clone_into(&mut field.options);
    }
    field
}

/// A preview of the site has no labels of its own, and a type's are translated.
fn named_column(field: &MetaField) -> DocumentColumn {
    DocumentColumn {
        label: say::ledger_column(&field.name).to_owned(),
        ..column(field)
    }
}
