//! Drafts that were made from a document before: a second one may deliver, bill or pay the same twice.

use protocol::{CardLink, CardSection, RiskReason, RiskWeight};
use serde_json::{Value, json};

use crate::{
    error::ErpError,
    refer,
    site::{Document, ErpSite, ListQuery, newest_over_rows},
    texts::draft as say,
    tools::outline,
};

/// The most drafts that are named.
const MOST: usize = 5;
/// A list over rows has a document once for each of them.
const MOST_ROWS: usize = 100;

/// The type of a document, that of the drafts made from it, that of their rows, and the field of a row that
/// names the document.
const NAMED_BY: [(&str, &str, &str, &str); 16] = [
    (
        "Quotation",
        "Sales Order",
        "Sales Order Item",
        "prevdoc_docname",
    ),
    (
        "Sales Order",
        "Delivery Note",
        "Delivery Note Item",
        "against_sales_order",
    ),
    (
        "Sales Order",
        "Sales Invoice",
        "Sales Invoice Item",
        "sales_order",
    ),
    (
        "Delivery Note",
        "Sales Invoice",
        "Sales Invoice Item",
        "delivery_note",
    ),
    ("Sales Order", "Pick List", "Pick List Item", "sales_order"),
    (
        "Sales Order",
        "Material Request",
        "Material Request Item",
        "sales_order",
    ),
    (
        "Material Request",
        "Purchase Order",
        "Purchase Order Item",
        "material_request",
    ),
    (
        "Material Request",
        "Stock Entry",
        "Stock Entry Detail",
        "material_request",
    ),
    (
        "Supplier Quotation",
        "Purchase Order",
        "Purchase Order Item",
        "supplier_quotation",
    ),
    (
        "Purchase Order",
        "Purchase Receipt",
        "Purchase Receipt Item",
        "purchase_order",
    ),
    (
        "Purchase Order",
        "Purchase Invoice",
        "Purchase Invoice Item",
        "purchase_order",
    ),
    (
        "Purchase Receipt",
        "Purchase Invoice",
        "Purchase Invoice Item",
        "purchase_receipt",
    ),
    ("Sales Invoice", PAYMENT, PAID, "reference_name"),
    ("Purchase Invoice", PAYMENT, PAID, "reference_name"),
    ("Sales Order", PAYMENT, PAID, "reference_name"),
    ("Purchase Order", PAYMENT, PAID, "reference_name"),
];
const PAYMENT: &str = "Payment Entry";
const PAID: &str = "Payment Entry Reference";

/// The document that drafts were made from.
#[derive(Clone, Copy)]
pub(crate) struct DraftSource<'a> {
    pub(crate) doctype: &'a str,
    pub(crate) name: &'a str,
}

/// Reads the outlines of the drafts of a type that name a document, newest first. None for types that do not
/// come from each other.
pub(crate) async fn open_drafts(
    site: &ErpSite,
    source: DraftSource<'_>,
    target: &str,
) -> Result<Vec<Document>, ErpError> {
    let DraftSource { doctype, name } = source;
    let mut ways = NAMED_BY.iter();
    let way = ways.find(|(from, to, ..)| (*from, *to) == (doctype, target));
    let Some((_, _, rows, field)) = way else {
        return Ok(Vec::new());
    };
    let meta = site.readable_type(target).await?;
    let mut filters = vec![
        json!([rows, field, "=", name]),
        json!(["docstatus", "=", 0]),
    ];
    if target == PAYMENT {
        filters.push(json!([rows, "reference_doctype", "=", doctype]));
    }
    let columns = outline::columns(&meta);
    let query = ListQuery {
        doctype: target,
        fields: columns.iter().map(|column| json!(column)).collect(),
        filters,
        order: newest_over_rows(target),
        limit: MOST_ROWS,
        ..ListQuery::default()
    };
    let mut found = site.list(&meta, query).await?.rows;
    found.dedup_by(|one, other| one.get("name") == other.get("name"));
    found.truncate(MOST);
    for draft in &found {
        if let Some(name) = draft_name(draft) {
            site.keep(&meta, name, draft);
        }
    }
    Ok(found)
}

pub(crate) fn draft_name(draft: &Document) -> Option<&str> {
    draft.get("name").and_then(Value::as_str)
}

/// The sentence about drafts that are there; none if there are none.
pub(crate) fn drafts_sentence(drafts: &[Document], source: &str) -> Option<String> {
    let names: Vec<_> = drafts.iter().filter_map(draft_name).collect();
    (!names.is_empty()).then(|| say::drafts_are_there(&names, source))
}

/// The reason of a card, also where drafts could not be looked for.
pub(crate) fn drafts_reason(
    drafts: &Result<Vec<Document>, ErpError>,
    source: &str,
) -> Option<RiskReason> {
    match drafts {
        Ok(drafts) => {
            let sentence = drafts_sentence(drafts, source)?;
            let reason = RiskReason::new("draft_exists", RiskWeight::Warning, sentence);
            Some(reason.meaning(say::DRAFTS_ARE_THERE_DETAIL))
        }
        Err(error) => {
            let reason = RiskReason::new(
                "drafts_unknown",
                RiskWeight::Note,
                say::drafts_unknown(source),
            );
            Some(reason.meaning(error.reason()))
        }
    }
}

/// The ways from a card to the drafts.
pub(crate) fn drafts_section(drafts: &[Document], doctype: &str) -> Option<CardSection> {
    let links = drafts.iter().filter_map(|draft| {
        let name = draft_name(draft)?;
        Some(CardLink {
            text: format!("{doctype} {name}"),
            href: refer::path(doctype, name)?,
        })
    });
    let links: Vec<_> = links.collect();
    (!links.is_empty()).then(|| CardSection::Links {
        title: say::DRAFTS.to_owned(),
        links,
    })
}
