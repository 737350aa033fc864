//! Part `document`: head, fields by section, rows, and what can be done now.

use std::sync::Arc;

use erp_wire::{
    DocumentCell, DocumentColumn, DocumentField, DocumentPage, DocumentRow, DocumentSection,
    DocumentTable, WorkflowPlace,
};
use futures::future::join_all;
use protocol::{Known, Offer};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::{OpenedDocument, offers};
use crate::{
    cell,
    decimal::decimal,
    error::ErpError,
    meta::MetaField,
    shown::{self, CellContext},
    site::{Document, ErpSite},
    texts::pages as say,
    tools::{get_doc, outline, writing::draft},
};

/// Fields of the head, in its order: who, when, how much.
const HEAD: [&str; 24] = [
    "customer",
    "supplier",
    "party",
    "party_name",
    "employee",
    "item_code",
    "production_item",
    "company",
    "posting_date",
    "transaction_date",
    "delivery_date",
    "schedule_date",
    "due_date",
    "valid_till",
    "purpose",
    "qty",
    "produced_qty",
    "grand_total",
    "outstanding_amount",
    "paid_amount",
    "total_debit",
    "total_credit",
    "per_delivered",
    "per_billed",
];
/// Fields that a form has for the site itself: how names of new documents are made.
const OF_FORM: [&str; 1] = ["naming_series"];
/// Columns that are summed below a table.
const SUMMED: [&str; 9] = [
    "amount",
    "tax_amount",
    "debit",
    "credit",
    "debit_in_account_currency",
    "credit_in_account_currency",
    "allocated_amount",
    "payment_amount",
    "base_amount",
];
const MOST_ROWS: usize = 200;
const MOST_COLUMNS: usize = 8;

pub(super) async fn page(
    site: &Arc<ErpSite>,
    acting: Option<&Arc<ErpSite>>,
    opened: &OpenedDocument,
) -> DocumentPage {
    let OpenedDocument { meta, document, at } = opened;
    let workflow = match &meta.workflow {
        Some(workflow) => {
            let reader = acting.unwrap_or(site);
            let place = get_doc::steps(reader, meta, opened.name(), workflow, document).await;
            let text = |field: &str| place[field].as_str().unwrap_or_default().to_owned();
            Some(WorkflowPlace {
                name: text("name"),
                state: text("state"),
                steps: Known::deserialize(&place["actions"])
                    .unwrap_or_else(|_| Known::unknown(say::NO_STEPS)),
                waits_for: Deserialize::deserialize(&place["waits_for"]).unwrap_or_default(),
            })
        }
        None => None,
    };
    let who = site.identity().await.ok();
    let zone = who.as_ref().map(|who| who.time_zone.clone());
    // Without them amounts in a company's currency have none.
    let currencies = Box::pin(site.currencies()).await.unwrap_or_default();
    let around = CellContext {
        meta,
        document,
        row: None,
        currencies: &currencies,
        reach: &site.reach,
        zone: zone.as_ref(),
    };
    let title = meta.title_field.as_deref();
    let title = title.and_then(|field| opened.text(field));
    let docstatus = document.get("docstatus").unwrap_or(&Value::Null);
    let user = who.as_ref().map(|who| who.user.as_str());
    let text = |field: &str| opened.text(field).unwrap_or_default().to_owned();
    let mut offers = match acting {
        Some(acting) => Box::pin(offers::offers(acting, opened, workflow.as_ref())).await,
        None => Vec::new(),
    };
    let drafts = Box::pin(drafts(site, opened, &offers)).await;
    // One more may be wanted, for the rest or by mistake: the button says that it would be one more.
    for offer in &mut offers {
        let target = offer.with["target_doctype"].as_str();
        let target = target.filter(|it| drafts.iter().any(|draft| draft.doctype == *it));
        if let Some(target) = target {
            offer.label = say::another_draft_of(target);
        }
    }
    DocumentPage {
        doctype: meta.name.clone(),
        name: opened.name().to_owned(),
        title: title.filter(|it| *it != opened.name()).map(str::to_owned),
        status: opened.text("status").map(str::to_owned),
        docstatus: meta
            .is_submittable
            .then(|| cell::docstatus(docstatus).to_owned()),
        head: head(opened, &around),
        sections: sections(opened, &around),
        tables: tables(opened, &around),
        offers,
        drafts,
        modified: text("modified"),
        modified_at: match &zone {
            Some(zone) => shown::known_moment(document.get("modified"), zone),
            None => Known::unknown(say::NO_TIME),
        },
        modified_by: text("modified_by"),
        owner: text("owner"),
        is_own: user.is_some() && user == opened.text("owner"),
        workflow,
        at: *at,
    }
}

/// Drafts of the types that the offers would make of it. Where they cannot be read, the card says so.
async fn drafts(site: &ErpSite, opened: &OpenedDocument, offers: &[Offer]) -> Vec<DocumentRow> {
    let currencies = site.known_currencies().await;
    let targets = offers
        .iter()
        .filter_map(|it| it.with["target_doctype"].as_str());
    let read = targets.map(|target| {
        let currencies = &currencies;
        async move {
            let source = draft::DraftSource {
                doctype: &opened.meta.name,
                name: opened.name(),
            };
            let found = draft::open_drafts(site, source, target).await?;
            let meta = site.readable_type(target).await?;
            let rows = found.iter();
            let rows = rows.map(|it| shown::row(&outline::with_currency(&meta, it, currencies)));
            Ok::<Vec<DocumentRow>, ErpError>(rows.collect())
        }
    });
    let found = join_all(read).await;
    found.into_iter().filter_map(Result::ok).flatten().collect()
}

fn head(opened: &OpenedDocument, around: &CellContext<'_>) -> Vec<DocumentField> {
    let fields = HEAD.iter().filter_map(|name| own_field(opened, name));
    fields
        .filter_map(|field| shown_field(opened, around, field))
        .collect()
}

fn own_field<'a>(opened: &'a OpenedDocument, name: &str) -> Option<&'a MetaField> {
    let mut fields = opened.meta.fields.iter();
    fields.find(|field| field.name == name && !field.is_hidden && field.kind.holds_value())
}

fn shown_field(
    opened: &OpenedDocument,
    around: &CellContext<'_>,
    field: &MetaField,
) -> Option<DocumentField> {
    let value = opened.document.get(&field.name)?;
    Some(DocumentField {
        label: label(field),
        value: around.cell(field, value, cell::IN_DOCUMENT)?,
    })
}

pub(super) fn label(field: &MetaField) -> String {
    if field.label.is_empty() {
        field.name.replace('_', " ")
    } else {
        field.label.clone()
    }
}

/// The fields that are set, under the headings of the site's form. Zeros are left out: a form of
/// the site has dozens of them.
fn sections(opened: &OpenedDocument, around: &CellContext<'_>) -> Vec<DocumentSection> {
    let mut sections = Vec::new();
    let mut section = DocumentSection {
        title: String::new(),
        fields: Vec::new(),
    };
    for field in &opened.meta.fields {
        if matches!(field.fieldtype.as_str(), "Section Break" | "Tab Break") {
            let next = DocumentSection {
                title: field.label.clone(),
                fields: Vec::new(),
            };
            let before = std::mem::replace(&mut section, next);
            sections.extend((!before.fields.is_empty()).then_some(before));
            continue;
        }
        let is_shown = !field.is_hidden
            && field.kind.holds_value()
            && !HEAD.contains(&field.name.as_str())
            && !OF_FORM.contains(&field.name.as_str())
            && !is_zero(opened.document.get(&field.name));
        if is_shown && let Some(shown) = shown_field(opened, around, field) {
            section.fields.push(shown);
        }
    }
    sections.extend((!section.fields.is_empty()).then_some(section));
    sections
}

fn is_zero(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Number(number)) if number.as_f64() == Some(0.0))
}

fn tables(opened: &OpenedDocument, around: &CellContext<'_>) -> Vec<DocumentTable> {
    let fields = opened.meta.table_fields().filter(|it| !it.is_hidden);
    let table = |field: &MetaField| {
        let rows = opened.document.get(&field.name)?.as_array()?;
        let rows: Vec<_> = rows.iter().filter_map(Value::as_object).collect();
        let columns = opened.meta.rows_of(field)?;
        (!rows.is_empty()).then(|| table(label(field), columns, &rows, around))
    };
    fields.filter_map(table).collect()
}

/// Rows with the columns that lists of the site show, as far as a row has a value there.
fn table(
    title: String,
    fields: &[MetaField],
    rows: &[&Document],
    around: &CellContext<'_>,
) -> DocumentTable {
    let is_set = |field: &&MetaField| {
        let mut values = rows.iter().filter_map(|row| row.get(&field.name));
        values.any(|value| !value.is_null() && *value != "")
    };
    let visible = || {
        fields
            .iter()
            .filter(|it| !it.is_hidden && it.kind.holds_value())
    };
    let listed = visible().filter(|it| it.in_list_view).filter(is_set);
    let mut columns: Vec<_> = listed.take(MOST_COLUMNS).collect();
    if columns.is_empty() {
        columns = visible().filter(is_set).take(MOST_COLUMNS).collect();
    }
    let cells = |row: &&Document| {
        let around = CellContext {
            row: Some(row),
            ..*around
        };
        let cell = |field: &&MetaField| {
            let value = row.get(&field.name)?;
            around.cell(field, value, cell::IN_LIST)
        };
        let cells = columns.iter().map(|field| cell(field).unwrap_or_default());
        cells.collect::<Vec<_>>()
    };
    let shown: Vec<Vec<_>> = rows.iter().take(MOST_ROWS).map(cells).collect();
    let hidden = rows.len() - shown.len();
    let foot = foot(&columns, rows, &shown);
    DocumentTable {
        title,
        columns: columns.iter().map(|field| column(field)).collect(),
        rows: shown,
        of: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        foot,
        notes: (hidden > 0)
            .then(|| say::rows_not_shown(hidden))
            .into_iter()
            .collect(),
    }
}

pub(super) fn column(field: &MetaField) -> DocumentColumn {
    DocumentColumn {
        label: label(field),
        is_number: field.kind.is_number(),
    }
}

/// Sums over all rows, also those that are not shown. A column with several currencies has none.
fn foot(
    columns: &[&MetaField],
    rows: &[&Document],
    shown: &[Vec<DocumentCell>],
) -> Vec<DocumentCell> {
    let sum = |(at, field): (usize, &&MetaField)| {
        let is_summed = SUMMED.contains(&field.name.as_str());
        let mut units = shown.iter().filter_map(|row| row.get(at)?.unit.as_ref());
        let unit = units.next();
        if !is_summed || rows.len() < 2 || !units.all(|other| Some(other) == unit) {
            return DocumentCell::default();
        }
        let values = rows.iter().filter_map(|row| row.get(&field.name));
        let mut values = values.filter_map(decimal);
        match values.try_fold(Decimal::ZERO, Decimal::checked_add) {
            Some(sum) => shown::amount(sum, unit.map(String::as_str)),
            None => DocumentCell::default(),
        }
    };
    let foot: Vec<_> = columns.iter().enumerate().map(sum).collect();
    if foot.iter().all(|cell| cell.text.is_empty()) {
        Vec::new()
    } else {
        foot
    }
}
