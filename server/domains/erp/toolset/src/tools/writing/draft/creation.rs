//! The one request that makes a draft, and what is known of it when its answer is lost.

use std::sync::Arc;

use agent::{
    crash,
    ports::{Progress, Reconciled, ToolError},
};
use protocol::{CallId, ErrorBody, ErrorCode, Timestamp, ToolOutput};
use serde_json::{Value, json};

pub(crate) use super::search::DraftTrace;
use super::{differences, search::DraftSearch};
use crate::tools::writing::{acting, cells::CardValues};
use crate::{
    cell,
    client::{ErpWrite, WriteFailure},
    currency::{AmountPlace, Currencies},
    error::RefusalKind,
    identity::ErpIdentity,
    made_documents::OpenDraft,
    meta::TypeMeta,
    site::{Document, ErpSite},
    texts::draft as say,
    tools::{amounts, drop_empty, output},
};

/// A draft whose every name and value has been checked.
#[derive(Debug)]
pub(crate) struct NewDraft {
    pub(crate) meta: Arc<TypeMeta>,
    pub(crate) who: Arc<ErpIdentity>,
    /// As it is sent, but for the key.
    pub(crate) document: Document,
    pub(crate) trace: DraftTrace,
    /// Sentences that the result says besides those of the ERP.
    pub(crate) warnings: Vec<String>,
}

impl NewDraft {
    /// A draft, with the marks by which it is found again.
    pub(crate) fn new(
        site: &ErpSite,
        call: CallId,
        meta: Arc<TypeMeta>,
        who: Arc<ErpIdentity>,
        document: Document,
        wanted: Document,
    ) -> Self {
        let key = site.config.key_field.clone();
        let trace = DraftTrace {
            call,
            key: key.filter(|key| meta.fields.iter().any(|it| it.name == *key)),
            source: None,
            source_rows: Vec::new(),
            amended_from: None,
            wanted,
        };
        Self {
            meta,
            who,
            document,
            trace,
            warnings: Vec::new(),
        }
    }

    /// Its values as a card says them.
    pub(crate) fn values<'a>(&'a self, currencies: &'a Currencies) -> CardValues<'a> {
        CardValues {
            meta: &self.meta,
            document: &self.document,
            currencies,
        }
    }

    /// Sends it once. An answer that is lost is looked for.
    pub(crate) async fn send(
        &self,
        site: &ErpSite,
        progress: &Progress,
    ) -> Result<ToolOutput, ToolError> {
        let since = site.client.now();
        let mut document = self.document.clone();
        if let Some(key) = &self.trace.key {
            document.insert(key.clone(), self.trace.call.to_string().into());
        }
        let write = ErpWrite::Create {
            doctype: &self.meta.name,
        };
        let noted = self.note(site, since).await.map_err(ToolError)?;
        crash::point(|| "before the order: a new document".to_owned());
        let written = site.client.write(write, &Value::Object(document)).await;
        crash::point(|| "ordered, not followed: a new document".to_owned());
        let lost = match written {
            Ok(answer) => match answer.data.as_object() {
                Some(stored) => {
                    let made = self.made(site, stored, answer.warnings).await;
                    return made.map_err(ToolError);
                }
                None => site.unusable("data"),
            },
            Err(WriteFailure::NotDone(error)) => {
                // The key is taken: the same call has been sent before.
                let is_taken =
                    self.trace.key.is_some() && error.kind() == Some(RefusalKind::NotUnique);
                if is_taken && let DraftSearch::Found(stored) = self.search(site, since).await {
                    let made = self.made(site, &stored, Vec::new()).await;
                    return made.map_err(ToolError);
                }
                if let Some(noted) = &noted {
                    site.claims.close(noted).await;
                }
                return Err(ToolError(error.body()));
            }
            Err(WriteFailure::Unknown(error)) => error,
        };
        let texts = [say::ANSWER_LOST, say::LOOK_FIRST];
        acting::settle(&lost, progress, texts, || async {
            match self.search(site, since).await {
                DraftSearch::Found(stored) => {
                    let made = self.made(site, &stored, Vec::new()).await;
                    made.map(Some).map_err(|error| error.message)
                }
                DraftSearch::Nothing => Ok(None),
                DraftSearch::Unclear(reason) => Err(reason),
            }
        })
        .await
    }

    /// Notes what is about to be sent, unless a field of the document will say whose it is.
    async fn note(&self, site: &ErpSite, since: i64) -> Result<Option<OpenDraft>, ErrorBody> {
        if self.trace.key.is_some() {
            return Ok(None);
        }
        let (doctype, owner) = (&self.meta.name, &self.who.user);
        let (call, content) = (self.trace.call, self.trace.noted());
        let noted = site.claims.open(doctype, owner, call, since, content).await;
        noted.map(Some).map_err(|error| {
            tracing::warn!(%error, %call, "a document was not sent, because it could not be noted");
            ErrorBody::new(ErrorCode::ToolFailed, say::NOT_NOTED)
        })
    }

    async fn search(&self, site: &ErpSite, since: i64) -> DraftSearch {
        self.trace.search(site, &self.meta, &self.who, since).await
    }

    async fn made(
        &self,
        site: &ErpSite,
        stored: &Document,
        warnings: Vec<String>,
    ) -> Result<ToolOutput, ErrorBody> {
        let warnings = [self.warnings.clone(), warnings].concat();
        made(site, &self.meta, &self.trace, stored, warnings).await
    }
}

/// Looks for the draft of a call that was cut off.
pub(crate) async fn reconcile(
    site: &ErpSite,
    meta: &TypeMeta,
    who: &ErpIdentity,
    trace: &DraftTrace,
    since: Timestamp,
) -> Reconciled {
    let since = site.client.at_site(since.0);
    match trace.search(site, meta, who, since).await {
        DraftSearch::Found(stored) => {
            let done = made(site, meta, trace, &stored, Vec::new()).await;
            Reconciled::Done(done.map_err(ToolError))
        }
        DraftSearch::Nothing if acting::is_over(site, since) => {
            Reconciled::NotDone(say::NOT_MADE.to_owned())
        }
        DraftSearch::Nothing => Reconciled::Unknown(say::MAY_STILL_COME.to_owned()),
        DraftSearch::Unclear(reason) => Reconciled::Unknown(reason),
    }
}

/// The result: what was asked for against what is stored.
async fn made(
    site: &ErpSite,
    meta: &TypeMeta,
    trace: &DraftTrace,
    stored: &Document,
    warnings: Vec<String>,
) -> Result<ToolOutput, ErrorBody> {
    let raw = |field: &str| stored.get(field).and_then(Value::as_str);
    let name = raw("name").unwrap_or("?");
    let (creation, now) = (raw("creation").unwrap_or_default(), site.client.own_now());
    let claimed = site
        .claims
        .claim(&meta.name, name, creation, trace.call, now);
    claimed.await;
    site.keep(meta, name, stored);
    let text = |field: &str| {
        let value = stored.get(field)?;
        cell::cell(meta.field(field), value, cell::IN_LIST)
    };
    let status = stored.get("docstatus").filter(|_| meta.is_submittable);
    let currencies = site.known_currencies().await;
    let place = AmountPlace {
        document: stored,
        row: None,
        currencies: &currencies,
    };
    let mut total = ["grand_total", "paid_amount"].into_iter();
    let total = total.find(|field| stored.contains_key(*field));
    let currency = total.and_then(|field| meta.field(field));
    let currency = currency.map(|field| amounts::currency(place.currency(meta, field).as_deref()));
    let mut data = json!({
        "doctype": meta.name,
        "name": name,
        "made": format!("{} {name}", meta.name),
        "docstatus": status.map(cell::docstatus),
        "modified": stored.get("modified"),
        "status": text("status"),
        "total": total.and_then(text),
        "currency": currency.or_else(|| text("currency")),
        "changed_by_erp": differences(meta, &trace.wanted, stored),
        "warnings": warnings,
    });
    for field in [
        "docstatus",
        "status",
        "total",
        "currency",
        "changed_by_erp",
        "warnings",
    ] {
        drop_empty(&mut data, field);
    }
    output(say::created(&meta.name, name), data)
}
