//! Documents that stand in the way of a cancel.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::ErpSubject;
use crate::{
    error::{ErpError, RefusalKind},
    site::{ErpSite, ListQuery, NEWEST},
    tools::trace_doc::{NamedDocument, dependents, outlines},
};

/// Documents that stand in the way, by name as far as this user may read it.
pub(super) struct Blockers {
    pub(super) named: Vec<NamedDocument>,
    /// The number of those that this user may not read.
    pub(super) hidden: usize,
}

/// Leaves out the names that this user may not read, and counts them.
pub(super) async fn readable(site: &ErpSite, blocking: Vec<NamedDocument>) -> Blockers {
    let all: BTreeSet<_> = blocking.into_iter().collect();
    let outlines = outlines(site, &all).await;
    let is_shown = |(doctype, name): &NamedDocument| {
        let mut shown = outlines.shown.iter();
        shown.any(|it| it["doctype"] == *doctype && it["name"] == *name)
    };
    let named: Vec<_> = all.iter().filter(|it| is_shown(it)).cloned().collect();
    Blockers {
        hidden: all.len() - named.len(),
        named,
    }
}

/// The most drafts that are named.
const MOST: usize = 5;

/// Invoices whose drafts block an order, with the type of their rows and the field that names it.
const DRAFTS: [(&str, &str, &str, &str); 2] = [
    (
        "Sales Order",
        "Sales Invoice",
        "Sales Invoice Item",
        "sales_order",
    ),
    (
        "Purchase Order",
        "Purchase Invoice",
        "Purchase Invoice Item",
        "purchase_order",
    ),
];

/// The submitted documents that hang on it, over all levels.
pub(super) async fn linked(
    site: &ErpSite,
    subject: &ErpSubject,
) -> Result<Vec<NamedDocument>, ErpError> {
    let found = dependents(site, &subject.meta, &subject.name).await?;
    Ok(found.into_iter().collect())
}

/// Drafts that hold on to an order. Without a right to see them the ERP decides.
pub(super) async fn drafts(
    site: &ErpSite,
    subject: &ErpSubject,
) -> Result<Vec<NamedDocument>, ErpError> {
    let of_type = DRAFTS
        .iter()
        .find(|(order, ..)| *order == subject.meta.name);
    let Some((_, invoice, rows, field)) = of_type else {
        return Ok(Vec::new());
    };
    let meta = match site.readable_type(invoice).await {
        Ok(meta) => meta,
        Err(error) if error.kind() == Some(RefusalKind::Permission) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let query = ListQuery {
        doctype: invoice,
        fields: vec![json!("name")],
        filters: vec![
            json!([rows, field, "=", subject.name]),
            json!(["docstatus", "=", 0]),
        ],
        order: NEWEST.to_owned(),
        limit: MOST,
        ..ListQuery::default()
    };
    let found = match site.list(&meta, query).await {
        Ok(found) => found.rows,
        Err(error) if error.kind() == Some(RefusalKind::Permission) => Vec::new(),
        Err(error) => return Err(error),
    };
    let mut names: Vec<_> = found
        .iter()
        .filter_map(|row| row.get("name").and_then(Value::as_str))
        .map(|name| ((*invoice).to_owned(), name.to_owned()))
        .collect();
    // A list over rows has the document once for each.
    names.dedup();
    Ok(names)
}
