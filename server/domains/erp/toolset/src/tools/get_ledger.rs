//! Tool that reads the ledger lines of a document, or those that a saved draft would post.

mod preview;

use std::{sync::Arc, time::Duration};

use agent::ports::{Progress, ReadingTool, ToolExample};
use async_trait::async_trait;
use futures::join;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{LONG, ROWS_BYTES, about, amounts, drop_empty, known, told, touched};
use crate::{
    cell, dates,
    decimal::{decimal, decimal_or_zero, money, number},
    error::ErpError,
    meta::TypeMeta,
    plain_text::plain,
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

pub(crate) struct GetLedger(pub(crate) Arc<ErpSite>);

#[async_trait]
impl ReadingTool for GetLedger {
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

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    async fn read(&self, input: GetLedgerInput, _: Progress) -> Result<ToolOutput, ErrorBody> {
        Box::pin(get(&self.0, &input)).await
    }
}

/// One of the two ledgers.
#[derive(Debug)]
pub(crate) struct LedgerSource {
    pub(crate) doctype: &'static str,
    pub(crate) columns: &'static [&'static str],
    /// The columns that are summed.
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
    let wants = |kind| input.kind == kind || input.kind == LedgerKind::Both;
    let of = |source, kind| {
        let (meta, document) = (&meta, &document);
        async move {
            match (wants(kind), status) {
                (false, _) => Value::Null,
                (true, "draft") => known(preview::lines(site, meta, document, source, limit).await),
                (true, _) => known(posted(site, source, meta, &input.name, status, limit).await),
            }
        }
    };
    let company = document.get("company").and_then(Value::as_str);
    let (accounting, stock, currency) = join!(
        of(&ACCOUNTING, LedgerKind::Accounting),
        of(&STOCK, LedgerKind::Stock),
        amounts::company_currency(site, company.unwrap_or_default())
    );
    let currency = known(currency);
    let mut data = json!({
        "doctype": meta.name,
        "name": input.name,
        "docstatus": status,
        "company": company,
        "company_currency": currency,
        "posting_date": document.get("posting_date"),
        "accounting": accounting,
        "stock": stock,
        "as_of": dates::utc(site.client.now()),
    });
    let currency = currency.as_str().map(|text| plain(text, 10));
    let amount = |sum: &Value| Some(money(decimal(sum)?, currency.as_deref()?));
    let lines = |ledger: &Value, sum: &str| {
        let count = ledger["of"].as_u64()?;
        Some((count, amount(&ledger["sums"][sum])))
    };
    let summary = say::ledger(
        &meta.name,
        &input.name,
        status,
        lines(&data["accounting"], "debit"),
        lines(&data["stock"], "stock_value_difference"),
    );
    for field in ["company", "posting_date", "accounting", "stock"] {
        drop_empty(&mut data, field);
    }
    told(summary, data)
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

/// The live lines of a submitted document; of a cancelled one, those that were taken back.
async fn posted(
    site: &ErpSite,
    source: &LedgerSource,
    of: &TypeMeta,
    name: &str,
    status: &str,
    limit: usize,
) -> Result<Value, ErpError> {
    let (meta, found) = read(site, source, of, name, status == "cancelled").await?;
    let mut ledger = shown(source, &meta, &found.rows, limit);
    if found.has_more {
        ledger["cut"] = say::lines_cut(MOST_LINES).into();
    }
    if found.rows.is_empty() {
        ledger["note"] = say::NO_LINES.into();
    }
    Ok(ledger)
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
    // Dimensions and new columns differ between versions.
    let columns = source.columns.iter().filter(|it| meta.field(it).is_some());
    let query = ListQuery {
        doctype: source.doctype,
        fields: columns.map(|column| json!(column)).collect(),
        filters: vec![
            json!(["voucher_type", "=", of.name]),
            json!(["voucher_no", "=", name]),
            json!(["is_cancelled", "=", u8::from(cancelled)]),
        ],
        order: "posting_date asc, name asc".to_owned(),
        limit: MOST_LINES,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    Ok((meta, found))
}

/// Lines with their sums.
fn shown(source: &LedgerSource, meta: &TypeMeta, rows: &[Document], limit: usize) -> Value {
    let sum = |column: &str| -> Decimal {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(decimal_or_zero)
            .sum()
    };
    let sums = source
        .sums
        .iter()
        .map(|column| ((*column).to_owned(), number(sum(column))));
    let line = |row: &Document| {
        let cells = source
            .columns
            .iter()
            .map(|column| (*column, meta.field(column)));
        let mut line = cell::row(cells, row);
        // A zero on the other side of a line says nothing.
        line.retain(|name, value| !(matches!(name.as_str(), "debit" | "credit") && *value == 0));
        Value::Object(line)
    };
    let (lines, _) = cell::fit(rows.iter().take(limit).map(line).collect(), ROWS_BYTES / 2);
    let mut ledger = json!({
        "lines": lines,
        "of": rows.len(),
        "sums": sums.collect::<serde_json::Map<_, _>>(),
    });
    if source.doctype == ACCOUNTING.doctype {
        ledger["balanced"] = (sum("debit") == sum("credit")).into();
    }
    ledger
}
