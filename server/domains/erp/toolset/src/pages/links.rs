//! Part `links`: what a document came from, and what hangs on it.

use erp_wire::DocumentLinks;

use super::OpenedDocument;
use crate::{
    error::ErpError,
    shown,
    site::ErpSite,
    texts::pages as say,
    tools::trace_doc::{self, Outlines, TraceDirection},
};

pub(super) async fn page(
    site: &ErpSite,
    opened: &OpenedDocument,
) -> Result<DocumentLinks, ErpError> {
    let OpenedDocument { meta, document, at } = opened;
    let chain = trace_doc::chain(site, meta, document, TraceDirection::Both).await?;
    let rows = |outlines: &Outlines| outlines.shown.iter().map(shown::row).collect();
    let count = |outlines: &Outlines| u32::try_from(outlines.hidden).unwrap_or(u32::MAX);
    let problems = chain.before.problems.iter().chain(&chain.after.problems);
    let mut notes: Vec<_> = problems.map(|it| say::hidden_in_links(it)).collect();
    notes.push(say::DRAFTS_ARE_ABOVE.to_owned());
    Ok(DocumentLinks {
        before: rows(&chain.before),
        before_hidden: count(&chain.before),
        after: rows(&chain.after),
        after_hidden: count(&chain.after),
        notes,
        at: *at,
    })
}
