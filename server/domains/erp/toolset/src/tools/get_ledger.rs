//! Tool that reads the ledger lines of a document, or those that a saved draft would post.

mod preview;

use std::{sync::Arc, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::{future::OptionFuture, join};
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{LONG, ROWS_BYTES, amounts, drop_empty, known};
use crate::{
    cell, dates,
    decimal::{are_equal, decimal, decimal_or_zero},
    error::ErpError,
    meta::TypeMeta,
    reading::ErpReading,
    site::{Document, ErpSite, ListQuery, ListRows},
    texts::readings as say,
};

/// The most lines of a voucher that are read; sums are of all that were read.
const MOST_LINES: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetLedgerInput {
    /// Exact type, such as "Sales Invoice".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "ACC-SINV-2026-00004".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// The ledger: accounting has accounts, stock has items and warehouses.
    kind: LedgerKind,
    /// Lines of each ledger at most; 50 if not given.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LedgerKind {
    Accounting,
    Stock,
    Both,
}

pub(crate) struct GetLedger;

#[async_trait]
impl ErpReading for GetLedger {
    const NAME: &'static str = "get_ledger";
    const DESCRIPTION: &'static str = "Reads the ledger lines that a submitted document of the ERP has \
        posted, or those that a saved draft would post. Accounting lines have accounts, debit and \
        credit; stock lines have items, warehouses and quantities.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What did invoice ACC-SINV-2026-00004 post?",
            r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "kind": "accounting"}"#,
        ),
        ToolExample::worked(
            "Which stock does delivery note MAT-DN-2026-00003 move?",
            r#"{"doctype": "Delivery Note", "name": "MAT-DN-2026-00003", "kind": "stock"}"#,
        ),
    ];
    type Input = GetLedgerInput;

    async fn read(site: &ErpSite, input: GetLedgerInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(get(site, &input)).await
    }
}

/// One of the two ledgers.
#[derive(Debug)]
pub(crate) struct LedgerSource {
    pub(crate) doctype: &'static str,
    pub(crate) columns: &'static [&'static str],
    /// The columns with amounts.
    amounts: &'static [&'static str],
    /// Those of them that are summed.
    pub(crate) sums: &'static [&'static str],
}

pub(crate) const ACCOUNTING: LedgerSource = LedgerSource {
    doctype: "GL Entry",
    columns: &[
        "posting_date",
        "account",
        "debit",
        "credit",
        "party_type",
        "party",
        "cost_center",
        "project",
        "against",
        "against_voucher",
    ],
    amounts: &["debit", "credit"],
    sums: &["debit", "credit"],
};

pub(crate) const STOCK: LedgerSource = LedgerSource {
    doctype: "Stock Ledger Entry",
    columns: &[
        "posting_date",
        "item_code",
        "warehouse",
        "actual_qty",
        "stock_uom",
        "qty_after_transaction",
        "valuation_rate",
        "stock_value_difference",
    ],
    amounts: &["valuation_rate", "stock_value_difference"],
    sums: &["stock_value_difference"],
};

/// Lines of one ledger.
#[derive(Debug)]
pub(crate) struct LedgerLines {
    /// The type of the ledger.
    pub(crate) ledger: Arc<TypeMeta>,
    pub(crate) rows: Vec<Document>,
    /// Sentences about them, in the order of their weight. The site's own warnings are hostile text.
    pub(crate) notes: Vec<String>,
}

/// The lines that a document posted, or that a draft would post.
pub(crate) async fn lines(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
    source: &LedgerSource,
) -> Result<LedgerLines, ErpError> {
    let status = cell::docstatus(document.get("docstatus").unwrap_or(&Value::Null));
    if status == "draft" {
        if !preview::has_preview(&meta.name, source) {
            return Err(ErpError::input(say::draft_has_no_preview(&meta.name)));
        }
        return preview::read(site, meta, document, source).await;
    }
    let name = document.get("name").and_then(Value::as_str);
    let (ledger, found) = {
        let is_cancelled = status == "cancelled";
        read(site, source, meta, name.unwrap_or_default(), is_cancelled).await?
    };
    let mut notes = Vec::new();
    if found.rows.is_empty() {
        notes.push(say::NO_LINES.to_owned());
    }
    if found.has_more {
        notes.push(say::lines_cut(MOST_LINES));
    }
    Ok(LedgerLines {
        ledger,
        rows: found.rows,
        notes,
    })
}

async fn get(site: &ErpSite, input: &GetLedgerInput) -> Result<ToolOutput, ErrorBody> {
    let meta = site.readable_type(&input.doctype).await?;
    if !meta.is_submittable {
        return Err(ErpError::input(say::posts_nothing(&meta.name)).into());
    }
    let document = site.document(&meta, &input.name).await?;
    let status = cell::docstatus(document.get("docstatus").unwrap_or(&Value::Null));
    let limit = input
        .limit
        .map_or(50, |it| usize::try_from(it).unwrap_or(50));
    let of = |source, kind| {
        let is_wanted = input.kind == kind || input.kind == LedgerKind::Both;
        let lines = is_wanted.then(|| lines(site, &meta, &document, source));
        OptionFuture::from(lines)
    };
    let company = document.get("company").and_then(Value::as_str);
    let (accounting, stock, currency) = join!(
        of(&ACCOUNTING, LedgerKind::Accounting),
        of(&STOCK, LedgerKind::Stock),
        amounts::company_currency(site, company.unwrap_or_default())
    );
    let own = currency.as_ref().ok().and_then(Value::as_str);
    let told = |lines: Option<Result<LedgerLines, ErpError>>, source| {
        let lines = lines?.map(|lines| lines.told(source, status == "draft", limit, own));
        Some(known(lines))
    };
    let mut data = json!({
        "doctype": meta.name,
        "name": input.name,
        "docstatus": status,
        "company": company,
        "posting_date": document.get("posting_date"),
        "accounting": told(accounting, &ACCOUNTING),
        "stock": told(stock, &STOCK),
        "company_currency": known(currency),
        "as_of": dates::utc(site.client.now()),
    });
    let lines = |ledger: &str, sum: &str| {
        let ledger = &data[ledger];
        let sum = ledger["sums"][sum].as_str();
        ledger["of"].as_u64().map(|count| (count, sum))
    };
    let summary = say::ledger(
        &meta.name,
        &input.name,
        status,
        lines("accounting", "debit"),
        lines("stock", "stock_value_difference"),
    );
    for field in ["company", "posting_date", "accounting", "stock"] {
        drop_empty(&mut data, field);
    }
    super::told(summary, data)
}

/// The lines of a ledger for a card.
#[derive(Debug, Default)]
pub(crate) struct DraftRows {
    pub(crate) rows: Vec<Document>,
    /// True if the ERP has no preview for the type, so that the document's own rows are shown.
    pub(crate) is_from_own_rows: bool,
    /// The ERP's words.
    pub(crate) warnings: Vec<String>,
}

/// True if the ERP previews the accounting lines of this type.
pub(crate) fn has_preview(doctype: &str) -> bool {
    preview::has_preview(doctype, &ACCOUNTING)
}

/// The lines that a draft would post; none for a type that posts to no such ledger.
pub(crate) async fn draft_rows(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
    kind: LedgerKind,
) -> Result<DraftRows, ErpError> {
    let source = source(kind);
    if !preview::has_preview(&meta.name, source) {
        return Ok(DraftRows::default());
    }
    let lines = preview::read(site, meta, document, source).await?;
    let mut notes = lines.notes.into_iter();
    Ok(DraftRows {
        is_from_own_rows: notes.next().is_some_and(|note| note == say::FROM_OWN_ROWS),
        rows: lines.rows,
        warnings: notes.collect(),
    })
}

/// Refuses a ledger that this user may not read.
pub(crate) async fn demand_ledger(site: &ErpSite, kind: LedgerKind) -> Result<(), ErpError> {
    preview::demand_right(site, source(kind)).await.map(|_| ())
}

/// The lines of the ERP's posting run for one document, and its warnings. `of`: company, type and name. It
/// checks no right.
pub(crate) async fn previewed(
    site: &ErpSite,
    kind: LedgerKind,
    of: [&str; 3],
) -> Result<(Vec<Document>, Vec<String>), ErpError> {
    preview::run(site, source(kind), of).await
}

/// The live lines of a submitted document.
pub(crate) async fn posted_rows(
    site: &ErpSite,
    meta: &TypeMeta,
    name: &str,
    kind: LedgerKind,
) -> Result<ListRows, ErpError> {
    let (_, found) = read(site, source(kind), meta, name, false).await?;
    Ok(found)
}

const fn source(kind: LedgerKind) -> &'static LedgerSource {
    match kind {
        LedgerKind::Stock => &STOCK,
        LedgerKind::Accounting | LedgerKind::Both => &ACCOUNTING,
    }
}

/// Lines of a voucher with the type of their ledger.
async fn read(
    site: &ErpSite,
    source: &LedgerSource,
    of: &TypeMeta,
    name: &str,
    cancelled: bool,
) -> Result<(Arc<TypeMeta>, ListRows), ErpError> {
    let meta = site.readable_type(source.doctype).await?;
    let mut filters = vec![
        json!(["voucher_type", "=", of.name]),
        json!(["voucher_no", "=", name]),
    ];
    // All lines of a cancelled document are marked, but none in an immutable ledger.
    if !cancelled {
        filters.push(json!(["is_cancelled", "=", 0]));
    }
    let query = ListQuery {
        filters,
        order: "posting_date asc, name asc".to_owned(),
        limit: MOST_LINES,
        ..ListQuery::of(&meta, source.columns)
    };
    let found = site.list(&meta, query).await?;
    Ok((meta, found))
}

impl LedgerLines {
    /// The lines for a result, with their sums. `own`: the currency of the company, in which ledgers are kept.
    fn told(self, source: &LedgerSource, is_draft: bool, limit: usize, own: Option<&str>) -> Value {
        let sum = |column: &str| -> Decimal {
            let values = self.rows.iter().filter_map(|row| row.get(column));
            values.map(decimal_or_zero).sum()
        };
        // Lines of a draft's own rows have no values; a sum of zero would look like one.
        let is_told = |column: &str| {
            self.rows.is_empty() || self.rows.iter().any(|it| it.contains_key(column))
        };
        let sums = source.sums.iter().filter(|column| is_told(column));
        let sums = sums.map(|column| {
            let sum = amounts::shown(sum(column), own);
            ((*column).to_owned(), sum.into())
        });
        let line = |row: &Document| {
            let columns = source.columns.iter();
            let cells = columns.map(|column| (*column, self.ledger.field(column)));
            let mut line = cell::row(cells, row);
            // A zero on the other side of a line says nothing.
            line.retain(|name, value| {
                !(matches!(name.as_str(), "debit" | "credit") && *value == 0)
            });
            for column in source.amounts {
                if let Some(value) = line.get_mut(*column)
                    && let Some(amount) = decimal(value)
                {
                    *value = amounts::shown(amount, own).into();
                }
            }
            Value::Object(line)
        };
        let lines = self.rows.iter().take(limit).map(line);
        let (lines, _) = cell::fit(lines.collect(), ROWS_BYTES / 2);
        let mut notes = self.notes.iter();
        let is_accounting = source.doctype == ACCOUNTING.doctype;
        let mut ledger = json!({
            "lines": lines,
            "of": self.rows.len(),
            "sums": sums.collect::<Map<_, _>>(),
            "balanced": is_accounting.then(|| are_equal(sum("debit"), sum("credit"))),
            "note": notes.next(),
            "preview": is_draft.then_some(true),
            "warnings": notes.collect::<Vec<_>>(),
        });
        for field in ["sums", "balanced", "note", "preview", "warnings"] {
            drop_empty(&mut ledger, field);
        }
        ledger
    }
}
