//! Queries of a document's page, and of what is each person's own on the overview; read-only. The code of the
//! reading tools does the reading.
//!
//! A document's page shows everybody what the configured key may read, and offers each person what the
//! key that they act with may do.

pub(crate) mod approvals;
mod document;
mod glance;
mod history;
mod ledger;
mod links;
mod offers;

use std::sync::Arc;

use protocol::{ErrorBody, ErrorCode, PageQuery, Reference, Timestamp};
use serde::Serialize;
use serde_json::Value;

use crate::{
    error::{ErpError, RefusalKind},
    meta::TypeMeta,
    refer,
    site::{Document, ErpSite},
    texts::pages as say,
};

/// A document that was read for its page.
struct OpenedDocument {
    meta: Arc<TypeMeta>,
    document: Document,
    /// Time of the answer by our clock.
    at: Timestamp,
}

/// Answers a page's query for a person who acts with `acting`: none if their own key cannot be used
/// now, and then nothing is offered.
pub(crate) async fn page(
    site: &Arc<ErpSite>,
    acting: Option<&Arc<ErpSite>>,
    query: &PageQuery,
) -> Result<Value, ErrorBody> {
    let reference = Reference::new(&query.kind, &query.name);
    let Some((doctype, name)) = refer::parts(&reference) else {
        return Err(no_page());
    };
    let opened = open(site, doctype, name)
        .await
        .map_err(|error| for_people(&error))?;
    match query.part.as_str() {
        "document" => written(&Box::pin(document::page(site, acting, &opened)).await),
        "glance" => written(&Box::pin(glance::page(site, &opened)).await),
        "ledger" => written(&Box::pin(ledger::page(site, &opened)).await),
        "links" => written(&Box::pin(links::page(site, &opened)).await?),
        "history" => written(&Box::pin(history::page(site, &opened)).await?),
        _ => Err(no_page()),
    }
}

async fn open(site: &ErpSite, doctype: &str, name: &str) -> Result<OpenedDocument, ErpError> {
    let meta = site.readable_type(doctype).await?;
    let document = site.document(&meta, name).await?;
    Ok(OpenedDocument {
        meta,
        document,
        at: Timestamp(site.client.own_now()),
    })
}

/// The error with help for a person; that of calls names tools.
fn for_people(error: &ErpError) -> ErrorBody {
    let help = match error.kind() {
        Some(RefusalKind::NotFound) => say::RENAMED_OR_DELETED,
        Some(RefusalKind::Permission) => say::ASK_FOR_THE_RIGHT,
        _ => return error.body(),
    };
    error.body().with_help(help)
}

impl OpenedDocument {
    fn text(&self, field: &str) -> Option<&str> {
        let text = self.document.get(field)?.as_str()?;
        (!text.is_empty()).then_some(text)
    }

    fn name(&self) -> &str {
        self.text("name").unwrap_or_default()
    }
}

fn no_page() -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, say::NOT_A_PAGE)
}

fn written(page: &impl Serialize) -> Result<Value, ErrorBody> {
    serde_json::to_value(page).map_err(|_| no_page())
}
