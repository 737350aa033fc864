//! Tool that shows the chain around a document.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::future::join_all;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{LONG, amounts, drop_empty, outline, told};
use crate::{
    client::ErpMethod,
    dates,
    decimal::decimal,
    error::ErpError,
    meta::{MetaField, MetaFieldKind, TypeMeta},
    reading::ErpReading,
    site::{Document, ErpSite},
    texts::readings as say,
};

/// Types that come from each other. Links to masters are no chain.
const CHAIN: [&str; 21] = [
    "Blanket Order",
    "Delivery Note",
    "Job Card",
    "Journal Entry",
    "Material Request",
    "Opportunity",
    "Payment Entry",
    "Pick List",
    "POS Invoice",
    "Production Plan",
    "Purchase Invoice",
    "Purchase Order",
    "Purchase Receipt",
    "Quotation",
    "Request for Quotation",
    "Sales Invoice",
    "Sales Order",
    "Stock Entry",
    "Supplier Quotation",
    "Timesheet",
    "Work Order",
];
/// Fields that say how far an order is, each with its word.
const PROGRESS: [(&str, &str); 3] = [
    ("per_delivered", "delivered"),
    ("per_received", "received"),
    ("per_billed", "billed"),
];
/// The most types, and documents of each, whose outline is read.
const MOST_TYPES: usize = 6;
const MOST_OF_TYPE: usize = 30;
/// The most documents of a side that the summary names.
const MOST_NAMED: usize = 3;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// Both if not given.
    direction: Option<TraceDirection>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TraceDirection {
    #[default]
    Both,
    Before,
    After,
    BlocksCancel,
}

pub(crate) struct TraceDoc;

#[async_trait]
impl ErpReading for TraceDoc {
    const NAME: &'static str = "trace_doc";
    const DESCRIPTION: &'static str = "Shows the chain around a document of the ERP: what it came from, \
        what was made from it, what pays it, and what prevents cancelling it.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What was made from sales order SAL-ORD-2026-00012?",
            r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012", "direction": "after"}"#,
        ),
        ToolExample::worked(
            "Why is sales order SAL-ORD-2026-00012 not delivered?",
            r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012", "direction": "after"}"#,
        ),
        ToolExample::worked(
            "What keeps invoice ACC-SINV-2026-00004 from being cancelled?",
            r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "direction": "blocks_cancel"}"#,
        ),
    ];
    type Input = TraceDocInput;

    async fn read(site: &ErpSite, input: TraceDocInput) -> Result<ToolOutput, ErrorBody> {
        trace(site, &input).await
    }
}

/// A document by type and name.
pub(crate) type NamedDocument = (String, String);

async fn trace(site: &ErpSite, input: &TraceDocInput) -> Result<ToolOutput, ErrorBody> {
    let meta = site.readable_type(&input.doctype).await?;
    let document = site.document(&meta, &input.name).await?;
    let direction = input.direction.unwrap_or_default();
    let DocumentChain { before, after } = chain(site, &meta, &document, direction).await?;
    let blocks = after.shown.len() + after.hidden;
    let is_submitted = document.get("docstatus") == Some(&json!(1));
    let cancel = match (direction, meta.is_submittable && is_submitted) {
        (TraceDirection::Before, _) => Value::Null,
        (_, false) => json!({ "note": say::ONLY_SUBMITTED_IS_CANCELLED }),
        (_, true) => json!({ "blocked_by": blocks, "note": say::CANCEL_FIRST }),
    };
    let currencies = site.known_currencies().await;
    let outlined = outline::with_currency(&meta, &document, &currencies);
    let state = state(&outlined, &document);
    let summary = summary(input, state.as_deref(), &before, &after);
    let incomplete = [before.problems, after.problems].concat();
    let mut data = json!({
        "document": outlined,
        "before": before.shown,
        "before_not_readable": (before.hidden > 0).then_some(before.hidden),
        "after": after.shown,
        "after_not_readable": (after.hidden > 0).then_some(after.hidden),
        "cancel": cancel,
        "incomplete": incomplete,
        "note": (direction != TraceDirection::Before).then_some(say::DRAFTS_ARE_NOT_TRACED),
        "as_of": dates::utc(site.client.now()),
    });
    for field in [
        "before",
        "before_not_readable",
        "after",
        "after_not_readable",
        "cancel",
        "incomplete",
        "note",
    ] {
        drop_empty(&mut data, field);
    }
    told(summary, data)
}

/// The status of a document and how far it is, as much of it as there is: `To Bill, 100 % delivered`.
fn state(outlined: &Value, document: &Document) -> Option<String> {
    let done = PROGRESS.iter().filter_map(|(field, what)| {
        let percent = decimal(document.get(*field)?)?;
        Some(say::percent_done(percent.round_dp(1).normalize(), what))
    });
    let status = outlined["status"].as_str().map(str::to_owned);
    let told: Vec<String> = status.into_iter().chain(done).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The chain in one line, with the first documents by name and amount.
fn summary(
    input: &TraceDocInput,
    state: Option<&str>,
    before: &Outlines,
    after: &Outlines,
) -> String {
    let named = |side: &Outlines| {
        let names: Vec<_> = side
            .shown
            .iter()
            .take(MOST_NAMED)
            .map(amounts::named)
            .collect();
        say::chain_side(side.count(), &names)
    };
    let (doctype, name) = (&input.doctype, &input.name);
    match input.direction.unwrap_or_default() {
        TraceDirection::Both => say::traced(doctype, name, &named(before), &named(after)),
        TraceDirection::Before => say::came_from(doctype, name, &named(before)),
        TraceDirection::After => say::was_made(doctype, name, state, &named(after)),
        TraceDirection::BlocksCancel => say::blocks(doctype, name, after.count(), &named(after)),
    }
}

/// The documents around one.
pub(crate) struct DocumentChain {
    pub(crate) before: Outlines,
    /// The submitted ones that hang on it, over all levels.
    pub(crate) after: Outlines,
}

/// Reads the chain around a document.
pub(crate) async fn chain(
    site: &ErpSite,
    meta: &TypeMeta,
    document: &Document,
    direction: TraceDirection,
) -> Result<DocumentChain, ErpError> {
    let name = document.get("name").and_then(Value::as_str);
    let name = name.unwrap_or_default();
    let before = match direction {
        TraceDirection::Both | TraceDirection::Before => sources(meta, document),
        TraceDirection::After | TraceDirection::BlocksCancel => BTreeSet::new(),
    };
    let after = match direction {
        TraceDirection::Before => BTreeSet::new(),
        _ => dependents(site, meta, name).await?,
    };
    // The tree of dependents leads back over a source that links here.
    let own = (meta.name.clone(), name.to_owned());
    let before: BTreeSet<_> = before
        .into_iter()
        .filter(|it| *it != own && !after.contains(it))
        .collect();
    Ok(DocumentChain {
        before: outlines(site, &before).await,
        after: outlines(site, &after).await,
    })
}

/// The documents that a document itself and its rows name.
fn sources(meta: &TypeMeta, document: &Document) -> BTreeSet<NamedDocument> {
    let mut found = links(&meta.fields, document);
    for table in meta.table_fields() {
        let columns = meta.rows_of(table).unwrap_or_default();
        let rows = document.get(&table.name).and_then(Value::as_array);
        for row in rows.into_iter().flatten().filter_map(Value::as_object) {
            found.extend(links(columns, row));
        }
    }
    found
}

fn links(fields: &[MetaField], values: &Document) -> BTreeSet<NamedDocument> {
    let text = |name: &str| {
        values
            .get(name)
            .and_then(Value::as_str)
            .filter(|it| !it.is_empty())
    };
    let link = |field: &MetaField| {
        let name = text(&field.name)?;
        let doctype = match field.kind {
            MetaFieldKind::Link => field.options.as_str(),
            MetaFieldKind::DynamicLink => text(&field.options)?,
            _ => return None,
        };
        CHAIN
            .contains(&doctype)
            .then(|| (doctype.to_owned(), name.to_owned()))
    };
    fields.iter().filter_map(link).collect()
}

/// The submitted documents that hang on a document, over all levels. Ledger rows do not count.
pub(crate) async fn dependents(
    site: &ErpSite,
    meta: &TypeMeta,
    name: &str,
) -> Result<BTreeSet<NamedDocument>, ErpError> {
    if !meta.is_submittable {
        return Ok(BTreeSet::new());
    }
    let parameters = [("doctype", meta.name.clone()), ("name", name.to_owned())];
    let answer = site.method(ErpMethod::LinkedDocuments, &parameters).await?;
    let rows = match &answer.data {
        Value::Null => return Ok(BTreeSet::new()),
        Value::Array(rows) => rows,
        // A tree that cannot be read must not look empty.
        other => other["docs"]
            .as_array()
            .ok_or_else(|| site.unusable("docs"))?,
    };
    let text = |row: &Value, field: &str| row[field].as_str().map(str::to_owned);
    let rows = rows
        .iter()
        .filter_map(|row| text(row, "doctype").zip(text(row, "name")));
    Ok(rows
        .filter(|(doctype, of)| *doctype != meta.name || of != name)
        .collect())
}

/// Outlines of documents, and how many of them the user may not read.
pub(crate) struct Outlines {
    pub(crate) shown: Vec<Value>,
    pub(crate) hidden: usize,
    pub(crate) problems: Vec<String>,
}

impl Outlines {
    fn count(&self) -> usize {
        self.shown.len() + self.hidden
    }
}

pub(crate) async fn outlines(site: &ErpSite, documents: &BTreeSet<NamedDocument>) -> Outlines {
    let mut by_type: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (doctype, name) in documents {
        by_type.entry(doctype).or_default().push(name);
    }
    let read = by_type
        .iter()
        .take(MOST_TYPES)
        .map(|(doctype, names)| async move {
            let names = names.get(..MOST_OF_TYPE).unwrap_or(names);
            let meta = site.readable_type(doctype).await?;
            let found = outline::documents(site, &meta, names).await?;
            let currencies = site.known_currencies().await;
            let found = found.iter();
            let found = found.map(|it| outline::with_currency(&meta, it, &currencies));
            Ok::<_, ErpError>(found.collect::<Vec<_>>())
        });
    let mut outlines = Outlines {
        shown: Vec::new(),
        hidden: documents.len(),
        problems: Vec::new(),
    };
    for ((doctype, _), found) in by_type.iter().zip(join_all(read).await) {
        match found {
            Ok(found) => outlines.shown.extend(found),
            Err(error) => outlines
                .problems
                .push(say::not_read(doctype, &error.reason())),
        }
    }
    // A document that the user may not read is counted, never named.
    outlines.hidden -= outlines.shown.len().min(outlines.hidden);
    outlines
}
