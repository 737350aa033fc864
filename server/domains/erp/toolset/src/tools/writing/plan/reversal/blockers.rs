//! Documents that stand in the way of a cancel.

use std::collections::BTreeSet;

use super::super::ErpSubject;
use crate::{
    error::{ErpError, RefusalKind},
    site::ErpSite,
    tools::{
        trace_doc::{NamedDocument, dependents, outlines},
        writing::draft::{DraftSource, draft_name, open_drafts},
    },
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

/// Invoices whose drafts block an order.
const DRAFTS: [(&str, &str); 2] = [
    ("Sales Order", "Sales Invoice"),
    ("Purchase Order", "Purchase Invoice"),
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
    let of_type = DRAFTS.iter().find(|(order, _)| *order == subject.meta.name);
    let Some((order, invoice)) = of_type else {
        return Ok(Vec::new());
    };
    let source = DraftSource {
        doctype: order,
        name: &subject.name,
    };
    let found = match open_drafts(site, source, invoice).await {
        Ok(found) => found,
        Err(error) if error.kind() == Some(RefusalKind::Permission) => Vec::new(),
        Err(error) => return Err(error),
    };
    let names = found.iter().filter_map(draft_name);
    Ok(names
        .map(|name| ((*invoice).to_owned(), name.to_owned()))
        .collect())
}
